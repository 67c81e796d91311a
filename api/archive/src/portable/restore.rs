//! A store is made of archives: all of it, or nothing.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::{self, DirBuilder};
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, SyncSender};
use std::{slice, thread};

use journal::{
    MatchId, NAMES, TICKET_SECRET, forgetting_note, forgotten_match, last_forgetting, match_id,
};
use store::{Commit, Config, Home, Note, Store, Ticket, Write, WriteError};

use super::failed::{Failed, beside, of_file};
use super::line::Manifest;
use super::reader::{Item, read};
use super::stop::{Stop, Until, stop};

/// So many writes may be under way.
const WAITING: usize = 4_000;
/// So many bytes of them.
const WAITING_BYTES: usize = 16 << 20;
/// So many commits and notes are handed on together, or fewer where they have so many bytes; and so many of these are read ahead.
const TOGETHER: usize = 256;
const TOGETHER_BYTES: usize = 256 << 10;
const AHEAD: usize = 4;
/// So many names of a match are read at once.
const PAGE: usize = 100;
/// So many notes are one write, or fewer where they have so many bytes.
const NOTES: usize = 100;
const NOTES_BYTES: usize = 1 << 20;

/// What was restored.
#[derive(Clone, Debug)]
pub struct Restored {
    /// The archives.
    pub manifests: Vec<Manifest>,
    /// The last feed position of the store.
    pub position: u64,
    /// How many commits behind it are not from after the time at which the store was to stop.
    pub early: u64,
}

/// Makes a store of archives of which each continues the one before: in a folder that is empty or missing, or in a database with an empty
/// store. All of them are checked to their end, even behind `until`, for which they are read twice. It is made in a folder beside, which gets
/// its name when everything is on disk and was read back; in a database no server opens it before. Should anything fail, nothing is left.
///
/// # Errors
/// If something is there already, an archive is not what was written, or the store cannot be written.
pub fn restore(
    files: &[PathBuf],
    home: impl Into<Home>,
    until: Option<&Until>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Restored, Failed> {
    let folder = match home.into() {
        Home::Folder(folder) => folder,
        Home::Database(address) => {
            return address.fill(|store| build(files, Building::of(store), until, progress));
        }
    };
    place(&folder, |beside| build(files, Building::new(beside)?, until, progress))
}

/// Lets `make` make a store in a folder beside `folder`, which must be empty or missing, and gives it that name when all of it is there. Of two
/// who do so at the same time one makes the folder beside, and only whoever made it removes it.
pub(super) fn place<T>(
    folder: &Path,
    make: impl FnOnce(&Path) -> Result<T, Failed>,
) -> Result<T, Failed> {
    is_free(folder)?;
    // Where the parent is a link, or has one in it, all that follows is at the place where it leads now. Without a separator at its end, as in
    // `link/`, a link is seen as one.
    let resolved = resolved(folder);
    takes_a_name(&resolved)?;
    let beside = beside(&resolved)?;
    let parent = resolved.parent().unwrap_or(Path::new("/"));
    // The innermost one first.
    let missing: Vec<&Path> = parent.ancestors().take_while(|above| !above.exists()).collect();
    let made = fs::create_dir_all(parent)
        .map_err(of_file(parent))
        .and_then(|()| create(&beside))
        .and_then(|()| fill(folder, &beside, &resolved, make));
    made.inspect_err(|_| {
        // One that is not empty stays.
        missing.iter().for_each(|above| drop(fs::remove_dir(above)));
    })
}

/// Makes the folder beside, unless there is one.
fn create(beside: &Path) -> Result<(), Failed> {
    // A store has the secrets of its matches: only its owner may read it.
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(beside).map_err(|error| {
        if error.kind() != io::ErrorKind::AlreadyExists {
            return of_file(beside)(error);
        }
        let what =
            "it is left over from a restore or a repair that was cut off, or one is running; remove it first";
        taken(beside, what)
    })
}

/// Makes a store in the folder beside, and gives it its name; should anything fail, the folder is removed.
fn fill<T>(
    folder: &Path,
    beside: &Path,
    resolved: &Path,
    make: impl FnOnce(&Path) -> Result<T, Failed>,
) -> Result<T, Failed> {
    // Somebody else may have finished since it was looked at.
    let made = is_free(folder).and_then(|()| make(beside)).and_then(|made| {
        fs::rename(beside, resolved).map_err(of_file(folder))?;
        let synced = store::sync_above(resolved).map_err(of_file(resolved));
        // Nobody may take it for one that lasts.
        synced.inspect_err(|_| drop(fs::rename(resolved, beside)))?;
        Ok(made)
    });
    made.inspect_err(|_| {
        // What cannot be removed is no store: its name says so.
        drop(fs::remove_dir_all(beside));
    })
}

pub(super) fn taken(path: &Path, what: &str) -> Failed {
    of_file(path)(io::Error::other(what.to_owned()))
}

/// The path without links in what leads to its last part, as far as it is there.
pub(super) fn resolved(path: &Path) -> PathBuf {
    let Some(name) = path.file_name() else {
        return path.canonicalize().unwrap_or_else(|_| path.to_owned());
    };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    parent.canonicalize().unwrap_or_else(|_| resolved(parent)).join(name)
}

/// An error where nothing else can get this name: at a link, and where a file system is mounted.
fn takes_a_name(folder: &Path) -> Result<(), Failed> {
    let found = match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.map_err(of_file(folder))?,
    };
    if found.is_symlink() {
        return Err(taken(folder, "it is a link; name the folder itself"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let above = fs::metadata(folder.join("..")).map_err(of_file(folder))?;
        if above.dev() != found.dev() || above.ino() == found.ino() {
            let what =
                "a file system is mounted there, which keeps its name; choose a new folder in it";
            return Err(taken(folder, what));
        }
    }
    Ok(())
}

/// An error unless the folder is empty or missing.
fn is_free(folder: &Path) -> Result<(), Failed> {
    match fs::read_dir(folder).map(|mut entries| entries.next()) {
        Ok(Some(_)) => Err(taken(folder, "the folder is not empty; choose another one")),
        Ok(None) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(of_file(folder)(error)),
    }
}

fn build(
    files: &[PathBuf],
    mut building: Building,
    until: Option<&Until>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Restored, Failed> {
    let end = match until {
        Some(until) => Some(stop(files, until, progress)?),
        None => None,
    };
    let end = end.as_ref();
    // Reading and checking take as long as writing: a thread of its own reads ahead.
    let (manifests, early) = thread::scope(|scope| {
        let (steps, read) = mpsc::sync_channel(AHEAD);
        let reader = scope.spawn(move || read_ahead(files, end, &steps));
        for step in read.into_iter().flatten() {
            match step {
                Step::Commit(commit, position) => building.commit(commit, position)?,
                Step::Note(note) => building.note(note)?,
                Step::End => building.settle()?,
                Step::Reached(position, last) => progress(position, last),
            }
        }
        reader.join().unwrap_or_else(|panic| resume_unwind(panic))
    })?;
    let position = building.finish()?;
    Ok(Restored { manifests, position, early })
}

/// What was read of an archive, in order.
enum Step {
    Commit(Commit, u64),
    Note(Note),
    /// An archive is over.
    End,
    /// The position that was reached, and the last one of its archive.
    Reached(u64, u64),
}

impl Step {
    fn bytes(&self) -> usize {
        match self {
            Step::Commit(commit, _) => {
                commit.bytes.len() + commit.header.as_ref().map_or(0, Vec::len)
            }
            Step::Note(note) => note.key.len() + note.value.len(),
            Step::End | Step::Reached(..) => 0,
        }
    }
}

/// Steps that are handed on together.
struct Ahead<'a> {
    to: &'a SyncSender<Vec<Step>>,
    steps: Vec<Step>,
    bytes: usize,
}

impl Ahead<'_> {
    /// An error when nobody takes it.
    fn put(&mut self, step: Step) -> Result<(), Failed> {
        let is_end = matches!(step, Step::End);
        self.bytes += step.bytes();
        self.steps.push(step);
        if !is_end && self.steps.len() < TOGETHER && self.bytes < TOGETHER_BYTES {
            return Ok(());
        }
        self.bytes = 0;
        let sent = self.to.send(std::mem::take(&mut self.steps));
        sent.map_err(|_| Failed::Unfit("the store takes no more".to_owned()))
    }
}

/// Reads archives to their end, and hands on what belongs into the store, up to `end`. Says how many commits behind it are early. Stops when nobody
/// takes it: then whoever took it knows why.
fn read_ahead(
    files: &[PathBuf],
    end: Option<&Stop>,
    steps: &SyncSender<Vec<Step>>,
) -> Result<(Vec<Manifest>, u64), Failed> {
    let mut early = 0;
    let ahead = RefCell::new(Ahead { to: steps, steps: Vec::new(), bytes: 0 });
    let mut reached = |position, last| {
        // Whoever goes away is noticed at the next step.
        drop(ahead.borrow_mut().put(Step::Reached(position, last)));
    };
    let manifests = read(files, &mut reached, &mut |item| {
        let step = match item {
            Item::Commit { commit, record, position } => {
                if let Some(end) = end.filter(|end| position > end.position) {
                    early += u64::from(end.is_early(match_id(commit.stream), record));
                    return Ok(());
                }
                Step::Commit(commit, position)
            }
            Item::Note(note) => Step::Note(note),
            Item::End => Step::End,
        };
        ahead.borrow_mut().put(step)
    })?;
    Ok((manifests, early))
}

/// A store in the making.
pub(super) struct Building {
    store: Store,
    /// The position of the last commit that was given to it.
    position: u64,
    tickets: VecDeque<(Ticket, usize)>,
    bytes: usize,
    notes: Vec<Note>,
}

impl Building {
    pub(super) fn new(folder: &Path) -> Result<Self, Failed> {
        Ok(Building::of(Store::make(folder, Config::default())?))
    }

    fn of(store: Store) -> Self {
        Building { store, position: 0, tickets: VecDeque::new(), bytes: 0, notes: Vec::new() }
    }

    /// Reads everything back; returns the last position.
    pub(super) fn finish(self) -> Result<u64, Failed> {
        let Building { store, position, .. } = self;
        let damage = store.check(&mut |_| {}).damage;
        if let Some(damage) = damage.first() {
            return Err(Failed::Unfit(format!("what was written cannot be read back: {damage}")));
        }
        Ok(position)
    }

    pub(super) fn commit(&mut self, commit: Commit, position: u64) -> Result<(), Failed> {
        self.position = position;
        let bytes = commit.bytes.len();
        let ticket = self.store.submit(Write { commit: Some(commit), notes: Vec::new() });
        self.wait_for(ticket, bytes)
    }

    pub(super) fn note(&mut self, mut note: Note) -> Result<(), Failed> {
        // Archives of earlier versions have it, and so has a damaged store that is repaired.
        if note.key == TICKET_SECRET {
            return Ok(());
        }
        // An archive may have notes that were in the one before: of those two all is the same.
        let reading = |position| move |source| Failed::Read { position, source };
        let known = self.store.note(&note.key).map_err(reading(self.position))?;
        if let Some(id) = forgotten_match(&note.key, &note.value) {
            // Also where the note is known: another name may have been forgotten under its number, in a store that was restored in between.
            self.forget_names(id)?;
            // Also where the store stops before, and in the archives that are made of it: what was forgotten stays so.
            note.position = note.position.min(self.position);
            if known.as_ref().is_some_and(|known| *known != note.value) {
                // Of two matches under one number both are remembered, before the next number is looked at.
                self.settle()?;
                let last = last_forgetting(&self.store).map_err(reading(self.position))?;
                note.key = forgetting_note(last + 1);
                self.notes.push(note);
                return self.settle();
            }
        }
        if note.position > self.position {
            return Ok(());
        }
        match known {
            Some(known) if known == note.value => return Ok(()),
            Some(_) => {
                // Its key was used again: what came later is there.
                let forgotten = self.store.forget(slice::from_ref(&note.key));
                self.wait_for(forgotten, 0)?;
                self.wait_for_all()?;
                self.notes.push(note);
            }
            None => self.notes.push(note),
        }
        let bytes: usize = self.notes.iter().map(|note| note.value.len()).sum();
        if self.notes.len() >= NOTES || bytes >= NOTES_BYTES { self.submit_notes() } else { Ok(()) }
    }

    /// A later archive says that a name in this match was forgotten: those that are left are behind that in it.
    fn forget_names(&mut self, id: MatchId) -> Result<(), Failed> {
        let reading = |position| move |source| Failed::Read { position, source };
        let first = [NAMES, id.as_bytes()].concat();
        let mut after = first.clone();
        loop {
            let page = self.store.notes(Some(&after), PAGE).map_err(reading(self.position))?;
            let names = page.into_iter().map(|note| note.key);
            let names: Vec<_> = names.take_while(|key| key.starts_with(&first)).collect();
            let Some(last) = names.last() else { return Ok(()) };
            after.clone_from(last);
            let forgotten = self.store.forget(&names);
            self.wait_for(forgotten, 0)?;
            self.wait_for_all()?;
        }
    }

    fn submit_notes(&mut self) -> Result<(), Failed> {
        let notes = std::mem::take(&mut self.notes);
        let bytes = notes.iter().map(|note| note.value.len()).sum();
        let ticket = self.store.restore_notes(&notes);
        self.wait_for(ticket, bytes)
    }

    /// All that was given to the store is on disk.
    pub(super) fn settle(&mut self) -> Result<(), Failed> {
        if !self.notes.is_empty() {
            self.submit_notes()?;
        }
        self.wait_for_all()?;
        let settled = self.store.settle();
        self.wait_for(settled, 0)?;
        self.wait()
    }

    /// Goes on while not too much is under way.
    fn wait_for(&mut self, ticket: Ticket, bytes: usize) -> Result<(), Failed> {
        self.tickets.push_back((ticket, bytes));
        self.bytes += bytes;
        while self.tickets.len() > WAITING || self.bytes > WAITING_BYTES {
            self.wait()?;
        }
        Ok(())
    }

    fn wait_for_all(&mut self) -> Result<(), Failed> {
        while !self.tickets.is_empty() {
            self.wait()?;
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Failed> {
        let Some((ticket, bytes)) = self.tickets.pop_front() else { return Ok(()) };
        self.bytes -= bytes;
        let written = ticket.wait();
        written
            .map(drop)
            .map_err(|source: WriteError| Failed::Write { position: self.position, source })
    }
}

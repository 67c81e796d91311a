//! What can be read of a damaged store becomes a new one; the damaged matches are set aside, each in a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use journal::{
    Bytes32, DamageKind, Header, Journal, MatchId, Record, Unread, match_id, token_note,
};
use kernel::{AnyGame, Seat};
use serde::Serialize;
use store::{Commit, Damage, Note, OpenError, ReadError, Store, Stored, StreamId};
use zstd::Encoder;

use super::chains::Chains;
use super::failed::{Failed, of_file};
use super::forgotten::Doubtful;
use super::line::{CommitLine, NoteLine};
use super::owner::{ids_in, match_of};
use super::restore::{Building, place, resolved, taken};

/// A match that is not in the new store.
#[derive(Clone, Debug)]
pub struct SetAside {
    /// The match.
    pub r#match: MatchId,
    /// The first commit that is damaged, where it is one.
    pub commit: Option<u64>,
    /// What is wrong.
    pub what: String,
    /// How many of its commits could be read, and are in its file.
    pub readable: u64,
    /// Of how many that are known.
    pub known: u64,
}

/// What became of a store.
#[derive(Clone, Debug)]
pub struct Repaired {
    /// How many matches are in the new store.
    pub matches: u64,
    /// The last feed position of the new store.
    pub position: u64,
    /// The first feed position that is another commit's now; what follows on it has moved, too.
    pub moved: Option<u64>,
    /// How many commits are lost of which nothing is known but that there were so many: any match may lack its last ones.
    pub lost: u64,
    /// The matches that are not in it.
    pub aside: Vec<SetAside>,
    /// The matches in which a name was forgotten, with how many names were left out: what was read may be older than that.
    pub unnamed: BTreeMap<MatchId, u64>,
    /// Everything that was damaged.
    pub damage: Vec<String>,
}

/// The first line of the file of a match that was set aside.
#[derive(Serialize)]
struct Aside<'a> {
    format: &'static str,
    r#match: MatchId,
    commit: Option<u64>,
    what: &'a str,
    header: Option<&'a str>,
}

/// Why a match is set aside: a commit, and what is wrong.
type Wrong = (Option<u64>, String);

/// The store in `data`, read in a copy that is made in `scratch` and removed again; not a byte of it changes.
struct Patient {
    journal: Journal,
    damage: Vec<Damage>,
    /// The commits among what is damaged, by match and number.
    listed: BTreeMap<StreamId, BTreeMap<u64, String>>,
    /// The names that are left out.
    doubtful: Doubtful,
    /// Every commit of the matches that are whole, by its feed position.
    kept: Vec<(u64, StreamId, u64)>,
    aside: BTreeMap<StreamId, Wrong>,
}

/// Makes a new store in `out`, which must be empty or missing, of all that is whole in the store in `data`. Matches keep their commits, and the
/// feed its order; where a match is missing, positions move up. What could be read of the others is in files in `out`, in the folder `aside`.
///
/// # Errors
/// If the store cannot be copied or opened at all, or has a record that only a newer program can read, or the new one cannot be written; then
/// nothing is left of it.
pub fn repair(
    data: &Path,
    out: &Path,
    scratch: &Path,
    games: &'static [&'static dyn AnyGame],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Repaired, Failed> {
    if data.canonicalize().is_ok_and(|data| resolved(out).starts_with(data)) {
        return Err(taken(out, "it is in the damaged store, which is to stay as it is"));
    }
    place(out, |beside| {
        let journal = Journal::of(Store::salvage(data, scratch).map_err(hopeless)?, games);
        let checked = journal.store().check(&mut |_| {});
        // It is whole, and would be left out or set aside: only that program can tell what it is.
        if let Some(newer) = checked.newer {
            return Err(Failed::Unfit(format!(
                "the store is of a newer program ({newer}): repair it with that program"
            )));
        }
        let mut patient = Patient::of(journal, checked.damage);
        for stream in &checked.streams {
            if let Err(wrong) = patient.judge(*stream) {
                patient.aside.insert(*stream, wrong);
            }
        }
        patient.miss(&checked.streams.into_iter().collect())?;
        patient.kept.sort_unstable();
        let position = patient.build(beside, progress)?;
        let folder = beside.join("aside");
        let aside = patient.set_aside(&folder)?;
        let known: u64 = aside.iter().map(|aside| aside.known).sum();
        Ok(Repaired {
            matches: patient.kept.iter().filter(|(.., number)| *number == 1).count() as u64,
            position,
            moved: patient.moved(),
            lost: patient.journal.position().saturating_sub(position + known),
            aside,
            unnamed: std::mem::take(&mut patient.doubtful.names),
            damage: patient.damage.iter().map(Damage::to_string).collect(),
        })
    })
}

/// What opening a store advises is what was just tried.
fn hopeless(error: OpenError) -> Failed {
    if matches!(error, OpenError::Damaged(_) | OpenError::Lost { .. }) {
        let what = error.in_short();
        return Failed::Unfit(format!(
            "nothing of the store can be opened: {what}; restore the last backup"
        ));
    }
    error.into()
}

impl Patient {
    fn of(journal: Journal, damage: Vec<Damage>) -> Self {
        let mut listed: BTreeMap<StreamId, BTreeMap<u64, String>> = BTreeMap::new();
        for damage in &damage {
            if let Damage::Commit { stream, number, what } = damage {
                let of = listed.entry(*stream).or_default();
                of.entry(*number).or_insert_with(|| what.clone());
            }
        }
        let (kept, aside) = (Vec::new(), BTreeMap::new());
        Patient { journal, damage, listed, doubtful: Doubtful::default(), kept, aside }
    }

    /// Where something is damaged, a match of which only notes are left is one of those that are, and names may be there again that were
    /// forgotten.
    fn miss(&mut self, known: &BTreeSet<StreamId>) -> Result<(), Failed> {
        if self.damage.is_empty() && self.aside.is_empty() {
            return Ok(());
        }
        let (aside, doubtful) = (&mut self.aside, &mut self.doubtful);
        // Where all that is stored is as it was written, nothing older can be read.
        let is_damaged = !self.damage.is_empty();
        let read = self.journal.store().readable_notes(&mut |note| {
            if is_damaged {
                doubtful.look(&note);
            }
            if let Some(stream) = match_of(&note)
                && !known.contains(&stream)
            {
                aside.insert(stream, (None, "it has no commit and no header".to_owned()));
            }
        });
        read.map_err(|source| self.unread(source))
    }

    fn unread(&self, source: ReadError) -> Failed {
        Failed::Read { position: self.journal.position(), source }
    }

    /// The first position that is another commit's now, or nobody's.
    fn moved(&self) -> Option<u64> {
        let moved = (1..).zip(&self.kept).find(|(new, (old, ..))| new != old);
        let kept = self.kept.len() as u64;
        moved.map(|(new, _)| new).or((kept < self.journal.position()).then_some(kept + 1))
    }

    /// Takes the commits of a match, if all of them are there, sealed and chained.
    fn judge(&mut self, stream: StreamId) -> Result<(), Wrong> {
        let store = self.journal.store();
        if let Some((&listed, what)) = self.listed.get(&stream).and_then(BTreeMap::first_key_value)
        {
            // Where the feed cannot be read either, those before it are not listed.
            let first = (1..listed).find_map(|number| {
                let found = store.commits(stream, number - 1, 1);
                found.err().map(|error| (Some(number), error.to_string()))
            });
            return Err(first.unwrap_or((Some(listed), what.clone())));
        }
        let header =
            store.header(stream).map_err(|error| (None, format!("its header: {error}")))?;
        let header = header.ok_or((None, "it has no header".to_owned()))?;
        let known = Header::read(&header).ok();
        let (mut chains, mut commits) = (Chains::default(), Vec::new());
        let mut is_followed = known.is_some();
        loop {
            let next = commits.len() as u64 + 1;
            let page = match store.commits(stream, next - 1, 64) {
                Ok(page) => page,
                // It may be any of them: one by one, the damaged one has its number.
                Err(_) => store
                    .commits(stream, next - 1, 1)
                    .map_err(|error| (Some(next), error.to_string()))?,
            };
            if page.is_empty() {
                break;
            }
            for Stored { number, position, bytes, .. } in page {
                // What is of another form is no damage: the program that knows it will read it, and only that can tell what follows on it.
                let record = if is_followed { Record::read(&bytes).ok() } else { None };
                is_followed = record.is_some();
                if let Some(record) = record {
                    let header = (number == 1).then_some(header.as_slice());
                    let followed = chains.follow(match_id(stream), number, header, &record);
                    followed.map_err(|what| (Some(number), what))?;
                }
                commits.push((position, stream, number));
            }
        }
        if commits.is_empty() {
            return Err((None, "it has no commit, only a header".to_owned()));
        }
        if let Some(header) = known {
            self.beside(match_id(stream), &header)?;
        }
        self.kept.extend(commits);
        Ok(())
    }

    /// What stands beside the chain is what it commits to.
    fn beside(&self, id: MatchId, header: &Header) -> Result<(), Wrong> {
        let Ok(opening) = self.journal.table(id) else { return Ok(()) };
        let taken = (0..).map(Seat).zip(&opening.table.seats);
        for (seat, _) in taken.filter(|(_, seat)| seat.token_commitment.is_some()) {
            // The journal of a copy, whose files are gone already, may take this for a failing disk. A match may be without a name, but not without a token.
            let (key, _) = token_note(id, seat, Bytes32([0; 32]));
            self.journal.store().note(&key).map_err(|error| (None, error.to_string()))?;
        }
        match self.journal.people(id, header, &opening.table) {
            Err(Unread::Damaged(damaged)) if damaged.what() != DamageKind::UnknownForm => {
                Err((None, damaged.cause().to_owned()))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Writes the new store; returns its last position.
    fn build(&self, folder: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64, Failed> {
        let (store, last) = (self.journal.store(), self.kept.len() as u64);
        let mut building = Building::new(folder)?;
        for (&(position, stream, number), new) in self.kept.iter().zip(1..) {
            let read = |source| Failed::Read { position, source };
            let stored = store.commits(stream, number - 1, 1).map_err(read)?;
            let bytes = stored.first().map(|stored| stored.bytes.to_vec()).unwrap_or_default();
            let header = if number == 1 { store.header(stream).map_err(read)? } else { None };
            building.commit(Commit { stream, number, bytes, header }, new)?;
            progress(new, last);
        }
        let mut written = Ok(());
        let read = store.readable_notes(&mut |note| {
            let is_kept = self.owner(&note).is_none() && !self.doubtful.has(&note);
            if written.is_ok() && is_kept && !self.is_of_free_seat(&note) {
                let before = self.kept.partition_point(|(old, ..)| *old <= note.position);
                written = building.note(Note { position: before as u64, ..note });
            }
        });
        read.map_err(|source| self.unread(source))?;
        written?;
        building.settle()?;
        building.finish()
    }

    /// Whether a note keeps the token of whoever took a seat, and the commit that says so is lost: it would be in the way of the next one.
    fn is_of_free_seat(&self, note: &Note) -> bool {
        let Some((id, seat)) = journal::seat_of_token_note(&note.key) else { return false };
        self.journal.table(id).is_ok_and(|opening| {
            let seat = opening.table.seats.get(seat.index());
            seat.is_some_and(|seat| seat.token_commitment.is_none())
        })
    }

    /// The match that a note belongs to, if that was set aside: its id is in the key, or it is the value.
    fn owner(&self, note: &Note) -> Option<StreamId> {
        ids_in(note).find(|stream| self.aside.contains_key(stream))
    }

    /// Writes what can be read of the other matches, each into a file of its own.
    fn set_aside(&self, folder: &Path) -> Result<Vec<SetAside>, Failed> {
        if self.aside.is_empty() {
            return Ok(Vec::new());
        }
        fs::create_dir(folder).map_err(of_file(folder))?;
        let mut notes: BTreeMap<StreamId, Vec<Note>> = BTreeMap::new();
        let read = self.journal.store().readable_notes(&mut |note| {
            if let Some(stream) = self.owner(&note).filter(|_| !self.doubtful.has(&note)) {
                notes.entry(stream).or_default().push(note);
            }
        });
        read.map_err(|source| self.unread(source))?;
        let aside = self.aside.iter().map(|(stream, wrong)| {
            let id = match_id(*stream);
            let file = folder.join(format!("{id}.ndjson.zst"));
            let notes = notes.get(stream).map(Vec::as_slice).unwrap_or_default();
            self.save(*stream, wrong, notes, &file)
        });
        let aside = aside.collect::<Result<Vec<_>, _>>()?;
        let sync = |folder: &Path| File::open(folder)?.sync_all();
        sync(folder).and_then(|()| store::sync_above(folder)).map_err(of_file(folder))?;
        Ok(aside)
    }

    fn save(
        &self,
        stream: StreamId,
        (commit, what): &Wrong,
        notes: &[Note],
        path: &PathBuf,
    ) -> Result<SetAside, Failed> {
        let (store, id) = (self.journal.store(), match_id(stream));
        let failed = of_file(path);
        let file = File::create_new(path).map_err(&failed)?;
        let mut out = Encoder::new(&file, 0).map_err(&failed)?;
        let mut write = |line: &dyn Fn() -> String| {
            std::io::Write::write_all(&mut out, (line() + "\n").as_bytes()).map_err(&failed)
        };
        let header = store.header(stream).ok().flatten();
        let header = header.as_deref().and_then(|header| std::str::from_utf8(header).ok());
        let first = Aside { format: "muninn match 1", r#match: id, commit: *commit, what, header };
        write(&|| text(&first))?;
        let listed = self.listed.get(&stream).and_then(BTreeMap::last_key_value);
        let listed = listed.map(|(number, _)| *number);
        let found = store.last(stream).ok().flatten().map(|stored| stored.number);
        let last = listed.max(*commit).max(found).unwrap_or(0);
        let (mut known, mut readable) = (0, 0);
        loop {
            let found = store.commits(stream, known, 1);
            let is_end = found.as_ref().is_ok_and(Vec::is_empty);
            if (is_end || found.is_err()) && known >= last {
                break;
            }
            known += 1;
            let Some(stored) = found.ok().and_then(|mut found| found.pop()) else { continue };
            let Ok(record) = Record::read(&stored.bytes) else { continue };
            write(&|| text(&CommitLine::new(&stored, &record, None)))?;
            readable += 1;
        }
        for note in notes {
            write(&|| text(&NoteLine::new(note)))?;
        }
        out.finish().and_then(|file| file.sync_all()).map_err(&failed)?;
        Ok(SetAside { r#match: id, commit: *commit, what: what.clone(), readable, known })
    }
}

fn text(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("plain data always has JSON")
}

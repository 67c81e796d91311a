//! A store is written into an archive: while it runs too, up to the feed position that it had at the beginning.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::mpsc::{self, SyncSender};
use std::thread;
use std::time::Instant;

use journal::{Bytes32, Header, Record, TICKET_SECRET, match_id};
use serde::Serialize;
use sha2::{Digest, Sha256};
use store::{Note, Place, ReadError, Store, Stored};
use zstd::Encoder;

use super::chains::Chains;
use super::failed::Failed;
use super::forgotten::Forgotten;
use super::line::{CommitLine, First, Head, Last, Manifest, NAME, NoteLine, VERSION};
use super::owner::match_of;
use super::reader::as_committed;
use crate::pace::Pace;

/// So many commits, or notes, are read at once: half a millisecond's work.
const PAGE: usize = 64;
/// So many pages are read ahead.
const AHEAD: usize = 16;
/// Level 3 takes twice as long, and its archives were larger.
const LEVEL: i32 = 1;

/// Writes an archive of `store`, of what came after the archive `since` if there is one. Blocks; whoever plays meanwhile is not stopped and
/// comes first, and what is committed meanwhile is not in it. `progress` is told the position that was reached, and the last one.
///
/// One thread reads the store, and keeps its priority: whoever plays waits for what it has locked. This one packs what was read, and has
/// nothing that anybody waits for: it calls `step_back` when the other runs, to lower its own priority.
///
/// # Errors
/// If the store cannot be read, is not the one that `since` was made of, or `out` takes no more.
pub fn back_up<W: Write>(
    store: &Store,
    since: Option<&Manifest>,
    out: W,
    step_back: impl FnOnce(),
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(Manifest, W), Failed> {
    let position = store.position();
    let after = since.map_or(0, |since| since.position);
    if let Some(since) = since {
        continues(store, since)?;
    }
    let mut lines = Lines::new(out)?;
    lines.write(&First {
        format: format!("{NAME}{VERSION}"),
        after,
        position,
        continues: since.map(|since| since.sha256),
        engine: concat!("muninn ", env!("CARGO_PKG_VERSION")).to_owned(),
    })?;
    // Whoever waits for the archive sees that it has begun, however long the first piece takes.
    lines.out.flush().map_err(writing)?;
    let mut chains = Chains::default();
    let mut last = since.and_then(|since| since.last);
    let (mut reached, mut notes) = (after, 0);
    thread::scope(|scope| {
        let (pages, read) = mpsc::sync_channel(AHEAD);
        scope.spawn(move || read_pages(store, after..position, &pages));
        step_back();
        let mut pace = Pace::new(store);
        for page in read {
            let begun = Instant::now();
            match page? {
                Page::Commits(page) => {
                    for Read { stored, header, record } in page {
                        let (id, number) = (match_id(stored.stream), stored.number);
                        if number > 1 && !chains.has(id) {
                            let (head, seed) = go_on(store, &stored)?;
                            chains.resume(head, seed);
                        }
                        let head = header.as_deref().map(str::as_bytes);
                        let head = chains
                            .extend(id, number, head, &record)
                            .map_err(|what| unfit(&stored, &what))?;
                        lines.write(&CommitLine::new(&stored, &record, header.as_deref()))?;
                        last = Some(head);
                        reached = stored.position;
                    }
                    progress(reached, position);
                }
                Page::Notes(page) => {
                    for note in &page {
                        as_committed(note).map_err(|what| of_note(note, what))?;
                        lines.write(&NoteLine::new(note))?;
                    }
                    notes += page.len() as u64;
                }
            }
            pace.rest(begun);
        }
        Ok::<_, Failed>(())
    })?;
    let (commits, matches, heads) = (position - after, chains.opened, chains.heads());
    let sha256 = lines.sha256();
    let manifest = Manifest { after, position, commits, matches, notes, last, heads, sha256 };
    lines.write(&Last { manifest: &manifest })?;
    Ok((manifest, lines.out.finish().map_err(writing)?))
}

/// The end of a match behind which an archive goes on: the commit before this one, and the secret that seals them.
fn go_on(store: &Store, next: &Stored) -> Result<(Head, Bytes32), Failed> {
    let reading = reading(next.position - 1);
    let header = store.header(next.stream).map_err(&reading)?;
    let before = store.commits(next.stream, next.number - 2, 1).map_err(&reading)?;
    let unfit = |what: &str| unfit(next, what);
    let header = header.ok_or_else(|| unfit("the header of its match is missing"))?;
    let header = Header::read(&header).map_err(|error| unfit(&error.to_string()))?;
    let before = before.first().filter(|before| before.number + 1 == next.number);
    let before = before.ok_or_else(|| unfit("the commit before it is missing"))?;
    let hash = Record::read(&before.bytes).map_err(|error| unfit(&error.to_string()))?.hash();
    let head = Head { r#match: match_id(next.stream), commit: before.number, hash };
    Ok((head, header.seed))
}

/// Something is damaged, or newer than this program: no archive is made of it, for nobody could read that.
fn unfit(commit: &Stored, what: &str) -> Failed {
    let (stream, number, position) = (commit.stream, commit.number, commit.position);
    unfit_at(Place { stream, number, position }, what)
}

fn unfit_at(Place { stream, number, position }: Place, what: &str) -> Failed {
    let id = match_id(stream);
    Failed::Unfit(format!("position {position}: match {id}, commit {number}: {what}"))
}

/// A commit could not be read: of one that is damaged, or newer, it is said which it is.
fn unread(place: Place, part: &str, error: ReadError) -> Failed {
    if matches!(error, ReadError::Damaged(_) | ReadError::Newer(_)) {
        return unfit_at(place, &format!("{part}{error}"));
    }
    reading(place.position - 1)(error)
}

fn of_note(note: &Note, what: &str) -> Failed {
    let of = match_of(note).map(|stream| format!("match {}: ", match_id(stream)));
    Failed::Unfit(format!("{}{what}", of.unwrap_or_default()))
}

/// A commit as it is read.
struct Read {
    stored: Stored,
    header: Option<String>,
    record: Record,
}

/// What was read together.
enum Page {
    Commits(Vec<Read>),
    Notes(Vec<Note>),
}

/// Reads the commits behind the first of these positions, up to the last one, page by page, and then the notes; ends early when nobody takes
/// them.
fn read_pages(store: &Store, positions: Range<u64>, pages: &SyncSender<Result<Page, Failed>>) {
    let mut pace = Pace::new(store);
    let mut send = |begun, page: Result<Page, Failed>| {
        pace.rest(begun);
        let is_over = page.is_err();
        pages.send(page).is_err() || is_over
    };
    let mut reached = positions.start;
    while reached < positions.end {
        let limit = PAGE.min(usize::try_from(positions.end - reached).unwrap_or(PAGE));
        let (begun, page) = (Instant::now(), read_page(store, reached, limit));
        reached += limit as u64;
        if send(begun, page.map(Page::Commits)) {
            return;
        }
    }
    let mut forgotten = Forgotten::default();
    let mut key: Option<Vec<u8>> = None;
    loop {
        let begun = Instant::now();
        let page = store.notes(key.as_deref(), PAGE).map_err(reading(positions.end));
        let page = page.map(|mut page| {
            key = page.last().map(|note| note.key.clone());
            let of = positions.start..=positions.end;
            page.retain(|note| note.key != TICKET_SECRET && forgotten.belongs(note, &of));
            Page::Notes(page)
        });
        if send(begun, page) || key.is_none() {
            return;
        }
    }
}

fn read_page(store: &Store, after: u64, limit: usize) -> Result<Vec<Read>, Failed> {
    let places = store.feed_places(after, limit).map_err(reading(after))?;
    let read = |(place, stored): (&Place, Result<Stored, ReadError>)| {
        let unread = |part| move |error| unread(*place, part, error);
        let stored = stored.map_err(unread(""))?;
        let header = match place.number {
            1 => Some(store.header(place.stream).map_err(unread("its header: "))?),
            _ => None,
        };
        let missing = || unfit(&stored, "the header of its match is missing");
        let header = header.map(|header| header.ok_or_else(missing)).transpose()?;
        let unfit = |what: String| unfit(&stored, &what);
        let record = Record::read(&stored.bytes).map_err(|error| unfit(error.to_string()))?;
        let header = header.map(String::from_utf8).transpose();
        let header = header.map_err(|error| unfit(format!("its header: {error}")))?;
        Ok(Read { stored, header, record })
    };
    places.iter().zip(store.at_places(&places)).map(read).collect()
}

/// Whether the store has, where the archive ends, the commit that the archive ends with.
fn continues(store: &Store, since: &Manifest) -> Result<(), Failed> {
    let position = since.position;
    if since.last.is_none() != (position == 0) {
        return Err(Failed::Unfit(
            "the manifest of the archive does not say how it ends".to_owned(),
        ));
    }
    let Some(last) = since.last else { return Ok(()) };
    if position > store.position() {
        let found = store.position();
        return Err(Failed::Unfit(format!(
            "the archive ends at feed position {position}, but the store at {found}: it is another store, or an older copy"
        )));
    }
    let found = store.feed(position - 1, 1).map_err(reading(position))?;
    let hash = found.first().and_then(|stored| Some(Record::read(&stored.bytes).ok()?.hash()));
    if hash != Some(last.hash) {
        return Err(Failed::Unfit(format!(
            "at feed position {position} the store has another commit than the archive: it is another store"
        )));
    }
    Ok(())
}

fn reading(position: u64) -> impl Fn(ReadError) -> Failed {
    move |source| Failed::Read { position, source }
}

fn writing(source: io::Error) -> Failed {
    Failed::Unfit(format!("the archive cannot be written: {source}"))
}

/// Lines on their way into an archive.
struct Lines<W: Write> {
    out: Encoder<'static, W>,
    digest: Sha256,
    line: Vec<u8>,
}

impl<W: Write> Lines<W> {
    fn new(out: W) -> Result<Self, Failed> {
        let mut out = Encoder::new(out, LEVEL).map_err(writing)?;
        out.include_checksum(true).map_err(writing)?;
        Ok(Lines { out, digest: Sha256::new(), line: Vec::new() })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), Failed> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, line).expect("plain data always has JSON");
        self.line.push(b'\n');
        self.digest.update(&self.line);
        self.out.write_all(&self.line).map_err(writing)
    }

    fn sha256(&self) -> Bytes32 {
        Bytes32(self.digest.clone().finalize().into())
    }
}

//! Archives are read, and every line of them is checked.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use journal::{Bytes32, Name, Origin, Record, stream_id};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use store::{Commit, Note, Write};
use zstd::Decoder;

use super::chains::Chains;
use super::failed::{Failed, of_file};
use super::forgotten::Forgotten;
use super::line::{CommitLine, First, Head, Last, Manifest, NAME, NoteLine, VERSION};

/// No line is longer: the longest value of a store, written as JSON, and what stands around it.
const LINE_BYTES: u64 = 128 << 20;

/// How the last line begins.
const LAST: &[u8] = br#"{"manifest":"#;

/// What an archive has.
pub(super) enum Item<'a> {
    /// A commit, with the text that was recorded and its feed position.
    Commit { commit: Commit, record: &'a Record, position: u64 },
    /// A note.
    Note(Note),
    /// All of the archive was right. What follows is of the next one.
    End,
}

/// Reads archives, each of which continues the one before, and checks everything that can be known without the rules of a game: the bytes, the
/// order, the seals and chains of all matches. `progress` is told the position that was reached, and the last one of its archive.
///
/// # Errors
/// If a file cannot be read, or is not what was written. What came out of `take` before is then worth nothing.
pub(super) fn read(
    files: &[PathBuf],
    progress: &mut dyn FnMut(u64, u64),
    take: &mut dyn FnMut(Item<'_>) -> Result<(), Failed>,
) -> Result<Vec<Manifest>, Failed> {
    let (mut chains, mut manifests) = (Chains::default(), Vec::new());
    for file in files {
        chains.begin();
        let mut lines = Lines::of(file, File::open(file).map_err(of_file(file))?)?;
        let manifest = one(&mut lines, &mut chains, manifests.last(), progress, take)?;
        manifests.push(manifest);
        take(Item::End)?;
    }
    Ok(manifests)
}

/// Checks archives, each of which continues the one before; returns their manifests.
///
/// # Errors
/// If one cannot be read, is not what was written, or does not continue the one before.
pub fn verify(
    files: &[PathBuf],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<Manifest>, Failed> {
    read(files, progress, &mut |_| Ok(()))
}

/// The manifest of an archive, of which only the bytes are checked: it may continue another one.
///
/// # Errors
/// If the file cannot be read, or is not what was written.
pub fn manifest(file: &Path) -> Result<Manifest, Failed> {
    manifest_in(file, File::open(file).map_err(of_file(file))?)
}

/// The same of an archive that arrives and is written to `path`.
///
/// # Errors
/// As [`manifest`].
pub fn manifest_in(path: &Path, file: impl Read + Send + 'static) -> Result<Manifest, Failed> {
    let mut lines = Lines::of(path, file)?;
    first(&mut lines)?;
    loop {
        let sha256 = lines.sha256();
        let line = lines.next()?;
        if line.starts_with(LAST) {
            let Last::<Manifest> { manifest } = json(line).map_err(|what| lines.wrong(what))?;
            let found = Manifest { sha256, ..manifest.clone() };
            return end(&mut lines, manifest, &found);
        }
    }
}

fn one(
    lines: &mut Lines,
    chains: &mut Chains,
    previous: Option<&Manifest>,
    progress: &mut dyn FnMut(u64, u64),
    take: &mut dyn FnMut(Item<'_>) -> Result<(), Failed>,
) -> Result<Manifest, Failed> {
    let begun = first(lines)?;
    follows(lines, &begun, previous)?;
    let First { after, position, .. } = begun;
    let mut last = previous.and_then(|previous| previous.last);
    for expected in after + 1..=position {
        let line = lines.next()?;
        let (head, commit, record) =
            commit(line, expected, chains).map_err(|what| lines.wrong(what))?;
        last = Some(head);
        take(Item::Commit { commit, record: &record, position: expected })?;
        if expected % 1024 == 0 {
            progress(expected, position);
        }
    }
    progress(position, position);
    let (mut notes, mut key): (u64, Option<Vec<u8>>) = (0, None);
    let mut forgotten = Forgotten::default();
    loop {
        let sha256 = lines.sha256();
        let line = lines.next()?;
        if line.starts_with(LAST) {
            let Last { manifest } = json(line).map_err(|what| lines.wrong(what))?;
            let (commits, matches, heads) = (position - after, chains.opened, chains.heads());
            let found = Manifest { after, position, commits, matches, notes, last, heads, sha256 };
            return end(lines, manifest, &found);
        }
        let note = note(line, after..=position, &mut forgotten, key.as_deref());
        let note = note.map_err(|what| lines.wrong(what))?;
        key = Some(note.key.clone());
        take(Item::Note(note))?;
        notes += 1;
    }
}

/// The first line, if this program reads such archives.
fn first(lines: &mut Lines) -> Result<First, Failed> {
    #[derive(Deserialize)]
    struct Format {
        format: String,
    }
    let line = lines.next()?;
    let Ok(Format { format }) = serde_json::from_slice(line) else {
        return Err(lines.wrong("this is not an archive of Muninn"));
    };
    match format.strip_prefix(NAME) {
        Some(VERSION) => {}
        Some(other) => {
            let what = format!("the archive has format {other}, but this program reads {VERSION}");
            return Err(lines.wrong(what));
        }
        None => return Err(lines.wrong(format!("{format:?} is not an archive of Muninn"))),
    }
    json(line).map_err(|what| lines.wrong(what))
}

/// Whether an archive is the one that comes now.
fn follows(lines: &Lines, first: &First, previous: Option<&Manifest>) -> Result<(), Failed> {
    let follows = match (first.continues, previous) {
        (None, None) => first.after == 0,
        (Some(sha256), Some(before)) => sha256 == before.sha256 && first.after == before.position,
        (None, Some(_)) => return Err(lines.wrong("it is a full archive: it continues no other")),
        (Some(sha256), None) => {
            let what = format!("it continues the archive {}, which must come before", sha256.hex());
            return Err(lines.wrong(what));
        }
    };
    match follows && first.after <= first.position {
        true => Ok(()),
        false => Err(lines.wrong("it does not continue the archive before it")),
    }
}

fn commit(
    line: &[u8],
    expected: u64,
    chains: &mut Chains,
) -> Result<(Head, Commit, Record), String> {
    let line: CommitLine<'_> = json(line)?;
    if line.position != expected {
        return Err(format!("it has position {}, expected was {expected}", line.position));
    }
    let (id, number) = (line.r#match, line.commit);
    let header = line.header.as_deref().map(|header| header.as_bytes().to_vec());
    let named = |what: String| format!("match {id}, commit {number}: {what}");
    let record = Record::read(&line.bytes()).map_err(|error| named(error.to_string()))?;
    let head = chains.follow(id, number, header.as_deref(), &record).map_err(named)?;
    let bytes = record.bytes().to_vec();
    let longest = bytes.len().max(header.as_ref().map_or(0, Vec::len));
    if longest > Write::VALUE_BYTES {
        return Err(named(format!("{longest} bytes are more than a store takes")));
    }
    Ok((head, Commit { stream: stream_id(id), number, bytes, header }, record))
}

fn note(
    line: &[u8],
    positions: RangeInclusive<u64>,
    forgotten: &mut Forgotten,
    before: Option<&[u8]>,
) -> Result<Note, String> {
    let note = json::<NoteLine<'_>>(line)?.note().ok_or("this is no note")?;
    if before.is_some_and(|before| before >= &*note.key) {
        return Err("the notes are not in order".to_owned());
    }
    if !forgotten.belongs(&note, &positions) {
        return Err(format!("a note of position {} does not belong here", note.position));
    }
    as_committed(&note)?;
    Ok(note)
}

/// A name is the one of its key, and an origin is one.
///
/// # Errors
/// If it is not.
pub(super) fn as_committed(note: &Note) -> Result<(), &'static str> {
    if note.key.starts_with(b"origin/") && serde_json::from_slice::<Origin>(&note.value).is_err() {
        return Err("what says where a match comes from cannot be read");
    }
    let name = serde_json::from_slice::<Name>(&note.value);
    let is_it = name.is_ok_and(|name| note.key.ends_with(&name.commitment().0));
    let is_fit = !note.key.starts_with(b"name/") || is_it;
    is_fit.then_some(()).ok_or("a name is not the one that the chain commits to")
}

/// Nothing comes after the manifest, and it is that of what was read.
fn end(lines: &mut Lines, manifest: Manifest, found: &Manifest) -> Result<Manifest, Failed> {
    let Manifest { after, position, commits, matches, notes, last, heads, sha256 } = &manifest;
    let differs = [
        (
            "the number of commits",
            (after, position, commits) != (&found.after, &found.position, &found.commits),
        ),
        ("the number of matches", *matches != found.matches),
        ("the number of notes", *notes != found.notes),
        ("the last commit", *last != found.last),
        ("the digest of the heads", *heads != found.heads),
        ("the SHA-256 of the lines", *sha256 != found.sha256),
    ];
    if let Some((what, _)) = differs.into_iter().find(|(_, differs)| *differs) {
        return Err(lines.wrong(format!("{what} differs from the manifest")));
    }
    match lines.reader.fill_buf() {
        Ok([]) => Ok(manifest),
        Ok(_) => Err(lines.wrong("something follows the manifest")),
        Err(error) => Err(lines.wrong(format!("what follows cannot be read: {error}"))),
    }
}

fn json<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

/// The lines of a file.
struct Lines {
    file: PathBuf,
    reader: BufReader<Decoder<'static, BufReader<Box<dyn Read + Send>>>>,
    digest: Sha256,
    buffer: Vec<u8>,
    number: u64,
}

impl Lines {
    fn of(path: &Path, file: impl Read + Send + 'static) -> Result<Self, Failed> {
        let file: Box<dyn Read + Send> = Box::new(file);
        let reader = Decoder::new(file).map_err(of_file(path))?;
        Ok(Lines {
            file: path.to_owned(),
            reader: BufReader::with_capacity(1 << 18, reader),
            digest: Sha256::new(),
            buffer: Vec::new(),
            number: 0,
        })
    }

    fn wrong(&self, what: impl Into<String>) -> Failed {
        Failed::Archive { file: self.file.clone(), line: self.number.max(1), what: what.into() }
    }

    /// SHA-256 of all lines so far.
    fn sha256(&mut self) -> Bytes32 {
        self.digest.update(&self.buffer);
        self.buffer.clear();
        Bytes32(self.digest.clone().finalize().into())
    }

    /// The next line, without its end.
    fn next(&mut self) -> Result<&[u8], Failed> {
        self.digest.update(&self.buffer);
        self.buffer.clear();
        self.number += 1;
        let mut limited = (&mut self.reader).take(LINE_BYTES);
        match limited.read_until(b'\n', &mut self.buffer) {
            Ok(_) if self.buffer.ends_with(b"\n") => Ok(&self.buffer[..self.buffer.len() - 1]),
            Ok(_) if self.buffer.len() as u64 == LINE_BYTES => {
                Err(self.wrong("the line is too long"))
            }
            Ok(_) => Err(self.wrong("the archive is cut off")),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.wrong("the archive is cut off"))
            }
            Err(error) if self.number == 1 => {
                Err(self.wrong(format!("this is not an archive of Muninn ({error})")))
            }
            Err(error) => Err(self.wrong(format!("it cannot be read ({error})"))),
        }
    }
}

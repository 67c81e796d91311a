//! All tables as one archive of files, piece by piece: what an export writes to a folder, for whoever has none here.
//!
//! The archive (tar) consists of groups. A group has the files of some matches, named as those of an export by the first of them, and ends
//! with the file `_position`: up to this feed position everything is there. Whoever got a part of a group asks again after the last `_position`,
//! and gets its matches again. In front of all stands a group without files: the `_position` after which the archive begins.
//!
//! Each `_position` has a mark, as pax has comments: what stands there in this store. Whoever goes on compares it, so that the tables of two
//! stores, or of one that was restored, are never mixed.
//!
//! The first group is small, so that it comes soon, and each has up to twice as much as the one before, so that a large archive has few files. A group
//! waits in a nameless file until it is whole.

mod spool;

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use archive::{Archive, Finish, Finishes};
use journal::{Bytes32, DamageKind, Damaged};
use tar::EntryType;

use crate::catalogue::Catalogue;
use crate::download::{DownloadError, LeftOut, Pieces, Shared};
use crate::part::Parts;
use crate::wanted::Wanted;
use crate::write::Format;
use spool::{Disk, Spool};

/// How much memory may be held for rows that are not in a file yet, in bytes.
const BUDGET: usize = 6 << 20;

/// A group ends when one of its files has so many bytes: the first one, and at last.
const FIRST: u64 = 128 << 10;
const LARGE: u64 = 64 << 20;

/// A group takes no more of the disk than so many of its largest files would.
const FILES: u64 = 4;

/// A group ends after so long at the latest: somebody waits for it, and what is between may give up.
const LONGEST: Duration = Duration::from_secs(20);

/// So many bytes are sent at once.
const PIECE: u64 = 64 << 10;

/// The file at the end of a group.
const POSITION: &str = "_position";

/// What its header of pax is called; readers give it no file.
const MARK: &str = "PaxHeaders/_position";

/// What an archive consists of.
const BLOCK: u64 = 512;

/// All tables on their way.
pub struct Bundle {
    archive: Archive,
    catalogue: Arc<Catalogue>,
    format: Format,
    wanted: Wanted,
    finishes: Finishes,
    /// Where it begins, until that is said.
    start: Option<u64>,
    end: u64,
    /// Where the files of a group wait.
    folder: PathBuf,
    group: Option<Group>,
    /// When the group has a file of so many bytes, it ends.
    most: u64,
    /// The tables that have a file in the archive, by game.
    filled: BTreeSet<String>,
    /// What is to be sent before there is more work.
    leaving: VecDeque<Chunk>,
    is_done: bool,
    left_out: LeftOut,
    out: Shared,
}

/// What was taken since the last group.
struct Group {
    parts: Parts<Spool>,
    spool: Spool,
    since: Instant,
}

/// Bytes of the archive, in order.
enum Chunk {
    Bytes(Vec<u8>),
    Stored(Arc<Disk>, Range<u64>),
}

impl Bundle {
    /// The tables of the matches that ended in `span`. Files wait on the disk where `folder` is until they are sent.
    #[must_use]
    pub fn new(
        archive: Archive,
        catalogue: Arc<Catalogue>,
        format: Format,
        wanted: Wanted,
        span: Range<u64>,
        folder: PathBuf,
    ) -> Self {
        Bundle {
            start: Some(span.start),
            end: span.end,
            finishes: archive.finishes(span.clone()),
            left_out: LeftOut::new(archive.clone(), span),
            archive,
            catalogue,
            format,
            wanted,
            folder,
            group: None,
            most: FIRST,
            filled: BTreeSet::new(),
            leaving: VecDeque::new(),
            is_done: false,
            out: Shared::default(),
        }
    }

    fn add(&mut self, finish: Result<Finish, Damaged>) -> Result<(), DownloadError> {
        let position = self.finishes.position();
        let taken = finish.map_err(DownloadError::Damaged);
        match taken.and_then(|finish| self.take(&finish)) {
            Ok(()) => {}
            Err(DownloadError::Damaged(damaged)) => return self.left_out.pass(damaged),
            Err(failed) => return Err(failed),
        }
        let Some(Group { parts, spool, since }) = &mut self.group else { return Ok(()) };
        parts.relieve(spool, BUDGET)?;
        let (largest, all) = spool.size();
        if largest >= self.most || all >= self.most * FILES || since.elapsed() > LONGEST {
            self.most = LARGE.min(self.most * 2);
            self.leave(position)?;
        }
        Ok(())
    }

    /// Takes the rows of a match, if it is wanted.
    fn take(&mut self, finish: &Finish) -> Result<(), DownloadError> {
        if !self.wanted.wants(&self.archive, finish).map_err(DownloadError::Damaged)? {
            return Ok(());
        }
        let read = self.catalogue.read(&self.archive, finish).map_err(DownloadError::Damaged)?;
        let month = finish.finished_at.get(..7).unwrap_or("unknown");
        let group = match &mut self.group {
            Some(group) => group,
            none => none.insert(Group {
                parts: Parts::new(self.format),
                spool: Spool::new(&self.folder, std::mem::take(&mut self.filled))?,
                since: Instant::now(),
            }),
        };
        group.parts.finish_before(month, &mut group.spool)?;
        let game = read.game.info().id;
        let batches = group.parts.batches(&self.catalogue, game, month, finish.position);
        let rows = self.catalogue.rows(&read, batches);
        rows.map_err(|what| DownloadError::Damaged(self.archive.misfit(finish, what)))
    }

    /// Ends a group: all is there up to `position`.
    fn leave(&mut self, position: u64) -> Result<(), DownloadError> {
        if let Some(Group { mut parts, mut spool, since: _ }) = self.group.take() {
            parts.finish(&mut spool)?;
            let (disk, whole, filled) = spool.take();
            self.filled = filled;
            for file in whole {
                self.head(EntryType::Regular, &file.path, file.bytes)?;
                let places = file.places.into_iter();
                let stored = places.map(|place| Chunk::Stored(Arc::clone(&disk), place));
                self.leaving.extend(stored);
                self.pad(file.bytes);
            }
        }
        if let Some(mark) = self.mark(position)? {
            // A record of pax begins with its own length.
            self.text(EntryType::XHeader, MARK, format!("76 comment={}\n", mark.hex()))?;
        }
        self.text(EntryType::Regular, POSITION, format!("{position}\n"))?;
        Ok(())
    }

    /// What tells the store up to a position from others; nothing where that commit is damaged. It may be of a private match, so it is not its
    /// hash.
    fn mark(&self, position: u64) -> Result<Option<Bytes32>, DownloadError> {
        let mark = self.archive.journal().mark(position).map_err(|error| {
            let cause = error.to_string();
            let away = Damaged::at_position(position, DamageKind::Unreadable, cause).by(&error);
            DownloadError::Away(away)
        })?;
        Ok(mark.map(|hash| Bytes32::hash(&[b"tables".as_slice(), hash.0.as_slice()])))
    }

    /// A small file in the archive.
    fn text(&mut self, kind: EntryType, path: &str, text: String) -> io::Result<()> {
        let bytes = text.len() as u64;
        self.head(kind, path, bytes)?;
        self.leaving.push_back(Chunk::Bytes(text.into_bytes()));
        self.pad(bytes);
        Ok(())
    }

    /// The head of a file in the archive.
    fn head(&mut self, kind: EntryType, path: &str, bytes: u64) -> io::Result<()> {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(kind);
        header.set_path(path)?;
        header.set_size(bytes);
        header.set_mode(0o644);
        header.set_cksum();
        self.leaving.push_back(Chunk::Bytes(header.as_bytes().to_vec()));
        Ok(())
    }

    /// Files are whole blocks.
    fn pad(&mut self, bytes: u64) {
        self.zeros(bytes.next_multiple_of(BLOCK) - bytes);
    }

    fn zeros(&mut self, count: u64) {
        let zeros = std::iter::repeat_n(0, usize::try_from(count).unwrap_or(0));
        self.leaving.push_back(Chunk::Bytes(zeros.collect()));
    }

    fn send(&mut self, chunk: Chunk) -> io::Result<()> {
        match chunk {
            Chunk::Bytes(bytes) => self.out.write_all(&bytes),
            Chunk::Stored(disk, place) => {
                let piece = place.start..place.end.min(place.start + PIECE);
                let bytes = disk.read(&piece)?;
                if piece.end < place.end {
                    self.leaving.push_front(Chunk::Stored(disk, piece.end..place.end));
                }
                self.out.write_all(&bytes)
            }
        }
    }
}

impl Pieces for Bundle {
    fn step(&mut self) -> Result<bool, DownloadError> {
        if let Some(chunk) = self.leaving.pop_front() {
            self.send(chunk)?;
            return Ok(true);
        }
        if self.is_done {
            return Ok(false);
        }
        if let Some(start) = self.start.take() {
            self.leave(start)?;
            return Ok(true);
        }
        match self.finishes.look() {
            Some(Some(finish)) => self.add(finish)?,
            Some(None) => {}
            None => {
                self.leave(self.end)?;
                self.zeros(2 * BLOCK);
                self.is_done = true;
            }
        }
        Ok(true)
    }

    fn out(&self) -> &Shared {
        &self.out
    }

    fn seal(&mut self) -> u64 {
        self.left_out.seal()
    }
}

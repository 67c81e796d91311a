//! The folder of an export: files grow beside it and appear in it when they are whole.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use archive::Archive;
use journal::{Bytes32, Damaged};

use super::dictionary::Dictionary;
use super::error::{ExportError, io_error};
use super::manifest::{Entry, LeftOut, Manifest};
use super::request::Export;
use crate::catalogue::Catalogue;
use crate::part::Shelf;

const MANIFEST: &str = "_export.json";
/// The next manifest, until it is whole.
const DRAFT: &str = "_export.json.new";
const DICTIONARY: &str = "_dictionary.json";
const DICTIONARY_DRAFT: &str = "_dictionary.json.new";
/// Files that are not whole yet.
const UNFINISHED: &str = "_unfinished";

pub(super) struct Folder {
    path: PathBuf,
    /// Locked as long as this lives.
    _lock: File,
    manifest: Manifest,
    fresh: Vec<Entry>,
    /// The folders `<table>/game=<game>` that have a file.
    filled: BTreeSet<String>,
}

impl Folder {
    /// Takes the folder: an empty one, or one with an export that this one can go on with.
    pub(super) fn open(
        export: &Export,
        catalogue: &Catalogue,
        path: &Path,
    ) -> Result<Self, ExportError> {
        fs::create_dir_all(path).map_err(io_error("create", path))?;
        let lock = lock(path)?;
        let mut manifest = Manifest::new(export, catalogue);
        if let Some(found) = read(path)? {
            if let Some(what) = manifest.differs(&found, export.since) {
                let folder = path.to_owned();
                return Err(ExportError::Other { folder, what });
            }
            let is_there = |file: &&Entry| {
                fs::metadata(path.join(&file.path)).is_ok_and(|found| found.len() == file.bytes)
            };
            if let Some(lost) = found.files.iter().find(|file| !is_there(file)) {
                let (folder, file) = (path.to_owned(), lost.path.clone());
                return Err(ExportError::Lacks { folder, file });
            }
            manifest = found;
        } else if let Some(found) = foreign(path)? {
            let folder = path.to_owned();
            return Err(ExportError::Foreign { folder, found });
        }
        let filled = manifest.files.iter().map(|file| table_of(&file.path));
        let (filled, path) = (filled.collect(), path.to_owned());
        let folder = Folder { path, _lock: lock, manifest, fresh: Vec::new(), filled };
        folder.remove_strays(catalogue)?;
        folder.write_manifest()?;
        folder.write_dictionary(catalogue)?;
        Ok(folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn position(&self) -> u64 {
        self.manifest.position
    }

    /// Makes sure that this is the store, or a copy of it, that was exported so far: in another one, also in this one after a repair, other matches
    /// have these positions.
    pub(super) fn check_store(&self, archive: &Archive) -> Result<(), ExportError> {
        let Manifest { position, mark, mark_position, .. } = &self.manifest;
        let doubtful = || ExportError::Doubtful { folder: self.path.clone(), exported: *position };
        let Some(mark) = mark else {
            // Of exports of before nothing is known.
            return mark_position.map_or(Ok(()), |_| Err(doubtful()));
        };
        let found = archive.journal().mark(mark_position.unwrap_or(*position));
        match found.map_err(|error| ExportError::Away(error.to_string()))? {
            Some(found) if found == *mark => Ok(()),
            Some(_) => Err(ExportError::Other { folder: self.path.clone(), what: "store" }),
            None => Err(doubtful()),
        }
    }

    /// Where a file grows.
    fn unfinished(&self, path: &str) -> PathBuf {
        self.path.join(UNFINISHED).join(path)
    }

    /// The feed positions of what earlier exports have left out, in order.
    pub(super) fn left_out(&self) -> Vec<u64> {
        let mut positions: Vec<u64> =
            self.manifest.damaged.iter().filter_map(|d| d.position).collect();
        positions.sort_unstable();
        positions
    }

    /// Gives all whole files their names, then says so in the manifest: up to which position the export goes, with the last commit there that can be
    /// read, and what was left out. Returns the number of files and their bytes.
    pub(super) fn publish(
        &mut self,
        (position, last): (u64, Option<(u64, Bytes32)>),
        damaged: &[Damaged],
    ) -> Result<(u64, u64), ExportError> {
        let count = self.fresh.len() as u64;
        let bytes = self.fresh.iter().map(|file| file.bytes).sum();
        let fresh = std::mem::take(&mut self.fresh);
        let Manifest { files, position: reached, mark, mark_position, .. } = &self.manifest;
        let known = (files.len(), *reached, *mark, *mark_position);
        let appeared = fresh.iter().try_for_each(|file| self.appear(&file.path));
        self.manifest.files.extend(fresh);
        self.manifest.up_to(position, last);
        let left_out = damaged.iter().map(LeftOut::from).collect();
        let left_out = std::mem::replace(&mut self.manifest.damaged, left_out);
        let done = appeared.and_then(|()| self.write_manifest());
        // One that has its name and may be lost in a crash names files that are there.
        let is_written = || read(&self.path).is_ok_and(|it| it == Some(self.manifest.sealed()));
        if done.is_err() && !is_written() {
            // All or nothing; what cannot be removed now is removed by the next export.
            let fresh = self.manifest.files.split_off(known.0);
            (self.manifest.position, self.manifest.mark) = (known.1, known.2);
            self.manifest.mark_position = known.3;
            self.manifest.damaged = left_out;
            for file in fresh {
                let _ = fs::remove_file(self.path.join(file.path));
            }
        }
        done.map(|()| (count, bytes))
    }

    fn appear(&self, path: &str) -> Result<(), ExportError> {
        let target = self.path.join(path);
        let folder = target.parent().unwrap_or(&self.path);
        fs::create_dir_all(folder).map_err(io_error("create", folder))?;
        fs::rename(self.unfinished(path), &target).map_err(io_error("write", &target))?;
        let above = folder.ancestors();
        above.take_while(|f| **f != self.path).try_for_each(sync)
    }

    fn write_manifest(&self) -> Result<(), ExportError> {
        let text = serde_json::to_string_pretty(&self.manifest.sealed());
        let text = text.expect("a manifest is plain data, which always has JSON");
        self.write(MANIFEST, DRAFT, &text)
    }

    /// Says what the tables are, if the folder does not say so yet: what is right needs no space.
    fn write_dictionary(&self, catalogue: &Catalogue) -> Result<(), ExportError> {
        let text = Dictionary::new(catalogue, self.manifest.game.as_deref()).json();
        let found = fs::read(self.path.join(DICTIONARY));
        if found.is_ok_and(|found| found == text.as_bytes()) {
            return Ok(());
        }
        self.write(DICTIONARY, DICTIONARY_DRAFT, &text)
    }

    /// Writes a file of the folder's own, as a whole or not at all.
    fn write(&self, name: &str, draft: &str, text: &str) -> Result<(), ExportError> {
        let (path, draft) = (self.path.join(name), self.path.join(draft));
        let failed = io_error("write", &path);
        let written = File::create(&draft).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&draft, &path)
        });
        if written.is_err() {
            // If that fails too, it is in nobody's way.
            let _ = fs::remove_file(&draft);
        }
        written.map_err(failed)?;
        sync(&self.path)
    }

    /// Removes what an export that did not end has left: parts, `<table>/game=<game>/month=<month>/part-<number>.<format>`, that were never in a
    /// manifest. Nothing else that somebody keeps here is looked into, least of all by a link.
    fn remove_strays(&self, catalogue: &Catalogue) -> Result<(), ExportError> {
        self.clean();
        let end = format!(".{}", self.manifest.format);
        let is_part = |name: &str| {
            let number = name.strip_prefix("part-").and_then(|rest| rest.strip_suffix(&end));
            number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
        };
        let is_ours = |path: &str| {
            path.split('/').enumerate().all(|(depth, step)| match depth {
                0 => catalogue.find(step).is_some(),
                1 => step.starts_with("game="),
                2 => step.starts_with("month="),
                _ => depth == 3 && is_part(step),
            })
        };
        let known: BTreeSet<&str> = self.manifest.files.iter().map(|f| f.path.as_str()).collect();
        let mut folders = vec![self.path.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(io_error("read", &folder))? {
                let entry = entry.map_err(io_error("read", &folder))?;
                let (path, kind) = (entry.path(), entry.file_type());
                let kind = kind.map_err(io_error("read", &path))?;
                let name = path.strip_prefix(&self.path).unwrap_or(&path);
                let name = name.to_string_lossy();
                if !is_ours(&name) {
                    continue;
                }
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file() && name.contains("/part-") && !known.contains(&*name) {
                    fs::remove_file(&path).map_err(io_error("remove", &path))?;
                }
            }
        }
        Ok(())
    }

    /// Removes what is not whole; if that fails, the next export tries again.
    pub(super) fn clean(&self) {
        let _ = fs::remove_dir_all(self.path.join(UNFINISHED));
    }
}

impl Shelf for Folder {
    type Out = BufWriter<File>;
    type Error = ExportError;

    fn create(&mut self, path: &str) -> Result<BufWriter<File>, ExportError> {
        self.filled.insert(table_of(path));
        let path = self.unfinished(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(io_error("create", folder))?;
        }
        File::create(&path).map(BufWriter::new).map_err(io_error("create", &path))
    }

    fn finished(
        &mut self,
        path: String,
        out: BufWriter<File>,
        rows: u64,
    ) -> Result<(), ExportError> {
        let failed = |error| self.failed(&path, error);
        let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        self.fresh.push(Entry { path, rows, bytes });
        Ok(())
    }

    fn has(&self, table: &str, game: &str) -> bool {
        self.filled.contains(&format!("{table}/game={game}"))
    }

    fn failed(&self, path: &str, error: io::Error) -> ExportError {
        io_error("write", &self.unfinished(path))(error)
    }
}

/// Keeps another export out of the folder as long as the file lives: they would remove each other's unfinished files. Where a file system has
/// no locks on folders, nobody is kept out.
fn lock(folder: &Path) -> Result<File, ExportError> {
    let file = File::open(folder).map_err(io_error("open", folder))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ExportError::Locked { folder: folder.to_owned() }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Something in a folder without a manifest that no export has left there: the first one may not have come further than its draft.
fn foreign(folder: &Path) -> Result<Option<String>, ExportError> {
    for entry in fs::read_dir(folder).map_err(io_error("read", folder))? {
        let name = entry.map_err(io_error("read", folder))?.file_name();
        if name != DRAFT {
            return Ok(Some(name.to_string_lossy().into_owned()));
        }
    }
    Ok(None)
}

fn read(folder: &Path) -> Result<Option<Manifest>, ExportError> {
    let path = folder.join(MANIFEST);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error("read", &path)(error)),
    };
    let foreign = |found: String| ExportError::Foreign { folder: folder.to_owned(), found };
    let manifest = serde_json::from_slice::<Manifest>(&text);
    let manifest = manifest.map_err(|_| foreign(format!("another {MANIFEST}")))?;
    if !manifest.is_whole() {
        return Err(foreign(format!("an {MANIFEST} that is damaged or was edited")));
    }
    Ok(Some(manifest))
}

/// `<table>/game=<game>` of a file's path.
fn table_of(path: &str) -> String {
    path.split('/').take(2).collect::<Vec<_>>().join("/")
}

fn sync(folder: &Path) -> Result<(), ExportError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io_error("sync", folder))
}

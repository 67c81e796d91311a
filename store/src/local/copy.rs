//! Folders that are needed for a while only, above all for a copy of a store's files, to be looked at in their place.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::iter;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Damage, OpenError};
use crate::local::folder::{self, io_error};
use crate::local::settings;

/// So much is left free beside the copy: opening it may write a snapshot and fill a segment.
const BESIDE: u64 = 64 << 20;
/// So much is read at once.
const PIECE: u64 = 1 << 20;
/// Where that fails, so much: what a disk reads at least, or more.
const BLOCK: u64 = 4 << 10;

/// Its name is this, the process, a number and the end.
const NAME: &str = "muninn-copy-";
const NAME_END: &str = ".tmp";

/// A folder for what is needed for a while only: it is removed with this. What a process leaves that is killed is removed by whoever makes the next one
/// in the same place.
#[derive(Debug)]
pub struct Scratch {
    pub(crate) path: PathBuf,
    /// The folder, locked. One that nobody has locked was left by a process that was killed.
    #[cfg(unix)]
    _lock: File,
}

impl Scratch {
    /// An empty one in this folder.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(within: &Path) -> Result<Scratch, OpenError> {
        #[cfg(unix)]
        remove_left(within);
        Scratch::empty(within)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Copies the store in `folder` into a new folder in `scratch`. Nobody may write it meanwhile; it is locked as long as that takes.
    pub(crate) fn of(folder: &Path, scratch: &Path) -> Result<Scratch, OpenError> {
        let _lock = folder::share(folder)?;
        let (copy, files) = Scratch::begin(folder, scratch)?;
        for name in files {
            let (from, to) = (folder.join(&name), copy.path.join(&name));
            // Not fs::copy, which copies that the file may not be written, too.
            let mut source = File::open(&from).map_err(io_error("read", &from))?;
            let mut target = File::create_new(&to).map_err(io_error("write", &to))?;
            io::copy(&mut source, &mut target).map_err(io_error("copy", &from))?;
        }
        Ok(copy)
    }

    /// The same of what can be read, with what cannot: there are zeros in its place, and files that are derived are left out.
    pub(crate) fn of_damaged(
        folder: &Path,
        scratch: &Path,
    ) -> Result<(Scratch, Vec<Damage>), OpenError> {
        let (_lock, unmarked) = folder::share_damaged(folder)?;
        let (copy, files) = Scratch::begin(folder, scratch)?;
        let mut damage: Vec<String> = unmarked.into_iter().collect();
        folder::mark_copy(&copy.path)?;
        for name in files {
            if name == Path::new("FORMAT") {
                continue;
            }
            let (from, to) = (folder.join(&name), copy.path.join(&name));
            let found = copy_readable(&from, &to)?;
            let what = found.iter().map(|Range { start, end }| {
                format!("{}: bytes {start} to {end} cannot be read", name.display())
            });
            damage.extend(what);
            if !found.is_empty() && is_derived(&name) {
                fs::remove_file(&to).map_err(io_error("remove", &to))?;
            }
        }
        damage.extend(settings::mend(&copy.path.join("log"))?);
        Ok((copy, damage.into_iter().map(Damage::Files).collect()))
    }

    /// An empty copy, where there is space for all, and the names of the files.
    fn begin(folder: &Path, scratch: &Path) -> Result<(Scratch, Vec<PathBuf>), OpenError> {
        let is_inside = folder
            .canonicalize()
            .and_then(|folder| Ok(scratch.canonicalize()?.starts_with(folder)))
            .map_err(io_error("look at", scratch))?;
        if is_inside {
            let inside = io::Error::other("it is in the store that is to be copied");
            return Err(io_error("make a copy in", scratch)(inside));
        }
        #[cfg(unix)]
        remove_left(scratch);
        let files = files(folder)?;
        let size = files.iter().map(|(_, bytes)| bytes).sum::<u64>();
        let free = fs2::available_space(scratch).map_err(io_error("look at", scratch))?;
        if free < size + BESIDE {
            let folder = scratch.to_owned();
            return Err(OpenError::NoSpace { folder, size, beside: BESIDE, free });
        }
        let copy = Scratch::empty(scratch)?;
        if folder.join("log").exists() {
            fs::create_dir(copy.path.join("log")).map_err(io_error("write", &copy.path))?;
        }
        Ok((copy, files.into_iter().map(|(name, _)| name).collect()))
    }

    /// A new folder that only we may read: a store has the secrets of its matches.
    fn empty(scratch: &Path) -> Result<Scratch, OpenError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = scratch.join(format!("{NAME}{}-{count}{NAME_END}", process::id()));
            match builder.create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created.map_err(io_error("create", &path))?,
            }
            #[cfg(unix)]
            if let Some(lock) = own(&path).map_err(io_error("lock", &path))? {
                return Ok(Scratch { path, _lock: lock });
            }
            #[cfg(not(unix))]
            return Ok(Scratch { path });
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files, which somebody empties.
        drop(fs::remove_dir_all(&self.path));
    }
}

/// Locks a copy; nothing if somebody else has it, or has just removed it.
#[cfg(unix)]
fn own(path: &Path) -> io::Result<Option<File>> {
    use std::os::unix::fs::MetadataExt;
    let lock = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
        Ok(()) => {}
    }
    let (own, found) = (lock.metadata()?, fs::symlink_metadata(path).ok());
    Ok(found
        .is_some_and(|found| (found.dev(), found.ino()) == (own.dev(), own.ino()))
        .then_some(lock))
}

/// Removes what killed processes left in this folder: a copy has the secrets of a whole store, what is derived has names, and both may fill the disk.
/// What is not ours cannot be locked, or not be removed, and stays.
#[cfg(unix)]
fn remove_left(scratch: &Path) {
    let Ok(entries) = fs::read_dir(scratch) else { return };
    for entry in entries.flatten() {
        let is_copy = is_name(&entry.file_name().to_string_lossy())
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_copy && let Ok(Some(_lock)) = own(&entry.path()) {
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// Whether a folder is called as a [`Scratch`] is, copy or not; nobody calls another one so.
#[cfg(unix)]
fn is_name(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let numbers = name.strip_prefix(NAME).and_then(|rest| rest.strip_suffix(NAME_END));
    let numbers = numbers.and_then(|numbers| numbers.split_once('-'));
    numbers.is_some_and(|(process, count)| is_number(process) && is_number(count))
}

/// Whether a file is made again of others: sled's snapshots and settings are.
fn is_derived(name: &Path) -> bool {
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("snap.") || name == settings::NAME
}

/// Copies a file with zeros for what cannot be read; returns where that is.
fn copy_readable(from: &Path, to: &Path) -> Result<Vec<Range<u64>>, OpenError> {
    let mut target = File::create_new(to).map_err(io_error("write", to))?;
    let length = fs::metadata(from).map_err(io_error("look at", from))?.len();
    let mut source = match File::open(from) {
        // A disk that fails may fail here, too.
        Err(error) if error.kind() != io::ErrorKind::PermissionDenied => {
            target.set_len(length).map_err(io_error("write", to))?;
            return Ok(iter::once(0..length).collect());
        }
        opened => opened.map_err(io_error("read", from))?,
    };
    let mut unreadable: Vec<Range<u64>> = Vec::new();
    let (mut at, mut step) = (0, PIECE);
    while at < length {
        let end = length.min((at / step + 1) * step);
        let bytes = match read(&mut source, at..end) {
            Ok(bytes) => bytes,
            Err(_) if step > BLOCK => {
                step = BLOCK;
                continue;
            }
            Err(_) => {
                match unreadable.last_mut().filter(|last| last.end == at) {
                    Some(last) => last.end = end,
                    None => unreadable.push(at..end),
                }
                vec![0; usize::try_from(end - at).unwrap_or(0)]
            }
        };
        target.write_all(&bytes).map_err(io_error("write", to))?;
        at = end;
        if at % PIECE == 0 {
            step = PIECE;
        }
    }
    Ok(unreadable)
}

fn read(file: &mut File, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(range.end - range.start).unwrap_or(0)];
    file.seek(SeekFrom::Start(range.start))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// What makes the store, with the length of each file.
fn files(folder: &Path) -> Result<Vec<(PathBuf, u64)>, OpenError> {
    let mut names: Vec<PathBuf> = ["FORMAT", "HEAD"].map(PathBuf::from).to_vec();
    let log = folder.join("log");
    if log.exists() {
        for entry in fs::read_dir(&log).map_err(io_error("read", &log))? {
            names.push(Path::new("log").join(entry.map_err(io_error("read", &log))?.file_name()));
        }
    }
    let mut files = Vec::new();
    for name in names {
        let path = folder.join(&name);
        match fs::metadata(&path) {
            Ok(file) if file.is_file() => files.push((name, file.len())),
            // A folder of sled's that is always empty; or a file that is missing, which is found out later.
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(io_error("look at", &path)(error)),
        }
    }
    Ok(files)
}

//! The folder: who may use it, whether it is ours, and what must be there.

use std::fs::{self, DirBuilder, File, Metadata, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::OpenError;
use crate::local::head::{Acknowledged, Head};

/// The version of the layout on disk that this program reads and writes.
pub(crate) const FORMAT_VERSION: u32 = 1;
/// What is said of a store whose mark is none.
const DAMAGED_MARK: &str = "the file FORMAT is damaged";
/// What is said of a store that has lost it.
const MISSING_MARK: &str = "the file FORMAT is missing";
/// What `FORMAT` says: this, the version, and the end of the line.
const MARK: &str = "muninn ";
/// How it began in development versions.
const DEVELOPMENT: &str = "muninn store ";
/// What a file system puts into its own root.
const NOT_FOREIGN: [&str; 1] = ["lost+found"];

/// How long to wait for another who may be about to leave the folder: a server that stops, or, for the instant between fork and exec,
/// a child of this very process that still has a copy of its files.
const PATIENCE: Duration = Duration::from_secs(1);

/// Files that are open, and where they lay when they were opened.
#[derive(Debug)]
pub(crate) struct Files(Vec<(PathBuf, Identity)>);

/// What tells a file from every other: its device and number there. Elsewhere than on Unix, only whether it is there.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(file: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Identity {
    (0, 0)
}

impl Files {
    fn new(open: [(PathBuf, &File); 3]) -> io::Result<Files> {
        let files = open.into_iter().map(|(path, file)| Ok((path, identity(&file.metadata()?))));
        Ok(Files(files.collect::<io::Result<_>>()?))
    }

    /// The first file that is no longer where it was, because it was removed or replaced.
    pub(crate) fn missing(&self) -> Option<&Path> {
        let is_missing = |(path, known): &&(PathBuf, Identity)| match fs::metadata(path) {
            Ok(found) => identity(&found) != *known,
            // Who cannot be asked is taken to be there: then a write itself will tell.
            Err(error) => {
                matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
            }
        };
        self.0.iter().find(is_missing).map(|(path, _)| path.as_path())
    }
}

/// What was there before a folder was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// A store.
    Store,
    /// A folder without one.
    Folder,
    /// Nothing.
    Nothing,
}

/// A folder that is ours, locked as long as this lives.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    before: Before,
    /// The file `FORMAT`, which carries the lock.
    lock: File,
}

impl Folder {
    /// Takes the folder, makes it a store if it is empty.
    pub(crate) fn take(path: &Path) -> Result<Folder, OpenError> {
        let was_there = path.exists();
        let entries = entries(path)?;
        let format = path.join("FORMAT");
        if !entries.iter().any(|name| name == "FORMAT")
            && let Some(found) =
                entries.into_iter().find(|name| !NOT_FOREIGN.contains(&name.as_str()))
        {
            return Err(without_mark(path, OpenError::Foreign { folder: path.to_owned(), found }));
        }
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&format)
            .map_err(io_error("open", &format))?;
        lock(File::try_lock, &file, path, &format)?;
        // Whoever had it locked may have removed it, and the file at this place is none, or another one.
        if !is_at(&file, &format).map_err(io_error("look at", &format))? {
            return Err(OpenError::Locked { folder: path.to_owned() });
        }
        // From here on nobody else makes or opens one there.
        let found = read_mark(&mut file, &format)?;
        let is_new =
            found.is_empty() && !["HEAD", "log"].iter().any(|name| path.join(name).exists());
        let before = match (is_new, was_there) {
            (false, _) => Before::Store,
            (true, true) => Before::Folder,
            (true, false) => Before::Nothing,
        };
        let lock = file.try_clone().map_err(io_error("open", &format))?;
        let folder = Folder { path: path.to_owned(), before, lock };
        folder.mark(&mut file, &found).inspect_err(|_| folder.undo())?;
        Ok(folder)
    }

    /// Nothing stays of a new store that could not be made; one that was there before stays as it is. What cannot be removed becomes a store for
    /// whoever opens it next.
    pub(crate) fn undo(&self) {
        if self.before == Before::Store {
            return;
        }
        drop(fs::remove_dir_all(self.log()));
        for name in ["HEAD", "FORMAT"] {
            drop(fs::remove_file(self.path.join(name)));
        }
        if self.before == Before::Nothing {
            drop(fs::remove_dir(&self.path));
        }
    }

    /// Checks the mark that was found in `FORMAT`, or writes it into a new store.
    fn mark(&self, file: &mut File, found: &str) -> Result<(), OpenError> {
        let path = self.path.join("FORMAT");
        let ours = our_mark();
        if found == ours {
            return Ok(());
        }
        // A crash while the store was made may leave a part of the mark, but then nothing else.
        if ours.starts_with(found) && !self.log().exists() {
            let write = &ours.as_bytes()[found.len()..];
            file.write_all(write)
                .and_then(|()| file.sync_all())
                .map_err(io_error("write", &path))?;
            return sync(&self.path);
        }
        Err(foreign_mark(found, &self.path))
    }

    /// The files that are open while the store is.
    pub(crate) fn files(&self, head: &File, log: &File) -> Result<Files, OpenError> {
        let db = self.log().join("db");
        let open =
            [(self.path.join("FORMAT"), &self.lock), (self.path.join("HEAD"), head), (db, log)];
        Files::new(open).map_err(io_error("look at", &self.path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where sled lives.
    pub(crate) fn log(&self) -> PathBuf {
        self.path.join("log")
    }

    /// Opens `HEAD`, or creates it in a new store; says what was acknowledged.
    pub(crate) fn head(&self) -> Result<(Head, Acknowledged), OpenError> {
        let path = self.path.join("HEAD");
        let is_new = !self.log().exists();
        let open =
            File::options().read(true).write(true).create(is_new).truncate(false).open(&path);
        let file = match open {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(OpenError::Damaged("the file HEAD is missing".to_owned()));
            }
            opened => opened.map_err(io_error("open", &path))?,
        };
        let again = file.try_clone().map_err(io_error("open", &path))?;
        match Head::read(file).map_err(io_error("read", &path))? {
            Some((_, acknowledged)) if is_new && acknowledged.position > 0 => {
                Err(OpenError::Lost { acknowledged: acknowledged.position, found: 0 })
            }
            Some(found) => Ok(found),
            None if is_new => {
                let head = Head::create(again).map_err(io_error("write", &path))?;
                sync(&self.path)?;
                Ok((head, Acknowledged::default()))
            }
            None => Err(OpenError::Damaged("the file HEAD cannot be read".to_owned())),
        }
    }

    /// A new `HEAD` in the place of one that cannot be read: in a copy, to look at what is left.
    pub(crate) fn new_head(&self) -> Result<Head, OpenError> {
        let path = self.path.join("HEAD");
        let file = File::create(&path).map_err(io_error("write", &path))?;
        Head::create(file).map_err(io_error("write", &path))
    }

    /// Syncs the names of all files, and the small files that sled writes without doing so.
    pub(crate) fn sync_log(&self) -> Result<(), OpenError> {
        let log = self.log();
        for name in entries(&log)? {
            sync(&log.join(name))?;
        }
        sync(&log)?;
        // Whoever wrote them may have been killed before it synced them.
        for name in ["FORMAT", "HEAD"] {
            sync(&self.path.join(name))?;
        }
        sync(&self.path)
    }
}

/// Whether an open file is the one at `path`.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(found) => Ok(identity(&found) == identity(&file.metadata()?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn read_mark(file: &mut File, format: &Path) -> Result<String, OpenError> {
    let mut found = Vec::new();
    file.take(256).read_to_end(&mut found).map_err(io_error("read", format))?;
    Ok(String::from_utf8_lossy(&found).into_owned())
}

fn our_mark() -> String {
    format!("{MARK}{FORMAT_VERSION}\n")
}

/// Why a folder with this mark is not opened.
fn foreign_mark(found: &str, folder: &Path) -> OpenError {
    let folder = folder.to_owned();
    if found.starts_with(DEVELOPMENT) {
        return OpenError::Development { folder };
    }
    match found.strip_prefix(MARK).and_then(|rest| rest.strip_suffix('\n')) {
        Some(version) => OpenError::Version { found: version.to_owned() },
        None if is_a_store(&folder) => OpenError::Damaged(DAMAGED_MARK.to_owned()),
        None => OpenError::Foreign { folder, found: "another FORMAT".to_owned() },
    }
}

/// Keeps writers out of a store that is only looked at, as long as the file lives. Nothing is changed, and nothing need be writable.
pub(crate) fn share(folder: &Path) -> Result<File, OpenError> {
    let format = folder.join("FORMAT");
    let mut file = match File::open(&format) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(without_mark(folder, OpenError::Missing { folder: folder.to_owned() }));
        }
        opened => opened.map_err(io_error("open", &format))?,
    };
    lock(File::try_lock_shared, &file, folder, &format)?;
    let found = read_mark(&mut file, &format)?;
    if found == our_mark() { Ok(file) } else { Err(foreign_mark(&found, folder)) }
}

/// The same for a store that may be damaged: without its mark it is one by its other files. Returns what is wrong with the mark, too.
pub(crate) fn share_damaged(folder: &Path) -> Result<(File, Option<String>), OpenError> {
    let what = match share(folder) {
        Ok(file) => return Ok((file, None)),
        Err(OpenError::Damaged(what)) => what,
        Err(error) if is_unmarked(&error) && is_a_store(folder) => DAMAGED_MARK.to_owned(),
        Err(error) => return Err(error),
    };
    // Whoever writes there has locked the log, too.
    let log = folder.join("log/db");
    let file = File::open(&log).map_err(io_error("open", &log))?;
    lock(File::try_lock_shared, &file, folder, &log)?;
    Ok((file, Some(what)))
}

/// Whether the mark is no mark at all, or cannot be read: that of another version is one.
fn is_unmarked(error: &OpenError) -> bool {
    if let OpenError::Version { found } = error {
        return found.is_empty() || !found.bytes().all(|byte| byte.is_ascii_digit());
    }
    matches!(error, OpenError::Io { doing: "read" | "open", .. })
}

/// Whether there is a store in the folder, though perhaps a damaged one.
///
/// # Errors
/// If that cannot be looked at, or nothing is there.
pub fn has_store(folder: &Path) -> io::Result<bool> {
    Ok(is_a_store(folder) || folder.join("FORMAT").metadata()?.is_file())
}

/// Why a folder without a mark is not opened: a store has lost it, or it is as `otherwise` says.
fn without_mark(folder: &Path, otherwise: OpenError) -> OpenError {
    if is_a_store(folder) { OpenError::Damaged(MISSING_MARK.to_owned()) } else { otherwise }
}

/// Whether the folder has the other files of a store.
fn is_a_store(folder: &Path) -> bool {
    ["HEAD", "log/db"].iter().all(|name| folder.join(name).is_file())
}

/// Writes the mark into the copy of a store.
pub(crate) fn mark_copy(folder: &Path) -> Result<(), OpenError> {
    let path = folder.join("FORMAT");
    fs::write(&path, our_mark()).map_err(io_error("write", &path))
}

/// Takes a folder for what is derived from a store elsewhere; the lock lasts as long as the file lives.
pub(crate) fn take_beside(folder: &Path) -> Result<File, OpenError> {
    if entries(folder)?.iter().any(|name| name == "FORMAT") {
        return Err(OpenError::Occupied { folder: folder.to_owned() });
    }
    let path = folder.join("DERIVED");
    let file = File::create(&path).map_err(io_error("open", &path))?;
    lock(File::try_lock, &file, folder, &path)?;
    Ok(file)
}

fn lock(
    try_lock: fn(&File) -> Result<(), TryLockError>,
    file: &File,
    folder: &Path,
    format: &Path,
) -> Result<(), OpenError> {
    let start = Instant::now();
    loop {
        match try_lock(file) {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::Locked { folder: folder.to_owned() });
            }
            Err(TryLockError::Error(source)) => return Err(io_error("lock", format)(source)),
        }
    }
}

/// Syncs a file, or the names in a folder.
pub(crate) fn sync(path: &Path) -> Result<(), OpenError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(io_error("sync", path))
}

/// Syncs the name of a folder that was made, and those of the folders above it, which may be as new.
///
/// # Errors
/// If the folder is not there, or the one above it cannot be synced.
pub fn sync_above(path: &Path) -> io::Result<()> {
    let path = path.canonicalize()?;
    let sync = |folder: &Path| File::open(folder)?.sync_all();
    let mut above = path.ancestors().skip(1);
    above.next().map_or(Ok(()), sync)?;
    // One further up that cannot be synced is not ours, and was there before.
    above.for_each(|folder| drop(sync(folder)));
    Ok(())
}

/// The names in a folder, which is created if it is not there.
fn entries(path: &Path) -> Result<Vec<String>, OpenError> {
    if !path.exists() {
        let above = path.parent().map_or(Ok(()), fs::create_dir_all);
        above.and_then(|()| own_folder(path)).map_err(io_error("create", path))?;
        sync_above(path).map_err(io_error("sync", path))?;
    }
    let names = fs::read_dir(path).map_err(io_error("read", path))?;
    names
        .map(|entry| {
            Ok(entry.map_err(io_error("read", path))?.file_name().to_string_lossy().into_owned())
        })
        .collect()
}

/// A folder that only its owner may read: a store has the secrets of its matches.
fn own_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).or_else(|error| {
        // Somebody else may have made it meanwhile: the lock says who has it.
        let is_there = error.kind() == io::ErrorKind::AlreadyExists && path.is_dir();
        if is_there { Ok(()) } else { Err(error) }
    })
}

pub(crate) fn io_error(doing: &'static str, path: &Path) -> impl Fn(io::Error) -> OpenError {
    move |source| OpenError::Io { doing, path: path.to_owned(), source }
}

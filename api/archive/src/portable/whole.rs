//! Files that get their name when all of them is on disk.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::failed::{Failed, beside, of_file};
use super::restore::{resolved, taken};

/// Lets `write` make the file at `path`: beside it first, and under its name when all of it is on disk. Only its owner may read it, for it
/// has the secrets of its matches.
///
/// # Errors
/// If there is something already, or one of its name is being written; and what `write` says.
pub fn back_up_file<T>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<T, Failed>,
) -> Result<T, Failed> {
    if is_of_folder(path) {
        return Err(taken(path, "it is the name of a folder; choose one for a file"));
    }
    // What a link leads to may be missing, but the name is not free.
    let is_free = || match fs::symlink_metadata(path) {
        Ok(_) => Err(taken(path, "the file exists already; choose another name")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(of_file(path)(error)),
    };
    is_free()?;
    let beside = beside(path)?;
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = unfinished(&beside, &mut options)?;
    // It may have been finished between the two: then the file that was opened has its name already.
    let written = is_free().and_then(|()| write(&mut file));
    let placed = written.and_then(|written| {
        file.sync_all().map_err(of_file(&beside))?;
        // Another file may have got the name meanwhile: it is not replaced.
        is_free()?;
        fs::rename(&beside, path).map_err(of_file(path))?;
        // Nobody may take it for one that lasts.
        sync_name(path).inspect_err(|_| drop(fs::rename(path, &beside)))?;
        Ok(written)
    });
    placed.inspect_err(|_| {
        // What cannot be removed is no archive: its name says so.
        drop(fs::remove_file(&beside));
    })
}

/// Writes a file. One that is there stays as it is until all of the new one is on disk, which gets its name and its rights; a link stays a
/// link. What is no file, such as a device or a pipe, takes the bytes itself.
///
/// # Errors
/// If it cannot be written, or one of its name is being written.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(of_file(path)(error)),
    };
    let is_file = old.as_ref().is_none_or(Metadata::is_file) && !is_of_folder(path);
    let Some(target) = is_file.then_some(path).and_then(target) else {
        return fs::write(path, bytes).map_err(of_file(path));
    };
    if old.is_some() {
        // What may not be written is not replaced either.
        File::options().write(true).open(&target).map_err(of_file(path))?;
    }
    let beside = beside(&target)?;
    let mut file = unfinished(&beside, &mut File::options())?;
    let written = old.map_or(Ok(()), |old| give(&file, &old));
    let written = written.and_then(|()| file.write_all(bytes)).and_then(|()| file.sync_all());
    let placed = written
        .map_err(of_file(&beside))
        .and_then(|()| fs::rename(&beside, &target).map_err(of_file(path)));
    placed.inspect_err(|_| drop(fs::remove_file(&beside)))?;
    sync_name(&target)
}

/// Gives a new file the rights of the one that it replaces, and its owner.
fn give(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root gives files away: what others write is theirs.
        drop(fchown(file, Some(old.uid()), Some(old.gid())));
    }
    file.set_permissions(old.permissions())
}

/// The file that a path leads to, which may be missing. None where the system keeps the way to something that is open: its name may not
/// be its own any more.
fn target(path: &Path) -> Option<PathBuf> {
    let mut path = resolved(path);
    while !path.starts_with("/proc") {
        let Ok(to) = fs::read_link(&path) else { return Some(path) };
        path = resolved(&path.parent()?.join(to));
    }
    None
}

/// Does more than a name end the path, as the separator in `new/` does? Then it can only be that of a folder.
fn is_of_folder(path: &Path) -> bool {
    let text = path.as_os_str().as_encoded_bytes();
    path.file_name().is_some_and(|name| !text.ends_with(name.as_encoded_bytes()))
}

/// Waits until the name of a file is on disk.
fn sync_name(path: &Path) -> Result<(), Failed> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(of_file(folder))
}

/// A new file at `path`, locked, in the place of one that is left of a command that was cut off. Whatever else is there stays as it is: what is
/// written into a link, or into a file of others, would be theirs.
fn unfinished(path: &Path, options: &mut OpenOptions) -> Result<File, Failed> {
    let failed = of_file(path);
    let busy = || taken(path, "another command is writing it");
    options.read(true).write(true).create_new(true);
    let create = || options.open(path);
    let file = match create() {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let found = fs::symlink_metadata(path).map_err(&failed)?;
            if !found.is_file() {
                return Err(taken(path, "it is not a file; remove it first"));
            }
            let left = File::options().read(true).write(true).open(path).map_err(&failed)?;
            left.try_lock().map_err(|_| busy())?;
            // Whoever had it locked may have removed it, and the file at this place is another one.
            if !is_at(&left, path) {
                return Err(busy());
            }
            fs::remove_file(path).map_err(&failed)?;
            let file = create();
            // Until here nobody else takes the place for free.
            drop(left);
            file.map_err(&failed)?
        }
        created => created.map_err(&failed)?,
    };
    file.try_lock().map_err(|_| busy())?;
    if is_at(&file, path) { Ok(file) } else { Err(busy()) }
}

/// Whether an open file is the one at `path`, and not only what a link there leads to.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |of: &Metadata| (of.dev(), of.ino());
    let found = fs::symlink_metadata(path).map(|found| identity(&found));
    found.is_ok_and(|found| file.metadata().is_ok_and(|file| identity(&file) == found))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.is_file()
}

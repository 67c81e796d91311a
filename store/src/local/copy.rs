//! A copy of a store's files, to be looked at in their place.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::OpenError;
use crate::local::folder::{self, io_error};

/// So much is left free beside the copy: opening it may write a snapshot and fill a segment.
const BESIDE: u64 = 64 << 20;

/// A folder of its own that holds a copy, and is removed with it.
#[derive(Debug)]
pub(crate) struct Copy {
    pub(crate) path: PathBuf,
}

impl Copy {
    /// Copies the store in `folder` into a new folder in `scratch`. Nobody may write it meanwhile; it is locked as long as that takes.
    pub(crate) fn of(folder: &Path, scratch: &Path) -> Result<Copy, OpenError> {
        let _lock = folder::share(folder)?;
        let files = files(folder)?;
        let needed = files.iter().map(|(_, bytes)| bytes).sum::<u64>() + BESIDE;
        let free = fs2::available_space(scratch).map_err(io_error("look at", scratch))?;
        if free < needed {
            return Err(OpenError::NoSpace { folder: scratch.to_owned(), needed, free });
        }
        let copy = Copy::empty(scratch)?;
        fs::create_dir(copy.path.join("log")).map_err(io_error("write", &copy.path))?;
        for (name, _) in files {
            let (from, to) = (folder.join(&name), copy.path.join(&name));
            // Not fs::copy, which copies that the file may not be written, too.
            let mut source = File::open(&from).map_err(io_error("read", &from))?;
            let mut target = File::create_new(&to).map_err(io_error("write", &to))?;
            io::copy(&mut source, &mut target).map_err(io_error("copy", &from))?;
        }
        Ok(copy)
    }

    /// A new folder that only we may read: a store has the secrets of its matches.
    fn empty(scratch: &Path) -> Result<Copy, OpenError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = scratch.join(format!("muninn-copy-{}-{count}", process::id()));
            match builder.create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io_error("create", &path)(error)),
                Ok(()) => return Ok(Copy { path }),
            }
        }
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files, which somebody empties.
        drop(fs::remove_dir_all(&self.path));
    }
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

//! Folders with all that is in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder of one's own, which goes when it is dropped, and places in it, where nothing is yet.
pub fn places<const N: usize>(names: [&str; N]) -> (TempDir, [PathBuf; N]) {
    let folder = tempfile::tempdir().expect("a folder");
    let places = names.map(|name| folder.path().join(name));
    (folder, places)
}

/// Files by their paths from a folder.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// All files below a folder.
pub fn read(folder: &Path) -> Files {
    let (mut files, mut folders) = (Files::new(), vec![PathBuf::new()]);
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(folder.join(&below)).expect("a folder") {
            let name = below.join(entry.expect("an entry").file_name());
            let path = folder.join(&name);
            if path.is_dir() {
                folders.push(name);
            } else {
                files.insert(name, fs::read(path).expect("readable"));
            }
        }
    }
    files
}

/// Puts files into a folder, which need not be there.
pub fn write(folder: &Path, files: &Files) {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("writable");
        fs::write(path, bytes).expect("writable");
    }
}

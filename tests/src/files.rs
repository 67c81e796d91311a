//! Folders with all that is in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of one's own, which goes when it is dropped, and places in it, where nothing is yet.
pub fn places<const N: usize>(names: [&str; N]) -> (TempDir, [PathBuf; N]) {
    let folder = tempfile::tempdir().expect("a folder");
    let places = names.map(|name| folder.path().join(name));
    (folder, places)
}

/// Files by their paths from a folder.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The paths of all files below a folder, from there, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let (mut names, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it is below the folder");
                names.push(name.to_str().expect("text").to_owned());
            }
        }
    }
    names.sort();
    names
}

/// All files below a folder.
pub fn read(folder: &Path) -> Files {
    let read = |name: String| {
        let bytes = fs::read(folder.join(&name)).expect("readable");
        (PathBuf::from(name), bytes)
    };
    names(folder).into_iter().map(read).collect()
}

/// How many bytes all files below a folder have.
pub fn size(folder: &Path) -> u64 {
    let size = |name: &String| fs::metadata(folder.join(name)).map_or(0, |found| found.len());
    names(folder).iter().map(size).sum()
}

/// Puts files into a folder, which need not be there.
pub fn write(folder: &Path, files: &Files) {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("writable");
        fs::write(path, bytes).expect("writable");
    }
}

/// The text of a file that is compressed, as an archive is.
pub fn unpacked(file: &Path) -> String {
    let bytes = zstd::decode_all(fs::File::open(file).expect("a file")).expect("compressed");
    String::from_utf8(bytes).expect("text")
}

/// Its lines, which are JSON.
pub fn unpacked_lines(file: &Path) -> Vec<Value> {
    let text = unpacked(file);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

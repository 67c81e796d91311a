//! Derived files as they lie in a folder: kept aside, and put back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Those of these files that are there.
pub(crate) fn read<'a>(data: &Path, names: &[&'a str]) -> BTreeMap<&'a str, Vec<u8>> {
    names.iter().filter_map(|name| Some((*name, fs::read(data.join(name)).ok()?))).collect()
}

/// Puts them back, and removes the others of these.
pub(crate) fn write(data: &Path, names: &[&str], files: &BTreeMap<&str, Vec<u8>>) {
    for name in names {
        match files.get(name) {
            Some(bytes) => fs::write(data.join(name), bytes).expect("it is written"),
            None => drop(fs::remove_file(data.join(name))),
        }
    }
}

//! Backup and restoration through the real program: what comes back is what was there, and what is not right is refused.

mod answers;
mod continued;
#[cfg(feature = "postgres")]
mod database;
mod full;
mod imported;
mod lost;
mod order;
#[cfg(unix)]
mod places;
mod racing;
mod refused;
mod repaired;
mod running;
mod world;

use std::path::{Path, PathBuf};

use acceptance::{Said, muninn, run};

pub(crate) fn backup(data: &Path, out: &Path, since: Option<&Path>) -> Said {
    let since = since.into_iter().flat_map(|since| [Path::new("--since"), since]);
    run(muninn().arg("backup").arg("--data").arg(data).arg("--out").arg(out).args(since))
}

pub(crate) fn restore(from: &[&Path], data: &Path, more: &[&str]) -> Said {
    run(muninn().arg("restore").arg("--from").args(from).arg("--data").arg(data).args(more))
}

pub(crate) fn verify(files: &[&Path]) -> Said {
    run(muninn().args(["backup", "--verify"]).args(files))
}

/// All that is in a folder.
pub(crate) fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    names
}

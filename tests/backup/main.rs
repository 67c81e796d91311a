//! Backup and restoration through the real program: what comes back is what was there, and what is not right is refused.

mod answers;
mod continued;
#[cfg(feature = "postgres")]
mod database;
mod full;
mod imported;
mod lost;
#[cfg(unix)]
mod places;
mod racing;
mod refused;
mod repaired;
mod running;
mod world;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use acceptance::muninn;

/// How a command ended, and what it said on standard output and standard error.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) error: String,
}

pub(crate) fn run(command: &mut Command) -> Said {
    let Output { status, stdout, stderr } = command.output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Said { code: status.code(), out: text(stdout), error: text(stderr) }
}

impl Said {
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.error);
        self.out
    }

    /// It failed, cleanly and with these words.
    #[track_caller]
    pub(crate) fn refused(&self, words: &[&str]) {
        assert_eq!((self.code, self.out.as_str()), (Some(1), ""), "{}", self.error);
        for word in words {
            assert!(self.error.contains(word), "{word}: {}", self.error);
        }
    }
}

pub(crate) fn backup(data: &Path, out: &Path, since: Option<&Path>) -> Said {
    let mut backup = muninn();
    backup.arg("backup").arg("--data").arg(data).arg("--out").arg(out);
    if let Some(since) = since {
        backup.arg("--since").arg(since);
    }
    run(&mut backup)
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

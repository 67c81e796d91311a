//! The program, run to its end.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::server::muninn;

/// How a command ended, and what it said on standard output and standard error.
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub error: String,
}

pub fn run(command: &mut Command) -> Said {
    let Output { status, stdout, stderr } = command.output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Said { code: status.code(), out: text(stdout), error: text(stderr) }
}

/// Runs the program on a store.
pub fn run_on(data: &Path, arguments: &[&str]) -> Said {
    run(muninn().args(arguments).arg("--data").arg(data))
}

/// Plays whole matches into a store; `asked` are the other arguments of `muninn simulate`.
#[track_caller]
pub fn simulate(data: &Path, asked: &str) -> String {
    run(muninn().args(["simulate", "--keep"]).arg(data).args(asked.split(' '))).ok()
}

impl Said {
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.error);
        self.out
    }

    /// It ended well, and printed JSON lines.
    #[track_caller]
    pub fn lines(self) -> Vec<Value> {
        self.ok().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// It failed with this code, cleanly and with these words.
    #[track_caller]
    pub fn failed(&self, code: i32, words: &[&str]) {
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""), "{}", self.error);
        for word in words {
            assert!(self.error.contains(word), "{word}: {}", self.error);
        }
    }

    #[track_caller]
    pub fn refused(&self, words: &[&str]) {
        self.failed(1, words);
    }
}

//! Who may read the files that a command makes.

#[cfg(unix)]
use std::sync::OnceLock;

#[cfg(unix)]
use rustix::{fs::Mode, process::umask};

use crate::config::Command;

/// What the user takes away from the rights of all files.
#[cfg(unix)]
static BEFORE: OnceLock<Mode> = OnceLock::new();

/// What a command writes into a store has seeds, names and hashes of tokens: nobody else may read it, whatever the folder allows.
pub(crate) fn made_for(command: &Command) {
    let is_secret = match command {
        Command::Serve(_)
        | Command::Simulate(_)
        | Command::Stats(_)
        | Command::Verify(_)
        | Command::Audit(_)
        | Command::Backup(_)
        | Command::Restore(_)
        | Command::Import(_)
        | Command::Repair(_)
        | Command::Picture(_)
        | Command::Query(_) => true,
        // What they write is to be shown, and of a store they open a copy, in a folder of its own.
        Command::Migrate(_)
        | Command::Report(_)
        | Command::Export(_)
        | Command::Openapi
        | Command::Asyncapi
        | Command::Kit(_)
        | Command::Health(_)
        | Command::Completions { .. }
        | Command::Man { .. } => false,
    };
    #[cfg(unix)]
    if is_secret {
        BEFORE.get_or_init(|| umask(Mode::RWXG | Mode::RWXO));
    }
    #[cfg(not(unix))]
    let _ = is_secret;
}

/// What is made from now on may be read as the user's other files.
pub(crate) fn as_before() {
    #[cfg(unix)]
    if let Some(before) = BEFORE.get() {
        umask(*before);
    }
}

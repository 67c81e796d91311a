//! Who may read the files that a command makes.

#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::Path;
#[cfg(unix)]
use std::sync::OnceLock;

#[cfg(unix)]
use rustix::fs::Mode;
#[cfg(unix)]
use rustix::process::{geteuid, umask};

use crate::config::Command;
use crate::failure::Failure;

/// What the user takes away from the rights of all files.
#[cfg(unix)]
static BEFORE: OnceLock<Mode> = OnceLock::new();

/// What a command writes into a store has seeds, names and hashes of tokens: nobody else may read it, whatever the folder allows.
///
/// # Errors
/// For root in the store of somebody else, who could not read what root makes there: the service would not start any more.
pub(crate) fn made_for(command: &Command) -> Result<(), Failure> {
    let (is_secret, into): (bool, Option<&Path>) = match command {
        Command::Serve(args) => (true, Some(&args.data)),
        Command::Stats(args) => (true, Some(&args.data)),
        Command::Simulate(args) => (true, args.keep.as_deref().or(args.data.as_deref())),
        Command::Import(args) => (true, args.store.folder()),
        Command::Query(args) => (true, args.data.as_deref().filter(|_| !args.schema)),
        Command::Picture(args) => (true, Some(&args.data)),
        // They make a new store, or open a copy in a folder of its own.
        Command::Verify(_)
        | Command::Audit(_)
        | Command::Backup(_)
        | Command::Restore(_)
        | Command::Repair(_) => (true, None),
        Command::Export(args) => (args.private, None),
        // What they write is to be shown.
        Command::Migrate(_)
        | Command::Report(_)
        | Command::Openapi
        | Command::Asyncapi
        | Command::Kit(_)
        | Command::Health(_)
        | Command::Completions { .. }
        | Command::Man { .. } => (false, None),
    };
    #[cfg(unix)]
    {
        if is_secret {
            BEFORE.get_or_init(|| umask(Mode::RWXG | Mode::RWXO));
        }
        into.map_or(Ok(()), of_root)
    }
    #[cfg(not(unix))]
    {
        let _ = (is_secret, into);
        Ok(())
    }
}

/// Refuses root in the store of somebody else.
#[cfg(unix)]
fn of_root(folder: &Path) -> Result<(), Failure> {
    // The mark of a store, or of what is derived from a database; of a new one the folder. What cannot be looked at, whoever opens it says why.
    let marks = [folder.join("FORMAT"), folder.join("DERIVED"), folder.to_owned()];
    let owner = marks.iter().find_map(|mark| mark.metadata().ok()).map_or(0, |mark| mark.uid());
    if owner == 0 || !geteuid().is_root() {
        return Ok(());
    }
    let message = format!(
        "{} belongs to the user with the id {owner}, who could not read what root writes there; run this as that user, for example with `runuser -u NAME -- muninn ...`",
        folder.display()
    );
    Err(Failure { message, code: 1 })
}

/// What is made from now on may be read as the user's other files.
pub(crate) fn as_before() {
    #[cfg(unix)]
    if let Some(before) = BEFORE.get() {
        umask(*before);
    }
}

//! What is done beside the matches comes after them.

use std::io;
use std::sync::Once;

/// A tenth of the share of who has asked for nothing. With the lowest one a backup would not come to an end while others keep the machine busy.
const NICE: i32 = 10;

/// Gives this thread, and those that it starts, the cores that nobody else wants: whoever plays comes first. Only Linux has priorities of
/// threads; elsewhere nothing happens.
///
/// # Errors
/// If the system does not let it: a lower priority is refused only where the call itself is forbidden.
pub fn step_back() -> io::Result<()> {
    // Whoever started it may have given it less.
    if cfg!(target_os = "linux") && rustix::process::getpriority_process(None)? < NICE {
        rustix::process::setpriority_process(None, NICE)?;
    }
    Ok(())
}

/// The same in a server, whose log says so if it was not possible: once, for the next time it would be the same.
pub(crate) fn step_back_or_say() {
    static SAID: Once = Once::new();
    if let Err(error) = step_back() {
        SAID.call_once(|| {
            tracing::warn!(%error, "the priority of backups cannot be lowered: they take cores from players");
        });
    }
}

//! What is done beside the matches comes after them.

/// A tenth of the share of who has none.
const NICE: i32 = 10;

/// Gives this thread, and those that it starts, the cores that nobody else wants: whoever plays comes first. Only Linux has priorities of
/// threads; elsewhere nothing happens.
pub fn step_back() {
    if cfg!(target_os = "linux") {
        // A lower priority is never refused.
        let _lowered = rustix::process::nice(NICE);
    }
}

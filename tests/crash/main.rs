//! The program itself, as a process: killed, starved, stopped, misused; and what `verify` finds in what it left behind.

#[path = "../harness/harness.rs"]
#[expect(dead_code, reason = "these tests use a part of what clients can do")]
mod harness;

mod preload;
mod process;

mod clock;
mod command_line;
mod damaged;
mod faults;
mod forged;
mod full_disk;
mod kill;
mod log;
mod players;
mod read_only;
mod slow_reader;
mod stop;
mod tables_killed;
mod trouble;
mod watchers;

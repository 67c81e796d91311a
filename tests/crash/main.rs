//! The program itself, as a process: killed, starved, stopped, misused; and what `verify` finds in what it left behind.

mod preload;

mod clock;
mod command_line;
mod damaged;
mod faults;
mod forged;
mod full_disk;
mod installed;
mod kill;
mod log;
mod players;
mod read_only;
mod slow_reader;
mod stop;
mod tables_killed;
mod trouble;
mod watchers;

//! The program itself, as a process: installed, stopped, misused; what it logs; and what `verify` finds in a forged store.

mod clock;
mod command_line;
mod forged;
mod installed;
mod log;
mod read_only;
mod slow_reader;

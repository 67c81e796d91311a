//! Panics in one line: into the log where there is one, else to standard error.
//!
//! Most of those that ever happen are caught: the store's engine gives up by a panic on files that it cannot make sense of, and the
//! store turns that into an error. A page of addresses of functions before a clear message would hide it.

use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};

/// From now on each panic is one line.
pub(crate) fn in_one_line() {
    panic::set_hook(Box::new(|panic| {
        let (message, place) = (message(panic), place(panic));
        if tracing::dispatcher::has_been_set() {
            tracing::error!(place, "panic: {message}");
        } else {
            // Nobody is left to tell if standard error is closed.
            let _ = writeln!(io::stderr(), "panic at {place}: {message}");
        }
    }));
}

fn message<'a>(panic: &'a PanicHookInfo<'_>) -> &'a str {
    panic.payload_as_str().unwrap_or("no reason given")
}

fn place(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location();
    place.map_or_else(String::new, |place| format!("{}:{}", place.file(), place.line()))
}

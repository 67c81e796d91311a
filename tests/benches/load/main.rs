//! The server under many: how much it does with thousands of streams open, and what the worst single requests cost.
//!
//! `cargo bench -p acceptance --bench load`. The real program in a process of its own, durable, on a real disk.
//!
//! 1. `LOAD_STREAMS` (10,000) clients hold an event stream; five in a hundred watch one of `LOAD_MATCHES` (200) matches that are played at
//!    full speed for `LOAD_SECONDS` (10), the others one where nothing happens. Each must get every commit once and in order.
//! 2. Requests that ask for as much as they may: peak of resident memory above that before, which must stay below 64 MB.
//!
//! It needs a file for each stream in each process: `ulimit -n 20000`.

#![expect(clippy::print_stdout, reason = "a bench says what it measured")]

mod bounds;
mod streams;

fn main() {
    streams::measure();
    bounds::measure();
}

/// A number from the environment.
fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

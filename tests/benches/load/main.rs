//! The server under many: how much it does with thousands of streams open, what the worst single requests cost, what a backup costs, and what is
//! left of a long run.
//!
//! `cargo bench -p acceptance --bench load`, or with the names of some parts behind it. The real program in a process of its own, durable, on a
//! real disk.
//!
//! 1. `streams`: `LOAD_STREAMS` (10,000) clients hold an event stream; `LOAD_WATCHING` (5) in a hundred watch one of `LOAD_MATCHES` (200) matches that
//!    are played at full speed for `LOAD_SECONDS` (10), the others one where nothing happens. Each must get every commit once and in order.
//! 2. `bounds`: requests that ask for as much as they may: peak of resident memory above that before, which must stay below 64 MB. Then sandboxes of
//!    each game that bots play as far as one request may: the server's CPU time, which must stay below two seconds.
//!
//! 3. `backups`: a store of `LOAD_BACKUP_MATCHES` (5,000) matches is backed up, verified and restored; and matches are played without a backup
//!    and beside one. All of it three times, medians.
//! 4. `long`: matches, streams, readers and backups come and go for `LOAD_MINUTES` (1); then memory and descriptors must be back.
//! 5. `attacked`: sixteen people play, each from an address of their own, on a server with `LOAD_RUNNING` (10,000) matches; for a sixth of
//!    `LOAD_MINUTES` (1) alone, then as long as that beside seven attackers, each from another address.
//! 6. `space`: 64 clients play matches of all games until `LOAD_COMMITS` (50,000) commits were written, each with an idempotency key.
//!
//! 7. `past`: any version of a match of some 65,000 events, pictures of it, and its replay; and the replay of a match of Rosenkönig.
//!
//! 8. `latency`: 64 clients play for `LOAD_MINUTES` (1) beside one backup and one export after the other, with the caches of everyday and then with
//!    the smallest: how long the slowest of their commands take.
//!
//! Commands of 1, 3, 4 and 8 are cards of Rosenkönig, each played and then taken back.
//!
//! It needs a file for each stream in each process: `ulimit -n 20000`.

#![expect(clippy::print_stdout, reason = "a bench says what it measured")]

mod attacked;
mod backups;
mod bounds;
mod latency;
mod long;
mod past;
mod space;
mod streams;

use acceptance::disk::refuse_memory;

fn main() {
    refuse_memory(&std::env::temp_dir());
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let parts: [(&str, fn()); 8] = [
        ("streams", streams::measure),
        ("bounds", bounds::measure),
        ("backups", backups::measure),
        ("long", long::measure),
        ("attacked", attacked::measure),
        ("space", space::measure),
        ("past", past::measure),
        ("latency", latency::measure),
    ];
    for (name, measure) in parts {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            measure();
        }
    }
}

/// A number from the environment.
fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

//! Muninn beside what one would use instead: the parts of `tests/peers/run.sh` that are in Rust.
//!
//! Each prints one line of JSON, what it measured:
//! `append ENGINE WRITERS WARM SECONDS FOLDER RECORDS`, `chess SECONDS`, `players list|post|live|bare ADDRESS PID TABLES WARM SECONDS`.
//! `bare BYTES` is a server, which prints where it listens.

#![expect(clippy::print_stdout, reason = "what was measured goes to standard output")]

mod append;
mod bare;
mod chess;
mod clock;
mod connection;
mod dice;
mod engines;
mod players;
mod rules;
mod watcher;

use std::path::Path;
use std::str::FromStr;

/// The program's allocator, for all.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["append", engine, writers, warm, seconds, folder, records] => append::measure(
            engine,
            number(writers),
            [number(warm), number(seconds)],
            Path::new(folder),
            Path::new(records),
        ),
        ["bare", bytes] => return bare::serve(number(bytes)),
        ["chess", seconds] => chess::measure(number(seconds)),
        ["players", how, address, process, tables, warm, seconds] => players::measure(
            players::How::named(how),
            address.parse().expect("an address"),
            process,
            number(tables),
            [number(warm), number(seconds)],
        ),
        _ => panic!("unknown arguments: {}", words.join(" ")),
    };
    println!("{result}");
}

fn number<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("not a number: {text}"))
}

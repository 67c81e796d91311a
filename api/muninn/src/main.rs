//! The `muninn` program: Muninn's server and tools with all games of the catalogue.

use std::process::ExitCode;

use clap::Parser;
use muninn::{Cli, run};

/// Many small JSON buffers: the system's allocator costs a good part of the throughput.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    run(Cli::parse(), catalog::GAMES, catalog::PICTURES)
}

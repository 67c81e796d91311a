//! The `muninn` program: Muninn's server and tools with all games of the catalogue.

use std::process::ExitCode;

use muninn::run;

/// Many small JSON buffers: the system's allocator costs a good part of the throughput.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    run(&std::env::args_os().collect::<Vec<_>>(), catalog::GAMES, catalog::PICTURES)
}

//! The `muninn` program: Muninn's server and tools with all games of the catalogue.

use std::ffi::OsString;
use std::process::ExitCode;

use muninn::run;

/// Many small JSON buffers: the system's allocator costs a good part of the throughput.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The allocator of a server gives back what is free after a millisecond instead of a second, looks for it more often, and takes no huge pages: with
/// a million matches it starts with 40 MB less and keeps 50 MB less, and so it does where many ask for large things at the same time. It reads
/// this once, before any code of ours runs. What works through a whole store and ends would only get the same memory from the system again and
/// again: a tenth of an export was that.
#[cfg(target_os = "linux")]
const FRUGAL: [(&str, &str); 4] = [
    ("MIMALLOC_PURGE_DELAY", "1"),
    ("MIMALLOC_PAGE_FULL_RETAIN", "0"),
    ("MIMALLOC_GENERIC_COLLECT", "1000"),
    ("MIMALLOC_ALLOW_THP", "0"),
];

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    #[cfg(target_os = "linux")]
    begin_anew(&args);
    run(&args, catalog::games(), catalog::PICTURES)
}

/// Runs a server once more in the same process, with the settings of its allocator. Where that cannot be done, or they are set already, it goes on.
#[cfg(target_os = "linux")]
fn begin_anew(args: &[OsString]) {
    use std::os::unix::process::CommandExt;
    let is_server = args.iter().any(|arg| arg == "serve");
    if !is_server || FRUGAL.iter().any(|(name, _)| std::env::var_os(name).is_some()) {
        return;
    }
    if let [name, rest @ ..] = args {
        // By its path first: a process has the name of the file that it was made of.
        for program in [std::env::current_exe().unwrap_or_default(), "/proc/self/exe".into()] {
            drop(std::process::Command::new(program).arg0(name).args(rest).envs(FRUGAL).exec());
        }
    }
}

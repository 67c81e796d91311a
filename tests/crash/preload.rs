//! Libraries that stand between the program and the system, for what a test cannot bring about otherwise.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds `tests/crash/<name>.c` for LD_PRELOAD, by the C compiler that Rust links with. Without one the test says so and proves nothing.
#[expect(
    clippy::print_stdout,
    reason = "who reads the tests' output must see that this one proved nothing"
)]
pub(crate) fn library(folder: &Path, name: &str) -> Option<PathBuf> {
    let source = format!("{}/crash/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let library = folder.join(format!("{name}.so"));
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).args([&source, "-ldl"]);
    let Ok(made) = compiler.status() else {
        println!("NOT TESTED: there is no C compiler `cc` for {source}");
        return None;
    };
    assert!(made.success(), "the C compiler does not take {source}");
    Some(library)
}

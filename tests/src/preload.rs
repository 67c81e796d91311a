//! Libraries that stand between the program and the system, for what a test cannot bring about otherwise.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::untested::not_tested;

/// Builds a C file of this folder for LD_PRELOAD, by the C compiler that Rust links with. Without one nothing is tested, and that is said.
pub fn library(folder: &Path, file: &str) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let library = folder.join("preloaded.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(&source).arg("-ldl");
    let Ok(made) = compiler.status() else {
        not_tested("cc", &format!("there is no C compiler `cc` for {file}"));
        return None;
    };
    assert!(made.success(), "the C compiler does not take {file}");
    Some(library)
}

//! How an operator finds the process.

use std::fs;
use std::path::Path;

use acceptance::muninn;
use acceptance::process::Process;

/// `pgrep`, `top` and others have it under the name of its file, though it runs itself once more at the start.
#[test]
fn a_server_has_the_name_of_its_program() {
    let server = Process::alone(&[]);
    let name = fs::read_to_string(format!("/proc/{}/comm", server.id())).expect("readable");
    let program = muninn();
    let file = Path::new(program.get_program()).file_name().expect("a file").to_string_lossy();
    // The system keeps no more of it.
    assert_eq!(name.trim_end(), &file[..file.len().min(15)]);
    server.stop();
}

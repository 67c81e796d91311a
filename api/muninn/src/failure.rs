//! How a command ends: with a result on standard output or in a file, or with a message and an exit code.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The exit code for wrong usage.
const USAGE: u8 = 2;

/// Why a command did not do what it was asked.
pub(crate) struct Failure {
    /// What is said; nothing where it is empty.
    pub(crate) message: String,
    pub(crate) code: u8,
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            let cause_said = cause.to_string();
            // Some say themselves what caused them.
            if !message.ends_with(&cause_said) {
                message = format!("{message}: {cause_said}");
            }
            source = cause.source();
        }
        Failure { message, code: 1 }
    }
}

/// It was asked in a wrong way.
pub(crate) fn usage(message: impl Into<String>) -> Failure {
    Failure { message: message.into(), code: USAGE }
}

/// Says a line on standard error.
pub(crate) fn note(line: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Tells of what is done. That nobody can be told does not undo it: then standard error has the reason.
pub(crate) fn tell_done(text: &str) -> ExitCode {
    print(text).unwrap_or_else(|failure| {
        let what = failure.message;
        if !what.is_empty() {
            note(&format!("note: it is done, but standard output cannot be written: {what}"));
        }
        ExitCode::SUCCESS
    })
}

/// Writes what was found, and ends with this code, even if nobody reads to its end.
pub(crate) fn tell_found(text: &str, code: ExitCode) -> Result<ExitCode, Failure> {
    match print(text) {
        Err(failure) if !failure.is_enough() => Err(failure),
        Ok(_) | Err(_) => Ok(code),
    }
}

impl Failure {
    /// Whoever reads the output has seen enough of it: nothing more is to be done, or to be said.
    fn enough() -> Self {
        Failure { message: String::new(), code: 0 }
    }

    /// Has whoever reads the output seen enough of it?
    pub(crate) fn is_enough(&self) -> bool {
        self.message.is_empty()
    }
}

/// Writes to standard output; an end that nobody reads is the end of the command.
pub(crate) fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.map_err(|error| {
        let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
        if is_closed { Failure::enough() } else { error.into() }
    })
}

/// Writes a result.
pub(crate) fn print(text: &str) -> Result<ExitCode, Failure> {
    write(text.as_bytes()).map(|()| ExitCode::SUCCESS)
}

/// A file or folder that could not be read or written.
pub(crate) fn of_file(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| Failure { message: format!("{}: {error}", path.display()), code: 1 }
}

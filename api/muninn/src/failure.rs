//! How a command ends: with a result on standard output, or with a message and an exit code.

use std::io::{self, Write};
use std::process::ExitCode;

/// The exit code for wrong usage.
const USAGE: u8 = 2;

/// Why a command did not do what it was asked.
pub(crate) struct Failure {
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

/// Tells of what is done. That nobody can be told does not undo it: then standard error has the reason.
pub(crate) fn tell_done(text: &str) -> ExitCode {
    print(text).unwrap_or_else(|failure| {
        let what = failure.message;
        // Nobody is left to tell if standard error is closed.
        let _ = writeln!(
            io::stderr(),
            "note: it is done, but standard output takes no word of it: {what}"
        );
        ExitCode::SUCCESS
    })
}

/// Writes a result.
pub(crate) fn print(text: &str) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

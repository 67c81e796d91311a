//! The process that a query runs in, as its parent has it: asked, listened to, and ended.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::answer::Shape;
use super::question::Question;
use super::terms::{Limits, QueryError};

/// The first argument of the program when it is to run a query; the second is the path of the file.
pub const RUN_QUERY: &str = "run-query";

/// The first line that the process is told.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Job {
    pub(super) question: Question,
    pub(super) shape: Shape,
    pub(super) limits: Limits,
}

/// The line that lets it begin to read, or begin again.
pub(super) const LOOK: &str = "look";
/// The line that lets it run the query on what it saw last.
pub(super) const GO: &str = "go";

/// A line that it answers with.
#[derive(Debug, Deserialize, Serialize)]
pub(super) enum Report {
    Begun { generation: u64, position: u64, damaged: u64 },
    Damaged(String),
    Unread(String),
    Refused(QueryError),
    Answered(Head),
}

/// What is known of the rows; so many bytes follow.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Head {
    pub(super) columns: Vec<String>,
    pub(super) rows: usize,
    pub(super) truncated: bool,
    pub(super) bytes: usize,
}

/// What there is to hear while a query runs.
#[derive(Debug)]
enum Said {
    Report(Report, Vec<u8>),
    /// The process is gone, or says what nobody understands.
    Gone,
    /// Whoever asked is.
    HungUp,
}

/// Whoever asks a query: it ends when this is dropped.
#[derive(Debug)]
pub struct Asker(Sender<Said>);

/// What tells a query that its asker is gone.
#[derive(Debug)]
pub struct Asked {
    say: Sender<Said>,
    said: Receiver<Said>,
}

/// Somebody who asks one query.
#[must_use]
pub fn asker() -> (Asker, Asked) {
    let (say, said) = mpsc::channel();
    (Asker(say.clone()), Asked { say, said })
}

impl Drop for Asker {
    fn drop(&mut self) {
        // Nobody listens when the query has ended.
        drop(self.0.send(Said::HungUp));
    }
}

/// A running process. It is killed when this is dropped, and has ended then.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    said: Receiver<Said>,
    reader: Option<JoinHandle<()>>,
}

impl Process {
    pub(super) fn start(program: &Path, file: &Path, job: &Job, asked: Asked) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args([OsStr::new(RUN_QUERY), file.as_os_str()]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("a process without pipes"))?;
        let Asked { say, said } = asked;
        let reader = thread::spawn(move || {
            // What cannot be sent, nobody waits for.
            drop(read(output, &say));
            drop(say.send(Said::Gone));
        });
        let mut process = Process { child, input, said, reader: Some(reader) };
        writeln!(process.input, "{}", serde_json::to_string(job)?)?;
        Ok(process)
    }

    /// Tells it a line, and waits for its report, and the body of an answer; none if it does not come in time.
    pub(super) fn tell(
        &mut self,
        line: &str,
        most: Duration,
    ) -> Result<Option<(Report, Vec<u8>)>, QueryError> {
        let gone = || QueryError::Unread("the process of a query ended by itself".to_owned());
        writeln!(self.input, "{line}").map_err(|_| gone())?;
        match self.said.recv_timeout(most) {
            Ok(Said::Report(report, body)) => Ok(Some((report, body))),
            Ok(Said::HungUp) => Err(QueryError::HungUp),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok(Said::Gone) | Err(RecvTimeoutError::Disconnected) => Err(gone()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
        if let Some(reader) = self.reader.take() {
            drop(reader.join());
        }
    }
}

/// Passes on what the process says until it is gone.
fn read(output: ChildStdout, say: &Sender<Said>) -> io::Result<()> {
    let mut output = BufReader::new(output);
    loop {
        let mut line = String::new();
        output.read_line(&mut line)?;
        let report: Report = serde_json::from_str(&line)?;
        let mut body = Vec::new();
        if let Report::Answered(head) = &report {
            body.reserve_exact(head.bytes);
            output.by_ref().take(head.bytes as u64).read_to_end(&mut body)?;
            if body.len() < head.bytes {
                return Ok(());
            }
        }
        drop(say.send(Said::Report(report, body)));
    }
}

//! A writer in a process of its own, which others kill, trace or starve: this test binary runs itself again.

use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use store::{Config, Store, StreamId, WriteError};

use crate::content;
use crate::engines;

const FOLDER: &str = "STORE_TEST_FOLDER";
const THREADS: &str = "STORE_TEST_THREADS";
const COMMITS: &str = "STORE_TEST_COMMITS";

/// No test may take longer; a child that does hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a child says on its standard output, one line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A commit was acknowledged: stream, number, position.
    Acknowledged(u64, u64, u64),
    /// A write was refused, or its outcome is unknown; the store is unhealthy, and what was acknowledged can be read.
    Unavailable,
}

impl Line {
    fn parse(line: &str) -> Option<Line> {
        let mut words = line.split(' ');
        match words.next()? {
            "acknowledged" => {
                let mut number =
                    || words.next().and_then(|word| word.parse().ok()).expect("a whole line");
                Some(Line::Acknowledged(number(), number(), number()))
            }
            "unavailable" => Some(Line::Unavailable),
            _ => None,
        }
    }
}

/// The command that runs [`writes_what_it_acknowledges`] in a child.
pub(crate) fn command(folder: &Path, threads: u64, commits: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this test has a file"));
    command.args(["--exact", "child::writes_what_it_acknowledges", "--nocapture"]);
    command.env(FOLDER, folder).env(THREADS, threads.to_string()).env(COMMITS, commits.to_string());
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// The same command, run by another program, whose arguments end where the command begins.
pub(crate) fn under(mut program: Command, command: &Command) -> Command {
    program.arg(command.get_program()).args(command.get_args());
    program.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    program.stdout(Stdio::piped()).stderr(Stdio::null());
    program
}

/// Asserts that the store has each commit that the lines acknowledge, at its position. Returns their number.
pub(crate) fn assert_acknowledged(store: &Store, lines: &[Line]) -> usize {
    let mut count = 0;
    for line in lines {
        let Line::Acknowledged(nth, number, position) = *line else {
            continue;
        };
        let found = store.feed(position - 1, 1).expect("readable");
        assert_eq!(found.len(), 1, "position {position} is lost");
        assert_eq!((found[0].stream, found[0].number), (content::stream(nth), number));
        count += 1;
    }
    count
}

/// Reads a child's lines until its output ends; `each` may kill it. Kills it when it takes too long.
pub(crate) fn lines(child: Child, mut each: impl FnMut(&mut Child, &Line)) -> Vec<Line> {
    let mut child = child;
    let output = BufReader::new(child.stdout.take().expect("the output is piped"));
    let (sender, receiver) = std::sync::mpsc::channel();
    let reader = thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            if let Some(line) = Line::parse(&line) {
                sender.send(line).expect("the test listens to the end");
            }
        }
    });
    let mut lines = Vec::new();
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(line) => {
                each(&mut child, &line);
                lines.push(line);
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                child.kill().expect("it can be killed");
                panic!("the child hangs after {} lines", lines.len());
            }
        }
    }
    child.wait().expect("it ends");
    reader.join().expect("the reader does not panic");
    lines
}

/// Runs a writer to its end; returns its lines.
pub(crate) fn run(folder: &Path, threads: u64, commits: u64) -> Vec<Line> {
    lines(command(folder, threads, commits).spawn().expect("it starts"), |_, _| {})
}

/// Runs a writer that is killed at its line number `stop`, by SIGKILL; returns its lines.
pub(crate) fn killed(folder: &Path, threads: u64, stop: u64) -> Vec<Line> {
    let child = command(folder, threads, u64::MAX / 2).spawn().expect("it starts");
    let mut seen = 0;
    lines(child, |child, _| {
        seen += 1;
        if seen == stop {
            child.kill().expect("it can be killed");
        }
    })
}

/// Alone it is a test that a writer's store is whole; as a child it writes where it is told until it is stopped.
#[test]
fn writes_what_it_acknowledges() {
    let number =
        |name, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (threads, commits) = (number(THREADS, 3), number(COMMITS, 20));
    match std::env::var_os(FOLDER) {
        Some(folder) => append(Path::new(&folder), threads, commits),
        None => {
            let folder = tempfile::tempdir().expect("a folder");
            append(folder.path(), threads, commits);
            append(folder.path(), threads, commits);
            let store = Store::open(folder.path(), Config::default()).expect("it opens");
            assert_eq!(content::assert_whole(&store), 2 * threads * commits);
        }
    }
}

fn append(folder: &Path, threads: u64, commits: u64) {
    let store = engines::open(folder);
    thread::scope(|scope| {
        for nth in 0..threads {
            let store = &store;
            scope.spawn(move || append_to(store, nth, commits));
        }
    });
}

fn append_to(store: &Store, nth: u64, commits: u64) {
    let stream = content::stream(nth);
    let last = store.last(stream).expect("readable").map_or(0, |stored| stored.number);
    for number in last + 1..=last + commits {
        match store.submit(content::write(stream, number)).wait() {
            Ok(position) => say(&format!("acknowledged {nth} {number} {position}")),
            Err(error @ (WriteError::Conflict { .. } | WriteError::NoteTaken { .. })) => {
                panic!("nobody else writes, but {error}")
            }
            Err(
                first @ (WriteError::Unavailable(_)
                | WriteError::Outdated(_)
                | WriteError::Unknown(_)),
            ) => {
                assert!(store.trouble().is_some());
                // Where nobody knows, nobody may say later that nothing was stored.
                let again = store.submit(content::write(stream, number)).wait();
                let is_unknown = |error: &WriteError| matches!(error, WriteError::Unknown(_));
                let again = again.expect_err("the store takes no more");
                assert_eq!(is_unknown(&again), is_unknown(&first), "{first}, then {again}");
                let note = content::note_key(stream, number);
                assert_eq!(store.is_unknown(&note), is_unknown(&first), "{first}");
                assert_durable(store, stream, number - 1);
                return say("unavailable");
            }
        }
    }
}

/// Asserts that a store whose disk failed shows the durable commits of a stream and no more, or says that it cannot.
///
/// The engine cannot read a page that it was about to split when the disk failed; those are few.
fn assert_durable(store: &Store, stream: StreamId, last: u64) {
    match store.commits(stream, 0, usize::MAX) {
        Ok(commits) => assert_eq!(commits.len() as u64, last),
        Err(error) => assert!(error.is_of_store(), "{error}"),
    }
    let header = (last > 0).then(|| content::header(stream));
    let note = (last > 0).then(|| last.to_string().into_bytes());
    let values = [
        (store.header(stream), header),
        (store.note(&content::note_key(stream, last)), note),
        (store.note(&content::note_key(stream, last + 1)), None),
    ];
    for (found, expected) in values {
        match found {
            Ok(found) => assert_eq!(found, expected),
            Err(error) => assert!(error.is_of_store(), "{error}"),
        }
    }
}

/// Says a line to whoever started this process as a child.
fn say(line: &str) {
    if std::env::var_os(FOLDER).is_none() {
        return;
    }
    let mut output = std::io::stdout().lock();
    // One write, so that a kill leaves no half line.
    output.write_all(format!("{line}\n").as_bytes()).expect("somebody listens");
}

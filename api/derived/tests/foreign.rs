//! Another program writes while ours does: nothing of it is ever taken for ours.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use derived::{Derived, FileError, Source, Stamp, Sums};
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

const SOURCE: Source<'static> = Source { layout: "foreign", end: 99, mark: &|_| Ok(None) };

const ROUNDS: u64 = 200;
/// Which file the other process reads.
const READ: &str = "DERIVED_TESTS_READ";

fn create(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch("CREATE TABLE meta (key TEXT PRIMARY KEY, value); CREATE TABLE rows (whose)")
}

/// A file that nobody has opened, with its path, in a folder that is removed with the first.
fn new_file() -> (TempDir, PathBuf, Derived) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.sqlite");
    (folder, path.clone(), Derived::new("test", path))
}

fn rows_of_others(path: &Path) -> i64 {
    let db = Connection::open(path).expect("a file of SQLite");
    let count = "SELECT count(*) FROM rows WHERE whose = 'others'";
    db.query_row(count, [], |row| row.get(0)).expect("a number")
}

/// Adds a row of ours; calls `begun` when nobody else can write.
fn add(file: &Derived, begun: impl Fn()) -> Result<(), FileError> {
    let (mut opened, _) = file.open(&SOURCE, &create)?;
    let added = opened.begin().and_then(|()| {
        begun();
        opened.db.execute("INSERT INTO rows VALUES ('ours')", []).expect("it is written");
        opened.commit(opened.position + 1, &SOURCE)
    });
    opened.close(&added);
    added
}

/// Adds a row so long after ours has begun, as soon as nobody else writes.
fn interfere(path: &Path, begun: &AtomicBool, pause: Duration) {
    let mut db = Connection::open(path).expect("a file of SQLite");
    // It is asked again without a pause.
    db.busy_handler(Some(|_| true)).expect("a handler");
    while !begun.load(Ordering::Acquire) {}
    thread::sleep(pause);
    db.execute("INSERT INTO rows VALUES ('others')", []).expect("it is written");
}

#[test]
fn what_another_program_adds_is_never_taken_for_ours() {
    let mut seen = 0;
    for round in 0..ROUNDS {
        let (_folder, path, file) = new_file();
        add(&file, || {}).expect("nobody else is there");
        let begun = AtomicBool::new(false);
        let pause = Duration::from_micros(round % 50 * 10);
        thread::scope(|scope| {
            let other = scope.spawn(|| interfere(&path, &begun, pause));
            let added = add(&file, || begun.store(true, Ordering::Release));
            // Whoever waits must not wait for ever.
            begun.store(true, Ordering::Release);
            drop(added);
            other.join().expect("it ends");
        });
        let state = file.state();
        let is_trusted = state.damaged.is_none()
            && state.known.as_ref().is_some_and(|known| known.stamp == Stamp::of(&path));
        drop(state);
        let is_whole = Sums::read(&path)
            .and_then(|sums| file.check(&sums).and_then(|()| sums.cover_log(&path)))
            .is_ok();
        let others = rows_of_others(&path);
        seen += i32::from(others > 0);
        assert!(others == 0 || !is_trusted, "round {round}: it looks as ours has left it");
        assert!(others == 0 || !is_whole, "round {round}: it fits the checksums");
    }
    assert!(seen > 0, "nothing was tested");
}

/// In another process, whose locks are its own: reads the file that the environment names, and ends.
#[test]
fn another_program_reads() {
    if let Some(path) = std::env::var_os(READ) {
        assert_eq!(rows_of_others(Path::new(&path)), 0);
    }
}

/// In another process: reads one table, waits until its input ends, and reads both in the same transaction.
#[test]
fn another_program_reads_slowly() {
    let Some(path) = std::env::var_os(READ) else { return };
    let reader = derived::open(Path::new(&path)).expect("it opens");
    let read = |table: &str| -> i32 {
        let sql = format!("SELECT n FROM {table}");
        reader.query_row(&sql, [], |row| row.get(0)).expect("a number")
    };
    let mut out = std::io::stdout();
    reader.execute_batch("BEGIN").expect("it begins");
    writeln!(out, "read {}", read("one")).expect("it is told");
    std::io::stdin().read_line(&mut String::new()).expect("the end");
    writeln!(out, "read {} {}", read("one"), read("other")).expect("it is told");
}

/// This program as another process, in which one test reads a file.
fn this_program(test: &str, path: &Path) -> Command {
    let mut program = Command::new(std::env::current_exe().expect("this program"));
    program.args(["--exact", test, "--nocapture"]).env(READ, path);
    program
}

#[test]
fn another_program_may_read_between_two_transactions() {
    let (_folder, path, file) = new_file();
    let (mut opened, _) = file.open(&SOURCE, &create).expect("it opens");
    for position in 1..=3 {
        opened.begin().expect("it begins");
        opened.db.execute("INSERT INTO rows VALUES ('ours')", []).expect("it is written");
        opened.commit(position, &SOURCE).expect("it is stored");
        file.check(&Sums::read(&path).expect("checksums")).expect("it is whole");
        let mut other = this_program("another_program_reads", &path);
        assert!(other.output().expect("it runs").status.success());
    }
    opened.close(&Ok(()));
    let (opened, begun) = file.open(&SOURCE, &create).expect("it opens");
    assert_eq!((begun, opened.position), (None, 3));
}

#[test]
fn what_another_program_adds_to_a_new_file_is_never_taken_for_ours() {
    let mut seen = 0;
    for round in 0..ROUNDS / 2 {
        let (_folder, path, file) = new_file();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Acquire) {
                    // Nobody but us makes the file.
                    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
                    let Ok(db) = Connection::open_with_flags(&path, flags) else { continue };
                    if db.execute("INSERT INTO rows VALUES ('others')", []).is_ok() {
                        return;
                    }
                }
            });
            drop(file.open(&SOURCE, &create).map(|(opened, _)| opened.close(&Ok(()))));
            done.store(true, Ordering::Release);
        });
        let sums = Sums::read(&path);
        let is_whole =
            sums.is_ok_and(|sums| file.check(&sums).is_ok() && sums.cover_log(&path).is_ok());
        let others = rows_of_others(&path);
        seen += i32::from(others > 0);
        assert!(others == 0 || !is_whole, "round {round}: it fits the checksums");
    }
    assert!(seen > 0, "nothing was tested");
}

#[test]
fn who_looks_at_a_file_that_is_being_made_does_not_keep_it_from_being_whole() {
    let (_folder, path, file) = new_file();
    let reader = RefCell::new(None);
    let create_before_a_reader = |db: &Connection| {
        let other = derived::open(&path)?;
        other.execute_batch("BEGIN; SELECT count(*) FROM sqlite_master")?;
        reader.replace(Some(other));
        create(db)
    };
    let (mut opened, _) = file.open(&SOURCE, &create_before_a_reader).expect("it opens");
    opened.begin().expect("nobody else has written");
    opened.commit(1, &SOURCE).expect("it is stored");
    opened.close(&Ok(()));
    drop(reader.take());
    let (opened, begun) = file.open(&SOURCE, &create).expect("it opens");
    assert_eq!((begun, opened.position), (None, 1));
}

/// A reader keeps what it saw, whatever is done to the file meanwhile.
#[test]
fn who_reads_while_the_file_is_opened_again_sees_one_state() {
    let (_folder, path, file) = new_file();
    let set = |opened: &mut derived::Opened<'_>, position: u64, sql: &str| {
        opened.begin().expect("it begins");
        opened.db.execute_batch(sql).expect("it is written");
        opened.commit(position, &SOURCE).expect("it is stored");
    };
    let both = |of: i32| format!("UPDATE one SET n = {of}; UPDATE other SET n = {of}");
    let (mut opened, _) = file.open(&SOURCE, &create).expect("it opens");
    let tables = "CREATE TABLE one (n); CREATE TABLE other (n); INSERT INTO one VALUES (1); INSERT INTO other VALUES (1); INSERT INTO rows VALUES (zeroblob(1000000))";
    set(&mut opened, 1, tables);
    let mut reader = this_program("another_program_reads_slowly", &path);
    let mut reader = reader.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut told = BufReader::new(reader.stdout.take().expect("its output")).lines();
    let mut tell = || {
        told.by_ref()
            .map(|l| l.expect("a line"))
            .find_map(|line| Some(line.split_once("read ")?.1.to_owned()))
    };
    assert_eq!(tell().as_deref(), Some("1"));
    // The log begins anew, in a file that stays as long as it was.
    set(&mut opened, 2, &both(2));
    opened.close(&Ok(()));
    let (mut opened, begun) = file.open(&SOURCE, &create).expect("it opens");
    assert_eq!(begun, None);
    set(&mut opened, 3, &both(3));
    opened.close(&Ok(()));
    drop(reader.stdin.take());
    assert_eq!(tell().as_deref(), Some("1 1"));
    assert!(reader.wait().expect("it ends").success());
    assert!(!file.is_suspect());
}

#[test]
fn a_transaction_that_was_not_ended_leaves_the_file_known() {
    let (_folder, _, file) = new_file();
    add(&file, || {}).expect("nobody else is there");
    let (opened, _) = file.open(&SOURCE, &create).expect("it opens");
    opened.begin().expect("it begins");
    opened.close(&Ok(()));
    assert!(!file.is_suspect());
}

#[test]
fn what_only_we_have_written_need_not_be_compared_again() {
    let (_folder, _, file) = new_file();
    for _ in 0..5 {
        add(&file, || {}).expect("nobody else is there");
        assert!(!file.is_suspect());
    }
}

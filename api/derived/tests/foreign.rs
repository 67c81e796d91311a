//! Another program writes while ours does: nothing of it is ever taken for ours.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use derived::{Derived, FileError, Source, Stamp, Sums};
use rusqlite::Connection;

const SOURCE: Source<'static> = Source { layout: "foreign", end: 99, mark: &|_| Ok(None) };

const ROUNDS: u64 = 200;

fn create(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch("CREATE TABLE meta (key TEXT PRIMARY KEY, value); CREATE TABLE rows (whose)")
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
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.sqlite");
        let file = Derived::new("test", path.clone());
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
            .and_then(|sums| sums.check(&path).and_then(|()| sums.cover_log(&path)))
            .is_ok();
        let others = rows_of_others(&path);
        seen += i32::from(others > 0);
        assert!(others == 0 || !is_trusted, "round {round}: it looks as ours has left it");
        assert!(others == 0 || !is_whole, "round {round}: it fits the checksums");
    }
    assert!(seen > 0, "nothing was tested");
}

#[test]
fn what_only_we_have_written_need_not_be_compared_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.sqlite");
    let file = Derived::new("test", path.clone());
    for _ in 0..5 {
        add(&file, || {}).expect("nobody else is there");
        assert!(!file.is_suspect());
    }
}

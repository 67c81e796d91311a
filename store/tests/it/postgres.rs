//! The store in a database: who may open it, sessions that end, servers beside one another, and damage.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use store::{Address, Commit, OpenError, Store, Trouble, Write, WriteError};

use crate::content;
use crate::engines::cluster;
use crate::tls::until;

#[test]
fn what_is_no_store_is_told_in_one_line() {
    let Some(address) = cluster::empty() else { return };
    let refused = |address: &str| Store::connect(address).expect_err("it does not open");
    let told = refused(&address);
    assert!(matches!(told, OpenError::Unmigrated { wanted: 2, .. }), "{told}");
    assert!(told.to_string().ends_with("run `muninn migrate`"), "{told}");
    assert_eq!(Store::migrate(&address).expect("it can be migrated"), [1, 2]);
    assert_eq!(Store::migrate(&address).expect("twice does no harm"), []);
    drop(Store::connect(&address).expect("it opens"));

    cluster::sql(&address, "UPDATE muninn.store SET schema = 3");
    assert!(refused(&address).to_string().contains("its schema is 3"));
    let newer = || Store::migrate(&address).expect_err("it is newer").to_string();
    assert!(newer().contains("its schema is 3"), "{}", newer());
    cluster::sql(&address, "UPDATE muninn.store SET schema = 2, format = 2");
    assert!(matches!(refused(&address), OpenError::Version { found } if found == "2"));
    assert!(newer().contains("its format is 2"), "{}", newer());

    // No server, no such database, a wrong word; and nobody tells a password.
    let secret = address.replace("muninn@", "muninn:hunter2@");
    let nowhere = "postgres://muninn:hunter2@127.0.0.1:1/test".to_owned();
    let unquoted = ["a@hunter2", "a@b/hunter2", "a@hunter2,b", "a?b@c/hunter2", "a/b@hunter2?c"];
    let unquoted = unquoted.map(|word| format!("postgres://muninn:{word}@127.0.0.1:1/test"));
    let others = [nowhere, format!("{secret}x"), format!("{secret}?hunter2=hunter2")];
    for address in unquoted.into_iter().chain(others) {
        let told = format!("{0} {0:?}", refused(&address));
        assert!(!told.contains("hunter2") && !told.contains('\n'), "{told}");
    }
}

/// A store that a program of schema 1 has begun: what it has is there afterwards, and that program writes no more.
#[test]
fn a_store_of_an_older_schema_is_migrated_with_what_it_has() {
    let Some(address) = cluster::empty() else { return };
    let begin = include_str!("../../migrations/0001_begin.sql");
    cluster::sql(&address, &format!("{begin}; UPDATE muninn.store SET schema = 1"));
    let stream = content::stream(0);
    let append = |number: u64| {
        let covered = [&[0][..], &content::bytes(stream, number)].concat();
        let name = [b"c".as_slice(), &stream.0, &number.to_be_bytes(), &covered].concat();
        let record = [&crc32fast::hash(&name).to_be_bytes()[..], &covered].concat();
        let hex: String = record.iter().map(|byte| format!("{byte:02x}")).collect();
        format!(
            "SELECT stored FROM muninn.append(1, true, false, ARRAY['{stream}'::uuid], ARRAY[{number}::bigint], ARRAY['\\x{hex}'::bytea],
                ARRAY[NULL::bytea], '{{}}'::integer[], '{{}}'::integer[], '{{}}'::bytea[], '{{}}'::bytea[], '{{}}'::bigint[])"
        )
    };
    assert_eq!(cluster::sql(&address, &append(1)), "1");
    assert!(matches!(Store::connect(&address), Err(OpenError::Unmigrated { wanted: 2, .. })));
    assert_eq!(Store::migrate(&address).expect("it can be migrated"), [2]);

    let store = Store::connect(&address).expect("it opens");
    let refused = format!(
        "DO $$ BEGIN PERFORM ({}); EXCEPTION WHEN SQLSTATE 'MU001' THEN RAISE NOTICE 'refused'; END $$; SELECT position FROM muninn.store",
        append(2)
    );
    assert_eq!(cluster::sql(&address, &refused), "1");
    assert_eq!(store.submit(content::write(stream, 2)).wait(), Ok(2));
    let commits = store.commits(stream, 0, 9).expect("readable");
    let bytes: Vec<_> = commits.iter().map(|stored| stored.bytes.to_vec()).collect();
    assert_eq!(bytes, [1, 2].map(|number| content::bytes(stream, number)));
}

/// The second waits for longer than a session waits for any other lock.
#[test]
fn two_that_migrate_at_once_come_one_after_the_other() {
    let Some(address) = cluster::empty() else { return };
    thread::scope(|scope| {
        scope.spawn(|| cluster::sql(&address, "SELECT pg_advisory_lock(7827), pg_sleep(12)"));
        let held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7827
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        until(|| cluster::sql(&address, held) == "1");
        assert_eq!(Store::migrate(&address).expect("it waits"), [1, 2]);
    });
}

#[test]
fn a_database_that_takes_no_writes_is_refused() {
    let Some(address) = cluster::database() else { return };
    let name = address.rsplit('/').next().expect("a name");
    cluster::sql(
        &address,
        &format!("ALTER DATABASE {name} SET default_transaction_read_only = on"),
    );
    let told = Store::connect(&address).expect_err("it does not open");
    assert!(matches!(told, OpenError::Database { .. }), "{told}");
}

#[test]
fn two_servers_write_in_turn_and_see_each_other() {
    let Some(address) = cluster::database() else { return };
    let stores = [0, 1].map(|_| Store::connect(&address).expect("it opens"));
    for number in 1..=40 {
        let (one, other) = (&stores[number as usize % 2], &stores[1 - number as usize % 2]);
        let write = content::write(content::stream(0), number);
        assert_eq!(one.submit(write.clone()).wait(), Ok(number));
        assert_eq!(other.submit(write).wait(), Err(WriteError::Conflict { last: number }));
        let last = other.last(content::stream(0)).expect("readable").expect("a commit");
        assert_eq!((last.number, other.position()), (number, number));
    }
    stores.iter().for_each(|store| assert_eq!(content::assert_whole(store), 40));
}

/// What one server was acknowledged, another one knows as soon as it asks, and is told soon where it does not.
#[test]
fn a_server_learns_of_the_commits_of_others() {
    let Some(address) = cluster::database() else { return };
    let [one, other] = [0, 1].map(|_| Store::connect(&address).expect("it opens"));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    for number in 1..=50 {
        one.submit(content::write(content::stream(0), number)).wait().expect("stored");
        let asked = runtime.block_on(other.latest()).expect("it answers");
        assert_eq!((asked, other.position()), (number, number));
    }
    for number in 51..=100 {
        one.submit(content::write(content::stream(0), number)).wait().expect("stored");
        let told = Instant::now();
        assert_eq!(other.wait_beyond(number - 1, Duration::from_secs(5)), number);
        assert!(told.elapsed() < Duration::from_secs(2), "{:?}", told.elapsed());
    }
    assert_eq!(other.wait_beyond(100, Duration::from_millis(10)), 100);
    // The session that listens has died, and so has the one that asks.
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    cluster::sql(&address, end);
    one.submit(content::write(content::stream(0), 101)).wait().expect("stored");
    assert_eq!(runtime.block_on(other.latest()).expect("it answers"), 101);
    cluster::sql(&address, end);
    one.submit(content::write(content::stream(0), 102)).wait().expect("stored");
    assert_eq!(other.wait_beyond(101, Duration::from_secs(5)), 102);
}

/// Hands connections on to the server of an address, and counts them; so many of the first as the other count says hang. Returns its address.
fn gate(address: &str, counts: &Arc<[AtomicUsize; 2]>, folder: &Path) -> String {
    let (listener, server, address) = cluster::socket_before(address, folder);
    let counts = Arc::clone(counts);
    thread::spawn(move || {
        for (nth, client) in listener.incoming().enumerate() {
            let client = client.expect("a connection");
            counts[0].fetch_add(1, Ordering::AcqRel);
            let server = UnixStream::connect(&server).expect("it runs");
            let back = [&server, &client].map(|end| end.try_clone().expect("a handle"));
            for [mut from, mut to] in [[client, server], back] {
                let counts = Arc::clone(&counts);
                thread::spawn(move || {
                    let mut bytes = [0; 8192];
                    while let Ok(read @ 1..) = from.read(&mut bytes) {
                        while nth < counts[1].load(Ordering::Acquire) {
                            thread::sleep(Duration::from_millis(50));
                        }
                        if to.write_all(&bytes[..read]).is_err() {
                            break;
                        }
                    }
                    // The other side may have done so before.
                    drop(to.shutdown(Shutdown::Both));
                });
            }
        }
    });
    address
}

/// A server that was the primary may hang: then new sessions find the new one, and readers do not wait for the old ones.
#[test]
fn sessions_that_hang_are_given_up() {
    let Some(address) = cluster::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let counts = Arc::<[AtomicUsize; 2]>::default();
    let store = Store::connect(&gate(&address, &counts, folder.path())).expect("it opens");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    store.submit(content::write(content::stream(0), 1)).wait().expect("stored");
    assert_eq!(runtime.block_on(store.latest()).expect("it answers"), 1);
    assert_eq!(last(&store, 0), 1);
    // All that there are.
    counts[1].store(counts[0].load(Ordering::Acquire), Ordering::Release);
    runtime.block_on(store.latest()).expect_err("it hangs");
    let start = Instant::now();
    assert_eq!((last(&store, 0), runtime.block_on(store.latest()).expect("it answers")), (1, 1));
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

/// Whoever may connect can notify anything.
#[test]
fn a_false_notification_changes_nothing() {
    let Some(address) = cluster::database() else { return };
    let [one, other] = [0, 1].map(|_| Store::connect(&address).expect("it opens"));
    for told in ["999999999", "-1", "", "rubbish"] {
        cluster::sql(&address, &format!("NOTIFY muninn, '{told}'"));
    }
    assert_eq!(other.wait_beyond(0, Duration::from_secs(1)), 0);
    assert_eq!(one.submit(content::write(content::stream(0), 1)).wait(), Ok(1));
    assert_eq!(other.wait_beyond(0, Duration::from_secs(5)), 1);
    assert_eq!(other.feed(0, 10).expect("readable").len(), 1);
}

/// A warning about the database itself, which comes with every connection, says nothing of commits.
#[test]
fn a_warning_at_the_connection_is_passed_over() {
    let Some(address) = cluster::database() else { return };
    let warn = "UPDATE pg_database SET datcollversion = '0' WHERE datname = current_database()";
    cluster::sql(&address, warn);
    let store = Store::connect(&address).expect("it opens");
    assert_eq!(store.submit(content::write(content::stream(0), 1)).wait(), Ok(1));
    assert_eq!(content::assert_whole(&store), 1);
}

/// Sessions end under writers and readers all the time. Everything is stored once, in its place, and nobody has to be started again.
#[test]
fn sessions_that_end_lose_nothing() {
    let Some(address) = cluster::database() else { return };
    let store = Store::connect(&address).expect("it opens");
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(40));
                cluster::sql(
                    &address,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
                );
            }
        });
        let writers: Vec<_> = (0..8)
            .map(|nth| {
                let store = &store;
                scope.spawn(move || {
                    for number in 1..=60 {
                        let stream = content::stream(nth);
                        store.submit(content::write(stream, number)).wait().expect("stored");
                        assert_eq!(last(store, nth), number);
                    }
                })
            })
            .collect();
        writers.into_iter().for_each(|writer| writer.join().expect("it does not panic"));
        is_done.store(true, Ordering::Relaxed);
    });
    assert_eq!(content::assert_whole(&store), 8 * 60);
}

/// Two servers write equal commits, and the session of one ends before it was its turn. It asks again, and is not told that the other's commit
/// is its own.
#[test]
fn of_equal_commits_one_is_stored_and_the_other_refused() {
    let Some(address) = cluster::database() else { return };
    let [one, other] = [0, 1].map(|_| Store::connect(&address).expect("it opens"));
    let write = |number| content::write(content::stream(0), number);
    one.submit(write(1)).wait().expect("stored");
    let writer = "FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'muninn writer%'";
    let pid = cluster::sql(&address, &format!("SELECT pid {writer}"));
    // From here on the other has a session, too, which need not begin first.
    other.submit(content::write(content::stream(1), 1)).wait().expect("stored");
    let waiting = |count: &str| {
        let asked = format!("SELECT count(*) {writer} AND wait_event_type = 'Lock'");
        until(|| cluster::sql(&address, &asked) == count);
    };
    thread::scope(|scope| {
        // Held until it is let go, however slow the machine is.
        let lock = "BEGIN; SELECT FROM muninn.store FOR UPDATE; DO 'BEGIN
            WHILE NOT EXISTS (SELECT FROM pg_class WHERE relname = ''let_go'') LOOP PERFORM pg_sleep(0.02); END LOOP; END'; COMMIT";
        scope.spawn(|| cluster::sql(&address, lock));
        let held = "SELECT count(*) FROM pg_locks JOIN pg_class ON oid = relation
            WHERE relname = 'store' AND mode = 'RowShareLock' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        until(|| cluster::sql(&address, held) == "1");
        let ended = one.submit(write(2));
        waiting("1");
        let stored = other.submit(write(2));
        waiting("2");
        cluster::sql(&address, &format!("SELECT pg_terminate_backend({pid})"));
        cluster::sql(&address, "CREATE TABLE let_go ()");
        assert_eq!(stored.wait(), Ok(3));
        assert_eq!(ended.wait(), Err(WriteError::Conflict { last: 2 }));
    });
    assert_eq!(content::assert_whole(&one), 3);
}

/// The last number of a stream, read until a session lasts long enough.
fn last(store: &Store, nth: u64) -> u64 {
    let found = (0..50).find_map(|_| store.last(content::stream(nth)).ok());
    found.expect("readable at last").map_or(0, |stored| stored.number)
}

#[test]
fn a_schema_that_changed_meanwhile_ends_the_writing() {
    let Some(address) = cluster::database() else { return };
    let store = Store::connect(&address).expect("it opens");
    store.submit(content::write(content::stream(0), 1)).wait().expect("stored");
    cluster::sql(&address, "UPDATE muninn.store SET schema = 3");
    let refused = store.submit(content::write(content::stream(0), 2)).wait();
    let why = "the store has schema 3, this program writes 2".to_owned();
    assert_eq!(refused, Err(WriteError::Outdated(why)));
    assert!(matches!(store.trouble(), Some(Trouble::Outdated(_))), "{:?}", store.trouble());
    cluster::sql(&address, "UPDATE muninn.store SET schema = 2");
    assert_eq!(store.submit(content::write(content::stream(0), 2)).wait(), Ok(2));
    assert_eq!(store.trouble(), None::<Trouble>);
}

/// A restoration that fails empties what it took, and nothing that came into its place.
#[test]
fn a_restoration_that_fails_leaves_alone_what_is_not_its_own() {
    let write = |address: &str| {
        let store = Store::connect(address).expect("it opens");
        store.submit(content::write(content::stream(0), 1)).wait().expect("stored");
    };
    let anew = |address: &str| {
        cluster::sql(address, "DROP SCHEMA muninn CASCADE");
        Store::migrate(address).expect("it can be migrated");
        write(address);
    };
    // Its end was committed, and the answer was lost.
    let ended = |address: &str| {
        cluster::sql(address, "UPDATE muninn.store SET schema = 2");
        write(address);
    };
    let anew_in_the_making = |address: &str| {
        anew(address);
        cluster::sql(address, "UPDATE muninn.store SET schema = -1");
    };
    let found = "SELECT schema, position, (SELECT count(*) FROM muninn.commits) FROM muninn.store";
    let fill = |nth: usize, meanwhile: &dyn Fn(&str), left: &str| {
        for is_made in [false, true] {
            let Some(address) = cluster::database() else { return };
            let made = Address::from(address.clone()).fill(|store| {
                drop(store);
                meanwhile(&address);
                let failed = "the archive is broken".to_owned();
                if is_made { Ok(()) } else { Err(OpenError::Damaged(failed)) }
            });
            assert_eq!(made.is_ok(), is_made && nth == 0, "{nth}: {made:?}");
            assert_eq!(cluster::sql(&address, found), left, "{nth} {is_made}");
        }
    };
    fill(0, &|_| {}, "2|0|0");
    fill(1, &anew, "2|1|1");
    fill(2, &ended, "2|1|1");
    fill(3, &anew_in_the_making, "-1|1|1");
}

#[test]
fn what_is_damaged_is_listed() {
    let Some(address) = cluster::database() else { return };
    let store = Store::connect(&address).expect("it opens");
    content::append(&store, content::stream(1), 1..=5);
    let commit = Commit { stream: content::stream(2), number: 1, bytes: vec![7; 9], header: None };
    store.submit(Write { commit: Some(commit), ..Write::default() }).wait().expect("stored");
    cluster::sql(
        &address,
        "UPDATE muninn.commits SET bytes = set_byte(bytes, 4, 9) WHERE number = 2",
    );
    cluster::sql(&address, "DELETE FROM muninn.commits WHERE number = 4");
    cluster::sql(&address, "UPDATE muninn.headers SET bytes = ''");
    cluster::sql(
        &address,
        "UPDATE muninn.notes SET bytes = set_byte(bytes, 0, 255) WHERE position = 3",
    );
    let checked = store.check(&mut |_| {});
    let said: Vec<String> = checked.damage.iter().map(ToString::to_string).collect();
    let (stream, key) = (content::stream(1), content::note_key(content::stream(1), 3));
    let expected = [
        "feed position 4: the next record begins at 5".to_owned(),
        format!("commit 2 of stream {stream}: a record's checksum differs"),
        format!("commit 4 of stream {stream}: missing; the next is 5"),
        format!("the header of stream {stream}: the log is damaged: a record is too short"),
        format!("the note {}: the log is damaged: a record's checksum differs", key.escape_ascii()),
    ];
    assert_eq!(said, expected);
    assert_eq!(checked.streams, [content::stream(2), content::stream(1)]);
    store.commits(stream, 3, 10).expect_err("one is missing");
    store.feed(0, 10).expect_err("one is missing");
}

/// A page of zeros is a valid page: the rows that were in it are gone without an error, and only the indexes still know of them.
#[test]
fn what_a_page_of_zeros_had_is_listed() {
    let Some((cluster, address)) = cluster::alone() else { return };
    let store = Store::connect(&address).expect("it opens");
    content::append(&store, content::stream(1), 1..=300);
    content::append(&store, content::stream(2), 1..=1);
    drop(store);
    cluster.psql(&address, "VACUUM muninn.commits");
    let table = cluster.psql(&address, "SELECT pg_relation_filepath('muninn.commits')");
    let cluster = cluster.restarted(|data| {
        let file = File::options().write(true).open(data.join(table)).expect("it is there");
        let bytes = file.metadata().expect("it is there").len();
        file.set_len(bytes - 8_192).expect("shorter");
        file.set_len(bytes).expect("as long as before");
    });
    let found = cluster.psql(&address, "SELECT max(number) FROM muninn.commits");
    assert!(found.parse::<u64>().is_ok_and(|found| (1..300).contains(&found)), "{found}");
    let store = Store::connect(&address).expect("it opens");
    let checked = store.check(&mut |_| {});
    let said: Vec<String> = checked.damage.iter().map(ToString::to_string).collect();
    let lost = |nth, number| {
        format!("commit {number} of stream {}: missing; the feed has it", content::stream(nth))
    };
    assert_eq!(BTreeSet::from_iter(said), BTreeSet::from([lost(1, 300), lost(2, 1)]));
    assert_eq!(checked.streams.len(), 2);
}

/// While the database cannot be used, writes are refused for certain and reads are errors; afterwards all goes on by itself.
#[test]
fn a_database_that_is_away_comes_back_without_a_restart() {
    let Some(address) = cluster::database() else { return };
    let store = Store::connect(&address).expect("it opens");
    store.submit(content::write(content::stream(0), 1)).wait().expect("stored");
    let (rest, name) = address.rsplit_once('/').expect("a name");
    let other = format!("{rest}/postgres");
    cluster::sql(&other, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"));
    let end = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = ";
    cluster::sql(&other, &format!("{end}'{name}'"));
    let unread = store.last(content::stream(0)).expect_err("nobody answers");
    assert!(unread.is_of_store(), "{unread}");
    let refused = store.submit(content::write(content::stream(0), 2)).wait();
    assert!(matches!(refused, Err(WriteError::Unavailable(_))), "{refused:?}");
    assert!(matches!(store.trouble(), Some(Trouble::Unreachable(_))), "{:?}", store.trouble());

    cluster::sql(&other, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true"));
    let is_back = (0..200).any(|_| {
        thread::sleep(Duration::from_millis(50));
        store.trouble().is_none()
    });
    assert!(is_back, "it is noticed by itself");
    assert_eq!(store.submit(content::write(content::stream(0), 2)).wait(), Ok(2));
    assert_eq!(content::assert_whole(&store), 2);
}

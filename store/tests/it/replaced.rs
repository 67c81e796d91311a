//! A store in the place of another one: whoever had that open has nothing more to do with it. And who has a store for itself.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use store::{Address, OpenError, Store, Trouble, WriteError};

use crate::content;
use crate::engines::cluster;
use crate::tls::until;

/// The locks of leases in the database that is asked.
const LOCKS: &str = "FROM pg_locks WHERE locktype = 'advisory' AND classid = 7828
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// Fills an empty store with one commit.
fn restore(address: &str) -> Result<(), OpenError> {
    Address::from(address.to_owned()).fill(|store| {
        store.submit(content::write(content::stream(0), 1)).wait().expect("stored");
        Ok(())
    })
}

/// It notices that another store is there, knows nothing of it, and writes nothing into it.
#[track_caller]
fn is_over(store: &Store) {
    until(|| matches!(store.trouble(), Some(Trouble::Replaced(_))));
    let refused = store.submit(content::write(content::stream(1), 1)).wait();
    assert!(matches!(refused, Err(WriteError::Unavailable(_))), "{refused:?}");
    assert_eq!(store.position(), 0);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(store.latest()).expect_err("it is another store's");
}

/// The session by which a restoration sees a server was away for a moment.
#[test]
fn a_server_that_a_restoration_did_not_see_has_nothing_of_its_store() {
    let Some(address) = cluster::database() else { return };
    let store = Store::connect(&address).expect("it opens");
    let _leases = store.leases();
    until(|| cluster::sql(&address, &format!("SELECT count(*) {LOCKS}")) != "0");
    let seen = restore(&address).expect_err("it is seen");
    assert!(seen.to_string().contains("a server uses it"), "{seen}");
    let end = format!(
        "SELECT count(pg_terminate_backend(pid, 5000)) FROM (SELECT DISTINCT pid {LOCKS}) AS one"
    );
    until(|| {
        cluster::sql(&address, &end);
        restore(&address).is_ok()
    });
    is_over(&store);
    until(|| cluster::sql(&address, &format!("SELECT count(*) {LOCKS}")) == "0");
    let new = Store::connect(&address).expect("it opens");
    assert_eq!((new.position(), new.trouble()), (1, None::<Trouble>));
    assert_ne!(new.identity(), store.identity());
    assert_eq!(content::assert_whole(&new), 1);
}

#[test]
fn a_store_in_the_making_is_no_servers() {
    let Some(address) = cluster::database() else { return };
    let store = Store::connect(&address).expect("it opens");
    cluster::sql(&address, "UPDATE muninn.store SET schema = -1");
    is_over(&store);
    cluster::sql(&address, "UPDATE muninn.store SET schema = 2");
    is_over(&store);
}

/// It may be the first one that learns of it.
#[test]
fn whoever_begins_a_session_looks_which_store_is_there() {
    let Some(address) = cluster::database() else { return };
    let [one, other] = [0, 1].map(|_| Store::connect(&address).expect("it opens"));
    cluster::sql(&address, "UPDATE muninn.store SET identity = gen_random_uuid()");
    let refused = one.submit(content::write(content::stream(0), 1)).wait();
    assert!(matches!(refused, Err(WriteError::Unavailable(_))), "{refused:?}");
    other.alone().expect_err("it is another store's");
    assert_eq!(cluster::sql(&address, "SELECT count(*) FROM muninn.commits"), "0");
}

/// Hands connections on to the server of an address. What it answers to one COMMIT, the first being 0, is lost, with the connection. Returns
/// its address.
fn lossy(address: &str, folder: &Path, lost: usize) -> String {
    let (listener, server, address) = cluster::socket_before(address, folder);
    let commits = Arc::<AtomicUsize>::default();
    thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.expect("a connection");
            let mut server = UnixStream::connect(&server).expect("it runs");
            let mut asker = client.try_clone().expect("a handle");
            let mut answers = server.try_clone().expect("a handle");
            let is_lost = Arc::<AtomicBool>::default();
            let (lose, commits) = (Arc::clone(&is_lost), Arc::clone(&commits));
            thread::spawn(move || {
                let mut bytes = [0; 8192];
                while let Ok(read @ 1..) = client.read(&mut bytes) {
                    let is_commit = bytes[..read].ends_with(b"\x0bCOMMIT\0");
                    if is_commit && commits.fetch_add(1, Ordering::AcqRel) == lost {
                        lose.store(true, Ordering::Release);
                    }
                    if server.write_all(&bytes[..read]).is_err() {
                        break;
                    }
                }
                // The other side may have done so before.
                drop(server.shutdown(Shutdown::Both));
            });
            thread::spawn(move || {
                let mut bytes = [0; 8192];
                while let Ok(read @ 1..) = answers.read(&mut bytes) {
                    if is_lost.load(Ordering::Acquire) || asker.write_all(&bytes[..read]).is_err() {
                        break;
                    }
                }
                drop(asker.shutdown(Shutdown::Both));
            });
        }
    });
    address
}

/// With the first it takes the empty store, with the second one all is there.
#[test]
fn a_restoration_finds_out_what_became_of_a_commit_whose_answer_is_lost() {
    for lost in [0, 1] {
        let Some(address) = cluster::database() else { return };
        let folder = tempfile::tempdir().expect("a folder");
        restore(&lossy(&address, folder.path(), lost)).expect("it is restored");
        let store = Store::connect(&address).expect("it opens");
        assert_eq!(content::assert_whole(&store), 1);
    }
}

/// Servers that begin meanwhile have no share: they would play for its bots.
#[test]
fn who_plays_alone_keeps_servers_from_their_leases() {
    let Some(address) = cluster::database() else { return };
    let [one, other] = [0, 1].map(|_| Store::connect(&address).expect("it opens"));
    let alone = || one.alone().expect("it answers");
    let first = alone().expect("nobody else plays");
    assert!(other.alone().expect("it answers").is_none(), "one plays");
    assert!(!other.is_served().expect("it answers"), "that is no server");
    let seen = restore(&address).expect_err("one plays");
    assert!(seen.to_string().contains("has it for itself"), "{seen}");
    let leases = other.leases();
    until(|| cluster::sql(&address, &format!("SELECT count(*) {LOCKS} AND NOT granted")) == "1");
    assert!(first.is_held());
    assert_eq!(leases.shares(), 0);
    drop(first);
    until(|| leases.shares() == u16::MAX);
    assert!(alone().is_none(), "a server plays");
    assert!(one.is_served().expect("it answers"));
    drop((leases, other));

    // The session of a server ends a moment after it.
    until(|| cluster::sql(&address, &format!("SELECT count(*) {LOCKS}")) == "0");
    let second = alone().expect("no server is left");
    cluster::sql(&address, &format!("SELECT pg_terminate_backend(pid, 5000) {LOCKS}"));
    until(|| !second.is_held());
}

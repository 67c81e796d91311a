//! Standbys: without their word nothing is acknowledged, and none of them is written to.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use store::{OpenError, Store, Trouble, WriteError};

use crate::content;
use crate::engines::cluster;
use crate::tls::until;

/// A commit that waits for its quorum is in the database already. Whoever cancels the wait makes no acknowledged commit of it: it is
/// answered when the quorum has it, once.
#[test]
fn a_commit_without_its_quorum_is_not_acknowledged() {
    let Some((cluster, address)) = cluster::alone() else { return };
    let store = Store::connect(&address).expect("it opens");
    store.submit(content::write(content::stream(0), 1)).wait().expect("stored");
    cluster.wait_for(&address, "nobody");
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let answer = store.submit(content::write(content::stream(0), 2)).wait();
            is_done.store(true, Ordering::Release);
            answer
        });
        let cancel = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%muninn.append%'";
        until(|| cluster.psql(&address, cancel) != "0");
        thread::sleep(Duration::from_secs(1));
        let there = cluster.psql(&address, "SELECT count(*) FROM muninn.commits");
        assert_eq!((there.as_str(), is_done.load(Ordering::Acquire)), ("2", false));
        cluster.wait_for(&address, "");
        assert_eq!(waiting.join().expect("it does not panic"), Ok(2));
    });
    assert_eq!(content::assert_whole(&store), 2);
}

/// A server that begins, and one that reads, could stand before a primary that was deposed: both learn it, for their barrier has no quorum.
/// One that is asked nothing learns it too, and what was given up leaves no session in the database: neither where nobody could begin, nor
/// where a store was closed.
#[test]
fn without_a_quorum_nobody_begins_and_nobody_asks_for_the_position() {
    let Some((cluster, address)) = cluster::alone() else { return };
    let store = Store::connect(&address).expect("it opens");
    store.submit(content::write(content::stream(0), 1)).wait().expect("stored");
    let named = |name| format!("{address}?application_name={name}");
    let waits = |name| {
        let sessions = format!(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name LIKE '{name}%'"
        );
        cluster.psql(&address, &sessions) != "0"
    };
    let closed = Store::connect(&named("closed")).expect("it opens");
    cluster.wait_for(&address, "nobody");
    thread::scope(|scope| {
        let begin = || scope.spawn(|| Store::connect(&named("begins")));
        let begin: Vec<_> = (0..8).map(|_| begin()).collect();
        until(|| waits("begins"));
        until(|| waits("closed"));
        drop(closed);
        until(|| !waits("closed"));
        until(|| matches!(store.trouble(), Some(Trouble::Unreachable(_))));
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(store.latest()).expect_err("no quorum answers");
        for begins in begin {
            let told = begins.join().expect("it does not panic").expect_err("it does not open");
            assert!(matches!(told, OpenError::Database { .. }), "{told}");
            assert!(!told.to_string().contains('\n'), "{told}");
        }
        until(|| !waits("begins"));
    });
    cluster.wait_for(&address, "");
    until(|| store.trouble().is_none());
    drop(Store::connect(&address).expect("it opens"));
    assert_eq!(content::assert_whole(&store), 1);
}

#[test]
fn a_standby_is_refused_as_a_target_and_has_all_when_it_is_promoted() {
    let Some((cluster, address)) = cluster::alone() else { return };
    let store = Store::connect(&address).expect("it opens");
    let standby = cluster.standby(&[]);
    let name = address.rsplit('/').next().expect("a name");
    let there = standby.address(name);
    for told in [Store::connect(&there).map(drop), Store::migrate(&there).map(drop)] {
        let told = told.expect_err("it takes no writes");
        assert!(matches!(told, OpenError::Database { .. }), "{told}");
        assert!(!told.to_string().contains('\n'), "{told}");
    }
    cluster.wait_for(&address, "*");
    assert_eq!(store.submit(content::write(content::stream(0), 1)).wait(), Ok(1));
    drop(store);
    standby.psql(&there, "SELECT pg_promote()");
    let promoted = Store::connect(&there).expect("it opens");
    assert_eq!(content::assert_whole(&promoted), 1);
    let refused = promoted.submit(content::write(content::stream(0), 1)).wait();
    assert_eq!(refused, Err(WriteError::Conflict { last: 1 }));
    assert_eq!(promoted.submit(content::write(content::stream(0), 2)).wait(), Ok(2));
}

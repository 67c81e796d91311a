//! Leases: every share has one holder, whoever begins, ends or dies.

use std::env;
use std::io::stdin;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use store::{Leases, SHARES, Store, StreamId, share_of};

use crate::engines::{Home, cluster};

/// The database of a child.
const ADDRESS: &str = "STORE_TEST_LEASES";

#[test]
fn alone_on_a_folder_all_is_held_at_once() {
    let store = Home::folder().open();
    let leases = store.leases();
    assert_eq!((leases.shares(), leases.can_change()), (u16::MAX, false));
    let shares: Vec<usize> = (0..32).map(|byte| share_of(StreamId([byte; 16]))).collect();
    assert_eq!(shares, (0..SHARES).chain(0..SHARES).collect::<Vec<_>>());
}

/// Looks all the time that no share is held twice, until it is as wanted; returns how long that took.
fn until(all: &[&Leases], wanted: impl Fn(&[u16]) -> bool) -> Duration {
    let start = Instant::now();
    loop {
        let held: Vec<u16> = all.iter().map(|leases| leases.shares()).collect();
        for (nth, shares) in held.iter().enumerate() {
            let others = held.iter().skip(nth + 1).fold(0, |others, more| others | more);
            assert_eq!(shares & others, 0, "held twice: {held:?}");
        }
        if wanted(&held) {
            return start.elapsed();
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{held:?}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn shares_are_split_evenly_and_taken_over_within_seconds() {
    let Some(address) = cluster::database() else { return };
    let [one, two, three] = [0; 3].map(|_| Store::connect(&address).expect("it opens"));
    let first = one.leases();
    until(&[&first], |held| held == [u16::MAX]);
    let second = two.leases();
    let even = |held: &[u16]| held.iter().all(|shares| shares.count_ones() == 8);
    until(&[&first, &second], even);
    let third = three.leases();
    let by_three = |held: &[u16]| {
        let mut counts: Vec<u32> = held.iter().map(|shares| shares.count_ones()).collect();
        counts.sort_unstable();
        counts == [4, 6, 6]
    };
    until(&[&first, &second, &third], by_three);
    // One ends in good order.
    drop((third, three));
    let took = until(&[&first, &second], even);
    assert!(took < Duration::from_secs(10), "{took:?}");
    // The session of one dies, of which its server hears; later it comes back and gets its part.
    // Other tests have leases in databases of the same cluster.
    let kill = "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_locks
        WHERE locktype = 'advisory' AND classid = 7828 AND objid = 16
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1) AS one";
    assert_eq!(cluster::sql(&address, kill), "1");
    let took = until(&[&first, &second], |held| !even(held));
    assert!(took < Duration::from_secs(2), "{took:?}");
    until(&[&first, &second], even);
    drop((one, first));
    let took = until(&[&second], |held| held == [u16::MAX]);
    assert!(took < Duration::from_secs(10), "{took:?}");
}

/// Alone it does nothing; as a child it holds its part until it is killed, or its input ends.
#[test]
fn holds_its_part_until_its_input_ends() {
    let Ok(address) = env::var(ADDRESS) else { return };
    let store = Store::connect(&address).expect("it opens");
    let _leases = store.leases();
    stdin().read_line(&mut String::new()).expect("it can be read");
}

#[test]
fn who_is_paused_or_killed_loses_its_shares() {
    let Some(address) = cluster::database() else { return };
    let mut other = Command::new(env::current_exe().expect("this test has a file"));
    other.args(["--exact", "lease::holds_its_part_until_its_input_ends"]).env(ADDRESS, &address);
    let mut other = other.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it starts");
    let signal = |name: &str| {
        let kill = Command::new("kill").args([name, &other.id().to_string()]).status();
        assert!(kill.expect("there is kill").success());
    };
    let store = Store::connect(&address).expect("it opens");
    let leases = store.leases();
    let shared = |held: &[u16]| held[0].count_ones() == 8;
    for (lose, back) in [("-STOP", Some("-CONT")), ("-KILL", None)] {
        until(&[&leases], shared);
        signal(lose);
        let took = until(&[&leases], |held| held == [u16::MAX]);
        assert!(took < Duration::from_secs(15), "{took:?}");
        back.into_iter().for_each(signal);
    }
    other.wait().expect("it was killed");
}

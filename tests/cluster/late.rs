//! What another server has committed, and what does not arrive.

use std::thread;

use acceptance::{Table, until};

use crate::{Two, postgres};

#[test]
fn what_does_not_arrive_is_not_waited_for_without_end() {
    let Some(two) = Two::start() else { return };
    let [first, second] = two.clients();
    let table = Table::rosenkoenig(&first);
    let path = format!("/v1/matches/{}", table.id);
    second.get(&path).ok();
    thread::scope(|scope| {
        let locked = scope.spawn(|| {
            let lock = "BEGIN; LOCK TABLE muninn.commits IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(20); COMMIT";
            postgres::sql(&two.database, lock);
        });
        let locks = "SELECT count(*) FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock'
            AND relation = 'muninn.commits'::regclass";
        until("it is locked", || postgres::sql(&two.database, locks) == "1");
        // There is one more commit, and nobody can read it.
        postgres::sql(&two.database, "UPDATE muninn.store SET position = position + 1");
        let answer = second.get(&path);
        answer.problem(503, "unavailable");
        assert!(answer.text().contains("what other servers have stored"), "{}", answer.text());
        assert!(!locked.is_finished(), "it waited until the commit could be read");
    });
    // A commit that is not there is passed.
    until("it goes on", || second.get(&path).status == 200);
}

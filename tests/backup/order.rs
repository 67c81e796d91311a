//! Commits that stand where none may, or say more than is known, though all hashes fit and the rules decide every one of them: an import refuses
//! them.

use acceptance::process::Process;
use acceptance::proof::{bytes_of, hashed_text, hex, link};
use acceptance::{Dice, Table};
use serde_json::{Value, json};

use crate::imported::{document, import, written};

/// A commit in full, and as a spectator sees it.
type Sides = [Value; 2];

fn commits(table: &Table) -> Vec<Sides> {
    let read = |viewer: &str| {
        let page =
            |query: &str| table.spectator().commits(&table.id, &format!("{query}{viewer}")).ok();
        Table::pages(100, page)
    };
    read("").into_iter().zip(read("&viewer=spectator")).map(|(full, open)| [full, open]).collect()
}

/// The match with these commits instead of its own: numbered, timed, sealed and chained anew, as whoever knows the seed can.
fn forged(good: &Value, commits: &[Sides]) -> Value {
    let mut document = good.clone();
    let seed = bytes_of(&document["match"]["seed"]);
    let mut times: Vec<Value> =
        commits.iter().map(|[full, _]| full["recorded_at"].clone()).collect();
    times.sort_by_key(ToString::to_string);
    let (mut before, mut version, mut log) = ([0; 32], 0, Vec::new());
    for ((sides, time), number) in commits.iter().zip(&times).zip(1u64..) {
        let events = sides[0]["events"].as_array().expect("events").len();
        let [mut full, open] = sides.clone().map(|mut side| {
            side["commit"] = json!(number);
            side["first_version"] = json!(version + 1);
            side["last_version"] = json!(version + events);
            side["recorded_at"] = time.clone();
            side
        });
        version += events;
        link(&seed, number, &mut before, &mut full, &hashed_text(&open));
        log.push(full);
    }
    let told = &mut document["match"];
    told["head_hash"] = json!(hex(&before));
    told["commit"] = json!(log.len());
    told["version"] = json!(version);
    told["updated_at"] = json!(times.last());
    document["commits"] = json!(log);
    document
}

fn has(sides: &Sides, kind: &str) -> bool {
    let events = sides[0]["events"].as_array().expect("events");
    events.iter().any(|event| event["type"] == kind)
}

#[test]
fn no_commit_follows_the_closing_and_no_command_comes_before_all_seats_are_taken() {
    let (folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&folder.path().join("one"), &[]);
    let client = server.client();
    let mut dice = Dice::new(11);
    let seats = json!([{"name": "Hugin"}, {"open": true}]);
    let body = json!({"game": "rosenkoenig", "seats": seats});
    // Where the cards are shuffled, a commit of another number is another one: not in those that are moved here.
    let (good, honest) = loop {
        let mut table = Table::open(&client, &body);
        table.join(1, &json!({"name": "Munin"}));
        table.finish(&mut dice);
        let commits = commits(&table);
        if !commits.last().is_some_and(|sides| has(sides, "DrawPileReshuffled")) {
            break (document(&table), commits);
        }
    };
    server.stop();
    assert!(has(&honest[1], "SeatTaken"));
    let refused = |commits: &[Sides], words: &str| {
        import(&data, &written(folder.path(), &forged(&good, commits))).refused(&[words]);
        assert!(!data.exists(), "nothing is stored");
    };

    let mut closed = honest.clone();
    let last = closed.len() - 1;
    let closing = closed[last - 1].clone().map(|mut side| {
        side["command"] = Value::Null;
        side["seat"] = Value::Null;
        side["events"] = json!([{"type": "MatchClosed", "by": "owner", "reason": "closed"}]);
        side
    });
    closed.insert(last, closing);
    refused(&closed, &format!("commit {}: the match was closed before it", last + 2));

    let mut early = honest.clone();
    early[1..4].rotate_left(1);
    refused(&early, "commit 2: a command before all seats are taken");

    // The same commits in their own order are the match.
    import(&data, &written(folder.path(), &forged(&good, &honest))).ok();
}

/// A newer server may say more in an event of the platform. Whoever passed over it would store what no server of this version writes.
#[test]
fn an_event_of_the_platform_with_a_field_that_is_not_known_is_refused() {
    let (folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&folder.path().join("one"), &[]);
    let more = json!({"seats": [{}, {"open": true}], "take_back": true});
    let mut table = Table::dealt(&server.client(), &more);
    table.join(1, &json!({"name": "Munin"}));
    let seat = table.active().expect("it begins");
    table.act(&table.legal()[0]);
    table.seat(seat).take_back(&table.id).created();
    table.finish(&mut Dice::new(12));
    let (good, honest) = (document(&table), commits(&table));
    server.stop();
    for kind in ["PositionLoaded", "TableOpened", "SeatTaken", "CommandTakenBack"] {
        let at = honest.iter().position(|sides| has(sides, kind)).expect("there is one");
        let mut newer = honest.clone();
        // Whoever does not know the field shows it to nobody.
        let [full, _] = &mut newer[at];
        let events = full["events"].as_array_mut().expect("events");
        let event = events.iter_mut().find(|event| event["type"] == kind);
        event.expect("it is there")["clock"] = json!({"minutes": 30});
        let file = written(folder.path(), &forged(&good, &newer));
        import(&data, &file).refused(&[&format!("commit {}: ", at + 1)]);
        assert!(!data.exists(), "nothing is stored of {kind}");
    }
    import(&data, &written(folder.path(), &forged(&good, &honest))).ok();
}

//! The feed of the whole store: pages and lines, filters, places.

use serde_json::{Value, json};

use crate::{client, restarted, server};
use acceptance::{Dice, Table};

#[test]
fn pages_and_lines_of_the_feed_agree() {
    let (server, folder) = server();
    let client = server.client();
    let tables: Vec<Table> = (0..3).map(|_| Table::rosenkoenig(&client)).collect();
    let mut dice = Dice::new(71);
    for _ in 0..4 {
        tables.iter().for_each(|table| drop(table.play(&mut dice, 2)));
    }
    tables[1].finish(&mut dice);
    let lines = client.feed_lines("").lines();
    for limit in [1, 7, 100, 1000] {
        let pages = Table::pages(limit, |query| client.feed(query).ok());
        assert_eq!(pages, lines, "by {limit}");
    }
    assert_eq!(client.feed_lines("limit=5").lines(), lines[..5]);
    let positions: Vec<u64> = lines.iter().filter_map(|line| line["position"].as_u64()).collect();
    assert!(positions.is_sorted());
    assert_eq!((positions[0], positions.len()), (1, lines.len()));
    for table in &tables {
        let own: Vec<&Value> = lines.iter().filter(|line| line["match"] == table.id).collect();
        let events = Table::pages(1000, |query| client.events(&table.id, query).ok());
        assert_eq!(own.len(), events.len());
        for (line, entry) in own.iter().zip(&events) {
            for name in ["version", "commit", "seat", "recorded_at", "event"] {
                assert_eq!(line[name], entry[name]);
            }
            assert_eq!(line["game"], "rosenkoenig");
        }
    }
    let of_type: Vec<&Value> =
        lines.iter().filter(|l| l["event"]["type"] == "CrownMoved").collect();
    let filtered = Table::pages(1, |query| client.feed(&format!("{query}&type=CrownMoved")).ok());
    assert_eq!(filtered.iter().collect::<Vec<_>>(), of_type);
    assert!(!of_type.is_empty());
    assert_eq!(client.feed_lines("type=CrownMoved").lines(), filtered);
    assert_eq!(client.feed_lines("game=rosenkoenig").lines(), lines);
    assert_eq!(client.feed_lines("game=chess").lines(), Vec::<Value>::new());
    let end = positions[lines.len() - 1];
    let nothing = json!({"items": [], "next": null, "position": end});
    assert_eq!(client.feed("type=Nothing").ok(), nothing);
    let no_lines = client.feed_lines("type=Nothing");
    assert_eq!(no_lines.header("feed-position"), Some(end.to_string().as_str()));
    assert_eq!(client.feed_lines("limit=5").header("feed-position"), None);
    let middle = positions[lines.len() / 2];
    let rest: Vec<&Value> =
        lines.iter().filter(|line| line["position"].as_u64() > Some(middle)).collect();
    let after = client.feed_lines(&format!("after={middle}")).lines();
    assert_eq!(after.iter().collect::<Vec<_>>(), rest);

    let server = restarted(server, &folder);
    assert_eq!(server.client().feed_lines("").lines(), lines, "the order is for ever");
}

#[test]
fn a_reader_of_the_feed_can_go_on_from_its_last_position() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let mut dice = Dice::new(72);
    let mut seen = Vec::new();
    for _ in 0..5 {
        table.play(&mut dice, 2);
        let last = seen.last().map_or(0, |line: &Value| line["position"].as_u64().unwrap_or(0));
        seen.extend(client.feed_lines(&format!("after={last}")).lines());
    }
    assert_eq!(seen, client.feed_lines("").lines());
}

/// The example of the document is the only place that says where lines go on that ended within a commit.
#[test]
fn lines_that_end_within_a_commit_are_continued_as_the_document_says() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    table.play(&mut Dice::new(73), 4);
    let streams = client.get("/asyncapi.json").ok();
    let said = streams["operations"]["getFeed"]["description"].as_str().expect("a description");
    let between = "` continues after the first three events of the commit at position ";
    let (before, behind) = said.split_once(between).expect("an example");
    let place = before.rsplit_once('`').expect("a place").1;
    let place: u64 = place.strip_suffix(".3").expect("three events").parse().expect("a number");
    let position: u64 = behind.split_once('.').expect("an end").0.parse().expect("a number");

    let lines = client.feed_lines("").lines();
    let mut within = 0;
    for limit in 1..lines.len() {
        let read = client.feed_lines(&format!("limit={limit}")).lines();
        assert_eq!(read, lines[..limit]);
        let last = read[limit - 1]["position"].as_u64().expect("a position");
        let events = read.iter().filter(|line| line["position"] == last).count();
        within += usize::from(lines[limit]["position"] == last);
        let after = last + place - position;
        let rest = client.feed_lines(&format!("after={after}.{events}")).lines();
        assert_eq!(rest, lines[limit..], "after {limit} lines");
    }
    assert!(within > 1, "{within}");
}

//! What a person needs to choose a command: spots of the picture and labels, beside the commands.

use acceptance::{Dice, Table};
use serde_json::{Value, json};

use crate::client;

#[test]
fn spots_and_labels_stand_beside_the_commands_of_every_game() {
    let (client, _server) = client();
    for game in catalog::games() {
        let seats = vec![json!({}); usize::from(*game.info().seats.start())];
        let table = Table::open(&client, &json!({"game": game.info().id, "seats": seats}));
        table.play(&mut Dice::new(8), 5);
        let seat = table.seat(table.active().expect("it runs"));
        let plain = seat.legal_commands(&table.id, "").ok();
        assert_eq!((plain.get("spots"), plain.get("labels")), (None, None));
        let both = seat.legal_commands(&table.id, "include=spots,labels");
        let page = both.ok();
        assert_eq!(page["items"], plain["items"]);
        let strings = |list: &Value| list.as_array().map(Vec::len);
        let count = strings(&plain["items"]);
        assert_eq!((strings(&page["spots"]), strings(&page["labels"])), (count, count));
        let spots = seat.legal_commands(&table.id, "include=spots").ok();
        assert_eq!((&spots["spots"], spots.get("labels")), (&page["spots"], None));
        let picture = seat.get(&format!("/v1/matches/{}/board.svg", table.id)).text();
        for spot in page["spots"].as_array().into_iter().flatten().flat_map(|of| of.as_array()) {
            for spot in spot.iter().filter_map(Value::as_str) {
                assert!(picture.contains(&format!("data-spot=\"{spot}\"")), "{spot}");
            }
        }
    }
}

/// What each command is sure to bring is what the score of its dry run has more.
#[test]
fn points_stand_beside_the_commands_as_far_as_they_are_certain() {
    let (client, _server) = client();
    let table = Table::open(&client, &json!({"game": "voluspa", "seats": [{}, {}]}));
    let mut gained = 0;
    for _ in 0..12 {
        let active = table.active().expect("it runs");
        let seat = table.seat(active);
        let page = seat.legal_commands(&table.id, "include=points").ok();
        assert_eq!((page.get("spots"), page.get("labels")), (None, None));
        let (items, points) = (page["items"].as_array(), page["points"].as_array());
        let (items, points) = (items.expect("commands"), points.expect("points"));
        assert_eq!(items.len(), points.len());
        let score = |view: &Value| view["players"][active]["score"].as_i64().expect("a score");
        let before = score(&seat.view(&table.id, "").ok());
        for (command, points) in items.iter().zip(points).step_by(5) {
            let then = score(&seat.dry_run(&table.id, command).ok()["view"]);
            assert_eq!(points.as_i64(), Some(then - before), "{command}");
            gained += then - before;
        }
        // Nobody else is told.
        let other = table.seat(1 - active).legal_commands(&table.id, "include=points").ok();
        assert_eq!((&other["items"], &other["points"]), (&json!([]), &json!([])));
        let best = points.iter().enumerate().max_by_key(|(_, points)| points.as_i64());
        table.act(&items[best.expect("some").0]);
    }
    assert!(gained > 0);
}

#[test]
fn labels_are_in_the_language_of_the_caller() {
    let (client, _server) = client();
    let table = Table::open(&client, &json!({"game": "voluspa", "seats": [{}, {}]}));
    let seat = table.seat(table.active().expect("it runs"));
    let path = format!("/v1/matches/{}/legal-commands?include=labels", table.id);
    let ask = |more: &str, accepted: &str| {
        let answer = seat.get_with(&format!("{path}{more}"), "Accept-Language", accepted);
        let page = answer.ok();
        let header = |name: &str| answer.header(name).unwrap_or_default().to_owned();
        assert!(header("vary").contains("Accept-Language"));
        let label = page["labels"][0].as_str().unwrap_or_default().to_owned();
        (label, header("content-language"), header("etag"))
    };
    let (english, language, tag) = ask("", "fr, en;q=0.5");
    assert_eq!((language.as_str(), english.starts_with("Lay ")), ("en", true), "{english}");
    let (german, language, other) = ask("", "en;q=0.5, de-AT");
    assert_eq!((language.as_str(), german.ends_with(" legen")), ("de", true), "{german}");
    assert_ne!(tag, other);
    assert_eq!(ask("&lang=de", "en"), (german, "de".to_owned(), other.clone()));
    // Who speaks none of the languages gets the first one, and is told so.
    assert_eq!(ask("&lang=tlh", "de"), (english, "en".to_owned(), tag));
    let known = seat.get_with(&format!("{path}&lang=de"), "If-None-Match", &other);
    assert_eq!(known.status, 304);
    let plain = seat.legal_commands(&table.id, "");
    assert_eq!(plain.header("content-language"), None);
    for wrong in ["include=words", "include=", "include=spots;labels"] {
        seat.legal_commands(&table.id, wrong).problem(400, "malformed");
    }
}

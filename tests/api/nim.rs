//! A fifth game needs nothing but itself: Nim beside the catalogue, played through the API, its secrets kept.

use kernel::Erased;
use muninn::{LimitArgs, OnOff};
use serde_json::{Value, json};
use testkit::{NIM_PICTURE, Nim};

use acceptance::server::{Games, Server};
use acceptance::stream::Message;
use acceptance::{Answer, Client, Dice, Table};

fn games() -> Games {
    let mut games = catalog::games().to_vec();
    games.push(&Erased::<Nim>::NEW);
    games.leak()
}

/// Asserts that a text shows the lucky number of this seat and of no other; returns how often.
#[track_caller]
fn only_own(text: &str, seat: Option<usize>) -> usize {
    let mut found = 0;
    for (at, field) in text.match_indices("\"lucky\":") {
        let list = &text[at + field.len()..];
        let list = &list[..=list.find(']').expect("a list ends")];
        let list: Vec<Option<u8>> = serde_json::from_str(list).expect("a list of numbers");
        assert_eq!(list.len(), 3);
        for (number, lucky) in list.iter().enumerate() {
            assert_eq!(lucky.is_some(), seat == Some(number), "{text}");
        }
        found += 1;
    }
    found
}

/// Everything that can be read of the match, as one text.
fn everything(client: &Client, id: &str, more: &str) -> String {
    let mut text = String::new();
    for query in ["", "at=1", more] {
        text += &client.view(id, query).text();
        text += &client.legal_commands(id, "").text();
        text += &client.commits(id, &query.replace("at", "after")).text();
        text += &client.events(id, &query.replace("at", "limit")).text();
        text += &client.replay(id, &query.replace("at", "to")).text();
        text += &client.position(id, "").text();
    }
    text += &client.info(id).text();
    text += &client.matches("game=nim").text();
    text += &client.feed("game=nim").text();
    text += &client.feed_lines("").text();
    for viewer in 0..4 {
        text += &client.command(id, &json!({"type": "Take", "viewer": viewer})).text();
    }
    text
}

#[test]
fn nim_is_served_and_its_lucky_numbers_stay_secret_until_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), games());
    let client = server.client();
    let body = json!({"game": "nim", "options": {"heaps": 2}, "seats": [{}, {"name": "Urd"}, {}]});
    let table = Table::open(&client, &body);
    let id = &table.id;
    let streams = [client.stream(id, "", None), table.seat(1).stream(id, "", None)];
    let mut dice = Dice::new(9);
    table.play(&mut dice, 1);
    if table.active().is_some() {
        let found = only_own(&everything(&client, id, "viewer=spectator"), None);
        assert!(found >= 8, "the setup was read {found} times");
        only_own(&everything(&table.owner(), id, "viewer=spectator"), None);
        for seat in 0..3 {
            let own = format!("viewer={seat}");
            let text = everything(&table.seat(seat), id, &own);
            // The feed is a spectator's, whoever asks.
            let public = text.find("{\"items\":[{\"position\"").expect("the feed");
            assert!(only_own(&text[..public], Some(seat)) >= 8);
            let other = format!("viewer={}", (seat + 1) % 3);
            table.seat(seat).view(id, &other).problem(403, "hidden");
            table.seat(seat).events(id, &other).problem(403, "hidden");
            client.view(id, &own).problem(401, "token_required");
        }
    }
    table.finish(&mut dice);
    for (stream, seat) in streams.into_iter().zip([None, Some(1)]) {
        let messages: Vec<Message> = stream.rest();
        let text: String = messages.iter().map(|m| m.data.to_string()).collect();
        assert_eq!(only_own(&text, seat), 1);
    }
    let position = client.position(id, "at=1").ok();
    let started = client.commits(id, "").ok()["items"][0]["events"][0].clone();
    assert_eq!(started["lucky"], position["lucky"], "the end opens everything");
    assert!(started["lucky"].as_array().expect("a list").iter().all(Value::is_u64));
    let as_seat = client.view(id, "at=1&viewer=2").ok()["lucky"].clone();
    assert_eq!(as_seat, json!([null, null, position["lucky"][2]]));
    let standing = client.info(id).ok()["standing"].clone();
    assert_eq!(standing.as_array().map(Vec::len), Some(3));
    assert_eq!(standing[0]["rank"], 1);
}

/// A server where Nim has what a row of the catalogue gives: rules, words and a picture.
fn with_a_row(folder: &std::path::Path) -> Server {
    let mut pictures = catalog::PICTURES.to_vec();
    pictures.push(&NIM_PICTURE);
    Server::start_shown(folder, games(), pictures.leak(), LimitArgs::default(), OnOff::On)
}

/// The lucky numbers that a picture as text shows, by seat.
fn shown(text: &str) -> Vec<Option<u64>> {
    let seats = text.lines().filter(|line| line.contains("number"));
    seats.map(|line| line.split_once(": number ").and_then(|(_, n)| n.parse().ok())).collect()
}

#[test]
fn a_row_of_the_catalogue_gives_a_game_its_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = with_a_row(folder.path());
    let client = server.client();
    let table = Table::open(&client, &json!({"game": "nim", "seats": [{}, {}, {}]}));
    let look = |client: &Client, file: &str| {
        let answer = client.get(&format!("/v1/matches/{}/{file}", table.id));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text()
    };
    assert_eq!(shown(&look(&client, "board.txt")), [None; 3]);
    let seats: Vec<_> = (0..3).map(|seat| shown(&look(&table.seat(seat), "board.txt"))).collect();
    for (seat, shown) in seats.iter().enumerate() {
        let known = shown.iter().map(Option::is_some);
        assert!(known.eq((0..3).map(|other| other == seat)), "{shown:?}");
    }
    let svg = look(&client, "board.svg");
    assert!(svg.starts_with("<svg") && svg.contains("data-spot=\"heap:0\""), "{svg}");
    let view = client.view(&table.id, "").ok();
    let drawn = client.post("/v1/games/nim/board.txt", &json!({"view": view}));
    assert_eq!(drawn.status, 200, "{}", drawn.text());
    let spoiled = client.post("/v1/games/nim/board.txt", &json!({"view": {"heaps": []}}));
    spoiled.problem(422, "invalid_position");
}

#[test]
fn a_game_brings_its_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = with_a_row(folder.path());
    let client = server.client();
    let words = client.get("/v1/games/nim/words").ok();
    let taken = &words["events"]["StonesTaken"]["form"]["3"];
    assert_eq!(*taken, "{seat} takes {stones} from heap {heap}.");
    assert_eq!(words["spots"]["heap"], "heap {0}");
    // The platform speaks a language that the game does not: of the game it has English.
    let german = client.get("/v1/games/nim/words?lang=de");
    assert_eq!(german.header("content-language"), Some("de"));
    let german = german.ok();
    assert_eq!(german["events"]["StonesTaken"], words["events"]["StonesTaken"]);
    assert_eq!(german["values"]["seat"]["other"], "Platz {}");
    let table = Table::open(&client, &json!({"game": "nim", "seats": [{}, {}]}));
    let seat = table.seat(table.active().expect("it runs"));
    let legal = seat.legal_commands(&table.id, "include=spots,labels").ok();
    assert_eq!(
        (&legal["spots"][0], &legal["labels"][0]),
        (&json!(["heap:0"]), &json!("Take 1 of heap 0"))
    );
}

#[test]
fn a_row_of_the_catalogue_gives_a_game_its_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = with_a_row(folder.path());
    let client = server.client();
    let table = Table::open(&client, &json!({"game": "nim", "seats": [{}, {}, {}]}));
    table.finish(&mut Dice::new(3));
    let listed = client.get("/v1/tables").ok();
    let lines = client.get("/v1/tables/nim_stones_taken.csv").text();
    let head = lines.lines().next().unwrap_or_default();
    assert!(head.ends_with(",form,heap,seat,stones"), "{head}");
    // The secret numbers of a finished match are open.
    assert!(client.get("/v1/tables/nim_match_started.csv").text().contains("lucky"));
    let sql = "SELECT min(stones) > 0 AS fair, count(*) > 0 AS some FROM nim_stones_taken";
    let ask = || client.query(sql);
    let filled =
        |answer: &Answer| answer.status == 200 && answer.json()["position"] == listed["position"];
    let mut answers = std::iter::repeat_with(|| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        ask()
    });
    let answer = answers.by_ref().take(600).find(filled).expect("the tables are filled");
    assert_eq!(answer.json()["rows"], json!([[1, 1]]));
}

#[test]
fn the_catalogue_says_what_a_client_needs() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), games());
    let client = server.client();
    let games = client.games();
    let ids: Vec<&str> = games["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|game| game["id"].as_str())
        .collect();
    assert!(ids.contains(&"nim") && ids.contains(&"rosenkoenig"), "{ids:?}");
    for id in ids {
        let game = client.game(id).ok();
        for role in ["options", "position", "command", "event", "event_view", "view"] {
            let schema = &game["schemas"][role];
            let target = schema["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/"));
            let target = target.unwrap_or_else(|| panic!("{id} has no schema of {role}"));
            assert!(schema["$defs"][target].is_object(), "{id}: {role}");
        }
        assert!(game["data"].is_object());
        let rules = game["rules"].as_array().expect("a list");
        assert!(!rules.is_empty());
        for rule in rules {
            assert!(rule["text"].as_str().is_some_and(|text| text.len() > 10), "{rule}");
        }
    }
    let nim = client.game("nim").ok();
    assert_eq!((&nim["seats_min"], &nim["seats_max"]), (&json!(2), &json!(4)));
    assert_eq!(nim["data"], json!({"heap_max": 20}));
    assert_eq!(nim["rules"][0]["rule"], "N-01");
}

//! Words as data: what a client needs to tell a match in any language.

use std::collections::BTreeSet;
use std::fs;

use acceptance::server::Server;
use acceptance::{Client, Dice, Request, Table};
use serde_json::{Value, json};

use crate::{client, server};

fn words(client: &Client, game: &str, query: &str) -> Value {
    client.get(&format!("/v1/games/{game}/words?{query}")).ok()
}

#[test]
fn every_game_has_words_in_two_languages() {
    let (client, _server) = client();
    for game in catalog::games() {
        let info = game.info();
        let [english, german] = ["lang=en", "lang=de"].map(|query| words(&client, info.id, query));
        assert_eq!(english["title"], info.title);
        assert_ne!(english["text"], german["text"]);
        for words in [&english, &german] {
            assert_eq!(words["languages"], json!(["en", "de"]));
            assert_eq!(words["game"], info.id);
            // What the catalogue lists has a sentence each, and so has every event of the platform.
            let rules = client.game(info.id).ok()["rules"].clone();
            for rule in rules.as_array().expect("a list") {
                let number = rule["rule"].as_str().expect("a number");
                assert!(words["rules"][number].is_string(), "{number}");
            }
            for event in [
                "PositionLoaded",
                "TableOpened",
                "SeatTaken",
                "MatchClosed",
                "ReplyRefused",
                "CommandTakenBack",
            ] {
                assert!(!words["events"][event].is_null(), "{event}");
            }
            assert!(words["values"]["seat"]["other"].is_string());
        }
        assert_eq!(english["below"], german["below"]);
        assert_eq!(english["quotes"], german["quotes"]);
    }
    client.get("/v1/games/chess/words").problem(404, "not_found");
    client.get("/v1/games/voluspa/words?language=de").problem(400, "malformed");
}

#[test]
fn words_are_in_the_language_of_the_caller() {
    let (client, _server) = client();
    let ask = |more: &str, accepted: &str| {
        let path = format!("/v1/games/voluspa/words{more}");
        let answer = client.get_with(&path, "Accept-Language", accepted);
        let header = |name: &str| answer.header(name).unwrap_or_default().to_owned();
        assert!(header("vary").contains("Accept-Language"), "{}", header("vary"));
        assert!(header("cache-control").starts_with("public"));
        assert_eq!(answer.ok()["language"], header("content-language"));
        (header("content-language"), header("etag"))
    };
    let (language, tag) = ask("", "en;q=0.5, de-AT");
    assert_eq!(language, "de");
    assert_eq!(ask("?lang=de", "en"), (language, tag.clone()));
    assert_eq!(ask("?lang=tlh", "de").0, "en");
    assert_ne!(ask("", "en").1, tag);
    // "*" is every language that is not named (RFC 9110, 12.5.4).
    for (accepted, best) in [
        ("*;q=0.5, de;q=0.1", "en"),
        ("en;q=0, *", "de"),
        ("de;Q=0.9, en;q=0.1", "de"),
        ("fr, *", "en"),
    ] {
        assert_eq!(ask("", accepted).0, best, "{accepted}");
    }
    let lines = Request::new("GET", "/v1/games/voluspa/words").header("Accept-Language", "fr");
    let lines = client.send(lines.header("Accept-Language", "de"));
    assert_eq!(lines.header("content-language"), Some("de"), "lines of a header are one list");
    let known = client.get_with("/v1/games/voluspa/words?lang=de", "If-None-Match", &tag);
    assert_eq!(known.status, 304);
}

/// A third language is a file for each game, and one for the platform. What it lacks is said in English.
#[test]
fn a_third_language_is_one_file_for_each_game_and_one_for_the_platform() {
    let (server, folder) = server();
    server.stop();
    let french = folder.path().join("words/fr");
    fs::create_dir_all(&french).expect("a folder");
    let file = |name: &str, text: &str| fs::write(french.join(name), text).expect("a file");
    file("platform.toml", "[values]\nseat = { other = 'Place {}' }\n");
    file(
        "voluspa.toml",
        "title = 'La Prophétie'\n[commands]\nPlaceTile.mode = { lay = 'Poser {tile} en {at}', other = '{tile}' }\n[values]\ntile = { dragon = 'Dragon !' }\n",
    );
    let server = Server::start(folder.path(), catalog::games());
    let client = server.client();
    let voluspa = words(&client, "voluspa", "lang=fr-CA");
    assert_eq!((&voluspa["language"], &voluspa["title"]), (&json!("fr"), &json!("La Prophétie")));
    assert_eq!(voluspa["values"]["seat"]["other"], "Place {}");
    let tile = &voluspa["values"]["tile"];
    assert_eq!((&tile["dragon"], &tile["raven"]), (&json!("Dragon !"), &json!("Raven")));
    assert_eq!(voluspa["events"]["RavenKept"], "{seat}’s Raven stays.");
    assert_eq!(words(&client, "rosenkoenig", "lang=fr")["values"]["seat"]["other"], "Place {}");
    assert_eq!(words(&client, "voluspa", "lang=de")["title"], "Völuspá");
    let table = Table::open(&client, &json!({"game": "voluspa", "seats": [{}, {}]}));
    table.play(&mut Dice::new(8), 2);
    let seat = table.seat(table.active().expect("it runs"));
    let answer = seat.legal_commands(&table.id, "include=labels&lang=fr");
    assert_eq!(answer.header("content-language"), Some("fr"));
    let label = answer.ok()["labels"][0].as_str().unwrap_or_default().to_owned();
    assert!(label.starts_with("Poser "), "{label}");
}

#[test]
fn a_catalogue_in_several_languages_names_each() {
    let (server, folder) = server();
    server.stop();
    let french = folder.path().join("words/fr");
    fs::create_dir_all(&french).expect("a folder");
    fs::write(french.join("voluspa.toml"), "title = 'La Prophétie'\n").expect("a file");
    let server = Server::start(folder.path(), catalog::games());
    let games = server.client().get_with("/v1/games", "Accept-Language", "fr, de;q=0.5");
    for title in ["La Prophétie", "Das Orakel von Delphi"] {
        assert!(games.text().contains(title), "{}", games.text());
    }
    let languages = games.header("content-language").expect("languages");
    assert_eq!(languages.split(", ").collect::<BTreeSet<_>>(), BTreeSet::from(["de", "fr"]));
}

#[test]
fn problems_and_the_catalogue_are_in_the_language_of_the_caller() {
    let (client, _server) = client();
    let ask = |path: &str| client.get_with(path, "Accept-Language", "de-AT, en;q=0.5");
    let games = ask("/v1/games");
    assert_eq!(games.header("content-language"), Some("de"));
    assert_eq!(games.ok()["items"].as_array().map(Vec::len), Some(catalog::games().len()));
    assert!(games.text().contains("Das Orakel von Delphi"));
    assert!(client.get("/v1/games").text().contains("The Oracle of Delphi"));
    let game = ask("/v1/games/delphi").ok();
    assert_eq!(game["title"], "Das Orakel von Delphi");
    assert_eq!(game["rules"][0]["rule"], client.game("delphi").ok()["rules"][0]["rule"]);
    assert_ne!(game["rules"], client.game("delphi").ok()["rules"]);
    let missing = ask("/v1/games/chess");
    assert_eq!(missing.header("content-language"), Some("de"));
    assert_eq!(missing.problem(404, "not_found")["title"], "Nicht gefunden");
    let missing = client.get("/v1/games/chess").problem(404, "not_found");
    assert_eq!(missing["title"], "Not found");
    // Who breaks a rule reads it in a language of theirs.
    let table = Table::rosenkoenig(&client);
    let seat = table.seat(table.active().expect("it runs"));
    let command = json!({"command": {"type": "DrawCard"}});
    let request =
        Request::new("POST", &format!("/v1/matches/{}/commands", table.id)).json(&command);
    let refused =
        seat.send(request.header("Accept-Language", "de")).problem(422, "illegal_command");
    assert_eq!(refused["title"], "Eine Regel verbietet den Befehl");
    assert_eq!(refused["rule"], "R-45");
    let german = words(&client, "rosenkoenig", "lang=de")["rules"]["R-45"].clone();
    assert_eq!(refused["rule_text"], german);
}

#[test]
fn every_problem_has_a_title_in_every_language_of_the_platform() {
    let file = include_str!("../../api/journal/words/de.toml");
    let section = file.split("[problems]\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let said = section.expect("a section").lines().filter_map(|line| line.split_once(" = "));
    let said: BTreeSet<&str> = said.map(|(code, _)| code).collect();
    let (server, _folder) = server();
    let document = server.client().get("/openapi.json").ok();
    let known = document["components"]["schemas"]["ProblemCode"]["enum"].as_array();
    let known = known.expect("codes").iter().filter_map(Value::as_str);
    assert_eq!(said, known.collect());
}

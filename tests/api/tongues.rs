//! Pictures speak the language of whoever looks.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use acceptance::{Answer, Client};
use serde_json::{Value, json};

use crate::client;

/// Words that are the same in German, or that German has in another meaning: names, the articles `die` and `was`.
#[rustfmt::skip]
const SAME: &[&str] = &[
    "aphrodite", "apollon", "ares", "artemis", "copenhagen", "delphi", "die", "fenr", "fenrir",
    "frey", "freya", "hand", "hel", "herm", "hermes", "hermo", "hermod", "jotu", "jotunn", "loki",
    "monster", "nioh", "nioho", "niohogg", "niohoggr", "odin", "omega", "phi", "poseidon", "psi",
    "rosenkönig", "sigma", "skad", "skadi", "start", "statue", "thor", "trol", "troll", "völuspá",
    "was", "west", "zeus",
];

/// What people read of a picture: words of at least three letters, without attributes, styles and ids.
fn words(picture: &str) -> BTreeSet<String> {
    let text = match picture.split_once("</style>") {
        None => picture.to_owned(),
        Some((head, body)) => {
            let (head, _) = head.split_once("<style>").expect("a style begins");
            let parts = [head, body].concat();
            let texts = parts.split('>').skip(1).map(|part| part.split('<').next().unwrap_or(""));
            texts.collect::<Vec<_>>().join(" ")
        }
    };
    let words = text.split(|letter: char| !letter.is_alphabetic() && letter != '_');
    let words = words.filter(|word| word.chars().count() > 2 && !word.contains('_'));
    words.map(str::to_lowercase).collect()
}

/// All pictures of all fixtures of a game in a language.
fn said(client: &Client, game: &str, lang: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut add = |answer: Answer| {
        assert_eq!((answer.status, answer.header("content-language")), (200, Some(lang)));
        all.extend(words(&answer.text()));
    };
    for fixture in client.fixtures(game) {
        let name = fixture["name"].as_str().expect("a name");
        add(client.get(&format!("/v1/games/{game}/board.svg?fixture={name}&lang={lang}")));
        for viewer in [json!("spectator"), json!(0)] {
            let body = json!({"position": fixture["position"], "viewer": viewer});
            for file in ["board.svg", "board.txt"] {
                add(client.post(&format!("/v1/games/{game}/{file}?lang={lang}"), &body));
            }
        }
    }
    all
}

#[test]
fn nothing_is_english_on_a_german_picture() {
    let (client, _server) = client();
    let mut english = BTreeSet::new();
    for game in client.get("/v1/games").items() {
        let game = game["id"].as_str().expect("an id");
        let (here, there) = (said(&client, game, "en"), said(&client, game, "de"));
        assert!(here.len() > 20 && there.len() > 20, "{game}: {} {}", here.len(), there.len());
        english.extend(here.intersection(&there).cloned());
    }
    let same: BTreeSet<String> = SAME.iter().map(|&word| word.to_owned()).collect();
    let odd: Vec<_> = english.symmetric_difference(&same).collect();
    assert!(odd.is_empty(), "{odd:?}: names, as of a new game, belong in SAME");
}

#[test]
fn a_picture_has_a_language_and_a_tag_of_its_own() {
    let (client, _server) = client();
    let table = acceptance::Table::rosenkoenig(&client);
    for file in ["board.svg", "board.txt"] {
        let path = format!("/v1/matches/{}/{file}", table.id);
        let ask = |path: &str, wish: &str| client.get_with(path, "Accept-Language", wish);
        let (english, german) = (ask(&path, "en"), ask(&path, "fr, de-AT;q=0.8, en;q=0.5"));
        let language = |answer: &Answer| answer.header("content-language").map(str::to_owned);
        assert_eq!(language(&english).as_deref(), Some("en"));
        assert_eq!(language(&german).as_deref(), Some("de"));
        let vary = german.header("vary").expect("it varies");
        assert!(vary.starts_with("Authorization, Accept-Language"), "{vary}");
        assert_ne!(english.text(), german.text());
        assert_ne!(english.header("etag"), german.header("etag"));
        // The parameter comes before the header; who asks for what the game does not speak gets English, and is told.
        let asked = ask(&format!("{path}?lang=de"), "en");
        assert_eq!(asked.text(), german.text());
        let unknown = ask(&format!("{path}?lang=tlh"), "de");
        assert_eq!((language(&unknown).as_deref(), unknown.text()), (Some("en"), english.text()));
        let tag = german.header("etag").expect("a tag");
        let again = client.get_with(&format!("{path}?lang=de"), "If-None-Match", tag);
        assert_eq!((again.status, language(&again).as_deref()), (304, Some("de")));
    }
}

/// The sentences that the source of pictures says, as it has them in `say!` and `counted`.
fn sentences(folder: &Path) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for file in fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()) {
        if file.is_dir() {
            all.extend(sentences(&file));
            continue;
        }
        let source = fs::read_to_string(&file).expect("text");
        let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = code.collect::<Vec<_>>().join("\n");
        for call in ["say!(", ".counted("] {
            for rest in code.split(call).skip(1) {
                // The first text of one, and the first two of the other.
                let texts = rest.split('"').skip(1).step_by(2);
                let count = if call == "say!(" { 1 } else { 2 };
                all.extend(texts.take(count).map(str::to_owned));
            }
        }
    }
    all
}

#[test]
fn every_sentence_of_a_picture_is_there_in_german_and_no_other() {
    let (client, _server) = client();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project");
    let common = sentences(&root.join("domain/canvas/src"));
    for game in ["voluspa", "rosenkoenig", "copenhagen", "delphi"] {
        let words = client.get(&format!("/v1/games/{game}/words?lang=de")).ok();
        let known = words["pictures"].as_object().expect("a section");
        let own = root.join(format!("domain/{game}/picture/src"));
        let said: BTreeSet<String> = sentences(&own).union(&common).cloned().collect();
        let gone: Vec<_> = said.iter().filter(|said| !known.contains_key(*said)).collect();
        assert!(gone.is_empty(), "{game} lacks {gone:?}");
        // What stands in no call of these is a word that a piece is called, or chosen among several: it is somewhere in the source.
        let source = all_source(&root.join("domain").join(game))
            + &all_source(&root.join("domain/canvas/src"));
        let odd: Vec<_> =
            known.keys().filter(|key| !source.contains(&format!("{key}\""))).collect();
        assert!(odd.is_empty(), "{game} has {odd:?}, which no picture says");
        // The same places in both.
        let places = |text: &str| -> BTreeSet<String> {
            text.split('{')
                .skip(1)
                .filter_map(|rest| rest.split('}').next())
                .map(str::to_owned)
                .collect()
        };
        for (english, german) in known {
            let german = german.as_str().map_or_else(|| Value::to_string(german), str::to_owned);
            assert_eq!(places(english), places(&german), "{game}: {english}");
        }
    }
}

#[test]
fn the_letters_of_colours_and_directions_are_german_and_differ() {
    let (client, _server) = client();
    let letters = [("copenhagen", "RYGBP"), ("delphi", "RKPBYG")]
        .map(|(game, english)| (game, english.chars().map(String::from).collect()));
    let compass = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"].map(str::to_owned).to_vec();
    for (game, english) in letters.into_iter().chain([("rosenkoenig", compass)]) {
        let words = client.get(&format!("/v1/games/{game}/words?lang=de")).ok();
        let german: BTreeSet<&str> = english
            .iter()
            .map(|letter| words["pictures"][letter].as_str().expect("a letter"))
            .collect();
        assert_eq!(german.len(), english.len(), "{game}: {german:?}");
    }
    // A card of the harbor, and one of the open hand.
    let drawn = |path: &str| client.get(path).text();
    let table = drawn("/v1/games/copenhagen/board.svg?lang=de");
    assert!(!table.contains(">Y<") && !table.contains(">P<"), "{table}");
    // Of ten cards, which everybody sees, some go east.
    let match_ = client
        .open(
            &json!({"game": "rosenkoenig", "seats": [{}, {}], "sandbox": {"seed": "7".repeat(64)}}),
        )
        .created();
    let id = match_["match"].as_str().expect("an id");
    let [english, german] =
        ["en", "de"].map(|lang| drawn(&format!("/v1/matches/{id}/board.txt?lang={lang}")));
    let eastern =
        |text: &str, sign: &str| (1..=3).any(|far| text.contains(&format!("{sign}{far}")));
    assert!(eastern(&english, "NE") || eastern(&english, "SE"), "{english}");
    assert!(!eastern(&german, "NE") && !eastern(&german, "SE"), "{german}");
    assert!(eastern(&german, "NO") || eastern(&german, "SO"), "{german}");
}

fn all_source(folder: &Path) -> String {
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let text = |path: std::path::PathBuf| match path.extension() {
        _ if path.is_dir() => all_source(&path),
        Some(kind) if kind == "rs" => fs::read_to_string(&path).expect("text"),
        Some(_) | None => String::new(),
    };
    files.map(text).collect()
}

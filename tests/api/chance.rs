//! Chance and history checked from outside, with nothing but the contract: commitment, draws, seals, chain.

use serde_json::{Value, json};

use crate::client;
use crate::positions::{opening, start};
use acceptance::proof::{Pcg, bytes_of, check_public, check_seals, hex, sha256};
use acceptance::{Client, Dice, Table};

/// The cards in card order: direction, then distance.
fn deck() -> Vec<String> {
    let directions = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
    let cards = |direction: &'static str| (1..=3).map(move |n| format!("{direction}{n}"));
    directions.into_iter().flat_map(cards).collect()
}

fn in_card_order(cards: &Value) -> Vec<String> {
    let cards = cards.as_array().expect("cards");
    deck().into_iter().filter(|card| cards.contains(&json!(card))).collect()
}

#[test]
fn every_draw_of_a_finished_match_follows_from_its_seed() {
    let (client, _server) = client();
    let mut shuffles = 0;
    for number in 0..3 {
        let table = Table::rosenkoenig(&client);
        let commitment = table.info()["seed_commitment"].clone();
        table.finish(&mut Dice::new(40 + number));
        let info = table.info();
        let seed = bytes_of(&info["seed"]);
        assert_eq!(info["seed_commitment"], commitment, "it stood from the start");
        assert_eq!(commitment, hex(&sha256(&[&seed])));
        let commits = client.all_commits(&table.id);
        check_setup(Pcg::of_commit(&seed, 1), &commits[0]["events"][0]);
        shuffles += check_shuffles(&client, &table.id, &commits, &seed, &[]);
    }
    assert!(shuffles >= 3, "each match goes through its cards more than once");
}

/// Every shuffle of a finished match after its setup; returns how many there are.
fn check_shuffles(
    client: &Client,
    id: &str,
    commits: &[Value],
    seed: &[u8; 32],
    nonces: &[u8],
) -> u64 {
    let mut shuffles = 0;
    for pair in commits.windows(2) {
        let commit = pair[1]["commit"].as_u64().expect("a number");
        for event in pair[1]["events"].as_array().expect("events") {
            if event["type"] != "DrawPileReshuffled" {
                continue;
            }
            let at = format!("at={}", pair[0]["last_version"]);
            let before = client.position(id, &at).ok();
            let pile = in_card_order(&before["discard_pile"]);
            let drawn = Pcg::with_nonces(seed, commit, nonces).shuffle(pile);
            assert_eq!(event["draw_pile"], json!(drawn), "commit {commit}");
            shuffles += 1;
        }
    }
    shuffles
}

/// The setup: who begins, then 24 cards.
fn check_setup(mut generator: Pcg, started: &Value) {
    assert_eq!(started["start_seat"], generator.draw(2));
    let cards = generator.shuffle(deck());
    let hand = |cards: &[String]| json!(in_card_order(&json!(cards)));
    assert_eq!(started["hands"], json!([hand(&cards[..5]), hand(&cards[5..10])]));
    assert_eq!(started["draw_pile"], json!(cards[10..]));
}

/// Plays a match, and says how often it shuffled.
fn ticket_and_nonces() -> u64 {
    let (client, _server) = client();
    let ticket = client.post("/v1/seeds", &json!({})).created();
    let (first, second) = ("ab".repeat(32), "0123456789abcdef".repeat(4));
    let body = json!({"game": "rosenkoenig", "seats": [{}, {"open": true}],
        "ticket": ticket["ticket"], "nonce": first});
    let mut table = Table::open(&client, &body);
    assert_eq!(table.info()["seed_commitment"], ticket["seed_commitment"]);
    client.open(&body).problem(409, "ticket_used");
    let forged = json!({"game": "rosenkoenig", "seats": [{}, {}], "ticket": first});
    let problem = client.open(&forged).problem(400, "malformed");
    assert_eq!(problem["errors"][0]["pointer"], "/ticket");
    for nonce in ["", "AB", &"AB".repeat(32), &"ab".repeat(33)] {
        let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "nonce": nonce});
        client.open(&body).problem(400, "malformed");
        client.take_seat(&table.id, 1, &json!({"nonce": nonce})).problem(400, "malformed");
    }
    table.join(1, &json!({"nonce": second}));
    table.finish(&mut Dice::new(61));
    let seed = bytes_of(&table.info()["seed"]);
    assert_eq!(ticket["seed_commitment"], hex(&sha256(&[&seed])));
    let commits = client.all_commits(&table.id);
    assert_eq!(commits[0]["events"][1]["nonce"], first);
    assert_eq!(commits[1]["events"][0]["nonce"], second);
    let [first, second] = [&commits[0]["events"][1], &commits[1]["events"][0]];
    let first = bytes_of(&first["nonce"]);
    let both = [first, bytes_of(&second["nonce"])].concat();
    check_setup(Pcg::with_nonces(&seed, 1, &first), &commits[0]["events"][0]);
    let shuffles = check_shuffles(table.spectator(), &table.id, &commits, &seed, &both);
    check_seals(&seed, &commits);
    shuffles
}

#[test]
fn with_a_ticket_and_nonces_nobody_alone_chose_what_is_drawn() {
    // Chance ends some matches before they have gone through their cards.
    assert!((0..10).any(|_| ticket_and_nonces() > 0), "a match goes through its cards");
}

#[test]
fn a_spectator_checks_the_chain_live_and_everybody_the_seals_at_the_end() {
    let (client, _server) = client();
    let bodies = [
        json!({"game": "rosenkoenig", "seats": [{}, {}], "options": {"show_draw_pile": true}}),
        json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true}),
        opening(&start()),
    ];
    for (body, number) in bodies.iter().zip(50..) {
        let table = Table::open(&client, body);
        let public = || client.public_commits(&table.id);
        let mut dice = Dice::new(number);
        table.play(&mut dice, 9);
        // A take-back is a commit like another, where it is allowed.
        if number == 51 {
            let plays = |command: &Value| command["type"] == "PlayCard";
            let played = loop {
                // Some hands fit nowhere, and must draw.
                match table.legal().into_iter().find(plays) {
                    Some(played) => break played,
                    None => drop(table.play(&mut dice, 1)),
                }
            };
            let seat = table.active().expect("it runs");
            table.act(&played);
            table.seat(seat).take_back(&table.id).created();
        }
        let live = public();
        let head = check_public(&live);
        assert_eq!(table.info()["head_hash"], hex(&head));
        table.finish(&mut dice);
        let all = public();
        assert_eq!(all[..live.len()], live, "the past does not change");
        let head = check_public(&all);
        let info = table.info();
        assert_eq!(info["head_hash"], hex(&head));
        let full = client.all_commits(&table.id);
        check_seals(&bytes_of(&info["seed"]), &full);
        for (full, public) in full.iter().zip(&all) {
            for name in ["sealed", "prev_hash", "hash", "command", "recorded_at"] {
                assert_eq!(full[name], public[name]);
            }
        }
        assert_ne!(full[0], all[0], "the setup hides the order of the pile");
    }
}

#[test]
fn two_matches_share_neither_seed_nor_salt() {
    let (client, _server) = client();
    let info = |_| Table::open(&client, &opening(&start())).info();
    let infos: Vec<Value> = (0..4).map(info).collect();
    for name in ["seed_commitment", "head_hash", "match"] {
        let mut found: Vec<String> = infos.iter().map(|info| info[name].to_string()).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), infos.len(), "{name}");
    }
}

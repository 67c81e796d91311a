//! Sandboxes: chosen chance, scripts, bots that play on; marked for ever, and counted nowhere.

use acceptance::process::verify;
use acceptance::{Dice, Request, Table, endless};
use serde_json::{Value, json};

use crate::positions::{draw, opening, p2, play, with};
use crate::stats::counted;
use crate::{client, server};

const SEED: &str = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed";

/// A sandbox of a game with two seats.
fn sandbox(game: &str, sandbox: Value) -> Value {
    json!({"game": game, "seats": [{"name": "Ada"}, {"name": "Ben"}], "sandbox": sandbox})
}

#[test]
fn the_same_seed_gives_the_same_match_and_everybody_is_told_it() {
    let (client, _server) = client();
    let request = sandbox("voluspa", json!({"seed": SEED, "fast_forward": {"version": 40}}));
    let (one, two) = (Table::open(&client, &request), Table::open(&client, &request));
    let of = |table: &Table| table.spectator().commits(&table.id, "").ok()["items"].clone();
    let facts = |table: &Table| {
        let commits = of(table).as_array().cloned().unwrap_or_default();
        commits.into_iter().skip(1).map(|c| (c["command"].clone(), c["events"].clone())).collect()
    };
    let (first, second): (Vec<_>, Vec<_>) = (facts(&one), facts(&two));
    assert_eq!(first, second);
    assert!(one.version() >= 40 && first.len() > 5, "it has been played on");
    let info = one.spectator().info(&one.id).ok();
    assert_eq!(info["sandbox"], json!({"forced": [], "seed": SEED}));
    let opened = of(&one)[0]["events"].as_array().and_then(|e| e.last()).cloned();
    assert_eq!(opened.unwrap_or_default()["sandbox"], info["sandbox"]);
    let listed = client.matches("").ok()["items"].clone();
    assert_eq!((&listed[0]["sandbox"], &listed[1]["sandbox"]), (&json!(true), &json!(true)));
    let plain = Table::rosenkoenig(&client);
    assert_eq!(plain.info()["sandbox"], Value::Null);
    assert_eq!(client.matches("limit=1").ok()["items"][0]["sandbox"], false);
    // It is played on like any match.
    one.act(&one.legal()[0]);
}

#[test]
fn forced_outcomes_are_what_is_drawn_and_are_verified_as_forced() {
    let (server, folder) = server();
    let client = server.client();
    // Who begins is drawn first; then the cards, of which the second is left to the seed.
    let outcomes = json!([1, "sw3", null, "n1"]);
    let forced = json!({"seed": SEED, "outcomes": outcomes, "fast_forward": {"bot": "greedy"}});
    let table = Table::open(&client, &sandbox("rosenkoenig", forced));
    let info = table.info();
    assert_eq!((&info["status"], &info["seed"]), (&json!("finished"), &json!(SEED)));
    assert_eq!(info["sandbox"]["forced"], json!([{"commit": 1, "outcomes": outcomes}]));
    let started = &client.all_commits(&table.id)[0]["events"][0];
    assert_eq!(started["start_seat"], 1);
    let hand = started["hands"][0].as_array().expect("cards");
    assert!(hand.contains(&json!("sw3")) && hand.contains(&json!("n1")), "{hand:?}");
    let draws = client.get("/v1/tables/draws.ndjson?game=rosenkoenig").lines();
    let told: Vec<_> = draws.iter().take(5).map(|d| (&d["outcome"], &d["forced"])).collect();
    assert_eq!((told[0].1, told[1].0, told[1].1), (&json!(true), &json!("sw3"), &json!(true)));
    assert_eq!((told[2].1, told[3].1, told[4].1), (&json!(false), &json!(true), &json!(false)));
    let matches = client.get("/v1/tables/matches.ndjson?game=rosenkoenig").lines();
    assert_eq!(matches[0]["sandbox"], true);
    // The match that ends later is counted, and so the sandbox was looked at.
    Table::rosenkoenig(&client).finish(&mut Dice::new(3));
    counted(&client, "rosenkoenig", 1);
    let players = client.get("/v1/stats/rosenkoenig/players").ok();
    assert_eq!(players["items"], json!([]));
    drop(server);
    let (code, text) = verify(folder.path());
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn what_came_of_a_sandbox_is_a_sandbox() {
    let (client, _server) = client();
    let table = Table::open(&client, &sandbox("rosenkoenig", json!({"fast_forward": {}})));
    let branch = client.branch(&table.id, &json!({"at": 5})).created();
    let branch = client.info(branch["match"].as_str().expect("an id")).ok();
    assert_eq!(branch["sandbox"]["forced"], json!([]));
}

#[test]
fn a_script_is_followed_and_its_first_mistake_is_told() {
    let (client, _server) = client();
    let open = |script: Value| {
        let mut request = opening(&p2());
        request["sandbox"] = json!({"script": script});
        client.open(&request)
    };
    let table = Table::read(&client, &open(json!([play("ne2", false), draw()])).created());
    let commits = table.seat(1).all_commits(&table.id);
    assert_eq!(commits.len(), 3);
    assert_eq!((&commits[1]["command"], &commits[1]["seat"]), (&play("ne2", false), &json!(1)));
    let events = commits[2]["events"].as_array().expect("events");
    assert_eq!(commits[2]["last_version"], table.version());
    assert_eq!(events[0]["card"], "e1", "the top of the given draw pile");
    let refuse = |script: Value, rule: &str, step: u64| {
        assert_eq!(open(script).refused("illegal_command", rule)["step"], step);
    };
    refuse(json!([play("w1", false)]), "R-32", 0);
    refuse(json!([play("ne2", false), play("ne2", false)]), "R-30", 1);
    refuse(json!([play("ne2", false), {"type": "Pass"}]), "R-24", 1);
    let listed = client.matches("").ok()["items"].as_array().map(Vec::len);
    assert_eq!(listed, Some(1), "what is refused is not opened");
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_opened() {
    let (client, _server) = client();
    let open = |body: Value| client.open(&sandbox("rosenkoenig", body));
    let setup = open(json!({"outcomes": [7]})).problem(422, "chance_outcome");
    assert_eq!(setup.get("step"), None, "{setup}");
    open(json!({"outcomes": vec![Value::Null; 26]})).problem(422, "chance_outcome");
    let mut later = opening(&with(p2(), "/draw_pile", json!([])));
    later["position"]["discard_pile"] = json!([]);
    later["sandbox"] = json!({"outcomes": ["none"], "script": [play("ne2", false)]});
    client.open(&later).problem(422, "invalid_position");
    let ended = open(json!({"fast_forward": {"version": 100_000}})).problem(422, "not_reached");
    let detail = ended["detail"].as_str().expect("a sentence");
    assert!(detail.contains("before it gets so far"), "{detail}");
    for (body, pointer) in [
        (json!({"seed": "00"}), "/sandbox/seed"),
        (json!({"fast_forward": []}), "/sandbox/fast_forward"),
        (json!({"fast_forward": {"bot": "clever"}}), "/sandbox/fast_forward/bot"),
        (json!({"outcomes": ["x".repeat(300)]}), "/sandbox/outcomes/0"),
        (json!({"outcomes": vec![0; 1001]}), "/sandbox/outcomes"),
        (json!({"script": vec![draw(); 501]}), "/sandbox/script"),
    ] {
        let problem = open(body).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    let mut ticket = sandbox("rosenkoenig", json!({}));
    ticket["ticket"] = client.post("/v1/seeds", &json!({})).created()["ticket"].clone();
    let problem = client.open(&ticket).problem(400, "malformed");
    assert_eq!(problem["errors"][0]["pointer"], "/ticket");
    let mut seats = sandbox("rosenkoenig", json!({"fast_forward": {}}));
    seats["seats"] = json!([{}, {"open": true}]);
    let problem = client.open(&seats).problem(400, "malformed");
    assert_eq!(problem["errors"][0]["pointer"], "/seats/1/open");
    // Of more seats than the game has, their number is what is wrong.
    seats["seats"] = json!([{}, {}, {"open": true}]);
    client.open(&seats).problem(422, "invalid_options");
    assert_eq!(client.matches("").ok()["items"], json!([]));
}

#[test]
fn one_request_plays_two_thousand_commands_and_no_more() {
    let (client, _server) = client();
    let mut request = sandbox("delphi", json!({"fast_forward": {"version": 100_000}}));
    request["position"] = endless();
    let problem = client.open(&request).problem(422, "not_reached");
    let detail = problem["detail"].as_str().expect("a sentence");
    assert!(detail.contains("no further than 2000 commands"), "{detail}");
    assert_eq!(client.matches("").ok()["items"], json!([]), "what is refused is not opened");
}

/// Of each draw of a match that was played: what cannot be drawn there is refused with the number of the command that drew.
#[test]
fn an_outcome_that_is_no_candidate_is_told_with_its_step() {
    let (client, _server) = client();
    for game in ["voluspa", "rosenkoenig", "delphi"] {
        let request = |body: Value| sandbox(game, body);
        let played = json!({"seed": SEED, "fast_forward": {"bot": "greedy"}});
        let table = Table::open(&client, &request(played));
        let commits = client.all_commits(&table.id);
        let script: Vec<&Value> = commits.iter().skip(1).map(|c| &c["command"]).take(500).collect();
        let path = format!("/v1/tables/draws.ndjson?game={game}");
        let draws = client.get(&path).lines();
        let of: Vec<u64> = draws.iter().filter_map(|draw| draw["commit_no"].as_u64()).collect();
        let within = |commit: u64| commit > 1 && commit < script.len() as u64;
        let some = |at: &usize| *at < 1000 && within(of[*at]);
        let chosen: Vec<usize> = (0..of.len()).filter(some).collect();
        assert!(!chosen.is_empty(), "{game} draws while it is played");
        for at in chosen.iter().step_by(1 + chosen.len() / 4) {
            let mut outcomes = vec![Value::Null; *at];
            outcomes.push(json!("what nobody can draw"));
            let again = json!({"seed": SEED, "outcomes": outcomes, "script": script});
            let problem = client.open(&request(again)).problem(422, "chance_outcome");
            assert_eq!(problem["step"], of[*at] - 2, "{game}, draw {at}: {problem}");
        }
    }
    let listed = client.matches("").ok()["items"].as_array().map(Vec::len);
    assert_eq!(listed, Some(3), "what is refused is not opened");
}

#[test]
fn every_game_is_played_to_its_end_within_one_request() {
    let (server, folder) = server();
    let client = server.client();
    for game in catalog::games() {
        let info = game.info();
        let seats = vec![json!({"bot": "greedy"}); usize::from(*info.seats.end())];
        let request = json!({"game": info.id, "seats": seats, "sandbox": {"fast_forward": {}}});
        let table = Table::open(&client, &request);
        assert_eq!(table.info()["status"], "finished", "{}", info.id);
        let replayed = client.replay(&table.id, "viewer=spectator").lines().len() as u64;
        assert_eq!(replayed, table.version());
    }
    drop(server);
    assert_eq!(verify(folder.path()).0, Some(0));
}

#[test]
fn a_key_is_looked_up_before_anything_is_played() {
    let (client, _server) = client();
    let key = |number: usize| format!("0198c0de-5c00-7000-8000-00000000{number:04}");
    let open = |number: usize, body: &Value| {
        let request = Request::new("POST", "/v1/matches").json(body);
        client.send(request.header("Idempotency-Key", &key(number)))
    };
    // Whether the card is in the hand is the luck of the deal.
    let lucky = sandbox("rosenkoenig", json!({"script": [play("n1", false)]}));
    let dealt = (0..500).map(|number| (number, open(number, &lucky)));
    let (number, opened) =
        dealt.into_iter().find(|(_, answer)| answer.status == 201).expect("once in five deals");
    for _ in 0..20 {
        assert_eq!(open(number, &lucky).created(), opened.json());
    }
    let illegal = sandbox("rosenkoenig", json!({"script": [{"type": "Pass"}]}));
    let mut unknown = lucky.clone();
    unknown["game"] = json!("chess");
    let mut options = lucky.clone();
    options["options"] = json!({"start": 7});
    options["sandbox"] = Value::Null;
    for other in [illegal, unknown, options] {
        open(number, &other).problem(409, "idempotency_conflict");
    }
}

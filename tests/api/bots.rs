//! Seats that the server plays.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::positions::{opening, play, start, with};
use crate::{client, restarted, server};
use acceptance::proof::{Pcg, bytes_of, hex, sha256};
use acceptance::server::Server;
use acceptance::{Dice, Table, simulate, until};

#[test]
fn a_person_plays_against_a_bot_to_the_end() {
    let (server, _folder) = server();
    let client = server.client();
    let body = json!({"game": "rosenkoenig", "seats": [{"name": "Ada"}, {"bot": "greedy"}]});
    let table = Table::open(&client, &body);
    assert_eq!(table.seat_tokens[1], None, "a bot has no token");
    let seats = table.info()["seats"].clone();
    let facts = |seat: &Value| ["seat", "name", "taken", "bot"].map(|name| seat[name].clone());
    assert_eq!(facts(&seats[0]), [json!(0), json!("Ada"), json!(true), json!(null)]);
    assert_eq!(facts(&seats[1]), [json!(1), json!(null), json!(true), json!("greedy")]);
    client.take_seat(&table.id, 1, &json!({})).problem(409, "seat_taken");
    let mut dice = Dice::new(3);
    until("the end", || {
        let legal = table.seat(0).legal_commands(&table.id, "");
        if legal.status == 200 {
            let legal = legal.ok()["items"].clone();
            let legal = legal.as_array().expect("a list");
            if !legal.is_empty() {
                let command = &legal[dice.below(legal.len())];
                table.seat(0).command(&table.id, command).created();
            }
        }
        client.status(&table.id) == "finished"
    });
    let commits = Table::pages(1000, |page| client.commits(&table.id, page).ok());
    let by = |seat: u64| commits.iter().filter(|commit| commit["seat"] == seat).count();
    // By chance a match may end after few commands: of 3,000 random ones the shortest had 18.
    assert!(by(0) > 0 && by(1) > 0, "both have played");
    assert!(
        commits
            .iter()
            .filter(|commit| commit["seat"] == 1)
            .all(|commit| commit["command"].is_object()),
        "its commits are like any other"
    );
    let line = r#"muninn_bot_commands_total{bot="greedy",game="rosenkoenig"}"#;
    let line = format!("{line} {}", by(1));
    until("the bot's commands in the metrics", || {
        let metrics = server.operator().get("/metrics").text();
        metrics.lines().any(|known| known == line)
    });
}

#[test]
fn bots_go_on_after_a_restart_and_end_every_game() {
    let (server, folder) = server();
    let client = server.client();
    let open = |game: &str, seats: &[&str]| {
        let seats: Vec<Value> = seats.iter().map(|bot| json!({"bot": bot})).collect();
        Table::open(&client, &json!({"game": game, "seats": seats})).id
    };
    let ids = [
        open("rosenkoenig", &["greedy", "random"]),
        open("voluspa", &["random", "random", "greedy"]),
        open("copenhagen", &["greedy", "greedy", "random", "random"]),
    ];
    until("a few commits", || client.info(&ids[0]).ok()["commit"].as_u64() > Some(5));
    let server = restarted(server, &folder);
    let client = server.client();
    for id in &ids {
        until("the end", || client.status(id) == "finished");
        // All seats have their place, and nobody acted but they.
        let info = client.info(id).ok();
        let seats = info["seats"].as_array().expect("seats").len();
        assert_eq!(info["standing"].as_array().map(Vec::len), Some(seats), "{info}");
        let log = Table::pages(1000, |query| client.commits(id, query).ok());
        assert_eq!(log.len() as u64, info["commit"]);
        assert!(log[1..].iter().all(|commit| commit["seat"].is_u64()), "{id}");
    }
}

#[test]
fn a_bot_stops_where_the_owner_closes_and_waits_for_open_seats() {
    let (client, _server) = client();
    let body = json!({"game": "delphi", "seats": [{"bot": "random"}, {"bot": "random"}]});
    let table = Table::open(&client, &body);
    until("a few commits", || table.version() > 20);
    table.owner().close(&table.id).ok();
    let version = table.version();
    let body = json!({"game": "rosenkoenig", "options": {"start": "red"},
        "seats": [{"bot": "greedy"}, {"open": true}]});
    let waiting = Table::open(&client, &body);
    assert_eq!(waiting.version(), 2);
    client.take_seat(&waiting.id, 1, &json!({})).created();
    until("its first command", || waiting.version() > 3);
    assert_eq!(table.version(), version, "nothing after the closing");
}

#[test]
fn a_person_may_take_back_before_the_bot_answers() {
    let (client, _server) = client();
    let light = with(start(), "/options/light", json!(true));
    let mut body = opening(&light);
    body["seats"] = json!([{}, {"bot": "random"}]);
    let table = Table::open(&client, &body);
    table.seat(0).command(&table.id, &play("n1", false)).created();
    table.seat(0).take_back(&table.id).created();
    table.seat(0).command(&table.id, &play("sw2", false)).created();
    until("the answer", || table.active() == Some(0));
    table.seat(0).take_back(&table.id).refused("illegal_command", "M-82");
}

/// The three seconds are those of the person, whatever becomes of the server meanwhile. Otherwise the bots of these tests wait for a millisecond.
#[test]
fn a_bot_waits_for_who_may_take_back_after_a_restart_too() {
    let (server, folder) = server();
    let mut body = opening(&with(start(), "/options/light", json!(true)));
    body["seats"] = json!([{}, {"bot": "random"}]);
    let tables = [0, 1].map(|_| Table::open(&server.client(), &body));
    let acted = Instant::now();
    for table in &tables {
        table.seat(0).command(&table.id, &play("n1", false)).created();
    }
    let server = restarted(server, &folder);
    let [taken_back, answered] = tables.map(|table| table.through(&server.client()));
    let taken = taken_back.seat(0).take_back(&taken_back.id);
    // Where the machine took all the time for the restart, the bot may have been first.
    assert!(taken.status == 201 || acted.elapsed() > Duration::from_secs(3), "{}", taken.text());
    until("the answer", || answered.active() == Some(0));
    assert!(acted.elapsed() > Duration::from_millis(2_900), "{:?}", acted.elapsed());
}

#[test]
fn what_random_chose_follows_from_the_seed() {
    let (client, _server) = client();
    let bots = json!([{"bot": "random"}, {"bot": "random"}]);
    for game in ["rosenkoenig", "voluspa"] {
        let table = Table::open(&client, &json!({"game": game, "seats": bots}));
        until("the end", || client.status(&table.id) == "finished");
        let of_bots = sha256(&[&bytes_of(&table.info()["seed"]), b"bot"]);
        let mut choices = 0;
        for pair in client.all_commits(&table.id).windows(2) {
            let commit = pair[1]["commit"].as_u64().expect("a number");
            let at = format!("at={}", pair[0]["last_version"]);
            let legal = client.legal_commands(&table.id, &at).items();
            let chosen = Pcg::of_commit(&of_bots, commit).draw(legal.len());
            assert_eq!(pair[1]["command"], legal[chosen], "{game}, commit {commit}");
            choices += usize::from(legal.len() > 1);
        }
        assert!(choices > 5, "{game}: {choices} choices prove little");
    }
}

/// A game, and the beginning of the hash of what a bot chose in it.
type Choices = (&'static str, &'static str);

/// What a bot of this version chooses in a match of each game, by SHA-256 of its commands. Who changes the play of a bot raises its version (`Bot::version`).
/// Version 2 of `greedy` differs from the first one in the last turns of Delphi and Rosenkönig, which these matches do not show: the games' own tests do.
const CHOICES: [(&str, u64, [Choices; 4]); 2] = [
    (
        "greedy",
        2,
        [
            ("copenhagen", "5b32d2fa93c08c9f"),
            ("delphi", "50fbf0b3cd4a3df1"),
            ("rosenkoenig", "7b4762ae01915a8a"),
            ("voluspa", "43e30699efa995b9"),
        ],
    ),
    (
        "random",
        1,
        [
            ("copenhagen", "24f2118fa6d27aa2"),
            ("delphi", "c7915e63541b5393"),
            ("rosenkoenig", "acacd5a085cb0ca9"),
            ("voluspa", "d15d684068749225"),
        ],
    ),
];

#[test]
fn a_bot_plays_as_its_version_does() {
    let folder = tempfile::tempdir().expect("a folder");
    for (bot, _, games) in CHOICES {
        for (game, _) in games {
            let asked = format!("--game {game} --matches 1 --seed 11 --bot {bot}");
            simulate(folder.path(), &asked);
        }
    }
    let server = Server::start(folder.path(), catalog::games());
    let client = server.client();
    let seats = client.get("/v1/tables/seats.ndjson").lines();
    let commands = client.get("/v1/tables/commands.ndjson").lines();
    let found = CHOICES.map(|(bot, _, games)| {
        let digest = |game: &str| {
            let of = |row: &&Value| row["game"] == game && row["bot"] == bot;
            let seat = seats.iter().find(of).expect("it played");
            let own = commands.iter().filter(|row| row["match_no"] == seat["match_no"]);
            let text: String = own.map(|row| format!("{}\n", row["command"])).collect();
            assert!(text.contains("type"), "{text}");
            hex(&sha256(&[text.as_bytes()]))[..16].to_owned()
        };
        let version = seats.iter().find(|row| row["bot"] == bot).map(|row| &row["bot_version"]);
        (bot, version.and_then(Value::as_u64), games.map(|(game, _)| (game, digest(game))))
    });
    let known = CHOICES.map(|(bot, version, games)| {
        (bot, Some(version), games.map(|(game, choices)| (game, choices.to_owned())))
    });
    assert_eq!(found, known, "a bot plays otherwise: raise its version");
}

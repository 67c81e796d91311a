//! The recipe of what whole matches of people and bots do not have: commands with keys, sandboxes, ends that no player wished for, and the rules that
//! random play hardly ever meets.

use std::path::Path;

use acceptance::server::Server;
use acceptance::{Client, Dice, Request, Table, until};
use muninn::{LimitArgs, Span};
use serde_json::{Value, json};

use crate::recipe::Recorded;

/// Positions of the rule cases.
const COPENHAGEN: &str = include_str!("../../domain/copenhagen/tests/cases/lapse.json");
const DELPHI: &str = include_str!("../../domain/delphi/tests/cases/example.json");
const ROSENKOENIG: &str = include_str!("../../domain/rosenkoenig/tests/cases/p1.json");
const VOLUSPA: &str = include_str!("../../domain/voluspa/tests/cases/table.json");

/// A match that begins shortly before something that is rare.
struct Scene {
    /// Its name behind that of the game.
    name: &'static str,
    position: Value,
    /// What is done first.
    commands: Vec<Value>,
    /// Whether it is played on to its end.
    ends: bool,
}

/// A position with other values, by JSON pointer.
fn changed(position: &str, changes: &Value) -> Value {
    let mut position: Value = serde_json::from_str(position).expect("JSON");
    for (pointer, value) in changes.as_object().expect("values by pointer") {
        *position.pointer_mut(pointer).expect("the position has it") = value.clone();
    }
    position
}

fn tile(x: u8, tile: &str, boost: u8) -> Value {
    json!({"x": x, "y": 0, "tile": tile, "boost": boost})
}

fn place(tile: &str, mode: &str) -> Value {
    json!({"type": "PlaceTile", "tile": tile, "at": {"x": 1, "y": 0}, "mode": mode, "bump": null})
}

fn scenes_of_voluspa() -> Vec<Scene> {
    let valkyrie = tile(0, "valkyrie", 0);
    let unplayable = json!({"/board": [tile(0, "troll", 0)], "/players/0/hand": ["odin"]});
    let raven = json!({
        "/board": [valkyrie, tile(1, "raven", 0)],
        "/phase": "raven", "/raven": {"at": {"x": 1, "y": 0}, "under": "thor"},
    });
    let boosted = json!({
        "/board": [valkyrie, tile(1, "odin", 3)], "/boosters": [],
        "/players/0/hand": ["fenrir", "fenrir", "fenrir", "fenrir", "skadi"],
        "/pile": ["thor"], "/discard": ["freya", "freya", "freya"],
    });
    let last_tile = json!({
        "/board": [valkyrie], "/pile": ["fenrir"], "/options/no_late_hel": true,
        "/players/0/hand": ["odin", "hel"], "/players/1/hand": ["thor", "hel", "hel"],
    });
    let scenes = [
        ("unplayable", unplayable, json!({"type": "DiscardTile", "tile": "odin"})),
        ("raven-stays", raven, json!({"type": "KeepRaven"})),
        ("surplus", boosted, place("skadi", "exchange")),
        ("hel-goes", last_tile, place("odin", "lay")),
    ];
    let scene = |(name, changes, command): (_, Value, Value)| {
        let position = changed(VOLUSPA, &changes);
        Scene { name, position, commands: vec![command], ends: true }
    };
    scenes.into_iter().map(scene).collect()
}

fn scenes_of_others() -> Vec<Scene> {
    let build = json!({
        "type": "PlaceTile", "tile": "red_2", "orientation": 0, "x": 2, "y": 6, "payment": ["red", "red"],
    });
    let battle = json!({
        "/pending": [{"kind": "battle", "at": {"q": 0, "r": -2}, "color": "red", "strength": 7}],
        "/players/0/at": {"q": 0, "r": -1},
    });
    let cargo = json!({
        "/pending": [{"kind": "load_any", "cargo": "statue", "colors": ["red", "yellow"]}],
    });
    vec![
        Scene {
            name: "coat-lapses",
            position: changed(COPENHAGEN, &json!({})),
            commands: vec![build],
            ends: true,
        },
        Scene {
            name: "gives-up",
            position: changed(DELPHI, &battle),
            commands: vec![json!({"type": "GiveUpBattle"})],
            ends: false,
        },
        Scene {
            name: "declines",
            position: changed(DELPHI, &cargo),
            commands: vec![json!({"type": "Decline"})],
            ends: false,
        },
    ]
}

/// The active seat acts, with a key: so the commit has the tag of its request.
fn act(table: &Table, command: &Value) {
    let seat = table.active().expect("the match goes on");
    let key = format!("the command at version {}", table.version());
    let request = Request::new("POST", &format!("/v1/matches/{}/commands", table.id));
    let request = request.header("Idempotency-Key", &key).json(&json!({"command": command}));
    table.seat(seat).send(request).created();
}

impl Scene {
    fn play(self, client: &Client) -> Recorded {
        let Scene { name, position, commands, ends } = self;
        let game = position["game"].as_str().expect("a game");
        let table = Table::at(client, game, &position);
        commands.iter().for_each(|command| act(&table, command));
        let mut dice = Dice::new(30);
        while ends && let Some(seat) = table.active() {
            let legal = table.seat(seat).legal_commands(&table.id, "").items();
            act(&table, &legal[dice.below(legal.len())]);
        }
        (format!("{game}-{name}"), table)
    }
}

/// One with forced draws that bots have played to its end, and one in which a bot follows a script up to a command that a rule forbids.
fn sandboxes(client: &Client) -> Vec<Recorded> {
    let seed = "5eed".repeat(16);
    let outcomes = json!([1, "sw3", null, "n1"]);
    let forced = json!({
        "game": "rosenkoenig", "seats": [{"bot": "greedy"}, {"bot": "random"}],
        "sandbox": {"seed": seed, "outcomes": outcomes, "fast_forward": {}},
    });
    let forced = Table::open(client, &forced);
    let play = |card: &str| json!({"type": "PlayCard", "card": card, "hero": false});
    let replies = json!([{"seat": 1, "commands": [play("s3"), play("n1")]}]);
    let scripted = json!({
        "game": "rosenkoenig", "seats": [{"name": "Ada"}, {"bot": "greedy"}],
        "position": changed(ROSENKOENIG, &json!({})), "sandbox": {"seed": seed, "replies": replies},
    });
    let scripted = Table::open(client, &scripted);
    for command in [play("w2"), json!({"type": "DrawCard"})] {
        act(&scripted, &command);
        until("the bot", || scripted.active() != Some(1));
    }
    let named = [("rosenkoenig-forced", forced), ("rosenkoenig-scripted", scripted)];
    named.into_iter().map(|(name, table)| (name.to_owned(), table)).collect()
}

/// Two that a server ends by itself: one that is too long, and one in which nobody takes the open seat.
fn ended(data: &Path) -> Vec<Recorded> {
    let idle_open: Span = "1s".parse().expect("a time");
    let limits = LimitArgs { match_events: 20, idle_open, ..LimitArgs::default() };
    let server = Server::start_limited(data, catalog::games(), limits);
    let client = server.client();
    let long = Table::rosenkoenig(&client);
    long.play(&mut Dice::new(31), 20);
    let waiting = json!({"game": "rosenkoenig", "seats": [{}, {"open": true}]});
    let idle = Table::open(&client, &waiting);
    let named = [("rosenkoenig-too-long", long), ("rosenkoenig-idle", idle)];
    for (name, table) in &named {
        until(name, || table.info()["status"] == "abandoned");
    }
    server.stop();
    named.into_iter().map(|(name, table)| (name.to_owned(), table)).collect()
}

/// A match for each of these.
pub(crate) fn played(data: &Path) -> Vec<Recorded> {
    let mut matches = ended(data);
    let server = Server::start(data, catalog::games());
    let client = server.client();
    let scenes = scenes_of_voluspa().into_iter().chain(scenes_of_others());
    matches.extend(scenes.map(|scene| scene.play(&client)));
    matches.extend(sandboxes(&client));
    let closed = Table::rosenkoenig(&client);
    closed.play(&mut Dice::new(32), 3);
    let close = Request::new("POST", &format!("/matches/{}/close", closed.id));
    server.operator().send(close).ok();
    matches.push(("rosenkoenig-closed-by-operator".to_owned(), closed));
    server.stop();
    matches
}

//! Random full matches over all sets, options and numbers of seats.

use kernel::{Game, Rule, Seat, Viewer};
use serde_json::{Value, json};
use testkit::leaky::{self, Hides};
use testkit::{Conformance, Dice, conform};
use voluspa::{Command, Position, Voluspa};

use crate::data::{data, kinds};

/// The options that random matches are played with.
pub(crate) fn all_options() -> Vec<Value> {
    let everything =
        ["hel", "hermod", "jotunn", "sea_serpent", "dwarf", "freya", "raven", "niohoggr"];
    vec![
        json!({}),
        json!({"lightning_bolt": true, "no_late_hel": true}),
        json!({"set": "saga_of_edda"}),
        json!({"set": "saga_of_edda", "no_late_hel": true}),
        json!({"set": "in_the_order_of_the_gods", "lightning_bolt": true}),
        json!({"set": "king_of_giants"}),
        json!({"set": "awakening_of_the_serpents", "no_late_hel": true}),
        json!({"set": "master_of_ravens"}),
        json!({"set": "custom", "custom_types": []}),
        json!({"set": "custom", "custom_types": ["raven", "hel", "jotunn"], "lightning_bolt": true}),
        json!({"set": "custom", "custom_types": everything, "lightning_bolt": true}),
        json!({"set": "custom", "custom_types": everything, "lightning_bolt": true, "no_late_hel": true}),
    ]
}

#[test]
fn voluspa_conforms() {
    conform::<Voluspa>(&random_matches());
}

fn random_matches() -> Conformance<'static, Voluspa> {
    let options = all_options().into_iter().zip([2, 3, 4, 5].into_iter().cycle());
    Conformance {
        matches: 4,
        options: options.collect(),
        longest: 400,
        choose: &choose,
        exchange_hidden: &exchange_hidden,
        invariant: &invariant,
    }
}

struct FirstHand;

impl Hides for FirstHand {
    type Game = Voluspa;
    const HIDDEN: &str = "/players/0/hand";
    const RULE: Rule = Rule("V-301");
}

#[test]
fn leaks_are_found() {
    leaky::are_found::<FirstHand>(&random_matches());
}

/// Mostly at random; now and then a command of a rare kind, so that boosts, flights and exchanges meet more often.
pub(crate) fn choose(_: &Position, commands: &[Command], dice: &mut Dice) -> usize {
    let rare: Vec<usize> = (0..commands.len()).filter(|index| is_rare(&commands[*index])).collect();
    if !rare.is_empty() && dice.below(2) == 0 {
        *dice.of(&rare)
    } else {
        dice.below(commands.len())
    }
}

fn is_rare(command: &Command) -> bool {
    match command {
        Command::PlaceTile { mode, .. } => *mode != voluspa::Mode::Lay,
        Command::DiscardFreya {} | Command::SkipExtra {} | Command::MoveRaven { .. } => true,
        Command::DiscardTile { .. } | Command::KeepRaven {} => false,
    }
}

/// Shuffles all tiles that the viewer cannot see between the pile and the other hands; Hel stays where it is.
fn exchange_hidden(position: &Position, viewer: Viewer, dice: &mut Dice) -> Position {
    let mut json = serde_json::to_value(position).unwrap();
    let seats = list(&json["players"]).len();
    let hands = (0..seats).filter(|seat| !viewer.is(Seat(u8::try_from(*seat).unwrap())));
    let places: Vec<String> =
        hands.map(|seat| format!("/players/{seat}/hand")).chain(["/pile".to_owned()]).collect();
    let mut hidden = Vec::new();
    for place in &places {
        let tiles = list(json.pointer(place).unwrap());
        hidden.extend(tiles.iter().filter(|tile| **tile != "hel").cloned());
    }
    dice.shuffle(&mut hidden);
    for place in &places {
        let tiles = json.pointer_mut(place).unwrap().as_array_mut().unwrap();
        for tile in tiles.iter_mut().filter(|tile| **tile != "hel") {
            *tile = hidden.pop().unwrap();
        }
        tiles.sort_by_key(|tile| serde_json::from_value::<voluspa::Tile>(tile.clone()).unwrap());
    }
    let form = serde_json::from_value(json).unwrap();
    // With another hand the active seat may have nothing to place after a boost.
    Voluspa::admit(form).unwrap_or_else(|_| position.clone())
}

/// All pieces are somewhere, no line is too long, no hand too large, and no two seats reached their scores at the same time.
fn invariant(position: &Position) {
    let json = serde_json::to_value(position).unwrap();
    check_tiles(&json);
    check_tokens(&json);
    let players = list(&json["players"]);
    let reached: Vec<&Value> = players.iter().map(|player| &player["reached"]).collect();
    assert!((1..reached.len()).all(|seat| !reached[..seat].contains(&reached[seat])), "{json}");
    assert_eq!(json["hermod"].is_null(), json["phase"] != "hermod", "{json}");
    assert_eq!(json["raven"].is_null(), json["phase"] != "raven", "{json}");
    if json["phase"] != "surplus" {
        for player in players {
            let hand = list(&player["hand"]).iter();
            assert!(hand.filter(|tile| **tile != "hel").count() <= 5, "{json}");
        }
    }
    check_lines(&json);
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

/// All tiles of a position, wherever they are.
fn tiles(json: &Value) -> Vec<&Value> {
    let mut tiles: Vec<&Value> = list(&json["pile"]).iter().chain(list(&json["discard"])).collect();
    tiles.extend(list(&json["board"]).iter().map(|cell| &cell["tile"]));
    tiles.extend(list(&json["players"]).iter().flat_map(|player| list(&player["hand"])));
    if json["phase"] == "raven" && !json["raven"]["under"].is_null() {
        tiles.push(&json["raven"]["under"]);
    }
    tiles
}

fn check_tiles(json: &Value) {
    let tiles = tiles(json);
    for kind in kinds() {
        let name = &kind["type"];
        let there = tiles.iter().filter(|tile| **tile == name).count() as i64;
        let seats = number(&json["seats"]);
        let expected = match (list(&json["tile_types"]).contains(name), name == "hel") {
            (false, _) => 0,
            (true, true) => seats * number(&data()["hel_per_seat"][seats.to_string()]),
            (true, false) => number(&kind["count"]),
        };
        assert_eq!(there, expected, "{name} in {json}");
    }
}

/// All booster tokens of a position, ascending: in the supply and on tiles.
fn tokens(json: &Value) -> Vec<i64> {
    let kinds = kinds();
    let mut tokens: Vec<i64> = list(&json["boosters"]).iter().map(number).collect();
    for cell in list(&json["board"]).iter().filter(|cell| cell["boost"] != 0) {
        let kind = kinds.iter().find(|kind| kind["type"] == cell["tile"]).unwrap();
        tokens.push(number(&kind["value"]) + number(&cell["boost"]));
    }
    tokens.sort_unstable();
    tokens
}

/// The tokens of the box.
fn all_tokens() -> Vec<i64> {
    list(&data()["boosters"]["tokens"]).iter().map(number).collect()
}

fn check_tokens(json: &Value) {
    let with_freya = list(&json["tile_types"]).contains(&json!("freya"));
    assert_eq!(tokens(json), if with_freya { all_tokens() } else { Vec::new() }, "{json}");
}

/// V-109: whatever was loaded, no piece is there more often than in the box.
pub(crate) fn comes_out_of_the_box(position: &Position) {
    let json = serde_json::to_value(position).unwrap();
    let tiles = tiles(&json);
    for kind in kinds() {
        let there = tiles.iter().filter(|tile| ***tile == kind["type"]).count() as i64;
        assert!(there <= number(&kind["count"]), "{there} of {kind:?} in {json}");
    }
    let (tokens, all) = (tokens(&json), all_tokens());
    let count = |list: &[i64], value: i64| list.iter().filter(|other| **other == value).count();
    for value in &tokens {
        assert!(count(&tokens, *value) <= count(&all, *value), "tokens of {value} in {json}");
    }
}

fn check_lines(json: &Value) {
    let links = list(&json["board"]).iter().filter(|cell| cell["tile"] != "hel");
    let cells: Vec<_> = links.map(|cell| (number(&cell["x"]), number(&cell["y"]))).collect();
    for (x, y) in &cells {
        assert!(
            (1..8).any(|step| !cells.contains(&(x + step, *y))),
            "a row is longer than seven in {json}"
        );
        assert!(
            (1..8).any(|step| !cells.contains(&(*x, y + step))),
            "a column is longer than seven in {json}"
        );
    }
}

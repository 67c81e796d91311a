//! D-134: what holds in every position that play reaches. Counted from the JSON, which is another form than that of play.

use std::collections::BTreeSet;

use delphi::position::{Position, PositionForm};
use serde_json::Value;

pub(crate) fn items(list: &Value) -> &Vec<Value> {
    list.as_array().unwrap()
}

pub(crate) fn colors(list: &Value) -> Vec<&str> {
    items(list).iter().map(|color| color.as_str().unwrap()).collect()
}

fn count(list: &Value, color: &str) -> usize {
    colors(list).into_iter().filter(|other| *other == color).count()
}

fn total<'a>(lists: impl IntoIterator<Item = &'a Value>, color: &str) -> usize {
    lists.into_iter().map(|list| count(list, color)).sum()
}

/// A piece of the box: how often the table has it in a position, how often the seats, and how often it is printed.
struct Piece {
    name: String,
    table: usize,
    seats: usize,
    printed: usize,
}

fn json(position: &Position) -> Value {
    serde_json::to_value(PositionForm::from(position.clone())).unwrap()
}

fn length(list: &Value) -> usize {
    items(list).len()
}

/// The pieces that wander: cards, offerings, monsters, statues, equipment and companions.
fn pieces(p: &Value) -> Vec<Piece> {
    let players = items(&p["players"]);
    let seats = players.len();
    let each = |pointer: &str| {
        players.iter().map(|player| player.pointer(pointer).unwrap()).collect::<Vec<_>>()
    };
    let mut pieces = Vec::new();
    let mut put = |name: String, table, seats, printed| {
        pieces.push(Piece { name, table, seats, printed });
    };
    for color in ["red", "black", "pink", "blue", "yellow", "green"] {
        let played = usize::from(p["turn"]["card_played"] == color);
        let piles = total([&p["oracle_deck"], &p["oracle_discard"]], color);
        put(format!("{color} oracle cards"), piles, total(each("/cards"), color) + played, 5);
        let piles = total([&p["injury_deck"], &p["injury_discard"]], color);
        put(format!("{color} injury cards"), piles, total(each("/injuries"), color), 7);
        for (list, cargo, fulfilled) in [
            ("offerings", Some("/cargo/offering"), "/fulfilled/offering"),
            ("monsters", None, "/fulfilled/monster"),
        ] {
            let lying = total(items(&p[list]).iter().map(|stock| &stock["colors"]), color);
            let aboard = cargo.map_or(0, |cargo| total(each(cargo), color));
            let taken = aboard + total(each(fulfilled), color);
            put(format!("{color} {list}"), lying, taken, seats);
        }
        let cities = items(&p["cities"]).iter().filter(|city| city["color"] == color);
        let left: u64 = cities.map(|city| city["statues"].as_u64().unwrap()).sum();
        let sites = items(&p["sites"]).iter().filter(|site| site["color"] == color);
        let raised = sites.filter(|site| !site["seat"].is_null()).count();
        let taken = total(each("/cargo/statue"), color) + raised;
        put(format!("{color} statues"), usize::try_from(left).unwrap(), taken, 3);
    }
    let held = |pointer: &str| each(pointer).into_iter().map(length).sum::<usize>();
    let open = length(&p["equipment_deck"]) + length(&p["equipment_display"]);
    put("equipment".to_owned(), open, held("/equipment"), 22);
    put("companions".to_owned(), length(&p["companions"]), held("/companions"), 18);
    pieces
}

/// D-131: of a position that is loaded, neither the table nor the seats have a piece more often than the box.
pub(crate) fn comes_out_of_the_box(position: &Position) {
    let p = json(position);
    for Piece { name, table, seats, printed } in pieces(&p) {
        assert!(
            table <= printed && seats <= printed,
            "{table} and {seats} {name}, printed are {printed}, in {p}"
        );
    }
    seats_have_their_own(&p);
}

/// The equipment and the companions that are somewhere, each kind once.
fn unique(p: &Value) -> BTreeSet<String> {
    let lists = [&p["equipment_deck"], &p["equipment_display"], &p["companions"]];
    let players = items(&p["players"]);
    let held = players.iter().flat_map(|player| [&player["equipment"], &player["companions"]]);
    let cards = lists.into_iter().chain(held).flat_map(items);
    cards.map(Value::to_string).collect()
}

/// D-131: play makes no piece and loses none, however many a position was loaded with. A card of which there is one may have been loaded
/// in two places, and is one card again when they meet; a battle may have been loaded for a monster that lies nowhere.
pub(crate) fn keeps_the_pieces(before: &Position, after: &Position) {
    let (before, after) = (json(before), json(after));
    seats_have_their_own(&after);
    if before["stage"] == "ships" {
        return;
    }
    assert_eq!(unique(&after), unique(&before), "in {after}, made of {before}");
    let is_fought = items(&before["pending"]).iter().any(|d| d["kind"] == "battle");
    let counted = |name: &str| {
        let met = ["equipment", "companions"].contains(&name);
        let fought = is_fought && name.ends_with(" monsters");
        !(met || fought)
    };
    let both = pieces(&before).into_iter().zip(pieces(&after));
    for (had, has) in both.filter(|(had, _)| counted(&had.name)) {
        let [total, left] = [&had, &has].map(|piece| piece.table + piece.seats);
        assert_eq!(left, total, "{} in {after}, made of {before}", had.name);
    }
}

/// Tiles and dice that never change hands.
fn seats_have_their_own(p: &Value) {
    for (seat, player) in items(&p["players"]).iter().enumerate() {
        for kind in ["statue", "offering", "monster"] {
            let tiles = [&player["tasks"][kind], &player["fulfilled"][kind]].map(length);
            assert!(tiles.iter().all(|n| *n <= 3), "{tiles:?} {kind} tiles of seat {seat} in {p}");
        }
        assert!(length(&player["dice"]) <= 3, "dice of seat {seat} in {p}");
    }
}

/// Checks all of D-134.
pub(crate) fn check(position: &Position) {
    let p = json(position);
    comes_out_of_the_box(position);
    if p["stage"] == "ships" {
        return;
    }
    for Piece { name, table, seats, printed } in pieces(&p) {
        assert_eq!(table + seats, printed, "{name} in {p}");
    }
    assert_eq!(length(&p["equipment_display"]), 6);
    assert!(length(&p["pending"]) <= 3, "what D-131 lets wait leaves room: {p}");
    let players = items(&p["players"]);
    players.iter().enumerate().for_each(|(seat, player)| check_seat(&p, seat, player));
}

fn check_seat(p: &Value, seat: usize, player: &Value) {
    let own = |list: &str, key: &str| items(&p[list]).iter().filter(|x| x[key] == seat).count();
    let has = |list: &str, item: &str| items(&player[list]).iter().any(|x| x == item);
    let length = |pointer: &str| length(player.pointer(pointer).unwrap());
    assert_eq!(own("sites", "seat"), length("/fulfilled/statue"), "{p}");
    let shrines = player["fulfilled"]["shrine"].as_u64().unwrap() as usize;
    assert_eq!(own("islands", "shrine"), shrines, "{p}");
    let storage =
        if player["ship"] == "reverse_4" { 4 } else { 2 } + usize::from(has("equipment", "hold"));
    assert!(length("/cargo/statue") + length("/cargo/offering") <= storage, "{p}");
    for kind in ["statue", "offering", "monster"] {
        let fulfilled = colors(&player["fulfilled"][kind]);
        assert!(fulfilled.is_sorted_by(|a, b| a != b), "{kind}: a colour twice in {p}");
        if kind != "monster" {
            let tiles =
                crate::oracle::completions(&player["tasks"][kind], &player["fulfilled"][kind]);
            let aboard = colors(&player["cargo"][kind]);
            let fits = tiles.iter().any(|tiles| aboard.iter().all(|color| tiles.contains(color)));
            assert!(fits, "{kind}: the cargo cannot all be delivered in {p}");
        }
    }
    for hero in items(&player["companions"]).iter().filter(|joined| joined["kind"] == "hero") {
        let color = hero["color"].as_str().unwrap();
        assert!(!colors(&player["injuries"]).contains(&color), "{p}");
    }
    let first_row = 5 - p["seats"].as_u64().unwrap();
    for row in player["gods"].as_object().unwrap().values().map(|row| row.as_u64().unwrap()) {
        assert!(row == 0 || (first_row..=6).contains(&row), "{p}");
    }
    let left = ["statue", "offering", "monster"].map(|kind| length(&format!("/tasks/{kind}")));
    let tasks = left.iter().sum::<usize>() + player["tasks"]["shrine"].as_u64().unwrap() as usize;
    assert!(player["home"] == false || tasks == 0, "home with tasks in {p}");
}

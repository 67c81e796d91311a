//! The printed data against what the game does and names: ids, counts, ships, cards, maps.

use std::collections::BTreeMap;

use delphi::Delphi;
use delphi::board::{HexKind, MapName};
use delphi::event::{Area, Event, Reward};
use delphi::options::Options;
use delphi::pieces::{Color, Equipment, God, Letter, Piece, PlayerColor, Ship};
use delphi::position::{Player, PositionForm};
use kernel::{AnyGame, Erased, Game};
use serde::Serialize;
use serde_json::{Value, json};
use testkit::Dice;

fn data() -> Value {
    serde_json::from_str(Erased::<Delphi>::NEW.data().get()).unwrap()
}

fn names<T: Serialize>(pieces: impl IntoIterator<Item = T>) -> Vec<Value> {
    pieces.into_iter().map(|piece| serde_json::to_value(piece).unwrap()).collect()
}

fn ids(list: &Value) -> Vec<Value> {
    list.as_array().unwrap().iter().map(|item| item["id"].clone()).collect()
}

fn start(options: Value, seats: u8, seed: u64) -> PositionForm {
    let options: Options = serde_json::from_value(options).unwrap();
    let events =
        Delphi::setup(options, seats, kernel::newest::<Delphi>(), &mut Dice::new(seed)).unwrap();
    PositionForm::from(Delphi::start(&events[0], kernel::newest::<Delphi>()).unwrap())
}

#[test]
fn all_enums_have_the_names_and_the_order_of_the_data() {
    let data = data();
    assert_eq!(json!(names(Color::ALL)), data["colors"]["wheel"]);
    assert_eq!(json!(names(PlayerColor::ALL)), data["colors"]["players"]);
    assert_eq!(names(God::ALL), ids(&data["god"]));
    let colors: Vec<Value> =
        data["god"].as_array().unwrap().iter().map(|god| god["color"].clone()).collect();
    assert_eq!(names(God::ALL.map(God::color)), colors);
    assert_eq!(names(Ship::ALL), ids(&data["ship"]));
    assert_eq!(names(Equipment::ALL), ids(&data["equipment"]));
    assert_eq!(
        json!(names([Letter::Sigma, Letter::Phi, Letter::Psi, Letter::Omega])),
        data["letters"]["order"]
    );
    for (index, (color, god)) in Color::ALL.into_iter().zip(God::ALL).enumerate() {
        assert_eq!((color.god(), color.index(), Color::at(index)), (god, index, color));
    }
}

#[test]
fn every_reward_has_the_words_of_the_data() {
    let data = data();
    for (reward, kind) in [
        (Reward::God, "shrine"),
        (Reward::Companion, "statue"),
        (Reward::Favor, "offering"),
        (Reward::Equipment, "monster"),
    ] {
        assert_eq!(json!(reward), data["reward"][kind]);
    }
}

#[test]
fn ships_have_the_storage_of_the_data_and_hold_adds_one() {
    for ship in data()["ship"].as_array().unwrap() {
        let mut player = Player::new(PlayerColor::Red);
        player.ship = Some(serde_json::from_value(ship["id"].clone()).unwrap());
        assert_eq!(json!(player.storage()), ship["storage"]);
        player.equipment = player.equipment.with(Equipment::Hold);
        assert_eq!(json!(player.storage() - 1), ship["storage"]);
    }
}

#[test]
fn charms_and_amulets_have_the_colours_of_the_data() {
    let data = data();
    let color_of = |card: Equipment| {
        let cards = data["equipment"].as_array().unwrap();
        cards.iter().find(|entry| entry["id"] == json!(card)).unwrap()["color"].clone()
    };
    Equipment::CHARMS.iter().for_each(|(card, color)| assert_eq!(json!(color), color_of(*card)));
    let amulets: Vec<_> =
        Color::ALL.into_iter().filter_map(|c| Equipment::amulet(c).map(|card| (card, c))).collect();
    assert_eq!(amulets.len(), 3);
    amulets.iter().for_each(|(card, color)| assert_eq!(json!(color), color_of(*card)));
}

#[test]
fn decks_tiles_and_rows_have_the_numbers_of_the_data() {
    let data = data();
    for seats in 2..=4u8 {
        let start = start(json!({"start_seat": 1, "ships": "choice"}), seats, 3);
        assert_eq!(json!(start.oracle_deck.count(Color::Red)), data["oracle_cards"]["per_color"]);
        assert_eq!(json!(start.injury_deck.count(Color::Green)), data["injury_cards"]["per_color"]);
        assert_eq!(start.equipment_display.len() + start.equipment_deck.len(), 22);
        assert_eq!(json!(start.players[1].favor), data["favor"]["first_seat"]);
        let mut faces: Vec<String> =
            start.islands.iter().map(|i| json!(i.face).to_string()).collect();
        let mut printed: Vec<String> =
            data["island_tile"].as_array().unwrap().iter().map(Value::to_string).collect();
        faces.sort();
        printed.sort();
        assert_eq!(faces, printed);
    }
    for seats in 2..=4u8 {
        let row = &data["god_track"]["first_row"][seats.to_string()];
        let position = Delphi::admit(start(json!({}), seats, 4)).unwrap();
        assert_eq!(json!(position.first_row()), *row);
    }
}

#[test]
fn tasks_come_from_the_two_sided_tiles_of_the_data() {
    let data = data();
    let tiles = data["two_sided_tile"].as_array().unwrap();
    let mut met = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let start = start(json!({}), 2, seed);
        let tasks = serde_json::to_value(start.players[0].tasks).unwrap();
        assert_eq!(tasks["shrine"], data["zeus_tiles"]["shrine"]);
        assert_eq!(tasks["statue"], data["zeus_tiles"]["statue"]);
        let turned =
            |tile: &&Value| tasks["monster"].as_array().unwrap().contains(&tile["monster"]);
        let (monsters, offerings): (Vec<&Value>, Vec<&Value>) = tiles.iter().partition(turned);
        assert_eq!((monsters.len(), offerings.len()), (2, 2), "{tasks}");
        assert!(
            offerings
                .iter()
                .all(|t| tasks["offering"].as_array().unwrap().contains(&t["offering"])),
            "{tasks}"
        );
        met.insert(tasks.to_string());
    }
    assert_eq!(met.len(), 6, "every pair of tiles is turned in some match");
}

/// The hexes of a predefined map, laid naively: turned, shifted, holes filled by a flood from a corner.
fn lay(data: &Value, placements: &Value) -> BTreeMap<(i64, i64), (String, Value)> {
    let mut hexes = BTreeMap::new();
    let number = |value: &Value, key: &str| value[key].as_i64().unwrap();
    for placement in placements.as_array().unwrap() {
        let tile = data["tile"]
            .as_array()
            .unwrap()
            .iter()
            .find(|tile| tile["name"] == placement["tile"])
            .unwrap();
        for cell in tile["cells"].as_array().unwrap() {
            let (mut q, mut r) = (number(cell, "q"), number(cell, "r"));
            for _ in 0..number(placement, "rot") {
                (q, r) = (-r, q + r);
            }
            let at = (r + number(placement, "r"), q + number(placement, "q"));
            let color = if cell["kind"] == "water" { cell["color"].clone() } else { Value::Null };
            hexes.insert(at, (cell["kind"].as_str().unwrap().to_owned(), color));
        }
    }
    let mut outside = vec![(-30, -30)];
    let mut next = 0;
    while let Some((r, q)) = outside.get(next).copied() {
        next += 1;
        for (dr, dq) in [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)] {
            let hex: (i64, i64) = (r + dr, q + dq);
            let near = hex.0.abs() <= 30 && hex.1.abs() <= 30;
            if near && !hexes.contains_key(&hex) && !outside.contains(&hex) {
                outside.push(hex);
            }
        }
    }
    let all = (-30..=30).flat_map(|r| (-30..=30).map(move |q| (r, q)));
    let holes: Vec<_> =
        all.filter(|hex| !hexes.contains_key(hex) && !outside.contains(hex)).collect();
    hexes.extend(holes.into_iter().map(|hole| (hole, ("shallow".to_owned(), Value::Null))));
    hexes
}

#[test]
fn predefined_maps_are_those_of_the_data() {
    let data = data();
    let maps = data["map"].as_array().unwrap();
    assert_eq!(maps.len(), 3);
    for map in maps {
        let start = start(json!({"map": map["name"]}), 4, 5);
        let found: BTreeMap<(i64, i64), (String, Value)> = start
            .map
            .hexes
            .iter()
            .map(|hex| {
                let kind = json!(hex.kind).as_str().unwrap().to_owned();
                ((i64::from(hex.r), i64::from(hex.q)), (kind, json!(hex.color)))
            })
            .collect();
        assert_eq!(found, lay(&data, &map["placements"]), "{}", map["name"]);
        let water = start.map.hexes.iter().filter(|hex| hex.kind == HexKind::Water).count();
        assert_eq!(water, 72);
        assert_eq!((start.sites.len(), start.islands.len(), start.monsters.len()), (18, 12, 9));
        for color in Color::ALL {
            assert_eq!(start.sites.iter().filter(|site| site.color == color).count(), 3);
            assert_eq!(start.islands.iter().filter(|island| island.color == color).count(), 2);
            assert_eq!(start.cities.iter().filter(|city| city.color == color).count(), 1);
        }
    }
}

#[test]
fn the_two_other_maps_are_the_random_maps_of_their_seeds() {
    for (name, seed) in [("cyclades", 681), ("sporades", 109)] {
        let named = start(json!({"map": name}), 2, 1);
        let random = start(json!({"map": "random", "map_seed": seed}), 2, 1);
        assert_eq!(named.map.hexes, random.map.hexes, "{name}");
        assert_eq!((random.map.name, random.map.seed), (MapName::Random, Some(seed)));
    }
}

#[test]
fn spreading_never_gets_stuck_and_never_repeats_a_colour() {
    for seed in 0..300 {
        let seats = 2 + u8::try_from(seed % 3).unwrap();
        let start = start(json!({}), seats, seed);
        for stock in start.offerings.iter().chain(&start.monsters) {
            assert!(Color::ALL.iter().all(|color| stock.colors.count(*color) <= 1), "{stock:?}");
        }
        for color in Color::ALL {
            let monsters: u8 = start.monsters.iter().map(|stock| stock.colors.count(color)).sum();
            let offerings: u8 = start.offerings.iter().map(|stock| stock.colors.count(color)).sum();
            assert_eq!((monsters, offerings), (seats, seats));
        }
    }
}

#[test]
fn schemas_refer_to_schemas_that_exist() {
    let schemas = Erased::<Delphi>::NEW.schemas();
    for (name, schema) in &schemas.components {
        for reference in schema.to_string().split("\"#/components/schemas/").skip(1) {
            let target = reference.split('"').next().unwrap();
            assert!(schemas.components.contains_key(target), "{name} refers to {target}");
        }
    }
    assert!(schemas.roles.values().all(|name| schemas.components.contains_key(name)));
}

#[test]
fn events_stay_small() {
    assert!(size_of::<Event>() <= 56, "{}", size_of::<Event>());
    assert!(size_of::<Area>() > 0);
}

/// The source files that read the printed data.
const SOURCES: [&str; 17] = [
    include_str!("../../src/printed.rs"),
    include_str!("../../src/setup.rs"),
    include_str!("../../src/setup/areas.rs"),
    include_str!("../../src/load/bounds.rs"),
    include_str!("../../src/pieces/equipment.rs"),
    include_str!("../../src/position.rs"),
    include_str!("../../src/position/player.rs"),
    include_str!("../../src/decide/actions.rs"),
    include_str!("../../src/decide/battle.rs"),
    include_str!("../../src/decide/decisions.rs"),
    include_str!("../../src/decide/gains.rs"),
    include_str!("../../src/decide/islands.rs"),
    include_str!("../../src/decide/rewards.rs"),
    include_str!("../../src/decide/sailing.rs"),
    include_str!("../../src/decide/sources.rs"),
    include_str!("../../src/decide/tasks.rs"),
    include_str!("../../src/decide/turn.rs"),
];

/// The keys of the served data as `[table] key`; those of pieces that cards or ships list by id as `id key`.
fn keys(data: &Value) -> std::collections::BTreeSet<String> {
    let mut keys = std::collections::BTreeSet::new();
    let tables = data.as_object().unwrap().iter();
    for (name, table) in tables.filter(|(name, _)| !["source", "sources"].contains(&name.as_str()))
    {
        let rows = table.as_array().map_or(std::slice::from_ref(table), Vec::as_slice);
        for row in rows {
            let header = match (&row["id"], table.is_array()) {
                (Value::String(id), true) if name == "equipment" => id.clone(),
                (_, true) => format!("[[{name}]]"),
                (_, false) => format!("[{name}]"),
            };
            let there = row.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
            keys.extend(there.map(|(key, _)| format!("{header} {key}")));
        }
    }
    keys
}

/// Each value of the served data is read from there by what plays, or is no fact of play.
#[test]
fn play_reads_every_key_of_the_served_data_but_these() {
    let sources = SOURCES.concat();
    let read_by_other_words = [
        (
            "[[island_tile]] color",
            "Face {\n            color: PlayerColor::ALL[tile.value(\"color\")",
        ),
        ("[[island_tile]] letter", "Letter::ALL[tile.value(\"letter\")"),
        ("[[two_sided_tile]] monster", "color(tile.value(\"monster\"))"),
        ("[[two_sided_tile]] offering", "(color(tile.value(\"offering\"))"),
        ("[[god]] color", "color(god.value(\"color\")) as usize == place"),
        ("[[ship]] storage", "ship.value(\"storage\")"),
        ("[[map]] name", "map.value(\"name\").is(name)"),
        ("[[map]] placements", "map.value(\"placements\")"),
        ("[[tile]] cells", "printed.value(\"cells\")"),
        ("[[tile]] city", "printed.value(\"city\")"),
        ("[[tile]] name", "known.value(\"name\")"),
        ("[zeus_tiles] statue", "white_tiles(\"statue\")"),
        ("[zeus_tiles] offering", "white_tiles(\"offering\")"),
        ("[zeus_tiles] monster", "white_tiles(\"monster\")"),
        ("[god_track] first_row", "BOX.table(\"[god_track]\").value(\"first_row\")"),
        ("[generator] seeds", "MAPS.table(\"[generator]\").value(\"seeds\")"),
        ("[letters] order", "letters.value(\"order\")"),
        ("[colors] players", "BOX.table(\"[colors]\").value(\"players\")"),
        ("[colors] wheel", "BOX.table(\"[colors]\").value(\"wheel\")"),
        ("[oracle_die] faces", "BOX.table(\"[oracle_die]\").value(\"faces\")"),
        ("[short_game] order", "BOX.table(\"[short_game]\").value(\"order\")"),
        ("god_to_top gods", "one(\"[[equipment]]\", \"god_to_top\").value(\"gods\")"),
    ];
    let no_facts_of_play = [
        ("sources", "is shown"),
        ("text", "says in words what the card or ship does"),
        ("once", "says when the card does it"),
        ("lasting", "says when the card does it"),
        ("id", "the enums have the same words in the same order, tested above"),
        ("[[god]] power", "says in words what the god does"),
        ("[companions] kinds", "are the enum `CompanionKind`"),
        ("[companions] names", "are shown"),
        ("[companions] hero", "says in words what the companion does"),
        ("[companions] demigod", "likewise"),
        ("[companions] creature", "likewise"),
        ("[generator] vector", "are examples for the test of random maps"),
        ("[letters] sigma", "says in words what the letter does"),
        ("[letters] phi", "likewise"),
        ("[letters] psi", "likewise"),
        ("[letters] omega", "likewise"),
        ("[reward] shrine", "is a word of JSON, tested above"),
        ("[reward] statue", "likewise"),
        ("[reward] offering", "likewise"),
        ("[reward] monster", "likewise"),
    ];
    for (key, words) in read_by_other_words {
        assert!(sources.contains(words), "{key} is read by {words}");
    }
    let is_read = |key: &String| {
        let (header, name) = key.rsplit_once(' ').unwrap();
        sources.contains(&format!("(\"{header}\", \"{name}\")"))
            || sources.contains(&format!("card_{name}(\"{header}\")"))
            || read_by_other_words.iter().any(|(other, _)| other == key)
    };
    let is_none = |key: &String| {
        let mut excused = no_facts_of_play.iter();
        excused.any(|(other, _)| other == key || key.rsplit(' ').next() == Some(*other))
            || key.starts_with("[monsters] ")
    };
    let unread: Vec<String> = keys(&data()).into_iter().filter(|key| !is_read(key)).collect();
    let left: Vec<&String> = unread.iter().filter(|key| !is_none(key)).collect();
    assert!(left.is_empty(), "no play depends on {left:?}");
}

//! The printed data against what the game does and names: ids, counts, ships, cards, maps.

use std::collections::BTreeMap;

use delphi::Delphi;
use delphi::board::{HexKind, MapName};
use delphi::event::{Area, Event, Reward};
use delphi::options::Options;
use delphi::pieces::{Color, Equipment, God, Letter, Piece, PlayerColor, Ship};
use delphi::position::{Player, PositionForm};
use kernel::Game;
use serde::Serialize;
use serde_json::{Value, json};
use testkit::{Dice, Walk};

use crate::conservation::items;

fn data() -> Value {
    serde_json::from_str(delphi::GAME.data().get()).unwrap()
}

fn names<T: Serialize>(pieces: impl IntoIterator<Item = T>) -> Vec<Value> {
    pieces.into_iter().map(|piece| serde_json::to_value(piece).unwrap()).collect()
}

fn ids(list: &Value) -> Vec<Value> {
    list.as_array().unwrap().iter().map(|item| item["id"].clone()).collect()
}

fn start(options: Value, seats: u8, seed: u64) -> PositionForm {
    let options: Options = serde_json::from_value(options).unwrap();
    PositionForm::from(Walk::<Delphi>::new(options, seats, Dice::new(seed)).position)
}

#[test]
fn all_enums_have_the_names_and_the_order_of_the_data() {
    let data = data();
    assert_eq!(json!(names(Color::ALL)), data["colors"]["wheel"]);
    assert_eq!(json!(names(PlayerColor::ALL)), data["colors"]["players"]);
    assert_eq!(names(God::ALL), ids(&data["god"]));
    let colors: Vec<Value> = items(&data["god"]).iter().map(|god| god["color"].clone()).collect();
    assert_eq!(names(God::ALL.map(God::color)), colors);
    assert_eq!(names(Ship::ALL), ids(&data["ship"]));
    assert_eq!(names(Equipment::ALL), ids(&data["equipment"]));
    assert_eq!(json!(names(Letter::ALL)), data["letters"]["order"]);
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
        let turned = |tile: &&Value| items(&tasks["monster"]).contains(&tile["monster"]);
        let (monsters, offerings): (Vec<&Value>, Vec<&Value>) = tiles.iter().partition(turned);
        assert_eq!((monsters.len(), offerings.len()), (2, 2), "{tasks}");
        let all = offerings.iter().all(|t| items(&tasks["offering"]).contains(&t["offering"]));
        assert!(all, "{tasks}");
        met.insert(tasks.to_string());
    }
    assert_eq!(met.len(), 6, "every pair of tiles is turned in some match");
}

/// The hexes of a predefined map, laid naively: turned, shifted, holes filled by a flood from a corner.
fn lay(data: &Value, placements: &Value) -> BTreeMap<(i64, i64), (String, Value)> {
    let mut hexes = BTreeMap::new();
    let number = |value: &Value, key: &str| value[key].as_i64().unwrap();
    for placement in placements.as_array().unwrap() {
        let tile = items(&data["tile"]).iter().find(|tile| tile["name"] == placement["tile"]);
        for cell in items(&tile.unwrap()["cells"]) {
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
fn events_stay_small() {
    assert!(size_of::<Event>() <= 56, "{}", size_of::<Event>());
    assert!(size_of::<Area>() > 0);
}

/// Each bound of a schema that is a printed number.
#[test]
fn schemas_have_the_printed_bounds() {
    let (data, schemas) = (data(), delphi::GAME.schemas().components);
    let list = |value: &Value| json!(value.as_array().unwrap().len());
    let six = |value: &Value| json!(6 * value.as_u64().unwrap());
    let (tasks, seats) = (&data["zeus_tiles"]["shrine"], &data["seats"]);
    let cells = |kind: &str| {
        let tiles = data["tile"].as_array().unwrap().iter();
        let cells = tiles.flat_map(|tile| tile["cells"].as_array().unwrap());
        cells.filter(|cell| cell["kind"] == kind).count()
    };
    let bounds = [
        ("City", "statues/maximum", data["statues"]["per_color"].clone()),
        ("Tasks", "shrine/maximum", tasks.clone()),
        ("Fulfilled", "shrine/maximum", tasks.clone()),
        ("Options", "fewer_tasks/maximum", list(&data["short_game"]["order"])),
        ("Terms", "fewer_tasks/maximum", list(&data["short_game"]["order"])),
        ("Options", "map_seed/maximum", json!(data["generator"]["seeds"].as_u64().unwrap() - 1)),
        ("Terms", "map_seed/maximum", json!(data["generator"]["seeds"].as_u64().unwrap() - 1)),
        ("Place", "rank/maximum", seats["max"].clone()),
        ("Player", "cards/maxItems", six(&data["oracle_cards"]["per_color"])),
        ("Player", "companions/maxItems", six(&list(&data["companions"]["kinds"]))),
        ("Player", "dice/maxItems", data["oracle_die"]["count"].clone()),
        ("Player", "equipment/maxItems", list(&data["equipment"])),
        ("Player", "injuries/maxItems", six(&data["injury_cards"]["per_color"])),
        ("Player", "shield/maximum", data["shield"]["max"].clone()),
        ("Player", "shrines/maximum", tasks.clone()),
        ("IslandForm", "seen_by/maxItems", seats["max"].clone()),
        ("PositionForm", "cities/maxItems", json!(cells("city"))),
        ("PositionForm", "companions/maxItems", six(&list(&data["companions"]["kinds"]))),
        ("PositionForm", "equipment_deck/maxItems", list(&data["equipment"])),
        ("PositionForm", "injury_deck/maxItems", six(&data["injury_cards"]["per_color"])),
        ("PositionForm", "islands/maxItems", list(&data["island_tile"])),
        ("PositionForm", "monsters/maxItems", json!(cells("monster"))),
        ("PositionForm", "offerings/maxItems", json!(cells("offering"))),
        ("PositionForm", "oracle_deck/maxItems", six(&data["oracle_cards"]["per_color"])),
        ("PositionForm", "players/minItems", seats["min"].clone()),
        ("PositionForm", "players/maxItems", seats["max"].clone()),
        ("PositionForm", "seats/minimum", seats["min"].clone()),
        ("PositionForm", "seats/maximum", seats["max"].clone()),
        ("PositionForm", "ship_offer/maxItems", list(&data["ship"])),
        ("PositionForm", "sites/maxItems", json!(3 * cells("statue"))),
        ("PositionForm", "start_queue/maxItems", seats["max"].clone()),
        ("PositionForm", "standing/maxItems", seats["max"].clone()),
        ("PositionForm", "temples/maxItems", json!(cells("temple"))),
    ];
    let rows = &schemas["DelphiGodRows"]["properties"];
    for god in ids(&data["god"]) {
        assert_eq!(rows[god.as_str().unwrap()]["maximum"], data["god_track"]["top"], "{god}");
    }
    for kind in ["statue", "offering", "monster"] {
        for name in ["DelphiTasks", "DelphiFulfilled"] {
            assert_eq!(schemas[name]["properties"][kind]["maxItems"], *tasks, "{name} {kind}");
        }
    }
    for (name, bound, printed) in bounds {
        let schema = &schemas[&format!("Delphi{name}")]["properties"];
        assert_eq!(schema.pointer(&format!("/{bound}")), Some(&printed), "{name} {bound}");
    }
}

//! The printed data in TOML against what the game does.

use std::collections::{BTreeMap, BTreeSet};

use copenhagen::{Ability, Color, Command, Copenhagen, OptionsAsked};
use kernel::Game;
use serde_json::{Value, json};
use testkit::{Dice, Witness};

use crate::oracle::{ABILITIES, COLORS, Oracle, words};
use crate::positions;

fn data() -> Value {
    let table: toml::Table = Copenhagen::INFO.data.parse().expect("the data are TOML");
    serde_json::to_value(table).expect("TOML without dates is JSON")
}

#[test]
fn a_match_begins_with_the_printed_pieces() {
    let data = data();
    for seats in 2..=4u8 {
        let mut chance = Witness::new(Dice::new(u64::from(seats)));
        let events =
            Copenhagen::setup(OptionsAsked {}, seats, kernel::newest::<Copenhagen>(), &mut chance)
                .expect("two to four seats");
        let start = serde_json::to_value(&events[0]).expect("an event has JSON");
        let start = &start["position"];
        let by_players = |table: &str| &data[table]["by_players"][seats.to_string()];
        for tile in data["tiles"].as_array().expect("a list") {
            let size = format!("size_{}", tile["size"]);
            assert_eq!(
                start["supply"][tile["id"].as_str().expect("an id")],
                by_players("tile_copies")[size]
            );
        }
        assert_eq!(start["supply"]["special"], data["special_tile"]["copies"]);
        assert_eq!(start["end_card"], by_players("cards")["end_card_at_start"]);
        let players = start["players"].as_array().expect("a list").iter();
        let hands: Vec<usize> = players.map(|player| words(&player["hand"]).len()).collect();
        let printed =
            &data["cards"]["start_hand_by_seat"].as_array().expect("a list")[..usize::from(seats)];
        assert_eq!(json!(hands), json!(printed));
        let cards = 5 * by_players("cards")["per_color"].as_u64().expect("a number") as usize;
        let kinds = std::iter::repeat_n("harbor_setup", 7).chain(std::iter::repeat("hand_setup"));
        let draws: Vec<_> =
            kinds.take(7 + hands.iter().sum::<usize>()).zip((0..=cards).rev()).collect();
        let drawn = chance.draws.iter().map(|draw| (draw.kind, draw.candidates.len()));
        assert_eq!(drawn.collect::<Vec<_>>(), draws);
    }
}

#[test]
fn words_have_the_printed_order() {
    let data = data();
    assert_eq!(data["enums"]["colors"], json!(Color::ALL));
    assert_eq!(data["enums"]["abilities"], json!(Ability::ALL));
    assert_eq!(json!(COLORS), json!(Color::ALL));
    assert_eq!(json!(ABILITIES), json!(Ability::ALL));
    assert_eq!(data["game"]["players"], json!({"min": 2, "max": 4}));
    assert_eq!(Copenhagen::INFO.seats, 2..=4);
}

/// On an empty board with enough cards every tile may lie in exactly its canonical orientations.
#[test]
fn orientations_are_the_printed_ones() {
    let mut e: Value = serde_json::from_str(positions::E).expect("JSON");
    e["players"][0]["tiles"] = json!([]);
    e["supply"]["yellow_3"] = json!(2);
    let position = positions::load(&e.to_string());
    let mut commands = Vec::new();
    Copenhagen::legal_commands(&position, &mut commands);
    let mut found: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for command in &commands {
        if let Command::PlaceTile { tile, orientation, .. } = command {
            found.entry(tile.tile().name()).or_default().insert(u64::from(orientation.get()));
        }
    }
    let oracle = Oracle::new();
    for kind in oracle.kinds.iter().filter(|kind| kind.color.is_some()) {
        let printed: BTreeSet<u64> = kind.canonical_orientations.iter().copied().collect();
        assert_eq!(found[kind.id.as_str()], printed, "{}", kind.id);
        assert_eq!(
            (0..8).filter(|o| kind.is_canonical(*o)).collect::<BTreeSet<_>>(),
            printed,
            "{}",
            kind.id
        );
    }
    assert_eq!(found.len(), 20);
}

/// C-902: the end card can come when at most 9 facade cards are left.
#[test]
fn the_end_card_is_among_the_lowest_cards() {
    let bottom = data()["cards"]["end_card_bottom"].as_u64().expect("a number") as usize;
    for (cards, candidates) in [(bottom + 1, bottom + 1), (bottom, bottom + 1), (1, 2), (0, 1)] {
        let mut end: Value = serde_json::from_str(positions::END).expect("JSON");
        let mut all = [end["deck"].take(), end["discard"].take()]
            .into_iter()
            .flat_map(|list| list.as_array().expect("a list").clone())
            .collect::<Vec<Value>>();
        all.sort_by_key(|card| COLORS.iter().position(|color| card == color));
        end["deck"] = all[..cards].into();
        end["discard"] = all[cards..].into();
        let mut position = positions::load(&end.to_string());
        let mut chance = Witness::new(Dice::new(1));
        let mut events = Vec::new();
        let mut draft = kernel::Draft::new(&mut position, &mut events, &mut chance);
        Copenhagen::decide(&mut draft, &Command::EndTaking {}).expect("phase third_card");
        let first = (chance.draws[0].kind, chance.draws[0].candidates.len());
        assert_eq!(first, ("harbor_refill", candidates), "{cards} cards");
    }
}

/// Each bound of a schema that is a printed number.
#[test]
fn schemas_have_the_printed_bounds() {
    let (data, schemas) = (data(), copenhagen::GAME.schemas().components);
    let (game, board) = (&data["game"], &data["board"]);
    let number = |value: &Value| value.as_u64().expect("a number");
    let last = |value: &Value| json!(number(value) - 1);
    let lists = ["coat_cells", "coat_rows"].map(|key| board[key].as_array().expect("a list").len());
    let coats = json!(lists[0] + lists[1]);
    let spaces = json!(number(&board["width"]) * number(&board["height"]));
    let cards = json!(5 * number(&data["cards"]["by_players"]["2"]["per_color"]));
    for (name, bound, printed) in [
        ("Cell", "/properties/x/maximum", last(&board["width"])),
        ("Cell", "/properties/y/maximum", last(&board["height"])),
        ("PlacedTile", "/properties/x/maximum", last(&board["width"])),
        ("PlacedTile", "/properties/y/maximum", last(&board["height"])),
        ("Line", "/properties/index/maximum", last(&board["height"])),
        ("Line", "/properties/points/minimum", data["scoring"]["row"].clone()),
        ("Line", "/properties/points/maximum", data["scoring"]["column_all_windows"].clone()),
        ("MatchResult", "/properties/standing/maxItems", game["players"]["max"].clone()),
        ("MatchResult", "/properties/winners/maxItems", game["players"]["max"].clone()),
        ("Place", "/properties/empty_spaces/maximum", spaces.clone()),
        ("Place", "/properties/rank/maximum", game["players"]["max"].clone()),
        ("PlayerForm", "/properties/hand/maxItems", cards.clone()),
        ("PlayerForm", "/properties/tiles/maxItems", spaces),
        ("PositionForm", "/properties/coats/maximum", coats.clone()),
        ("PositionForm", "/properties/deck/maxItems", cards.clone()),
        ("PositionForm", "/properties/discard/maxItems", cards),
        ("PositionForm", "/properties/harbor/minItems", game["harbor_slots"].clone()),
        ("PositionForm", "/properties/harbor/maxItems", game["harbor_slots"].clone()),
        ("PositionForm", "/properties/players/minItems", game["players"]["min"].clone()),
        ("PositionForm", "/properties/players/maxItems", game["players"]["max"].clone()),
        ("View", "/properties/coats/maximum", coats),
        ("View", "/properties/harbor/maxItems", game["harbor_slots"].clone()),
    ] {
        let schema = &schemas[&format!("Copenhagen{name}")];
        assert_eq!(schema.pointer(bound), Some(&printed), "{name} {bound}");
    }
}

//! The constants of the program are the printed data.

use std::sync::LazyLock;

use kernel::Game;
use serde_json::{Value, json};
use testkit::{Dice, Walk};
use voluspa::{Tile, Voluspa};

pub(crate) fn data() -> &'static Value {
    static DATA: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(voluspa::GAME.data().get()).unwrap());
    &DATA
}

pub(crate) fn kinds() -> &'static Vec<Value> {
    data()["tiles"].as_array().unwrap()
}

/// The first event of a match, which has all its contents.
fn started(options: Value, seats: u8) -> Vec<Value> {
    let options = serde_json::from_value(options).unwrap();
    let events = Walk::<Voluspa>::new(options, seats, Dice::new(1)).events;
    events.iter().map(|event| serde_json::to_value(event).unwrap()).collect()
}

#[test]
fn tiles_have_their_printed_order_values_and_numbers() {
    assert_eq!(kinds().len(), Tile::ALL.len());
    for (tile, kind) in Tile::ALL.into_iter().zip(kinds()) {
        assert_eq!(json!(tile), kind["type"]);
        assert_eq!(json!(tile.copies()), kind["count"], "{tile}");
        let value = kind.get("value").expect("it is there, null for Hel");
        if tile == Tile::Hel {
            assert!(value.is_null(), "Hel has no value");
        } else {
            assert_eq!(json!(tile.printed()), *value, "{tile}");
        }
    }
}

#[test]
fn each_set_has_its_types_and_all_their_tiles() {
    let data = data();
    for (set, printed) in data["sets"].as_object().unwrap() {
        for bolts in [false, true] {
            let events = started(json!({"set": set, "lightning_bolt": bolts}), 2);
            let in_match = |kind: &Value| {
                kind["module"] == "base"
                    || printed["types"].as_array().unwrap().contains(&kind["type"])
                    || bolts && kind["module"] == "lightning_bolt"
            };
            let kinds: Vec<&Value> = kinds().iter().filter(|kind| in_match(kind)).collect();
            let names: Vec<&Value> = kinds.iter().map(|kind| &kind["type"]).collect();
            assert_eq!(events[0]["tile_types"], json!(names), "{set}");
            let mut pile = Vec::new();
            for kind in kinds.iter().filter(|kind| kind["type"] != "hel") {
                let count = usize::try_from(kind["count"].as_u64().unwrap()).unwrap();
                pile.extend(std::iter::repeat_n(&kind["type"], count));
            }
            assert_eq!(events[0]["pile"], json!(pile), "{set}");
            let tokens = &data["boosters"]["tokens"];
            let tokens = if names.contains(&&json!("freya")) { tokens } else { &json!([]) };
            assert_eq!(events[0]["boosters"], *tokens, "{set}");
        }
    }
}

#[test]
fn seats_hands_and_hel_are_as_printed() {
    let data = data();
    let seats = &Voluspa::INFO.seats;
    assert_eq!(json!({"min": seats.start(), "max": seats.end()}), data["seats"]);
    for (seats, hels) in data["hel_per_seat"].as_object().unwrap() {
        let seats: u8 = seats.parse().unwrap();
        let events = started(json!({"set": "saga_of_edda"}), seats);
        let of_type = |name: &str| {
            events.iter().filter(|event| event["type"] == name).cloned().collect::<Vec<_>>()
        };
        let dealt: Vec<Value> = (0..seats)
            .map(|seat| json!({"type": "HelDealt", "seat": seat, "count": hels}))
            .collect();
        assert_eq!(of_type("HelDealt"), dealt);
        let drawn = of_type("TileDrawn").len() as u64;
        assert_eq!(json!(drawn), json!(u64::from(seats) * data["hand_limit"].as_u64().unwrap()));
    }
    assert_eq!(data["line_limit"], 7, "the rule cases of V-305 are about seven tiles");
    assert_eq!(
        data["start_tile_excluded"],
        json!(["troll"]),
        "the test of the draws is about Trolls"
    );
}

#[test]
fn a_position_holds_at_most_the_printed_number_of_each_tile() {
    let table = include_str!("../cases/table.json");
    for kind in kinds() {
        let count = usize::try_from(kind["count"].as_u64().unwrap()).unwrap();
        let with = |more: usize| {
            let mut position: Value = serde_json::from_str(table).unwrap();
            position["board"][0]["tile"] = json!("valkyrie");
            position["players"][0]["hand"] = json!(["odin"]);
            position["players"][1]["hand"] = json!([]);
            let own = match kind["type"].as_str().unwrap() {
                "valkyrie" | "odin" => 1,
                _ => 0,
            };
            position["discard"] = json!(vec![kind["type"].clone(); count + more - own]);
            let text = serde_json::to_string(&position).unwrap();
            let raw = serde_json::value::RawValue::from_string(text).unwrap();
            voluspa::GAME.load(&raw, kernel::newest::<Voluspa>()).map(drop)
        };
        assert_eq!(with(0), Ok(()), "{kind}");
        assert_eq!(with(1).map_err(|refusal| refusal.rule.0), Err("V-109"), "{kind}");
    }
}

#[test]
fn a_stored_match_is_read_whatever_it_began_with() {
    let mut position: Value = serde_json::from_str(include_str!("../cases/table.json")).unwrap();
    position["players"][0]["hand"] = json!(["odin"]);
    let cell = |x: i64| json!({"x": x, "y": 0, "tile": "odin", "boost": 0});
    position["board"] = (0..200).map(|place| cell(20_000 * place)).collect();
    let text = serde_json::to_string(&position).unwrap();
    let raw = serde_json::value::RawValue::from_string(text).unwrap();
    let refused = voluspa::GAME.load(&raw, kernel::newest::<Voluspa>()).map(drop).unwrap_err();
    assert_eq!(refused.rule.0, "V-109");
    let restored = voluspa::GAME.restore(&raw, None).map(|state| state.legal_count());
    assert_eq!(restored.unwrap(), 800, "an Odin fits beside each of the 200");
}

#[test]
fn chosen_values_are_marked_and_keep_the_known_bounds() {
    let kinds = kinds();
    let value =
        |name: &Value| kinds.iter().find(|kind| kind["type"] == *name).unwrap()["value"].as_i64();
    let mut chosen = Vec::new();
    for kind in kinds {
        if kind["sources"]["value"] != "choice" {
            assert!(kind["bounds"].is_null(), "{kind}");
            continue;
        }
        chosen.push(kind["type"].as_str().unwrap());
        let own = kind["value"].as_i64();
        assert!(own > kind["bounds"]["above"].as_i64(), "{kind}");
        assert!(
            kind["bounds"]["below"].as_array().unwrap().iter().all(|other| own < value(other)),
            "{kind}"
        );
    }
    assert_eq!(chosen, ["hermod", "jotunn", "sea_serpent", "lightning_bolt"]);
    let bounds =
        |name: &str| kinds.iter().find(|kind| kind["type"] == name).unwrap()["bounds"].clone();
    assert_eq!(bounds("hermod"), json!({"above": 0, "below": ["troll", "sea_serpent"]}));
    assert_eq!(bounds("sea_serpent"), json!({"above": 2, "below": []}));
}

#[test]
fn sets_have_their_printed_titles() {
    let titles = [
        ("saga_of_edda", "Saga of Edda"),
        ("in_the_order_of_the_gods", "Order of the Gods"),
        ("king_of_giants", "King of the Giants"),
        ("awakening_of_the_serpents", "Rise of the Serpents"),
        ("master_of_ravens", "Master of Ravens"),
    ];
    let (data, words) = (data(), include_str!("../../words/en.toml"));
    assert_eq!(data["sets"].as_object().unwrap().len(), 1 + titles.len());
    for (id, title) in titles {
        assert_eq!(data["sets"][id]["title"], title);
        assert!(words.contains(&format!("{id} = \"{title}\"")), "the words say {title}");
        assert!(include_str!("../../RULES.md").contains(&format!("| `{id}` | {title} |")));
    }
}

/// Each bound of a schema that is a printed number.
#[test]
fn schemas_have_the_printed_bounds() {
    let (data, schemas) = (data(), voluspa::GAME.schemas().components);
    let sum =
        |key: &str| kinds().iter().map(|kind| kind[key].as_u64().unwrap_or_default()).sum::<u64>();
    let tokens = data["boosters"]["tokens"].as_array().unwrap();
    let highest = tokens.last().unwrap().as_u64().unwrap();
    let least = kinds().iter().filter_map(|kind| kind["value"].as_u64()).min().unwrap();
    for (schema, bound, printed) in [
        ("VoluspaTiles", "/maxItems", json!(sum("count"))),
        ("VoluspaTileSet", "/maxItems", json!(kinds().len())),
        ("VoluspaTokens", "/maxItems", json!(tokens.len())),
        ("VoluspaPosition", "/properties/seats/minimum", data["seats"]["min"].clone()),
        ("VoluspaPosition", "/properties/seats/maximum", data["seats"]["max"].clone()),
        ("VoluspaPosition", "/properties/players/minItems", data["seats"]["min"].clone()),
        ("VoluspaPosition", "/properties/players/maxItems", data["seats"]["max"].clone()),
        ("VoluspaPosition", "/properties/board/maxItems", json!(sum("count"))),
        ("VoluspaPosition", "/properties/boost/maximum", json!(highest - least)),
        ("VoluspaBoardCell", "/properties/boost/maximum", json!(highest - least)),
        ("VoluspaView", "/properties/seats/minimum", data["seats"]["min"].clone()),
        ("VoluspaView", "/properties/seats/maximum", data["seats"]["max"].clone()),
        ("VoluspaPlace", "/properties/rank/maximum", data["seats"]["max"].clone()),
    ] {
        assert_eq!(schemas[schema].pointer(bound), Some(&printed), "{schema} {bound}");
    }
}

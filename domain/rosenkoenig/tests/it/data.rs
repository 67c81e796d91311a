//! The printed data say what the program says.

use rosenkoenig::{CENTRE, Card, DIRECTIONS, HAND_MAX, HEIGHT, HEROES, STONES, WIDTH};
use serde_json::{Value, json};

fn printed() -> Value {
    let table: toml::Table = include_str!("../../data/rosenkoenig.toml").parse().unwrap();
    serde_json::to_value(table).unwrap()
}

#[test]
fn board_stones_heroes_and_hands() {
    let data = printed();
    assert_eq!(data["board"]["width"], json!(WIDTH));
    assert_eq!(data["board"]["height"], json!(HEIGHT));
    assert_eq!(data["board"]["crown_start"], json!(CENTRE));
    assert_eq!(data["stones"]["total"], json!(STONES));
    assert_eq!(data["heroes"]["per_seat"], json!(HEROES));
    assert_eq!(data["hand"], json!({"start": HAND_MAX, "max": HAND_MAX}));
}

#[test]
fn directions_and_cards_in_card_order() {
    let data = printed();
    let printed = data["direction"].as_array().unwrap();
    assert_eq!(printed.len(), DIRECTIONS.len());
    for (printed, direction) in printed.iter().zip(DIRECTIONS) {
        assert_eq!(printed["id"], direction.id);
        assert_eq!([&printed["dx"], &printed["dy"]], [direction.dx, direction.dy]);
        let opposite =
            DIRECTIONS.iter().find(|d| (d.dx, d.dy) == (-direction.dx, -direction.dy)).unwrap();
        assert_eq!(printed["white_sees"], opposite.id, "R-11: turned by 180 degrees");
    }
    assert_eq!(data["cards"]["ids"], json!(Card::ALL));
    let spoken: Vec<String> = Card::ALL.iter().map(Card::to_string).collect();
    assert_eq!(data["cards"]["ids"], json!(spoken));
}

#[test]
fn options_have_the_printed_defaults_and_values() {
    let game = rosenkoenig::GAME;
    let setup = |options: &Value| {
        game.setup(
            &crate::against_oracle::raw(options),
            2,
            game.info().newest(),
            &mut testkit::Dice::new(1),
        )
        .unwrap()
        .state
        .position()
    };
    let data = printed();
    let defaults: Value = serde_json::from_str(setup(&json!({})).get()).unwrap();
    let options = data["options"].as_object().unwrap();
    assert_eq!(defaults["options"].as_object().unwrap().len(), options.len());
    for (name, option) in options {
        assert_eq!(defaults["options"][name], option["default"], "{name}");
        for value in option["values"].as_array().unwrap() {
            let position: Value = serde_json::from_str(setup(&json!({name: value})).get()).unwrap();
            assert_eq!(&position["options"][name], value);
        }
    }
}

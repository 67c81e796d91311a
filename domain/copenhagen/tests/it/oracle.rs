//! The rules once more, naive and straight from the text: grids of characters, vectors, JSON values.
//!
//! It shares nothing with the game but the printed data in TOML and the JSON of positions and commands. It decides what is
//! refused and by which rule, lists what is legal by trying everything, and says what the position is afterwards.

mod facade;
mod refusal;
mod turn;

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) use facade::Facade;

pub(crate) const COLORS: [&str; 5] = ["red", "yellow", "green", "blue", "purple"];
pub(crate) const ABILITIES: [&str; 5] =
    ["any_cards", "additional_card", "construction_discount", "change_of_colors", "both_actions"];

/// A kind of tile as printed.
#[derive(Deserialize)]
pub(crate) struct Kind {
    pub(crate) id: String,
    pub(crate) color: Option<String>,
    #[serde(rename = "shape")]
    pub(crate) rows: Vec<String>,
    pub(crate) canonical_orientations: Vec<u64>,
}

/// What the oracle reads of the printed data.
#[derive(Deserialize)]
struct Printed {
    tiles: Vec<Kind>,
    special_tile: Kind,
}

/// The oracle: it knows the printed tiles.
pub(crate) struct Oracle {
    pub(crate) kinds: Vec<Kind>,
}

impl Oracle {
    pub(crate) fn new() -> Self {
        let data = toml::from_str(include_str!("../../data/copenhagen.toml"));
        let Printed { tiles: mut kinds, special_tile } = data.expect("the data are TOML");
        kinds.push(special_tile);
        Oracle { kinds }
    }

    pub(crate) fn kind(&self, id: &str) -> &Kind {
        self.kinds.iter().find(|kind| kind.id == id).expect("a kind of tile")
    }

    /// All legal commands, found by trying everything that has the form of a command.
    pub(crate) fn legal(&self, position: &Value) -> BTreeSet<String> {
        let mut all = Vec::new();
        all.extend((0..7).map(|slot| json!({"type": "TakeCard", "slot": slot})));
        all.extend(
            ["EndTaking", "EndTurn", "ReactivateAbilities"].map(|name| json!({"type": name})),
        );
        all.extend(COLORS.map(|color| json!({"type": "DiscardCard", "color": color})));
        all.extend(ABILITIES.map(|ability| json!({"type": "TakeAbility", "ability": ability})));
        for (x, y) in places() {
            all.push(json!({"type": "PlaceSpecialTile", "x": x, "y": y}));
        }
        all.retain(|command| self.refused(position, command).is_none());
        let mut legal: BTreeSet<String> = all.iter().map(Value::to_string).collect();
        if position["phase"] == "action" || position["phase"] == "build" {
            self.add_buildings(position, &mut legal);
        }
        legal
    }

    /// Every tile in every orientation at every place, with everything that the hand can pay.
    fn add_buildings(&self, position: &Value, legal: &mut BTreeSet<String>) {
        let board = Facade::of(self, &active(position)["tiles"]);
        let payments = parts(&active(position)["hand"]);
        for kind in self.kinds.iter().filter(|kind| kind.color.is_some()) {
            for orientation in 0..8 {
                for (x, y) in places() {
                    let command = json!({"type": "PlaceTile", "tile": kind.id, "orientation": orientation,
                                         "x": x, "y": y, "payment": []});
                    // Where the tile cannot lie no payment helps; and the other way round.
                    if self.cannot_lie(position, &board, &command).is_some() {
                        continue;
                    }
                    let price = self.price(&board, &command);
                    for payment in &payments {
                        if self.cannot_pay(position, &command, price, payment).is_none() {
                            let mut command = command.clone();
                            command["payment"] = json!(payment);
                            legal.insert(command.to_string());
                        }
                    }
                }
            }
        }
    }
}

pub(crate) fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..9).flat_map(|y| (0..5).map(move |x| (x, y)))
}

/// The player to act.
pub(crate) fn active(position: &Value) -> &Value {
    &position["players"][position["active_seat"].as_u64().expect("a seat is to act") as usize]
}

pub(crate) fn words(list: &Value) -> Vec<String> {
    let words = list.as_array().expect("a list").iter();
    words.map(|word| word.as_str().expect("a word").to_owned()).collect()
}

/// All sorted selections of at most 5 cards of a sorted hand, each once.
fn parts(hand: &Value) -> BTreeSet<Vec<String>> {
    let hand = words(hand);
    let chosen = |set: u32| {
        (0..hand.len()).filter(|i| set & (1 << i) != 0).map(|i| hand[i].clone()).collect()
    };
    (0..1u32 << hand.len()).filter(|set| set.count_ones() <= 5).map(chosen).collect()
}

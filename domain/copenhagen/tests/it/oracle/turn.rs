//! The position after a command (sections 3 to 9), given what the draws bring.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::facade::Facade;
use super::{ABILITIES, COLORS, Oracle, active, words};

/// What was drawn, with the candidates of each draw.
type Draws = VecDeque<(Vec<Value>, Value)>;

impl Oracle {
    /// The position afterwards. The command is legal; `draws` must fit exactly.
    pub(crate) fn next(&self, position: &Value, command: &Value, mut draws: Draws) -> Value {
        let mut after = position.clone();
        match command["type"].as_str().expect("a type") {
            "TakeCard" => self.take(&mut after, command, &mut draws),
            "EndTaking" => self.taken(&mut after, &mut draws),
            "DiscardCard" => {
                pay(&mut after, &words(&json!([command["color"]])));
                self.taken(&mut after, &mut draws);
            }
            "PlaceTile" => {
                self.use_up(&mut after, command);
                pay(&mut after, &words(&command["payment"]));
                self.place(&mut after, command, &mut draws);
            }
            "EndTurn" => self.end(&mut after, &mut draws),
            "PlaceSpecialTile" => {
                let mut placed = command.clone();
                (placed["tile"], placed["orientation"]) = (json!("special"), json!(0));
                add(&mut after["coats"], -1);
                self.place(&mut after, &placed, &mut draws);
            }
            "TakeAbility" => {
                player(&mut after)["abilities"][command["ability"].as_str().expect("a name")] =
                    json!("active");
                add(&mut after["coats"], -1);
                self.coats(&mut after, &mut draws);
            }
            _ => {
                for ability in ABILITIES {
                    let state = &mut player(&mut after)["abilities"][ability];
                    if *state == "used" {
                        *state = json!("active");
                    }
                }
                add(&mut after["coats"], -1);
                self.coats(&mut after, &mut draws);
            }
        }
        assert!(draws.is_empty(), "the game drew more than the rules do: {draws:?}");
        after
    }

    fn take(&self, after: &mut Value, command: &Value, draws: &mut Draws) {
        let slot = command["slot"].as_u64().expect("a number") as usize;
        let first = after["harbor"].as_array().expect("a list").iter().position(Value::is_null);
        let color = after["harbor"][slot].take();
        let hand = &mut player(after)["hand"];
        hand.as_array_mut().expect("a list").push(color);
        sort(hand);
        match after["phase"].as_str().expect("a phase") {
            "action" => after["phase"] = json!("second_card"),
            "second_card" => {
                if first.expect("one slot is empty").abs_diff(slot) != 1 {
                    player(after)["abilities"]["any_cards"] = json!("used");
                }
                if active(after)["abilities"]["additional_card"] == "active" {
                    after["phase"] = json!("third_card");
                } else {
                    self.taken(after, draws);
                }
            }
            _ => {
                player(after)["abilities"]["additional_card"] = json!("used");
                self.taken(after, draws);
            }
        }
    }

    fn taken(&self, after: &mut Value, draws: &mut Draws) {
        if words(&active(after)["hand"]).len() > 7 {
            after["phase"] = json!("discard");
        } else if active(after)["abilities"]["both_actions"] == "active" {
            after["phase"] = json!("build");
        } else {
            self.end(after, draws);
        }
    }

    /// C-708.
    fn use_up(&self, after: &mut Value, command: &Value) {
        let payment = words(&command["payment"]);
        let price = self.price(&Facade::of(self, &active(after)["tiles"]), command);
        let color = self.kind(command["tile"].as_str().expect("an id")).color.clone();
        let build = after["phase"] == "build";
        let abilities = &mut player(after)["abilities"];
        if payment.len() < price {
            abilities["construction_discount"] = json!("used");
        }
        if payment.iter().any(|card| Some(card) != color.as_ref()) {
            abilities["change_of_colors"] = json!("used");
        }
        if build {
            abilities["both_actions"] = json!("used");
        }
    }

    fn place(&self, after: &mut Value, placed: &Value, draws: &mut Draws) {
        let before = Facade::of(self, &active(after)["tiles"]);
        let (tile, orientation) = (&placed["tile"], &placed["orientation"]);
        let on_board =
            json!({"tile": tile, "orientation": orientation, "x": placed["x"], "y": placed["y"]});
        player(after)["tiles"].as_array_mut().expect("a list").push(on_board);
        add(&mut after["supply"][tile.as_str().expect("an id")], -1);
        let now = Facade::of(self, &active(after)["tiles"]);
        player(after)["score"] = json!(now.score());
        if now.score() >= 12 {
            return self.finish(after, "twelve_points");
        }
        let count = |facade: &Facade| {
            let (cells, rows) = facade.coats();
            i64::try_from(cells.len() + rows.len()).expect("a few")
        };
        add(&mut after["coats"], count(&now) - count(&before));
        self.coats(after, draws);
    }

    fn coats(&self, after: &mut Value, draws: &mut Draws) {
        let states: Vec<&Value> =
            active(after)["abilities"].as_object().expect("an object").values().collect();
        let possible = after["supply"]["special"] != 0
            || states.iter().any(|state| state.is_null())
            || states.iter().any(|state| **state == "used");
        if after["coats"] != 0 && possible {
            after["phase"] = json!("coat_of_arms");
        } else {
            after["coats"] = json!(0);
            self.end(after, draws);
        }
    }

    fn end(&self, after: &mut Value, draws: &mut Draws) {
        for slot in 0..7 {
            if !after["harbor"][slot].is_null() {
                continue;
            }
            if words(&after["deck"]).is_empty() && after["end_card"] == "aside" {
                after["deck"] = after["discard"].take();
                after["discard"] = json!([]);
                after["end_card"] = json!("deck");
            }
            let mut candidates = after["deck"].as_array().expect("a list").clone();
            if after["end_card"] == "deck" && candidates.len() <= 9 {
                candidates.push(json!("end_card"));
            }
            let (from, drawn) = draws.pop_front().expect("the game draws as often as the rules do");
            assert_eq!(from, candidates, "the candidates of a draw");
            if drawn == "end_card" {
                after["end_card"] = json!("revealed");
                return self.finish(after, "end_card");
            }
            let deck = after["deck"].as_array_mut().expect("a list");
            deck.remove(
                deck.iter().position(|card| *card == drawn).expect("the card is in the deck"),
            );
            after["harbor"][slot] = drawn;
        }
        let seats = after["players"].as_array().expect("a list").len() as u64;
        after["active_seat"] = json!((after["active_seat"].as_u64().expect("a seat") + 1) % seats);
        add(&mut after["turn"], 1);
        after["phase"] = json!("action");
    }

    /// C-905, C-906.
    fn finish(&self, after: &mut Value, reason: &str) {
        let players = after["players"].as_array().expect("a list");
        let key = |player: &Value| {
            let empty = Facade::of(self, &player["tiles"]).empty_spaces();
            let tie = if reason == "end_card" { empty } else { 0 };
            (-player["score"].as_i64().expect("a number"), tie)
        };
        let keys: Vec<(i64, usize)> = players.iter().map(key).collect();
        let mut standing = Vec::new();
        for rank in 1..=players.len() {
            for (seat, player) in players.iter().enumerate() {
                if 1 + keys.iter().filter(|key| **key < keys[seat]).count() == rank {
                    let empty = Facade::of(self, &player["tiles"]).empty_spaces();
                    standing.push(json!({"seat": seat, "rank": rank, "score": player["score"], "empty_spaces": empty}));
                }
            }
        }
        let first = standing.iter().filter(|place| place["rank"] == 1);
        let winners: Vec<&Value> = first.map(|place| &place["seat"]).collect();
        after["result"] = json!({"reason": reason, "winners": winners, "standing": standing});
        after["phase"] = json!("finished");
        after["active_seat"] = Value::Null;
        after["coats"] = json!(0);
    }
}

fn player(position: &mut Value) -> &mut Value {
    let seat = position["active_seat"].as_u64().expect("a seat is to act") as usize;
    &mut position["players"][seat]
}

fn add(number: &mut Value, more: i64) {
    *number = json!(number.as_i64().expect("a number") + more);
}

fn sort(cards: &mut Value) {
    let order = |card: &Value| COLORS.iter().position(|color| card == color);
    cards.as_array_mut().expect("a list").sort_by_key(order);
}

/// Cards go from the hand to the discard.
fn pay(position: &mut Value, cards: &[String]) {
    for card in cards {
        let hand = player(position)["hand"].as_array_mut().expect("a list");
        let index = hand.iter().position(|have| have == card).expect("the card is in the hand");
        let card = hand.remove(index);
        position["discard"].as_array_mut().expect("a list").push(card);
    }
    sort(&mut position["discard"]);
}

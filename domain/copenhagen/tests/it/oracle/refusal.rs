//! The first rule that a command breaks (C-306 and section 4), for commands of the right form.

use serde_json::{Value, json};

use super::facade::{self, Facade};
use super::{Oracle, active, words};

impl Oracle {
    /// The first broken rule, or none.
    pub(crate) fn refused(&self, position: &Value, command: &Value) -> Option<&'static str> {
        let kind = command["type"].as_str().expect("a type");
        let phase = position["phase"].as_str().expect("a phase");
        if phase == "finished" {
            return Some("C-301");
        }
        let phases: &[&str] = match kind {
            "TakeCard" => &["action", "second_card", "third_card"],
            "EndTaking" => &["third_card"],
            "DiscardCard" => &["discard"],
            "PlaceTile" => &["action", "build"],
            "EndTurn" => &["build"],
            _ => &["coat_of_arms"],
        };
        if !phases.contains(&phase) {
            return Some("C-303");
        }
        let player = active(position);
        let board = Facade::of(self, &player["tiles"]);
        match kind {
            "TakeCard" => self.cannot_take(position, command),
            "DiscardCard" => (!words(&player["hand"])
                .contains(&words(&json!([command["color"]]))[0]))
            .then_some("C-407"),
            "PlaceTile" => self.cannot_lie(position, &board, command).or_else(|| {
                let price = self.price(&board, command);
                self.cannot_pay(position, command, price, &words(&command["payment"]))
            }),
            "PlaceSpecialTile" => {
                let mut placed = command.clone();
                placed["tile"] = json!("special");
                let rule = self.cannot_lie(position, &board, &placed);
                if rule == Some("C-502") { Some("C-603") } else { rule }
            }
            "TakeAbility" => {
                let owned =
                    !player["abilities"][command["ability"].as_str().expect("a name")].is_null();
                owned.then_some("C-604")
            }
            "ReactivateAbilities" => {
                let abilities = player["abilities"].as_object().expect("an object");
                (!abilities.values().any(|state| state == "used")).then_some("C-605")
            }
            _ => None,
        }
    }

    fn cannot_take(&self, position: &Value, command: &Value) -> Option<&'static str> {
        let slot = command["slot"].as_i64().expect("a number");
        let harbor = position["harbor"].as_array().expect("a list");
        if harbor[slot as usize].is_null() {
            return Some("C-404");
        }
        let first = harbor.iter().position(Value::is_null).map(|first| first as i64);
        let far = position["phase"] == "second_card"
            && first.is_some_and(|first| first != slot - 1 && first != slot + 1);
        (far && active(position)["abilities"]["any_cards"] != "active").then_some("C-402")
    }

    /// Why a tile cannot lie there (C-502 to C-506).
    pub(crate) fn cannot_lie(
        &self,
        position: &Value,
        board: &Facade,
        placed: &Value,
    ) -> Option<&'static str> {
        let kind = self.kind(placed["tile"].as_str().expect("an id"));
        if position["supply"][&kind.id] == 0 {
            return Some("C-502");
        }
        if !kind.is_canonical(placed["orientation"].as_u64().unwrap_or(0)) {
            return Some("C-503");
        }
        let squares = facade::at(kind, placed);
        if squares.iter().any(|(x, y, _)| board.fill(*x, *y).is_none()) {
            return Some("C-504");
        }
        if squares.iter().any(|(x, y, _)| board.fill(*x, *y) != Some('.')) {
            return Some("C-505");
        }
        let supported =
            |(x, y, _): &(i64, i64, char)| *y == 8 || board.fill(*x, y + 1) != Some('.');
        (!squares.iter().any(supported)).then_some("C-506")
    }

    /// Why a tile that can lie there and has this price cannot be paid so (C-508 to C-510).
    pub(crate) fn cannot_pay(
        &self,
        position: &Value,
        placed: &Value,
        price: usize,
        payment: &[String],
    ) -> Option<&'static str> {
        let player = active(position);
        let mut hand = words(&player["hand"]);
        for card in payment {
            let Some(index) = hand.iter().position(|have| have == card) else {
                return Some("C-508");
            };
            hand.remove(index);
        }
        let kind = self.kind(placed["tile"].as_str().expect("an id"));
        let color = kind.color.as_deref().expect("a facade tile has a color");
        let mut others: Vec<&String> = payment.iter().filter(|card| *card != color).collect();
        others.dedup();
        let most = if player["abilities"]["change_of_colors"] == "active" { 1 } else { 0 };
        if others.len() > most {
            return Some("C-509");
        }
        let discount = player["abilities"]["construction_discount"] == "active";
        let enough = payment.len() == price || (discount && payment.len() + 1 == price);
        (!enough).then_some("C-510")
    }

    /// The number of cards without the discount (C-507).
    pub(crate) fn price(&self, board: &Facade, placed: &Value) -> usize {
        let kind = self.kind(placed["tile"].as_str().expect("an id"));
        let squares = facade::at(kind, placed);
        let touches = board.touches(&squares, kind.color.as_deref().expect("a color"));
        squares.len() - usize::from(touches)
    }
}

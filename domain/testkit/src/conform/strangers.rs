//! Commands that nobody listed.

use std::collections::BTreeSet;

use kernel::Game;
use serde_json::{Value, json};

use super::{Play, decide, text_of};
use crate::Dice;
use crate::pointers::pointers_to;

impl<G: Game> Play<'_, G> {
    /// A command that may not be listed: then it is refused, with a rule, and nothing changes.
    pub(super) fn check_stranger(
        &mut self,
        position: &G::Position,
        listed: &BTreeSet<String>,
        stranger: Value,
    ) {
        let name = &self.name;
        let Ok(command) = serde_json::from_str::<G::Command>(&stranger.to_string()) else { return };
        if listed.contains(&text_of(&command)) {
            return;
        }
        let (mut after, mut events, mut dice) = (position.clone(), Vec::new(), self.dice.clone());
        let Err(refusal) = decide::<G>(&mut after, &mut events, &mut dice, &command) else {
            panic!("{name}: {command:?} is not listed, but accepted in {position:?}");
        };
        assert!(self.rules.contains(refusal.rule.0), "{name}: {refusal} quotes an unknown rule");
        assert!(!refusal.reason.is_empty(), "{name}: {command:?} is refused without a reason");
        assert!(
            events.is_empty() && after == *position,
            "{name}: {command:?} is refused, but changes something"
        );
        assert_eq!(dice.draws(), self.dice.draws(), "{name}: {command:?} is refused, but draws");
    }
}

/// One scalar of the command changed: a number moved or made huge, a boolean turned, a null or text replaced. Or one of its lists, if it has any:
/// shuffled, or cut off.
pub(super) fn mutate(mut command: Value, dice: &mut Dice) -> Value {
    let lists =
        pointers_to(&command, |value| value.as_array().is_some_and(|items| !items.is_empty()));
    if !lists.is_empty() && dice.below(2) == 0 {
        let pointer = dice.of(&lists);
        let items = command.pointer_mut(pointer).and_then(Value::as_array_mut);
        let items = items.expect("the list was found in this value");
        if dice.below(2) == 0 {
            dice.shuffle(items);
        } else {
            items.truncate(dice.below(items.len()));
        }
        return command;
    }
    let pointers = pointers_to(&command, |value| !value.is_array() && !value.is_object());
    let pointer = dice.of(&pointers);
    let scalar = command.pointer_mut(pointer).expect("the pointer was found in this value");
    let changed = match &*scalar {
        Value::Number(number) => {
            let number = number.as_i64().unwrap_or(0);
            json!(*dice.of(&[
                number + 1,
                number - 1,
                number + 2,
                0,
                7,
                i64::from(i32::MAX),
                i64::from(i32::MIN)
            ]))
        }
        Value::Bool(value) => json!(!value),
        Value::Null => json!(*dice.of(&["left", "red", "ares"])),
        Value::String(text) => {
            let end = text.trim_end_matches(|c: char| c.is_ascii_digit());
            let digit = dice.below(5);
            dice.of(&[json!(format!("{end}{digit}")), Value::Null]).clone()
        }
        Value::Array(_) | Value::Object(_) => unreachable!("only scalars are collected"),
    };
    *scalar = changed;
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_commands_are_shuffled_and_cut_off() {
        let command = json!({"type": "Pay", "cards": ["red", "blue", "green"]});
        let mut dice = Dice::new(1);
        let mut lists = || mutate(command.clone(), &mut dice)["cards"].take();
        let lists: Vec<Value> = (0..1_000).map(|_| lists()).collect();
        for list in [json!(["green", "blue", "red"]), json!(["red", "blue"]), json!([])] {
            assert!(lists.contains(&list), "{list}");
        }
    }
}

//! Commands that nobody listed.

use std::collections::BTreeSet;

use kernel::Game;
use serde_json::{Value, json};

use super::{Play, decide, text_of};
use crate::Dice;
use crate::pointers::pointers_to;

/// Some commands that were listed earlier in a match: of other types, with other words.
pub(super) struct Earlier {
    pub(super) commands: Vec<Value>,
    /// Dice of its own, so that what is tried does not change what is played.
    dice: Dice,
}

impl Earlier {
    /// More than a match of any game has types of commands.
    const MOST: usize = 64;

    pub(super) fn new(seed: u64) -> Self {
        Earlier { commands: Vec::new(), dice: Dice::new(seed) }
    }

    /// Keeps a command, in the place of any other if there are enough.
    pub(super) fn keep(&mut self, command: Value) {
        if self.commands.len() < Self::MOST {
            self.commands.push(command);
        } else {
            self.commands[self.dice.below(Self::MOST)] = command;
        }
    }

    /// Any of them, as it is.
    pub(super) fn any(&mut self) -> Option<Value> {
        let Earlier { commands, dice } = self;
        (!commands.is_empty()).then(|| dice.of(commands).clone())
    }
}

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

/// One scalar of the command changed: a number moved or made huge, a boolean turned, a null or text replaced, also by a word that a field of the same
/// name has in `others`. Or one of its lists, if it has any: shuffled, or cut off.
pub(super) fn mutate(mut command: Value, others: &[Value], dice: &mut Dice) -> Value {
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
    let known = || words(pointer, others).into_iter();
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
        Value::Null => {
            let words = known().map(Value::from).chain(["left", "red", "ares"].map(Value::from));
            dice.of(&words.collect::<Vec<_>>()).clone()
        }
        Value::String(text) => {
            let end = text.trim_end_matches(|c: char| c.is_ascii_digit());
            let digit = dice.below(5);
            let words = known().filter(|word| word != text).map(Value::from);
            let words: Vec<Value> = words.collect();
            // As often a digit or nothing as another word.
            let plain = [json!(format!("{end}{digit}")), Value::Null].into_iter().cycle();
            let plain = plain.take(words.len().max(2));
            dice.of(&plain.chain(words).collect::<Vec<_>>()).clone()
        }
        Value::Array(_) | Value::Object(_) => unreachable!("only scalars are collected"),
    };
    *scalar = changed;
    command
}

/// The words that fields of this name have, each once. A place in a list has the name of the list.
fn words(pointer: &str, others: &[Value]) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for other in others {
        let pointers = pointers_to(other, Value::is_string);
        let same = pointers.iter().filter(|other| name(other) == name(pointer));
        words
            .extend(same.filter_map(|pointer| other.pointer(pointer)?.as_str().map(str::to_owned)));
    }
    words
}

/// The last part of a pointer that is no place in a list.
fn name(pointer: &str) -> Option<&str> {
    pointer.rsplit('/').find(|name| !name.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_fields_of_the_same_name() {
        let command = json!({"type": "Pay", "cards": ["red"]});
        let others =
            [json!({"type": "Sell", "color": "blue"}), json!({"type": "Buy", "cards": ["gold"]})];
        let mut dice = Dice::new(1);
        let mut seen = BTreeSet::new();
        for _ in 0..1_000 {
            let mutated = mutate(command.clone(), &others, &mut dice);
            for pointer in ["/type", "/cards/0"] {
                let word = mutated.pointer(pointer).and_then(Value::as_str);
                seen.extend(word.map(|word| format!("{pointer} {word}")));
            }
        }
        for word in ["/type Sell", "/type Buy", "/cards/0 gold"] {
            assert!(seen.contains(word), "{word}");
        }
        assert!(!seen.iter().any(|word| word.contains("blue")), "{seen:?}");
    }

    #[test]
    fn lists_of_commands_are_shuffled_and_cut_off() {
        let command = json!({"type": "Pay", "cards": ["red", "blue", "green"]});
        let mut dice = Dice::new(1);
        let mut lists = || mutate(command.clone(), &[], &mut dice)["cards"].take();
        let lists: Vec<Value> = (0..1_000).map(|_| lists()).collect();
        for list in [json!(["green", "blue", "red"]), json!(["red", "blue"]), json!([])] {
            assert!(lists.contains(&list), "{list}");
        }
    }
}

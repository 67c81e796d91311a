//! Positions of real play, one for each moment of a game.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use kernel::{AnyGame, AnyMatch, Edition};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::playthrough::play_by;
use crate::{ChooseJson, Dice, Step, check_snapshot};

/// How many matches are looked at until each moment was there.
const MATCHES: u64 = 2_000;

/// Plays matches, as these `choices` do by turns, until each moment of the game was there, takes one position of each, and compares them with the file at `path`
/// ([`check_snapshot`]). The matches have the `options` by turns. An earlier edition is played for the moments that the newer ones do not have, with
/// the options that it has. Of the first match that has a moment the position in the middle of its kind is taken.
///
/// # Panics
/// If a moment is unknown or does not come, a position cannot be loaded, or the file differs.
pub fn fixtures(
    game: &dyn AnyGame,
    options: &[&str],
    choices: &[&ChooseJson],
    path: impl AsRef<Path>,
) {
    let info = game.info();
    let mut found = BTreeMap::new();
    let editions: Vec<Edition> = info.editions().map(|(edition, _)| edition).collect();
    let matches =
        editions.iter().rev().flat_map(|edition| (0..MATCHES).map(move |n| (*edition, n)));
    for (edition, number) in matches {
        if found.len() == info.moments.len() {
            break;
        }
        let mut of = BTreeMap::<&str, Vec<Value>>::new();
        let turn = usize::try_from(number).expect("a small number");
        let choose = choices[turn % choices.len()];
        let options = options[turn / choices.len() % options.len()];
        let (least, most) = (u64::from(*info.seats.start()), u64::from(*info.seats.end()));
        let seats = usize::try_from(least + number % (most + 1 - least)).expect("a few");
        let by = (game, edition);
        let played = play_by(by, options, seats, number, choose, &mut |Step { state, .. }| {
            let moment = state.moment();
            assert!(info.moments.contains(&moment), "{moment} is no moment of {}", info.id);
            if !found.contains_key(moment) {
                let position = serde_json::from_str(state.position().get()).expect("it is JSON");
                of.entry(moment).or_default().push(position);
            }
        });
        assert!(edition != info.newest() || played.is_ok(), "{options}: {played:?}");
        found.extend(of.into_iter().map(|(moment, mut seen)| {
            let middle = seen.len() / 2;
            (moment, (number, seen.swap_remove(middle)))
        }));
    }
    let mut text = "[".to_owned();
    for (at, name) in info.moments.iter().enumerate() {
        let (number, position) = found
            .get(name)
            .unwrap_or_else(|| panic!("no match comes to {name}: {:?}", found.keys()));
        let raw = RawValue::from_string(position.to_string()).expect("it is JSON");
        let state = game.load(&raw, info.newest()).expect("what was played can be loaded");
        assert_eq!(state.moment(), *name);
        let line = json!({"name": name, "match": number, "position": position});
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\n{line}");
    }
    text.push_str("\n]\n");
    check_snapshot(path, &text);
}

/// Chooses any command.
#[must_use]
pub fn uniform(_: &dyn AnyMatch, legal: &[&RawValue], dice: &mut Dice) -> usize {
    dice.below(legal.len())
}

/// Chooses what promises most.
#[must_use]
pub fn greedy(state: &dyn AnyMatch, _: &[&RawValue], dice: &mut Dice) -> usize {
    dice.lean(&state.prospects())
}

//! Random full matches hold the game to the promises of the trait, over seats, maps, ships and short games.

use std::cell::Cell;

use delphi::Delphi;
use delphi::position::{Position, PositionForm, Stage};
use kernel::{Draft, Game, Rule, Seat, Viewer};
use serde_json::{Value, json};
use testkit::leaky::{self, Hides, Leaky};
use testkit::{Conformance, Dice, Walk, conform, leaning};

use crate::conservation::check;

/// Exchanges the faces that the viewer cannot see.
fn exchange_hidden(position: &Position, viewer: Viewer, dice: &mut Dice) -> Position {
    let mut form = PositionForm::from(position.clone());
    let hidden = |island: &delphi::position::IslandForm| {
        !island.revealed && !island.seen_by.iter().any(|seat| viewer.is(*seat))
    };
    let places: Vec<usize> =
        (0..form.islands.len()).filter(|place| hidden(&form.islands[*place])).collect();
    let mut faces: Vec<_> = places.iter().map(|place| form.islands[*place].face).collect();
    dice.shuffle(&mut faces);
    places.iter().zip(faces).for_each(|(place, face)| form.islands[*place].face = face);
    Delphi::admit(form).unwrap()
}

/// D-203: a command that is not due is refused with what is due, by the name that clients know.
fn says_what_is_due(position: &Position) {
    let due = match (position.stage, position.pending.first()) {
        (Stage::Over, _) => return,
        (Stage::Ships, _) => json!("ship"),
        (_, Some(decision)) => serde_json::to_value(decision).unwrap()["kind"].take(),
        (_, None) if position.turn.source.is_some() => json!("action of the source"),
        (_, None) => json!("end of the turn"),
    };
    // Nothing that a seat could ever do at two of these moments.
    let never = match position.stage {
        Stage::Ships => json!({"type": "EndTurn"}),
        Stage::Start | Stage::Upkeep | Stage::Main | Stage::Over => {
            json!({"type": "ChooseShip", "ship": "reverse_4"})
        }
    };
    let never = serde_json::from_value(never).unwrap();
    let (mut position, mut events, mut dice) = (position.clone(), Vec::new(), Dice::new(0));
    let mut draft = Draft::new(&mut position, &mut events, &mut dice);
    let refusal = Delphi::decide(&mut draft, &never).unwrap_err();
    let due = due.as_str().unwrap();
    assert!(
        refusal.rule == Rule("D-203") && refusal.reason.contains(due),
        "{refusal:?}, not {due}"
    );
}

fn play(matches: u64, options: Vec<(Value, u8)>) {
    let finished = Cell::new(0);
    let invariant = |position: &Position| {
        check(position);
        says_what_is_due(position);
        finished.set(finished.get() + u64::from(position.stage == Stage::Over));
    };
    conform::<Delphi>(&Conformance {
        matches,
        options,
        longest: 6_000,
        choose: &leaning::<Delphi>,
        exchange_hidden: &exchange_hidden,
        invariant: &invariant,
    });
    assert!(finished.get() > 0, "matches come to their end");
}

struct FirstFace;

impl Hides for FirstFace {
    type Game = Delphi;
    const HIDDEN: &str = "/islands/0/face";
    const RULE: Rule = Rule("D-202");
}

#[test]
fn leaks_are_found() {
    leaky::are_found::<FirstFace>(&Conformance {
        matches: 4,
        options: vec![(json!({}), 3)],
        longest: 6_000,
        choose: &leaning::<Delphi>,
        exchange_hidden: &exchange_hidden,
        invariant: &check,
    });
}

#[test]
fn a_leaky_game_begins_with_the_same_seat() {
    type Leaking = Leaky<FirstFace, { leaky::IN_VIEWS }>;
    let options = serde_json::from_value(json!({"ships": "choice", "start_seat": 1})).unwrap();
    let position = Walk::<Delphi>::new(options, 3, Dice::new(1)).position;
    assert_ne!(Delphi::active_seat(&position), Delphi::start_seat(&position));
    assert_eq!(Leaking::start_seat(&position), Delphi::start_seat(&position));
}

/// The first turn is that of the start seat, whoever decides something before it; it begins without an event of its own, in any round.
#[test]
fn the_first_turn_is_the_one_that_comes_or_goes_on() {
    let options = serde_json::from_value(json!({"ships": "choice", "start_seat": 1})).unwrap();
    let mut walk = Walk::<Delphi>::new(options, 3, Dice::new(1));
    walk.position.round = 3;
    let mut begun = Vec::new();
    while begun.is_empty() {
        assert_eq!(Delphi::start_seat(&walk.position), Some(Seat(1)), "{:?}", walk.position.stage);
        let mut before = walk.position.clone();
        assert!(walk.next(leaning::<Delphi>).is_some());
        for event in &walk.events {
            begun.extend(Delphi::turn_begun(&before, event));
            Delphi::apply(&mut before, event);
        }
    }
    assert_eq!(begun, [Seat(2)]);
    assert_eq!(Delphi::start_seat(&walk.position), Some(Seat(2)));
}

#[test]
fn matches_of_two_three_and_four_conform() {
    play(4, vec![(json!({}), 2), (json!({}), 3), (json!({"start_seat": 2}), 4)]);
}

#[test]
fn matches_with_chosen_ships_on_other_maps_conform() {
    play(
        3,
        vec![
            (json!({"ships": "choice", "map": "cyclades"}), 4),
            (json!({"ships": "choice", "map": "sporades", "start_seat": 0}), 2),
            (json!({"ships": "choice", "map": "random", "map_seed": 7}), 3),
        ],
    );
}

#[test]
fn short_matches_conform() {
    let option = |fewer: u8| json!({"fewer_tasks": fewer, "map": "random", "colors": ["blue", "red", "green"]});
    play(2, (1..=4).map(|fewer| (option(fewer), 3)).collect());
}

/// A whole match without any check on the way: its number of commands and its last position.
fn match_of(options: &Value, seats: u8, seed: u64) -> (usize, Position) {
    let options = serde_json::from_value(options.clone()).unwrap();
    let mut walk = Walk::<Delphi>::new(options, seats, Dice::new(seed));
    let mut count = 0;
    while count < 6_000 && walk.next(leaning::<Delphi>).is_some() {
        count += 1;
    }
    (count, walk.position)
}

#[test]
fn every_match_of_the_bot_ends() {
    let maps = ["first_journey", "cyclades", "sporades", "random"];
    let mut commands = Vec::new();
    for seed in 0..240u64 {
        let (seats, map) = (2 + (seed % 3) as u8, maps[(seed / 3 % 4) as usize]);
        let ships = if seed % 2 == 0 { "lot" } else { "choice" };
        let options = json!({"map": map, "ships": ships, "fewer_tasks": seed / 12 % 5});
        let (count, position) = match_of(&options, seats, seed);
        assert_eq!(position.stage, Stage::Over, "seed {seed}, {seats} seats, {options}");
        assert!(position.players.iter().any(|player| player.home));
        check(&position);
        commands.push(count);
    }
    commands.sort_unstable();
    let median = commands[commands.len() / 2];
    assert!((150..1_500).contains(&median), "a match has {median} commands");
}

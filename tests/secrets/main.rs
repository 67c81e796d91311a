//! Nobody learns what is hidden: not by an answer, a header, a stream, a refusal, a log line or a metric.
//!
//! What is checked is not what the views leave out, but what anybody can tell apart. Two servers get the same requests; in one of them
//! what a viewer cannot see is exchanged ([`hidden`] says what that is, from the rules alone). Everything that this viewer is answered
//! must be the same to the byte ([`twins`]): each operation of the OpenAPI document with each of its parameters, and the live stream.
//! Beside that, no piece of a seed, a salt, a token or its hash may turn up anywhere ([`traces`]), and no line of a log has a word of what
//! is hidden. `SECRETS_ROUNDS` and `SECRETS_SEED` make it longer and different.

mod afterwards;
mod hidden;
mod questions;
mod traces;
mod twins;
mod world;

use kernel::{AnyGame, Erased, Rule, Viewer};
use serde_json::{Value, json};
use testkit::leaky::{self, Hides, Leaky};
use testkit::{Dice, Nim};

use twins::{Found, compare_many, wander};
use world::House;

/// Asserts that a game of the catalogue keeps its secrets, and that there was something to tell.
#[track_caller]
fn keeps_its_secrets(game: &str, plays: &[(Value, usize)], longest: usize) {
    let rounds = std::env::var("SECRETS_ROUNDS").map_or(4, |n| n.parse().expect("a number"));
    let mut games = catalog::games().iter().copied();
    let game = games.find(|known| known.info().id == game).expect("a game");
    let Found { leaks, compared, commands } =
        compare_many(&House::Program, game, plays, longest, rounds);
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
    assert!(compared > 400 && commands > 0, "{compared} answers, {commands} commands");
}

#[test]
fn rosenkoenig_keeps_its_secrets() {
    let plays = [(json!({}), 2), (json!({"show_draw_pile": true, "start": "random"}), 2)];
    keeps_its_secrets("rosenkoenig", &plays, 40);
}

#[test]
fn voluspa_keeps_its_secrets() {
    let ravens = json!({"set": "master_of_ravens", "lightning_bolt": true});
    let all = json!({"set": "custom", "custom_types": [
        "hel", "hermod", "jotunn", "sea_serpent", "dwarf", "freya", "raven", "niohoggr"
    ]});
    let plays = [(json!({}), 2), (ravens, 4), (all, 5), (json!({}), 3)];
    keeps_its_secrets("voluspa", &plays, 40);
}

#[test]
fn copenhagen_keeps_its_secrets() {
    keeps_its_secrets("copenhagen", &[(json!({}), 2), (json!({}), 3), (json!({}), 4)], 80);
}

#[test]
fn delphi_keeps_its_secrets() {
    let plays = [(json!({}), 2), (json!({"ships": "choice"}), 3), (json!({}), 4)];
    keeps_its_secrets("delphi", &plays, 150);
}

#[test]
fn every_game_of_the_catalogue_is_checked() {
    for game in catalog::games() {
        let (id, seats) = (game.info().id, usize::from(*game.info().seats.start()));
        let mut dice = Dice::new(1);
        // Something may be hidden only later in a match. It panics where a game is not known.
        let hides = (0..20).any(|_| {
            let (position, _) = wander(*game, &json!({}), seats, 40, &mut dice);
            hidden::mask(id, &position, Viewer::Spectator) != position
        });
        assert_ne!(hides, hidden::OPEN.contains(&id), "{id}");
    }
}

struct Luck;

impl Hides for Luck {
    type Game = Nim;
    const HIDDEN: &str = "/lucky";
    const RULE: Rule = Rule("N-11");
}

/// The leaks that are found in a game of this kind.
fn leaks<const LEAK: u8>() -> Vec<String> {
    let game: &'static dyn AnyGame = const { &Erased::<Leaky<Luck, LEAK>>::NEW };
    let games: &'static [&'static dyn AnyGame] = vec![game].leak();
    // Three seats, so that whoever asks is to act within a comparison; and heaps that are low, so that commands are refused.
    compare_many(&House::Here(games), game, &[(json!({"heaps": 5}), 3)], 20, 4).leaks
}

#[test]
fn a_game_that_leaks_is_caught() {
    assert_eq!(leaks::<{ leaky::NOWHERE }>(), [""; 0]);
    for (place, leaks) in [
        ("getView", leaks::<{ leaky::IN_VIEWS }>()),
        ("listEvents", leaks::<{ leaky::IN_EVENTS }>()),
        ("dry_run", leaks::<{ leaky::IN_REFUSALS }>()),
        ("listLegalCommands", leaks::<{ leaky::IN_THE_LIST }>()),
    ] {
        let caught = leaks.iter().any(|leak| leak.contains(place));
        assert!(caught, "the leak in {place} was not found: {leaks:#?}");
    }
}

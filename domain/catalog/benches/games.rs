//! How fast each game is, and what a spectator waits for: the picture of a table with all seats taken, late in a match. Two milliseconds are
//! the most. Names of games measure these alone.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

use canvas::{Scene, Shape, Style, Theme};
use catalog::{ROWS, Row};
use copenhagen::Copenhagen;
use delphi::Delphi;
use kernel::{AnyGame, AnyMatch, Viewer};
use rosenkoenig::Rosenkoenig;
use serde_json::value::RawValue;
use testkit::{Dice, bench, leaning, measure};
use voluspa::Voluspa;

/// Völuspá with everything that there is.
const ALL: &str = r#"{"set": "custom", "custom_types": ["hel", "hermod", "jotunn", "sea_serpent", "dwarf", "freya",
    "raven", "niohoggr"], "lightning_bolt": true}"#;

/// So many commits into a random match, or as far as it goes.
const COMMITS: usize = 400;

fn main() {
    let named = || std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let all = named().next().is_none();
    for row in ROWS.iter().filter(|row| all || named().any(|name| name == row.picture.game)) {
        rules(row.picture.game);
        table(row);
    }
}

fn rules(game: &str) {
    match game {
        "voluspa" => bench::<Voluspa>(ALL, 2, &any),
        "rosenkoenig" => bench::<Rosenkoenig>("{}", 2, &any),
        "copenhagen" => bench::<Copenhagen>("{}", 4, &any),
        // Uniform play would wander about for ever.
        "delphi" => bench::<Delphi>("{}", 4, &leaning::<Delphi>),
        _ => panic!("{game} has no row here"),
    }
}

fn any<P, C>(_: &P, legal: &[C], dice: &mut Dice) -> usize {
    dice.below(legal.len())
}

fn table(row: &Row) {
    let Row { game, picture, options } = row;
    let (state, events) = late(**game, options[0]);
    let view = state.view(Viewer::Spectator);
    let seen = events.iter().map(|event| state.event_view(event, Viewer::Spectator));
    let events: Vec<Box<RawValue>> = seen.collect::<Result<_, _>>().expect("events of the game");
    let names = vec![Some("A name of some length".to_owned()); state.seats()];
    let scene = Scene::new(game.info().title, &view, Viewer::Spectator);
    let scene = Scene { events: &events, names: &names, version: Some(1), ..scene };
    for (name, shape) in [("wide", Shape::Wide), ("tall", Shape::Tall), ("board", Shape::Board)] {
        let style = Style { theme: Theme::Auto, shape };
        let svg = || (picture.svg)(&scene, style).expect("a view of the game");
        let label = format!("{} {name}", picture.game);
        let rate = measure(&label, "pictures", || u64::from(!svg().is_empty()));
        println!("    {:.0} microseconds each, {} bytes", 1e6 / rate, svg().len());
    }
    measure(&format!("{} text", picture.game), "pictures", || {
        let text = (picture.text)(&scene).expect("a view of the game");
        u64::from(!text.is_empty())
    });
}

/// A match with all seats after [`COMMITS`] random commands, with the events of the last one.
fn late(game: &'static dyn AnyGame, options: &str) -> (Box<dyn AnyMatch>, Vec<Box<RawValue>>) {
    let mut dice = Dice::new(1);
    let options = RawValue::from_string(options.to_owned()).expect("an object");
    let seats = usize::from(*game.info().seats.end());
    let started = game.setup(&options, seats, game.info().newest(), &mut dice).expect("defaults");
    let (mut state, mut last) = (started.state, Vec::new());
    for _ in 0..COMMITS {
        let legal: Vec<Box<RawValue>> =
            serde_json::from_str(state.legal_commands().get()).expect("a list");
        if legal.is_empty() {
            break;
        }
        let command = &legal[dice.below(legal.len())];
        let decided = state.decide(command, &mut dice).expect("it is listed");
        last = decided.events.into_iter().map(|seen| seen.full).collect();
        state = decided.state;
    }
    (state, last)
}

//! One seeded match as text, for people.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use kernel::{AnyGame, AnyMatch, Seat, Seen, Viewer};
use serde_json::value::RawValue;

use crate::Dice;

/// Chooses the index of a command from the legal ones, as JSON.
pub type ChooseJson = dyn Fn(&dyn AnyMatch, &[&RawValue], &mut Dice) -> usize;

/// Plays a match by `seed` and writes it down: who was to act, how many commands were legal, the choice, each event, and who sees
/// less of it. `choose` picks the index of a command from the legal ones, as JSON.
///
/// # Panics
/// If the options are refused.
#[must_use]
pub fn playthrough(
    game: &dyn AnyGame,
    options: &str,
    seats: usize,
    seed: u64,
    choose: &ChooseJson,
) -> String {
    let mut dice = Dice::new(seed);
    let raw = RawValue::from_string(options.to_owned()).expect("options are JSON");
    let started = game
        .setup(&raw, seats, game.info().newest(), &mut dice)
        .expect("a playthrough has valid options");
    let mut text =
        format!("{}, {seats} seats, options {options}, seed {seed}\n\nsetup\n", game.info().title);
    let mut state = started.state;
    write_events(&mut text, state.as_ref(), &started.events);
    let mut number = 1;
    while let Some(seat) = state.active_seat() {
        let legal = state.legal_commands();
        let legal: Vec<&RawValue> = serde_json::from_str(legal.get()).expect("a list");
        let command = legal[choose(state.as_ref(), &legal, &mut dice)];
        number += 1;
        let _ = writeln!(text, "\n{number}. seat {seat}, {} legal: {command}", legal.len());
        let decided = state.decide(command, &mut dice).expect("a listed command is accepted");
        write_events(&mut text, decided.state.as_ref(), &decided.events);
        state = decided.state;
    }
    let standing = state.standing().expect("a finished match has a standing");
    let _ = writeln!(
        text,
        "\npoints {:?}\nstanding {standing}\nposition {}",
        state.points(),
        state.position()
    );
    text
}

fn write_events(text: &mut String, state: &dyn AnyMatch, events: &[Seen]) {
    let seats = (0..).take(state.seats()).map(|seat| Viewer::Seat(Seat(seat)));
    let viewers: Vec<Viewer> = seats.chain([Viewer::Spectator]).collect();
    for event in events {
        let _ = writeln!(text, "   {}", event.full);
        for viewer in &viewers {
            let seen = state.event_view(&event.full, *viewer).expect("an event of this game");
            if seen.get() != event.full.get() {
                let viewer = serde_json::to_string(viewer).expect("a viewer has JSON");
                let _ = writeln!(text, "      {viewer} sees {seen}");
            }
        }
    }
}

/// Compares `text` with the file at `path`. With the environment variable `UPDATE_SNAPSHOTS` set it writes the file instead.
///
/// # Panics
/// If they differ: the message names the first line that does.
pub fn check_snapshot(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let kept =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let line = kept.lines().zip(text.lines()).position(|(kept, now)| kept != now);
    let advice = "review the difference, then run again with UPDATE_SNAPSHOTS=1";
    assert!(
        kept == text,
        "{} differs, first at line {:?}; {advice}",
        path.display(),
        line.map(|line| line + 1)
    );
}

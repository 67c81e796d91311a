//! One seeded match, as whoever looks on meets it; and as text, for people.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use kernel::{AnyGame, AnyMatch, Edition, Refusal, Seat, Seen, Viewer};
use serde_json::value::RawValue;

use crate::Dice;

/// Chooses the index of a command from the legal ones, as JSON.
pub type ChooseJson = dyn Fn(&dyn AnyMatch, &[&RawValue], &mut Dice) -> usize;

/// A match, and what happens in it.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// The match after a commit.
    pub state: &'a dyn AnyMatch,
    /// The events of that commit.
    pub events: &'a [Seen],
    /// The seat to act, the number of its legal commands, and the one that is chosen; `None` at the end.
    pub chosen: Option<(Seat, usize, &'a RawValue)>,
}

/// Plays a match by `seed`: `choose` picks the index of a command from the legal ones, as JSON, and `see` is told each step.
///
/// # Panics
/// If the options are refused.
pub fn play(
    game: &dyn AnyGame,
    options: &str,
    seats: usize,
    seed: u64,
    choose: &ChooseJson,
    see: &mut dyn FnMut(Step<'_>),
) {
    let by = (game, game.info().newest());
    play_by(by, options, seats, seed, choose, see).expect("the game is played with valid options");
}

/// The same by an edition of the rules, if it has these options.
pub(crate) fn play_by(
    (game, edition): (&dyn AnyGame, Edition),
    options: &str,
    seats: usize,
    seed: u64,
    choose: &ChooseJson,
    see: &mut dyn FnMut(Step<'_>),
) -> Result<(), Refusal> {
    let mut dice = Dice::new(seed);
    let options = serde_json::from_str(options).expect("options are JSON");
    let started = game.setup(options, seats, edition, &mut dice)?;
    let (mut state, mut events) = (started.state, started.events);
    while let Some(seat) = state.active_seat() {
        let legal = state.legal_commands();
        let legal: Vec<&RawValue> = serde_json::from_str(legal.get()).expect("a list");
        let command = legal[choose(state.as_ref(), &legal, &mut dice)];
        let chosen = Some((seat, legal.len(), command));
        see(Step { state: state.as_ref(), events: &events, chosen });
        let decided = state.decide(command, &mut dice).expect("a listed command is accepted");
        (state, events) = (decided.state, decided.events);
    }
    see(Step { state: state.as_ref(), events: &events, chosen: None });
    Ok(())
}

/// Writes down a match that is [`play`]ed: who was to act, how many commands were legal, the choice, each event, and who sees less of
/// it.
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
    let mut text =
        format!("{}, {seats} seats, options {options}, seed {seed}\n\nsetup\n", game.info().title);
    let mut number = 1;
    play(game, options, seats, seed, choose, &mut |Step { state, events, chosen }| {
        write_events(&mut text, state, events);
        if let Some((seat, legal, command)) = chosen {
            number += 1;
            let _ = writeln!(text, "\n{number}. seat {seat}, {legal} legal: {command}");
            return;
        }
        let standing = state.standing().expect("a finished match has a standing");
        let (points, position) = (state.points(), state.position());
        let _ = writeln!(text, "\npoints {points:?}\nstanding {standing}\nposition {position}");
    });
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

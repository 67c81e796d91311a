//! Stores with finished matches, and exports of them.

use std::path::Path;

use acceptance::{Said, run_on};

/// Plays whole matches into a store.
pub(crate) fn simulate(data: &Path, game: &str, seats: usize, matches: usize, seed: usize) {
    let asked = format!("--game {game} --seats {seats} --matches {matches} --seed {seed}");
    acceptance::simulate(data, &asked);
}

/// A store with three matches of each of three games.
pub(crate) fn three_games(data: &Path) {
    simulate(data, "voluspa", 4, 3, 1);
    simulate(data, "rosenkoenig", 2, 3, 1);
    simulate(data, "copenhagen", 3, 3, 1);
}

/// Runs `muninn export` with more arguments.
pub(crate) fn try_export(data: &Path, out: &Path, more: &[&str]) -> Said {
    let out = out.to_str().expect("text");
    run_on(data, &[&["export", "--out", out], more].concat())
}

/// The same; says what it printed.
#[track_caller]
pub(crate) fn export(data: &Path, out: &Path, more: &[&str]) -> String {
    try_export(data, out, more).ok()
}

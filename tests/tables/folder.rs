//! Stores with finished matches, exports of them, and questions to them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use acceptance::{Said, run_on};
use serde_json::Value;
use tables::Limits;

/// More than a short question needs.
pub(crate) const LIMITS: Limits = Limits {
    time: Duration::from_secs(60),
    rows: 10,
    bytes: 1 << 20,
    memory: 64 << 20,
    files: false,
    gives_way: false,
};

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

/// The rows that answer a question of `examples/analysis/sql`.
#[track_caller]
pub(crate) fn asked(data: &Path, file: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/analysis/sql");
    let text = |file: &str| fs::read_to_string(folder.join(file)).expect("a question");
    // What begins with a hyphen would be a flag.
    let sql = format!("\n{}{}", text("played.sql"), text(file));
    run_on(data, &["query", "--format", "ndjson", "--param", "players=bots", &sql]).lines()
}

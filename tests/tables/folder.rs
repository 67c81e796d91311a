//! Stores with finished matches, and exports of them.

use std::path::Path;
use std::process::Output;

use acceptance::muninn;

/// Plays whole matches into a store.
pub(crate) fn simulate(data: &Path, game: &str, seats: usize, matches: usize, seed: usize) {
    let mut simulate = muninn();
    simulate.args(["simulate", "--game", game, "--keep"]).arg(data);
    for (flag, value) in [("--seats", seats), ("--matches", matches), ("--seed", seed)] {
        simulate.args([flag, &value.to_string()]);
    }
    let output = simulate.output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
}

/// A store with three matches of each of three games.
pub(crate) fn three_games(data: &Path) {
    simulate(data, "voluspa", 4, 3, 1);
    simulate(data, "rosenkoenig", 2, 3, 1);
    simulate(data, "copenhagen", 3, 3, 1);
}

/// Runs `muninn export` with more arguments.
pub(crate) fn try_export(data: &Path, out: &Path, more: &[&str]) -> Output {
    let mut export = muninn();
    export.arg("export").arg("--data").arg(data).arg("--out").arg(out);
    export.args(more).output().expect("the program runs")
}

/// The same; says what it printed.
#[track_caller]
pub(crate) fn export(data: &Path, out: &Path, more: &[&str]) -> String {
    let output = try_export(data, out, more);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

//! Rates for benches: a few rounds of wall time, the median and the spread, beside a piece of work that is always the same.

use std::collections::BTreeMap;
use std::fs::File;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

/// Runs `work` for about a second in each of five rounds after a warm-up, and prints the median, least and greatest rate.
///
/// `work` does one portion and returns how many units it did. Returns the median in units per second. Before each round a fixed piece of
/// work is measured, in turns, so that the ratio of both says the same on a slow machine and a fast one: it is noted as a [`figure`].
pub fn measure(name: &str, unit: &str, mut work: impl FnMut() -> u64) -> f64 {
    const ROUNDS: usize = 5;
    round(Duration::from_millis(200), &mut work);
    let (mut rates, mut references) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        references.push(round(Duration::from_millis(200), &mut reference));
        rates.push(round(Duration::from_secs(1), &mut work));
    }
    rates.sort_by(f64::total_cmp);
    references.sort_by(f64::total_cmp);
    let (median, ratio) = (rates[ROUNDS / 2], rates[ROUNDS / 2] / references[ROUNDS / 2]);
    let (least, greatest) = (rates[0], rates[ROUNDS - 1]);
    let line = format!("{name:<48} {median:>14.0} {unit}/s   ({least:.0} to {greatest:.0})");
    writeln!(io::stdout(), "{line}").expect("a bench can print");
    figure(name, ratio);
    median
}

/// Notes a figure of a bench, as the ratio to something that was measured in the same run: a line of JSON at the end of the file that the
/// variable `BENCH_FIGURES` names. Without the variable nothing happens. `tests/bench_check.py` compares such figures with earlier ones.
///
/// # Panics
/// If the file cannot be written.
pub fn figure(name: &str, ratio: f64) {
    let Some(path) = std::env::var_os("BENCH_FIGURES") else { return };
    let mut file = File::options().create(true).append(true).open(path).expect("a file to write");
    let line = serde_json::json!({"name": name, "ratio": ratio});
    writeln!(file, "{line}").expect("a file to write");
}

/// Portions per second, for at least `length`.
fn round(length: Duration, work: &mut dyn FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let mut units = 0;
    while start.elapsed() < length {
        units += work();
    }
    units as f64 / start.elapsed().as_secs_f64()
}

/// What rates are compared with: texts are written, sorted into a tree and dropped. It is never changed.
fn reference() -> u64 {
    let (mut tree, mut state) = (BTreeMap::new(), 1_u64);
    for number in 0..1000_u64 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        tree.insert(format!("{state:016x}"), number);
    }
    black_box(tree);
    1
}

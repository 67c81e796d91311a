//! Rates for benches: a few rounds of wall time, the median and the spread.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

/// Runs `work` for about a second in each of five rounds after a warm-up, and prints the median, least and greatest rate.
///
/// `work` does one portion and returns how many units it did. Returns the median in units per second.
pub fn measure(name: &str, unit: &str, mut work: impl FnMut() -> u64) -> f64 {
    const ROUNDS: usize = 5;
    let mut round = |length: Duration| {
        let start = Instant::now();
        let mut units = 0;
        while start.elapsed() < length {
            units += work();
        }
        units as f64 / start.elapsed().as_secs_f64()
    };
    round(Duration::from_millis(200));
    let mut rates: Vec<f64> = (0..ROUNDS).map(|_| round(Duration::from_secs(1))).collect();
    rates.sort_by(f64::total_cmp);
    let median = rates[ROUNDS / 2];
    let line = format!(
        "{name:<48} {median:>14.0} {unit}/s   ({:.0} to {:.0})",
        rates[0],
        rates[ROUNDS - 1]
    );
    writeln!(io::stdout(), "{line}").expect("a bench can print");
    median
}

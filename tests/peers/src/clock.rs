//! What a process has used, and spans of time.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

/// User and system time of a process, in seconds; `self` or a number.
pub(crate) fn cpu(process: &str) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("Linux");
    let (_, fields) = stat.rsplit_once(')').expect("a name");
    let fields = fields.split_whitespace().skip(11).take(2);
    fields.map(|ticks| ticks.parse::<f64>().expect("a number") / 100.0).sum()
}

/// Waits `warm` seconds, and counts what is done in the `seconds` after them.
pub(crate) fn span(
    process: &str,
    [warm, seconds]: [f64; 2],
    done: impl Fn() -> u64,
    mut begin: impl FnMut(),
) -> Map<String, Value> {
    thread::sleep(Duration::from_secs_f64(warm));
    begin();
    let (start, used, before) = (Instant::now(), cpu(process), done());
    thread::sleep(Duration::from_secs_f64(seconds));
    let figures = json!({
        "done": done() - before,
        "cpu": cpu(process) - used,
        "seconds": start.elapsed().as_secs_f64(),
    });
    let Value::Object(figures) = figures else { unreachable!("an object was written") };
    figures
}

/// The middle and the 99th percentile of some times, in microseconds.
pub(crate) fn percentiles(mut times: Vec<Duration>) -> [f64; 2] {
    times.sort_unstable();
    let at = |percent: usize| match times.len() {
        0 => 0.0,
        count => times[(count - 1) * percent / 100].as_secs_f64() * 1e6,
    };
    [at(50), at(99)]
}

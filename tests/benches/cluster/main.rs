//! What a database costs beside a folder, and a second server beside one.
//!
//! `cargo bench -p acceptance --bench cluster`, or with the names of some parts behind it. All of it runs on one machine in one run, so the ratios
//! count. PostgreSQL is started here, durable, on the disk of the temporary folders: one alone, and three of which a standby must confirm each
//! commit (`ANY 1`). Each figure is the median of `CLUSTER_ROUNDS` (3) rounds of `CLUSTER_SECONDS` (3) seconds, alternating with what it is compared to.
//!
//! 1. `append`: commits a second at the store's door, with 64 and with 512 writers: in a folder, in one database, in three.
//! 2. `http`: commands a second of 64 clients on a folder, on one database and on three: through one server, and through two.
//! 3. `live`: from the answer to a command at one server to the message in a stream at the other.
//! 4. `index`: reads of a match that goes on, with the question how far the feed is (the newest view) and without (`at=`).
//! 5. `read`: a stream of 100 commits, and pages of the feed, at the store's door: in a folder and in a database.

#![expect(clippy::print_stdout, reason = "a bench says what it measured")]

mod append;
mod http;
mod index;
mod live;
#[expect(dead_code, reason = "the tests of the store need more of it")]
#[path = "../../../store/tests/it/cluster.rs"]
mod postgres;
mod read;
mod stores;

use std::time::Duration;

use acceptance::disk::refuse_memory;

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let parts: [(&str, fn()); 5] = [
        ("append", append::measure),
        ("http", http::measure),
        ("live", live::measure),
        ("index", index::measure),
        ("read", read::measure),
    ];
    if !stores::is_installed() {
        return println!("SKIPPED: PostgreSQL is not installed");
    }
    refuse_memory(&std::env::temp_dir());
    for (name, measure) in parts {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            println!("-- {name}");
            measure();
        }
    }
}

/// A number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// How long one round lasts.
fn length() -> Duration {
    Duration::from_secs(setting("CLUSTER_SECONDS", 3))
}

/// One way to do something: how much a second in each round, and how long each single time took.
#[derive(Default)]
struct Way {
    name: String,
    rates: Vec<f64>,
    times: Vec<Duration>,
}

/// Measures each of these ways, in turn; tells their medians, and what they are beside the first.
fn compare<T>(ways: Vec<(String, T)>, round: impl Fn(&T) -> Vec<Duration>) {
    let mut all: Vec<Way> =
        ways.iter().map(|(name, _)| Way { name: name.clone(), ..Way::default() }).collect();
    for _ in 0..setting("CLUSTER_ROUNDS", 3) {
        for (way, (_, what)) in all.iter_mut().zip(&ways) {
            let times = round(what);
            way.rates.push(times.len() as f64 / length().as_secs_f64());
            way.times.extend(times);
        }
    }
    let median = |way: &Way| {
        let mut rates = way.rates.clone();
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    let first = median(&all[0]);
    for way in &mut all {
        let rate = median(way);
        println!("{}, {:.0} %", row(&way.name, rate, &mut way.times), 100.0 * rate / first);
    }
}

/// A line of figures.
fn row(name: &str, rate: f64, times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    format!("{name:<52} {rate:>8.0} /s, p50 {:.2} ms, p99 {:.2} ms", at(50), at(99))
}

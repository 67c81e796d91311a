//! How fast finished matches become tables, and how fast the tables answer.
//!
//! `cargo bench -p acceptance --bench tables`. The real program on a store in a temporary folder, with `TABLES_MATCHES` (2,000) matches
//! of all four games, or on the store in the folder `TABLES_DATA`, such as one of `examples/analysis/store.sh`; its `tables.sqlite` is
//! made anew. Figures are of CPU time, user and system, of the whole process: so they hold on a machine that does other things
//! too. Answers of SQL are in time that passed.
//!
//! 1. `muninn simulate --keep` makes the store.
//! 2. `muninn export`, three times for each format, the median: events by second of one core, and the peak of resident memory.
//! 3. `muninn stats --rebuild` on it, and `muninn verify` on matches of Rosenkönig alone.
//! 4. `muninn query` fills the SQLite tables, then answers three aggregates over all events, each the median of three, and the twelve
//!    questions of `examples/analysis/sql`.
//! 5. `muninn report` for each game.
//! 6. Whole tables over HTTP from a server that keeps the SQLite tables, beside `muninn query` with the same rows.

#![expect(clippy::print_stdout, reason = "a bench says what it measured")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use acceptance::process::{Process, cpu_of_children, memory_kib};
use serde_json::json;

/// Who plays how many of a hundred matches. Random players of Delphi play thousands of rounds.
const SHARES: [(&str, &str, usize); 7] = [
    ("rosenkoenig", "random", 30),
    ("copenhagen", "random", 30),
    ("voluspa", "random", 20),
    ("rosenkoenig", "greedy", 10),
    ("copenhagen", "greedy", 5),
    ("voluspa", "greedy", 4),
    ("delphi", "greedy", 1),
];

const QUESTIONS: [(&str, &str); 3] = [
    ("count by type", "SELECT game, event_type, count(*) FROM events GROUP BY game, event_type"),
    ("points by reason", "SELECT reason, count(*), avg(points) FROM awards GROUP BY reason"),
    (
        "awards by seats",
        "SELECT game, seat_count, reason, avg(points) FROM awards JOIN matches USING (game, match_no) GROUP BY 1, 2, 3",
    ),
];

fn main() {
    let matches =
        std::env::var("TABLES_MATCHES").map_or(2_000, |text| text.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kept = std::env::var_os("TABLES_DATA").map(PathBuf::from);
    let data = kept.clone().unwrap_or_else(|| folder.path().join("data"));
    let events = if kept.is_some() { counted(&data) } else { fill(&data, matches) };
    for format in ["parquet", "ndjson", "csv"] {
        export(&data, folder.path(), format);
    }
    let run = run("stats", &data, &["--rebuild"]);
    println!("{:<28} {}", "stats --rebuild", run.rate(events));
    verify(&folder.path().join("rosenkoenig"), matches);
    sql(&data, events);
    twelve(&data);
    reports(&data, folder.path());
    bulk(&data);
}

/// The page of each game.
fn reports(data: &Path, folder: &Path) {
    for game in catalog::games() {
        let game = game.info().id;
        let page = folder.join("report.html");
        let page = page.to_str().expect("a temporary folder has a plain name");
        let run = run("report", data, &["--game", game, "--players", "all", "--out", page]);
        println!(
            "{:<28} {:>10.3} s, {:.2} s of CPU",
            format!("report, {game}"),
            run.time.as_secs_f64(),
            run.cpu
        );
    }
}

/// How many events a store has. Its tables for SQL are removed: they are to be filled again.
fn counted(data: &Path) -> u64 {
    for ending in ["sqlite", "sqlite-wal", "sqlite-shm", "sums", "seen"] {
        // What is not there need not be removed.
        drop(std::fs::remove_file(data.join("tables").with_extension(ending)));
    }
    let out = tempfile::tempdir().expect("a temporary folder");
    let out = out.path().join("out");
    let run = run("export", data, &["--out", out.to_str().expect("a plain name")]);
    run.number_before("events")
}

/// The questions that the notebook asks, by SQL.
fn twelve(data: &Path) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/analysis/sql");
    let text = |path: &Path| std::fs::read_to_string(path).expect("a question");
    let played = text(&folder.join("played.sql"));
    let files = std::fs::read_dir(&folder).expect("the questions");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    for file in files.iter().filter(|file| !file.ends_with("played.sql")) {
        // What begins with a hyphen would be a flag.
        let question = format!("\n{played}{}", text(file));
        let run = run("query", data, &["--param", "players=all", &question]);
        let name = file.file_stem().expect("a name").to_string_lossy();
        println!("{name:<28} {:>10.3} s, {:.2} s of CPU", run.time.as_secs_f64(), run.cpu);
    }
}

/// Whole tables from a server, and the same rows by SQL on the command line.
fn bulk(data: &Path) {
    let server = Process::serve(data, &["--query", "on"]);
    let client = server.client();
    let count = json!({"sql": "SELECT count(*) FROM matches"});
    while client.post("/v1/query", &count).status != 200
        || client.post("/v1/query", &count).ok()["complete"] != json!(true)
    {
        thread::sleep(Duration::from_millis(200));
    }
    let tables = ["matches", "seats", "commits", "states", "awards"];
    let downloads: Vec<f64> = tables
        .iter()
        .map(|table| {
            let start = Instant::now();
            let answer = client.get(&format!("/v1/tables/{table}.csv"));
            assert_eq!(answer.status, 200);
            start.elapsed().as_secs_f64()
        })
        .collect();
    server.stop();
    for (table, download) in tables.iter().zip(downloads) {
        let question = format!("SELECT * FROM {table}");
        let asked = ["--format", "csv", "--limit", "1000000000", &question];
        let sql = run("query", data, &asked).time.as_secs_f64();
        println!("{:<28} {download:>10.3} s, by SQL {sql:.3} s", format!("{table}.csv"));
    }
}

/// Verifies a store of so many matches of Rosenkönig, three times.
fn verify(data: &Path, matches: usize) {
    let mut simulate = muninn("simulate");
    simulate.args(["--game", "rosenkoenig", "--matches", &matches.to_string(), "--keep"]);
    watched(simulate.arg(data));
    let mut runs: Vec<Run> = (0..3).map(|_| run("verify", data, &[])).collect();
    runs.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
    let commands = runs[1].number_before("commits") - matches as u64;
    let rate = commands as f64 / runs[1].cpu;
    println!("{:<28} {rate:>10.0} commands by CPU second (goal 1000000)", "verify, Rosenkönig");
}

/// Makes the store; returns how many events it has.
fn fill(data: &Path, matches: usize) -> u64 {
    let mut events = 0;
    for (seed, (game, bot, share)) in SHARES.into_iter().enumerate() {
        let (matches, seed) = ((matches * share / 100).max(1).to_string(), seed.to_string());
        let mut command = muninn("simulate");
        command.args([
            "--game",
            game,
            "--bot",
            bot,
            "--matches",
            &matches,
            "--seed",
            &seed,
            "--keep",
        ]);
        let run = watched(command.arg(data));
        let played = run.number_before("events");
        println!("{:<28} {}", format!("{game}, {bot}"), run.rate(played));
        events += played;
    }
    println!("{events} events");
    events
}

fn export(data: &Path, folder: &Path, format: &str) {
    let out = folder.join("out");
    let mut runs: Vec<Run> = (0..3)
        .map(|_| {
            let to = out.to_str().expect("a temporary folder has a plain name");
            let run = run("export", data, &["--format", format, "--out", to]);
            std::fs::remove_dir_all(&out).expect("it was just written");
            run
        })
        .collect();
    runs.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
    let middle = &runs[1];
    let rate = middle.rate(middle.number_before("events"));
    println!("{:<28} {rate}", format!("export, {format}"));
}

fn sql(data: &Path, events: u64) {
    let filled = run("query", data, &["SELECT count(*) FROM events"]);
    println!("{:<28} {}", "fill of the SQL tables", filled.rate(events));
    let file = std::fs::metadata(data.join("tables.sqlite")).expect("it was filled");
    let log = std::fs::metadata(data.join("log/db")).expect("the log");
    let ratio = file.len() as f64 / log.len() as f64;
    println!(
        "{:<28} {} MiB, {ratio:.1} times the log (goal 0.5)",
        "tables.sqlite",
        file.len() >> 20
    );
    for (name, question) in QUESTIONS {
        let mut times: Vec<f64> =
            (0..3).map(|_| run("query", data, &[question]).time.as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        println!("{name:<28} {:>10.3} s", times[1]);
    }
}

/// A run of the program that ended well.
struct Run {
    stdout: String,
    /// User and system, in seconds.
    cpu: f64,
    time: Duration,
    /// The peak of resident memory, in MiB.
    peak: u64,
}

impl Run {
    /// The number in front of this word.
    fn number_before(&self, word: &str) -> u64 {
        let words: Vec<&str> = self.stdout.split([' ', ',']).collect();
        let at = words.iter().position(|found| *found == word);
        words[at.expect("the program says it") - 1].parse().expect("a number")
    }

    fn rate(&self, events: u64) -> String {
        let Run { cpu, time, peak, .. } = self;
        let rate = events as f64 / cpu.max(0.01);
        format!("{rate:>10.0} events by CPU second   {cpu:.2} s of CPU in {time:.2?}   {peak} MiB")
    }
}

fn muninn(what: &str) -> Command {
    let mut command = acceptance::muninn();
    command.arg(what);
    command
}

fn run(what: &str, data: &Path, more: &[&str]) -> Run {
    watched(muninn(what).arg("--data").arg(data).args(more))
}

fn watched(command: &mut Command) -> Run {
    let (start, before) = (Instant::now(), cpu_of_children());
    let command = command.stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn().expect("the program starts");
    let id = child.id();
    let waiting = thread::spawn(move || child.wait_with_output().expect("it ends"));
    let mut peak = 0;
    while !waiting.is_finished() {
        peak = peak.max(memory_kib(id, "VmHWM:").unwrap_or(0) >> 10);
        thread::sleep(Duration::from_millis(5));
    }
    let output = waiting.join().expect("it ended");
    assert!(output.status.success(), "{output:?}");
    Run {
        stdout: String::from_utf8(output.stdout).expect("text"),
        cpu: cpu_of_children() - before,
        time: start.elapsed(),
        peak,
    }
}

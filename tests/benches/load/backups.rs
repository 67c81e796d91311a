//! What a backup takes, what a restoration takes, and what those who play notice of a backup or a verification.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::rt;

use crate::setting;
use crate::streams::{open, play};
use acceptance::Request;
use acceptance::frugal::muninn;
use acceptance::process::cpu_of_children;

/// Each is measured so often; the median counts.
const ROUNDS: usize = 3;
/// Who play beside the backup, and for how long.
const PLAYERS: usize = 32;
const LENGTH: Duration = Duration::from_secs(8);

pub(crate) fn measure() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let data = path("data");
    let matches = setting("LOAD_BACKUP_MATCHES", 5000);
    let count = matches.to_string();
    let wanted = ["simulate", "--game", "copenhagen", "--matches", &count, "--keep"];
    run(&wanted, &data);
    let log = fs::metadata(data.join("log/db")).expect("the log").len() as f64 / 1e6;
    let disk = median((0..ROUNDS).map(|_| 256.0 / disk(&path("disk"), 256)).collect());
    println!("{:<44} {disk:>10.0} MB/s", "the disk alone, written and synced");
    let archive = path("archive");
    let rate = |name: &str, measure: &dyn Fn() -> f64| {
        let before = cpu_of_children();
        let rates = median((0..ROUNDS).map(|_| log / measure()).collect());
        // On a machine with other work this says more than the time.
        let core = log * ROUNDS as f64 / (cpu_of_children() - before);
        // What a MB of log holds changes with the store; what a match is does not.
        let played = matches as f64 * rates / log;
        println!(
            "{name:<44} {rates:>10.0} MB/s of log, {core:.0} MB per second of a core, {played:.0} matches/s"
        );
        rates
    };
    let backup = rate("muninn backup of a stopped store", &|| {
        drop(fs::remove_file(&archive));
        timed(|| run(&["backup", "--out", text(&archive), "--data"], &data))
    });
    let (server, _) = muninn(folder.path());
    let door = server.operator().address.to_string();
    rate("muninn backup --operator, nobody plays", &|| {
        drop(fs::remove_file(&archive));
        timed(|| run(&["backup", "--operator", &door, "--out"], &archive))
    });
    server.stop();
    let size = fs::metadata(&archive).expect("an archive").len() as f64 / 1e6;
    println!("{:<44} {size:>10.0} MB, of {log:.0} MB of log, {matches} matches", "the archive");
    rate("muninn backup --verify", &|| timed(|| run(&["backup", "--verify"], &archive)));
    let new = path("new");
    let restore = rate("muninn restore", &|| {
        drop(fs::remove_dir_all(&new));
        timed(|| run(&["restore", "--from", text(&archive), "--data"], &new))
    });
    let goal = disk.min(100.0);
    println!(
        "{:<44} {:>10.2} and {:.2} (goals 1.00)",
        "backup / goal, restore / half of it",
        backup / goal,
        restore / goal * 2.0
    );
    beside(folder.path());
}

/// Cards that are played and taken back alone, beside one backup after the other, and beside one verification after the other, all of the same server.
fn beside(folder: &Path) {
    let (server, address) = muninn(folder);
    let door = server.operator().address.to_string();
    let played = open(address, PLAYERS);
    let p99 = || {
        let mut times = rt::System::new().block_on(play(address, &played, LENGTH));
        times.sort_unstable();
        times[(times.len() - 1) * 99 / 100].as_secs_f64() * 1e3
    };
    let archive = folder.join("live");
    let back_up = || {
        drop(fs::remove_file(&archive));
        run(&["backup", "--operator", &door, "--out"], &archive);
    };
    let verify = || {
        let answer = server.operator().send(Request::new("POST", "/verify"));
        assert_eq!(answer.status, 200, "{}", answer.text());
    };
    let works: [(&str, &(dyn Fn() + Sync)); 2] =
        [("backups", &back_up), ("verifications", &verify)];
    let (mut alone, mut busy, mut made) = (Vec::new(), [Vec::new(), Vec::new()], [0, 0]);
    for _ in 0..ROUNDS {
        alone.push(p99());
        for (at, (_, work)) in works.iter().enumerate() {
            let (p99, done) = while_it_works(*work, &p99);
            busy[at].push(p99);
            made[at] += done;
        }
    }
    let alone = median(alone);
    println!("{:<44} {alone:>10.1} ms", "p99 of a card played or taken back, alone");
    for (((name, _), busy), made) in works.iter().zip(busy).zip(made) {
        let (busy, named) = (median(busy), format!("the same, {name} one after the other"));
        println!("{named:<44} {busy:>10.1} ms, {made} of them");
        println!("{:<44} {:>10.2} (goal at most 2.00)", "p99 beside / alone", busy / alone);
    }
    server.stop();
}

/// What is measured while the work is done again and again, and how often it was done.
fn while_it_works(work: &(dyn Fn() + Sync), measure: &dyn Fn() -> f64) -> (f64, u64) {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let mut made = 0;
            while !is_over.load(Ordering::Relaxed) {
                work();
                made += 1;
            }
            made
        });
        let measured = measure();
        is_over.store(true, Ordering::Relaxed);
        (measured, worker.join().expect("it works"))
    })
}

/// Runs the program, with a path as its last argument.
pub(crate) fn run(arguments: &[&str], last: &Path) {
    acceptance::run(acceptance::muninn().args(arguments).arg(last)).ok();
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a name")
}

fn timed(act: impl FnOnce()) -> f64 {
    let start = Instant::now();
    act();
    start.elapsed().as_secs_f64()
}

/// Seconds to write so many MB and to sync them.
fn disk(path: &Path, megabytes: usize) -> f64 {
    let block: Vec<u8> =
        (0..1_000_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    timed(|| {
        let mut file = File::create(path).expect("writable");
        (0..megabytes).for_each(|_| file.write_all(&block).expect("writable"));
        file.sync_all().expect("writable");
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

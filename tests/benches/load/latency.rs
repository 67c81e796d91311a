//! The slowest commands of many, beside a backup and an export.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::rt;

use crate::backups::run;
use crate::setting;
use crate::streams::{open, play};
use acceptance::frugal::{export, muninn_with};

const PLAYERS: usize = 64;
/// So long the same matches are played: they do not become as long as one may be.
const LENGTH: Duration = Duration::from_secs(15);

pub(crate) fn measure() {
    let minutes = setting("LOAD_MINUTES", 1);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let matches = setting("LOAD_BACKUP_MATCHES", 5000).to_string();
    let wanted = ["simulate", "--game", "copenhagen", "--matches", &matches, "--keep"];
    run(&wanted, &folder.path().join("data"));
    let caches: [(&str, &[&str]); 2] = [
        ("64 writers", &[]),
        ("64 writers, --cache-mib 1 --matches-mib 1", &["--cache-mib", "1", "--matches-mib", "1"]),
    ];
    for (name, more) in caches {
        beside(folder.path(), name, more, Duration::from_secs(60 * minutes as u64));
    }
}

/// Plays for this long, and tells how long commands took.
fn beside(folder: &Path, name: &str, more: &[&str], long: Duration) {
    let (server, address) = muninn_with(folder, more);
    let door = server.operator().address.to_string();
    let archive = folder.join("live");
    let is_over = AtomicBool::new(false);
    let (backups, exports) = (AtomicU64::new(0), AtomicU64::new(0));
    let mut times = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                drop(std::fs::remove_file(&archive));
                run(&["backup", "--operator", &door, "--out"], &archive);
                backups.fetch_add(1, Ordering::Relaxed);
            }
        });
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let whole = export(address, &is_over, &AtomicU64::new(0));
                exports.fetch_add(u64::from(whole), Ordering::Relaxed);
            }
        });
        let start = Instant::now();
        while start.elapsed() < long {
            rt::System::new().block_on(async {
                let matches = open(address, PLAYERS);
                times.extend(play(address, &matches, LENGTH).await);
            });
        }
        is_over.store(true, Ordering::Relaxed);
    });
    server.stop();
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 1000].as_secs_f64() * 1e3;
    let (p50, p99, late) = (at(500), at(990), at(999));
    println!(
        "{name:<44} {} commands beside {} backups and {} exports",
        times.len(),
        backups.into_inner(),
        exports.into_inner()
    );
    println!(
        "{:<44} p50 {p50:.1}, p99 {p99:.1} ms, {:.1} times (goal 5), p99.9 {late:.1} ms (goal 50), longest {:.0} ms (goal 250)",
        "",
        p99 / p50,
        at(1000)
    );
}

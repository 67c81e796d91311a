//! The same matches in a database: it is filled from a backup of the folder, and a server is started on it, at first with nothing derived.

use std::path::Path;
use std::time::{Duration, Instant};

use acceptance::process::{Process, megabytes};
use acceptance::{files, muninn};
use store::Store;

use crate::postgres::Cluster;
use crate::start;

/// So long after the list was there memory is looked at again: meanwhile every match is read once.
const LATER: Duration = Duration::from_secs(30);

pub(crate) fn measure(data: &Path, folder: &Path) {
    let settings = ["fsync=on", "shared_buffers=128MB", "max_wal_size=4GB"].map(str::to_owned);
    let Some(cluster) = Cluster::start_with(5432, |_| settings.to_vec()) else {
        return println!("SKIPPED: PostgreSQL is not installed");
    };
    let address = cluster.empty();
    Store::migrate(&address).expect("it can be migrated");
    let archive = folder.join("all.muninn");
    run("backup", &["--data", text(data), "--out", text(&archive)]);
    run("restore", &["--from", text(&archive), "--store", &address]);
    std::fs::remove_file(&archive).expect("it is ours");
    let size = cluster.psql(&address, "SELECT pg_database_size(current_database())");
    println!("{:.0} MB in the database", megabytes(size.parse().expect("a number")));
    let derived = folder.join("derived");
    if derived.exists() {
        std::fs::remove_dir_all(&derived).expect("it is ours");
    }
    for how in ["in a database, nothing derived", "in a database", "in a database"] {
        let server = start(&derived, &["--store", &address], how);
        later(&server, &cluster, &address);
        server.stop();
    }
    println!("{:.0} MB derived", megabytes(files::size(&derived)));
}

/// What the server and the database do while every match is read once.
fn later(server: &Process, cluster: &Cluster, address: &str) {
    let asked = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()";
    let count = || cluster.psql(address, asked).parse::<f64>().expect("a number");
    let (before, own, since) = (count(), server.cpu(), Instant::now());
    std::thread::sleep(LATER);
    let seconds = since.elapsed().as_secs_f64();
    println!(
        "    then for {seconds:.0} s: {:.0} questions a second, {:.0} % of a core, peak {:.0} MB",
        (count() - before) / seconds,
        100.0 * (server.cpu() - own) / seconds,
        server.peak_mb()
    );
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn run(what: &str, args: &[&str]) {
    let begun = Instant::now();
    acceptance::run(muninn().arg(what).args(args)).ok();
    println!("{what}: {:.0} s", begun.elapsed().as_secs_f64());
}

//! The store alone, to which as many threads hand what a server wrote.

use std::path::Path;
use std::thread;
use std::time::Instant;

use acceptance::copies::{self, Original};
use acceptance::files;
use acceptance::frugal::muninn;
use acceptance::process::cpu;
use actix_web::rt;
use store::{Config, Store, StreamId};

use crate::{CONNECTIONS, Game, play};

/// The matches of one round over HTTP, at a server of their own.
pub(crate) fn recorded(games: &[Game]) -> Vec<Original> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (server, address) = muninn(folder.path());
    rt::System::new().block_on(play(address, games, 0, &server));
    server.stop();
    copies::all(&folder.path().join("data"))
}

/// What one thread writes: how many commits, of which matches.
type Plan<'a> = (usize, Vec<(StreamId, &'a Original)>);

/// Writes these matches once more, from 64 threads, each of which waits for its commit. The openings come before that: those over HTTP are not
/// measured either. Returns commits per second, and the CPU time of each.
pub(crate) fn write(store: &Store, matches: &[Original]) -> (f64, f64) {
    let now = copies::now();
    let mut plans: Vec<Plan<'_>> = vec![(0, Vec::new()); CONNECTIONS];
    for (original, number) in matches.iter().zip(u128::from(store.position())..) {
        let stream = copies::id(now, number);
        store.submit(original.write(stream, 0)).wait().expect("a healthy disk");
        let least =
            plans.iter_mut().min_by_key(|(commits, _)| *commits).expect("there are threads");
        least.0 += original.commits.len() - 1;
        least.1.push((stream, original));
    }
    let commits = plans.iter().map(|(commits, _)| *commits).sum::<usize>() as f64;
    let (start, before) = (Instant::now(), cpu("self"));
    thread::scope(|scope| {
        for (_, plan) in &plans {
            scope.spawn(move || {
                for (stream, original) in plan {
                    for at in 1..original.commits.len() {
                        store.submit(original.write(*stream, at)).wait().expect("a healthy disk");
                    }
                }
            });
        }
    });
    (commits / start.elapsed().as_secs_f64(), (cpu("self") - before) / commits)
}

/// What a commit of a store takes in its log, in bytes; nobody has it open.
pub(crate) fn log_bytes(data: &Path) -> f64 {
    let bytes = files::size(&data.join("log"));
    let store = Store::open(data, Config::default()).expect("the store opens");
    bytes as f64 / store.position() as f64
}

//! SIGKILL at any moment: what was acknowledged is there, nothing is half, streams go on where they were.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::crowd::Crowd;
use acceptance::process::{Process, verify};
use acceptance::{Dice, muninn};

const PLAYERS: usize = 32;
const WATCHERS: usize = 8;

#[test]
fn what_was_acknowledged_survives_a_kill_at_any_moment() {
    let (rounds, seed) = crate::rounds(20);
    let folder = tempfile::tempdir().expect("a folder");
    let mut dice = Dice::new(seed);
    let mut crowd = Crowd::new(PLAYERS, WATCHERS);
    for round in 0..rounds {
        let named = crate::Round(format!("round {round}, seed {seed}"));
        if round % 5 == 4 {
            kill_at_the_start(folder.path(), &mut dice);
        }
        let server = Process::serve(folder.path(), &["--cache-mib", "4"]);
        crowd.check(&server);
        crowd.play(&server, 400, &mut dice, || server.signal("KILL"));
        server.kill();
        if round % 10 == 9 {
            let (code, text) = verify(folder.path());
            assert_eq!(code, Some(0), "{text}");
        }
        drop(named);
    }
    let server = Process::serve(folder.path(), &[]);
    crowd.check_all(&server);
    let resumed = crowd.resumed();
    assert!(resumed >= rounds.min(WATCHERS), "{resumed} streams went on");
    server.stop();
    let (code, text) = verify(folder.path());
    assert_eq!(code, Some(0), "seed {seed}: {text}");
}

/// Starts the server and kills it before it may be ready: it may be repairing what the last kill left.
fn kill_at_the_start(folder: &std::path::Path, dice: &mut Dice) {
    let mut serve = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--data"]);
    let serve = serve.arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = serve.spawn().expect("the program is there");
    thread::sleep(Duration::from_millis(dice.below(120) as u64));
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
}

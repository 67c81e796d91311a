//! SIGKILL at any moment: what was acknowledged is there, nothing is half, streams go on where they were.

use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::players::Player;
use crate::watchers::Watcher;
use acceptance::process::{Process, verify};
use acceptance::{Dice, muninn};

const PLAYERS: usize = 32;
const WATCHERS: usize = 8;

#[test]
fn what_was_acknowledged_survives_a_kill_at_any_moment() {
    let (rounds, seed) = crate::rounds(50);
    let folder = tempfile::tempdir().expect("a folder");
    let mut dice = Dice::new(seed);
    let mut players: Vec<Player> = (0..PLAYERS).map(Player::new).collect();
    let mut watchers: Vec<Watcher> = (0..WATCHERS).map(|_| Watcher::default()).collect();
    for round in 0..rounds {
        if round % 5 == 4 {
            kill_at_the_start(folder.path(), &mut dice);
        }
        let server = Process::serve(folder.path(), &["--cache-mib", "4"]);
        players.iter_mut().for_each(|player| player.check(&server));
        for (watcher, player) in watchers.iter_mut().zip(&players) {
            watcher.check(&server);
            watcher.turn_to(player.table());
        }
        let (promise, promised) = mpsc::channel();
        let most = dice.below(400);
        let moment = Duration::from_micros(dice.below(3000) as u64);
        thread::scope(|scope| {
            for player in &mut players {
                let (promise, server) = (promise.clone(), &server);
                scope.spawn(move || player.play(server, &promise));
            }
            for watcher in &mut watchers {
                let server = &server;
                scope.spawn(move || watcher.watch(server));
            }
            for _ in 0..most {
                promised.recv().expect("the players play");
            }
            // Between two promises.
            thread::sleep(moment);
            server.signal("KILL");
        });
        server.kill();
        if round % 10 == 9 {
            let (code, text) = verify(folder.path());
            assert_eq!(code, Some(0), "round {round}, seed {seed}: {text}");
        }
    }
    let server = Process::serve(folder.path(), &[]);
    players.iter().for_each(|player| player.check_all(&server));
    watchers.iter().for_each(|watcher| watcher.check(&server));
    let resumed: usize = watchers.iter().map(|watcher| watcher.resumed).sum();
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

//! SIGKILL at any moment: what was acknowledged is there, nothing is half.

use std::sync::mpsc;
use std::thread;

use crate::harness::{Dice, muninn};
use crate::players::Player;
use crate::process::Process;

#[test]
fn what_was_acknowledged_survives_a_kill_at_any_moment() {
    let rounds = std::env::var("CRASH_ROUNDS").map_or(10, |n| n.parse().expect("a number"));
    let seed = std::env::var("CRASH_SEED").map_or(1, |n| n.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut dice = Dice::new(seed);
    let mut players: Vec<Player> = (0..4).map(Player::new).collect();
    for round in 0..rounds {
        let server = Process::serve(folder.path(), &[]);
        players.iter().for_each(|player| player.check(&server));
        let (promise, promised) = mpsc::channel();
        let most = 1 + dice.below(80);
        thread::scope(|scope| {
            for player in &mut players {
                let (promise, server) = (promise.clone(), &server);
                scope.spawn(move || player.play(server, &promise));
            }
            for _ in 0..most {
                promised.recv().expect("the players play");
            }
            server.signal("KILL");
        });
        server.kill();
        let verified = muninn()
            .arg("verify")
            .arg("--data")
            .arg(folder.path())
            .output();
        let verified = verified.expect("the program runs");
        let text = String::from_utf8_lossy(&verified.stdout);
        assert!(
            verified.status.success(),
            "round {round}, seed {seed}: {text}"
        );
    }
    let server = Process::serve(folder.path(), &[]);
    players.iter().for_each(|player| player.check(&server));
    server.stop();
}

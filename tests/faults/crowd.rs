//! Everybody who uses a server while something befalls it, and what all of them were promised.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::follower::Follower;
use crate::players::Player;
use crate::watchers::Watcher;
use acceptance::Dice;
use acceptance::process::Process;

/// Players, those who watch them, and one who follows the feed.
pub(crate) struct Crowd {
    pub(crate) players: Vec<Player>,
    watchers: Vec<Watcher>,
    follower: Follower,
}

impl Crowd {
    pub(crate) fn new(players: usize, watchers: usize) -> Self {
        Crowd {
            players: (0..players).map(Player::new).collect(),
            watchers: (0..watchers).map(|_| Watcher::default()).collect(),
            follower: Follower::default(),
        }
    }

    /// Plays, watches and follows, until something befalls the server after so many more promises, at most: after that nobody is answered.
    pub(crate) fn play(
        &mut self,
        server: &Process,
        most: usize,
        dice: &mut Dice,
        befall: impl FnOnce(),
    ) {
        for (watcher, player) in self.watchers.iter_mut().zip(&self.players) {
            watcher.turn_to(player.table());
        }
        let (promise, promised) = mpsc::channel();
        let promises = dice.below(most);
        let moment = Duration::from_micros(dice.below(3000) as u64);
        thread::scope(|scope| {
            for player in &mut self.players {
                let promise = promise.clone();
                scope.spawn(move || player.play(server, &promise));
            }
            for watcher in &mut self.watchers {
                scope.spawn(move || watcher.watch(server));
            }
            let follower = &mut self.follower;
            scope.spawn(move || follower.follow(server));
            for _ in 0..promises {
                promised.recv().expect("the players play");
            }
            // Between two promises.
            thread::sleep(moment);
            befall();
        });
    }

    /// Asserts that what was promised since the last time is there, and all that was shown to anybody.
    #[track_caller]
    pub(crate) fn check(&mut self, server: &Process) {
        self.players.iter_mut().for_each(|player| player.check(server));
        self.watchers.iter().for_each(|watcher| watcher.check(server));
        self.follower.check(server);
    }

    /// The same of everything that was ever promised.
    #[track_caller]
    pub(crate) fn check_all(&mut self, server: &Process) {
        self.players.iter().for_each(|player| player.check_all(server));
        self.check(server);
    }

    /// How many streams were gone on with after a restart.
    pub(crate) fn resumed(&self) -> usize {
        self.watchers.iter().map(|watcher| watcher.resumed).sum()
    }
}

//! Matches that are counted one by one, by whoever looks at the matches themselves too.

use super::asked::Asked;
use super::chosen::{Chosen, Fit};
use super::game::{self, GameStats};
use super::reach::Reach;
use super::record::{Record, Records, SeatRecord};
use crate::finished::FinishedMatch;

/// The matches of one game that were counted.
#[derive(Clone, Debug)]
pub struct Counting {
    game: &'static str,
    records: Records,
}

/// A match that is asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// The number of its commands, without those that were taken back.
    pub commands: i64,
    /// The final points by seat.
    pub points: Vec<i64>,
    /// The part of the win that each seat has: 1/k of k winners.
    pub won: Vec<f64>,
    /// The seats whose points and wins are asked for.
    pub selected: Vec<usize>,
}

impl Counting {
    /// No match of this game.
    #[must_use]
    pub fn new(game: &'static str) -> Self {
        Counting { game, records: Records::default() }
    }

    /// Takes a match of the game, and says what it counts; `None` if it is not asked about. Private matches and sandboxes count nowhere.
    pub fn add(&mut self, finished: &FinishedMatch, asked: &Asked) -> Option<Counted> {
        if !game::counts(finished) {
            return None;
        }
        let record = self.records.add(finished);
        let chosen = Chosen::new(asked, &self.records);
        (chosen.fit(&record) == Fit::Counted)
            .then(|| counted(&record, chosen.selected(&record).iter().collect()))
    }

    /// The statistics of what was counted, as far as it is asked about.
    #[must_use]
    pub fn stats(&self, asked: &Asked, reach: Reach, damaged: u64) -> GameStats {
        game::told(self.game, &self.records, asked, reach, damaged)
    }
}

fn counted(record: &Record, selected: Vec<usize>) -> Counted {
    let seats = 0..record.seats.len();
    Counted {
        commands: record.commands,
        points: record.seats.iter().map(|SeatRecord(points, _, _)| *points).collect(),
        won: seats.map(|seat| record.won(seat)).collect(),
        selected,
    }
}

//! Random full matches: in the process alone, or kept in a store.

use std::time::{Duration, Instant};

use kernel::{AnyGame, Driver, Refusal};
use serde_json::value::RawValue;

use crate::header::Caller;
use crate::open::{OpenRequest, SeatRequest};
use crate::{Engine, Error, RandomPlay, Submission};

/// What to simulate: random matches with default options.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The id of the game.
    pub game: String,
    /// How many seats.
    pub seats: usize,
    /// How many matches.
    pub matches: u64,
    /// The same seed gives the same matches.
    pub seed: u64,
}

/// What was played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// Full matches.
    pub matches: u64,
    /// Commands of seats.
    pub commands: u64,
    /// Events, those of the setup among them.
    pub events: u64,
    /// How long it took.
    pub time: Duration,
}

impl Simulation {
    /// Plays inside the process, on this thread; nothing is kept. `progress` is told the number of matches now and then.
    ///
    /// # Errors
    /// If the game is not played with so many seats.
    pub fn run(
        &self,
        game: &dyn AnyGame,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Report, Refusal> {
        const TELL: u64 = 256;
        let options = no_options();
        let start = Instant::now();
        let mut report = Report::default();
        for number in 0..self.matches {
            let (commands, events) = game.playout(
                &options,
                self.seats,
                &mut RandomPlay::new(self.seed, number),
            )?;
            report.matches += 1;
            report.commands += commands;
            report.events += events;
            if report.matches % TELL == 0 {
                progress(report.matches);
            }
        }
        report.time = start.elapsed();
        Ok(report)
    }
}

impl Engine {
    /// Plays match `number` of a simulation as a match of this engine; resolves with the number of commands and events when it is
    /// finished and on disk. The same simulation gives the same commands and events, in matches with other ids.
    ///
    /// # Errors
    /// Those of opening and submitting.
    pub async fn play_kept(
        &self,
        simulation: &Simulation,
        number: u64,
    ) -> Result<(u64, u64), Error> {
        let mut play = RandomPlay::new(simulation.seed, number);
        let seat = |seat| SeatRequest {
            name: Some(format!("random {seat}")),
            open: None,
            bot: None,
        };
        let request = OpenRequest {
            game: simulation.game.clone(),
            options: Some(no_options()),
            seats: (0..simulation.seats).map(seat).collect(),
            position: None,
            visibility: None,
            take_back: None,
        };
        let opened = self.open_seeded(request, None, play.seed()).await?;
        let slot = self.load(opened.r#match)?;
        let mut commands = 0;
        loop {
            let head = slot.head();
            let Some(seat) = head.folded.state.active_seat() else {
                return Ok((commands, head.folded.version));
            };
            let legal = head.folded.state.legal_commands();
            let legal: Vec<&RawValue> =
                serde_json::from_str(legal.get()).expect("the legal commands are a JSON array");
            let command = legal[play.choose(legal.len())];
            let submission = Submission {
                command,
                expected: None,
                key: None,
            };
            self.submit(&slot, Caller::Seat(seat), submission).await?;
            commands += 1;
        }
    }
}

fn no_options() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).expect("an object is JSON")
}

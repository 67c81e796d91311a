//! Full matches without people: in the process alone, or kept in a store.

use std::time::Duration;

use journal::{Bot, ranks_of};
use kernel::{AnyGame, AnyMatch, Driver, Refusal};
use serde_json::value::RawValue;

use crate::caller::Caller;
use crate::engine::Engine;
use crate::error::Error;
use crate::open::{OpenRequest, SeatRequest};
use crate::play::RandomPlay;
use crate::submit::Submission;

/// What to simulate: matches with default options.
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
    /// Who plays: the bots of the seats, from the first one again if there are more seats. None: all play at random.
    pub bots: Vec<Bot>,
}

/// What was played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Full matches.
    pub matches: u64,
    /// Commands of seats.
    pub commands: u64,
    /// Events of the game, those of the setup among them.
    pub events: u64,
    /// By seat, how many matches it ended on rank 1, alone or with others.
    pub first: Vec<u64>,
    /// By seat, the sum of its final points.
    pub points: Vec<i64>,
    /// How long it took.
    pub time: Duration,
}

impl Report {
    /// Adds another report; the time stays as it is.
    pub fn add(&mut self, other: &Report) {
        let Report { matches, commands, events, first, points, time: _ } = other;
        self.matches += matches;
        self.commands += commands;
        self.events += events;
        let most = self.first.len().max(first.len());
        self.first.resize(most, 0);
        self.points.resize(most, 0);
        self.first.iter_mut().zip(first).for_each(|(sum, n)| *sum += n);
        self.points.iter_mut().zip(points).for_each(|(sum, n)| *sum += n);
    }

    fn of(state: &dyn AnyMatch, commands: u64, events: u64) -> Self {
        let places = ranks(state);
        let first = places.iter().map(|rank| u64::from(*rank == 1)).collect();
        Report { matches: 1, commands, events, first, points: state.points(), time: Duration::ZERO }
    }
}

/// The final rank of each seat; nobody has one in a match that goes on.
fn ranks(state: &dyn AnyMatch) -> Vec<u64> {
    let seats = state.seats();
    let standing = state.standing();
    standing.map_or_else(|| vec![0; seats], |standing| ranks_of(&standing, seats))
}

impl Simulation {
    /// The players of match `number`.
    fn play(&self, number: u64) -> RandomPlay {
        let bots = self.bots.iter().copied().cycle();
        let bots = bots.take(self.seats).collect();
        RandomPlay::new(self.seed, number).with_bots(bots)
    }

    /// Plays match `number` inside the process; nothing is kept.
    ///
    /// # Errors
    /// If the game is not played with so many seats.
    pub fn run(&self, game: &dyn AnyGame, number: u64) -> Result<Report, Refusal> {
        let played = game.playout(&no_options(), self.seats, &mut self.play(number))?;
        Ok(Report::of(played.state.as_ref(), played.commands, played.events))
    }
}

impl Engine {
    /// Plays match `number` of a simulation as a match of this engine; resolves when it is finished and on disk. The same simulation
    /// gives the same commands and events, in matches with other ids.
    ///
    /// # Errors
    /// Those of opening and submitting.
    pub async fn play_kept(&self, simulation: &Simulation, number: u64) -> Result<Report, Error> {
        let mut play = simulation.play(number);
        let bots = simulation.bots.iter().copied().cycle();
        let bots = bots.chain(std::iter::repeat(Bot::Random));
        let seat = |bot: Bot| SeatRequest { name: None, open: None, bot: Some(bot.to_string()) };
        let request = OpenRequest {
            game: simulation.game.clone(),
            options: Some(no_options()),
            seats: bots.take(simulation.seats).map(seat).collect(),
            ..OpenRequest::default()
        };
        let opened = self.open_seeded(request, None, play.seed(), None).await?;
        let slot = self.load(opened.r#match)?;
        let mut commands = 0;
        loop {
            let head = slot.head();
            let state = &head.folded.state;
            let Some(seat) = state.active_seat() else {
                // All but the one that opens the table.
                let events = head.folded.version - 1;
                return Ok(Report::of(state.as_ref(), commands, events));
            };
            let legal = state.legal_commands();
            let legal: Vec<&RawValue> =
                serde_json::from_str(legal.get()).expect("the legal commands are a JSON array");
            let chosen = play.choose_for(seat, legal.len(), &mut || state.prospects());
            let submission = Submission { command: legal[chosen], expected: None, key: None };
            self.submit(&slot, Caller::Seat(seat), submission).await?;
            commands += 1;
        }
    }
}

fn no_options() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).expect("an object is JSON")
}

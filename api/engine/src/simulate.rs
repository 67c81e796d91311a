//! Full matches without people: in the process alone, or kept in a store.

use std::sync::Arc;

use journal::{Bot, Bytes32, MatchId, ranks_of, raw};
use kernel::{AnyGame, AnyMatch, Candidate, Chance, Driver, Edition};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::caller::Caller;
use crate::edition;
use crate::engine::Engine;
use crate::error::Error;
use crate::open::{BranchRequest, OpenRequest, SeatRequest};
use crate::play::{RandomPlay, chosen};
use crate::setup::Setup;
use crate::submit::Submission;

/// Deals have numbers of at most so many bits.
const DEAL_BITS: u32 = 56;

/// What to simulate. A deal is a match's seed, on which all its draws depend.
#[derive(Clone, Debug, Default)]
pub struct Simulation {
    /// The id of the game.
    pub game: String,
    /// How many seats.
    pub seats: usize,
    /// How many deals; each is one match or, mirrored, as many as there are seats.
    pub deals: u64,
    /// The same seed gives the same deals.
    pub deal_seed: u64,
    /// The same seed gives the same choices of bots in the same match.
    pub bot_seed: u64,
    /// Who plays: the players, from the first one again if there are more seats. None: all play at random.
    pub bots: Vec<Bot>,
    /// Is each deal played once from every seat? Then in the second match of a deal all players sit one seat further, and so on.
    pub mirror: bool,
    /// What each match begins with.
    pub start: Start,
}

/// What a match begins with: by default the setup with default options, by the newest edition.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The game's options.
    pub options: Option<Box<RawValue>>,
    /// The edition of the rules.
    pub edition: Option<u32>,
    /// A position to begin from.
    pub position: Option<Box<RawValue>>,
    /// A version of a finished match of the same store to begin from, and nothing else.
    pub from: Option<(MatchId, u64)>,
}

/// A match that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulated {
    /// Its number, from 0.
    pub number: u64,
    /// The number of its deal, from 0.
    pub deal: u64,
    /// Its seed.
    pub seed: Bytes32,
    /// By seat, which of the players sat there.
    pub players: Vec<usize>,
    /// By seat, its final points.
    pub points: Vec<i64>,
    /// By seat, its final rank.
    pub ranks: Vec<u64>,
    /// Commands of seats.
    pub commands: u64,
    /// Events of the game, those before the first command among them.
    pub events: u64,
    /// Its id, where it was kept.
    pub id: Option<MatchId>,
}

/// A simulation of which it is known that it can be played inside the process.
pub struct Ready<'a> {
    simulation: &'a Simulation,
    game: &'a dyn AnyGame,
    options: Box<RawValue>,
    edition: Edition,
    position: Option<Arc<dyn AnyMatch>>,
    /// All options of every match, also those that nobody named; one that each match draws anew, as it was asked for.
    pub options_played: Box<RawValue>,
    /// The edition of every match.
    pub edition_played: Edition,
}

impl Simulation {
    /// How many matches each deal is played in.
    #[must_use]
    pub fn matches_of_deal(&self) -> u64 {
        if self.mirror { self.seats as u64 } else { 1 }
    }

    /// The bot that plays for player `player`, from 0.
    #[must_use]
    pub fn bot(&self, player: usize) -> Bot {
        self.bots.iter().copied().cycle().nth(player).unwrap_or_default()
    }

    /// How many seats further the players sit in match `number`.
    fn shift(&self, number: u64) -> u64 {
        number % self.matches_of_deal()
    }

    /// By seat, who sits there in match `number`.
    fn players(&self, number: u64) -> Vec<usize> {
        let shift = usize::try_from(self.shift(number)).unwrap_or_default();
        (0..self.seats).map(|seat| (seat + self.seats - shift) % self.seats).collect()
    }

    /// The play of match `number`.
    fn play(&self, number: u64) -> RandomPlay {
        let bots = self.players(number).into_iter().map(|player| self.bot(player)).collect();
        let deal = number / self.matches_of_deal();
        // The first match of a deal is the same whether the deal is mirrored or not; the others have choices of their own.
        let choices = deal | self.shift(number) << DEAL_BITS;
        RandomPlay::seeded([self.deal_seed, deal], [self.bot_seed, choices]).with_bots(bots)
    }

    fn played(
        &self,
        number: u64,
        state: &dyn AnyMatch,
        commands: u64,
        events: u64,
        id: Option<MatchId>,
    ) -> Simulated {
        let standing = state.standing();
        let none = || vec![0; self.seats];
        let ranks = standing.map_or_else(none, |standing| ranks_of(&standing, self.seats));
        Simulated {
            number,
            deal: number / self.matches_of_deal(),
            seed: self.play(number).seed(),
            players: self.players(number),
            points: state.points(),
            ranks,
            commands,
            events,
            id,
        }
    }

    /// Makes sure that it can be played inside the process.
    ///
    /// # Errors
    /// What the game refuses: the number of seats, the options, the edition or the position.
    pub fn ready<'a>(&'a self, game: &'static dyn AnyGame) -> Result<Ready<'a>, Error> {
        let Start { options, edition, position, from: _ } = &self.start;
        let own = edition::asked(game, *edition)?;
        let load = |position: &RawValue| {
            let state = edition::load(game, position, *edition)?;
            let setup = Setup::from_position(game, state, options.as_deref(), self.seats)?;
            Ok::<_, Error>(setup.state)
        };
        let position = position.as_deref().map(load).transpose()?;
        let options = options.clone().unwrap_or_else(no_options);
        let (options_played, edition_played) = match &position {
            Some(position) => (position.options(), position.edition()),
            None => {
                // What the game refuses is told before the first match.
                let decide = |mut chance: Outermost| {
                    Setup::decide(game, Some(&options), self.seats, own, &mut chance)
                };
                let [first, last] = [decide(Outermost::First)?, decide(Outermost::Last)?];
                let both = [first.state.options(), last.state.options()];
                (of_all(both, &options), first.state.edition())
            }
        };
        Ok(Ready {
            simulation: self,
            game,
            options,
            edition: own,
            position,
            options_played,
            edition_played,
        })
    }
}

impl Ready<'_> {
    /// Plays match `number`; nothing is kept.
    ///
    /// # Errors
    /// If it does not end, as from a position where nobody can finish; no other of a game that keeps its promises.
    pub fn run(&self, number: u64) -> Result<Simulated, Error> {
        let Ready { simulation, game, options, edition, position, .. } = self;
        let mut play = simulation.play(number);
        let played = match position {
            Some(position) => position.playout(&mut play),
            None => game.playout(options, simulation.seats, *edition, &mut play),
        };
        let played = played.map_err(Error::InvalidOptions)?;
        let events = played.events + u64::from(position.is_some());
        if played.state.active_seat().is_some() {
            return Err(endless(number, events));
        }
        Ok(simulation.played(number, played.state.as_ref(), played.commands, events, None))
    }
}

impl Engine {
    /// Plays match `number` of a simulation as a match of this engine; resolves when it is finished and on disk. The same simulation
    /// gives the same commands and events, in matches with other ids.
    ///
    /// # Errors
    /// Those of opening and submitting, and if it does not end.
    pub async fn play_kept(
        &self,
        simulation: &Simulation,
        number: u64,
    ) -> Result<Simulated, Error> {
        let mut play = simulation.play(number);
        let players = simulation.players(number);
        let seat = |player: &usize| {
            let bot = Some(simulation.bot(*player).to_string());
            SeatRequest { bot, ..SeatRequest::default() }
        };
        let seats = players.iter().map(seat).collect();
        let Start { options, edition, position, from } = &simulation.start;
        let opened = if let Some((id, at)) = from {
            let request =
                BranchRequest { at: *at, seats: Some(seats), visibility: None, take_back: None };
            self.branch_seeded(&*self.load(*id)?, request, play.seed(), None).await?
        } else {
            let options = match position {
                None => Some(options.clone().unwrap_or_else(no_options)),
                Some(_) => options.clone(),
            };
            let request = OpenRequest {
                game: simulation.game.clone(),
                options,
                seats,
                position: position.clone(),
                edition: *edition,
                ..OpenRequest::default()
            };
            self.open_seeded(request, None, play.seed(), None).await?
        };
        let slot = self.load(opened.r#match)?;
        let mut commands = 0;
        loop {
            let head = slot.head();
            let state = &head.folded.state;
            let Some(seat) = state.active_seat() else {
                // All but the one that opens the table.
                let events = head.folded.version - 1;
                let state = state.as_ref();
                return Ok(simulation.played(number, state, commands, events, Some(slot.id)));
            };
            if !play.goes_on(head.folded.version) {
                return Err(endless(number, head.folded.version));
            }
            let choose = |count| play.choose_for(seat, count, &mut || state.prospects());
            let command = chosen(state.as_ref(), choose);
            let submission = Submission { command: &command, expected: None, key: None };
            self.submit(&slot, Caller::Seat(seat), submission).await?;
            commands += 1;
        }
    }
}

/// Chance that always takes the first candidate, or the last: whatever is drawn differs between the two.
enum Outermost {
    First,
    Last,
}

impl Chance for Outermost {
    fn draw(&mut self, _: &'static str, count: usize, _: &Candidate<'_>) -> usize {
        match self {
            Outermost::First => 0,
            Outermost::Last => count - 1,
        }
    }
}

/// The options that matches have in common, whatever they draw; what differs, such as a seed of the map, is as it was asked for.
fn of_all(both: [Box<RawValue>; 2], asked: &RawValue) -> Box<RawValue> {
    let fields = |options: &RawValue| -> Map<String, Value> {
        serde_json::from_str(options.get()).unwrap_or_default()
    };
    let [mut common, other] = both.map(|options| fields(&options));
    let asked = fields(asked);
    for (name, value) in &mut common {
        if other.get(name) != Some(value) {
            *value = asked.get(name).cloned().unwrap_or_default();
        }
    }
    raw(&common)
}

/// A match goes on and on.
fn endless(number: u64, events: u64) -> Error {
    let detail = format!(
        "match {number} is not over after {events} events: with these bots it may never end"
    );
    Error::NotReached { detail }
}

fn no_options() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).expect("an object is JSON")
}

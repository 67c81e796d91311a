//! What-if: stateless analysis of positions, and fresh start positions.

use journal::{Bytes32, Seeded};
use kernel::{AnyGame, AnyMatch, Chance, Forced, Refusal, Seat};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::capped::capped;
use crate::edition;
use crate::engine::Engine;
use crate::error::Error;
use crate::room::Room;

/// The most commands in one request.
const COMMANDS_MAX: usize = 500;

/// The longest chance of a request, in bytes. As values in memory its outcomes may take a hundred times as much.
const CHANCE_BYTES: usize = 384 << 10;

/// What a chance must be.
const CHANCE: &str = "chance must be null, an object with a seed of 64 hexadecimal digits, or an object with a list of outcomes";

/// Reads a chance of bounded length.
fn chance<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ChanceRequest>, D::Error> {
    let Some(text) = Option::<Box<RawValue>>::deserialize(from)? else { return Ok(None) };
    if text.get().len() > CHANCE_BYTES {
        return Err(D::Error::custom(format!("chance may have at most {CHANCE_BYTES} bytes")));
    }
    serde_json::from_str(text.get()).map(Some).map_err(|_| D::Error::custom(CHANCE))
}

/// Where outcomes of chance come from.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum ChanceRequest {
    /// A seed. The first command draws as commit 2 of a match with this seed, as if the position had been loaded in commit 1.
    Seed {
        /// The seed, 32 bytes.
        #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
        seed: Bytes32,
    },
    /// The outcomes, in the order and with the values that the game's specification names.
    Outcomes {
        /// The outcomes: numbers, strings or objects.
        #[schema(max_items = 100_000)]
        outcomes: Vec<Value>,
    },
}

/// What every step includes in addition to its events and points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum Include {
    /// The position after the step.
    Positions,
    /// The legal commands after the step.
    LegalCommands,
}

/// Serde's own way would also take an object for a word: `{"positions": null}`.
impl TryFrom<String> for Include {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Self, Self::Error> {
        match word.as_str() {
            "positions" => Ok(Include::Positions),
            "legal_commands" => Ok(Include::LegalCommands),
            _ => Err("include may only name positions and legal_commands"),
        }
    }
}

/// A request for a fresh start position.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    /// The game's options; a missing one has its default.
    #[schema(value_type = Option<crate::by_game::Options>)]
    pub options: Option<Box<RawValue>>,
    /// The edition of the rules. Default: the newest.
    #[schema(minimum = 1)]
    pub edition: Option<u32>,
    /// How many seats.
    #[schema(minimum = 1, maximum = 8)]
    pub seats: usize,
    /// Where outcomes of chance come from, at most 384 KiB; null for a random seed.
    #[serde(default, deserialize_with = "chance")]
    pub chance: Option<ChanceRequest>,
}

/// A fresh start position.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StartPosition {
    /// The position.
    #[schema(value_type = crate::by_game::Position)]
    pub position: Box<RawValue>,
    /// The events of the setup.
    #[schema(value_type = Vec<crate::by_game::Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The seed of the draws; null if the outcomes were given.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub seed: Option<Bytes32>,
}

/// A request for an analysis.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The position to start from.
    #[schema(value_type = crate::by_game::Position)]
    pub position: Box<RawValue>,
    /// The edition of the rules. Default: that of the position, otherwise the newest.
    #[schema(minimum = 1)]
    pub edition: Option<u32>,
    /// The commands, each by the seat that is to act at that point.
    #[serde(default, deserialize_with = "capped::<{ COMMANDS_MAX }, _, _>")]
    #[schema(value_type = Vec<crate::by_game::Command>, max_items = 500)]
    pub commands: Vec<Box<RawValue>>,
    /// Where outcomes of chance come from, at most 384 KiB; null for a random seed.
    #[serde(default, deserialize_with = "chance")]
    pub chance: Option<ChanceRequest>,
    /// What every step includes in addition.
    #[serde(default)]
    #[schema(max_items = 2)]
    pub include: Vec<Include>,
}

/// One step of an analysis.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Step {
    /// The command, as the game understood it.
    #[schema(value_type = crate::by_game::Command)]
    pub command: Box<RawValue>,
    /// The seat that acted.
    pub seat: Seat,
    /// The events of the commit, in full.
    #[schema(value_type = Vec<crate::by_game::Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The score by seat after it.
    pub points: Vec<i64>,
    /// The position after it, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::by_game::Position>)]
    pub position: Option<Box<RawValue>>,
    /// The legal commands after it, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<crate::by_game::Command>>)]
    pub legal_commands: Option<Box<RawValue>>,
}

/// The result of an analysis.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Analysed {
    /// The legal commands in the given position.
    #[schema(value_type = Vec<crate::by_game::Command>)]
    pub start_legal_commands: Box<RawValue>,
    /// A step for each command.
    pub steps: Vec<Step>,
    /// The position at the end.
    #[schema(value_type = crate::by_game::Position)]
    pub position: Box<RawValue>,
    /// The seat to act at the end; null when the match is finished.
    pub active_seat: Option<Seat>,
    /// The legal commands at the end.
    #[schema(value_type = Vec<crate::by_game::Command>)]
    pub legal_commands: Box<RawValue>,
    /// The score by seat at the end.
    pub points: Vec<i64>,
    /// The final ranking, if the match is finished at the end.
    #[schema(value_type = Option<Vec<crate::by_game::Place>>)]
    pub standing: Option<Box<RawValue>>,
    /// The seed of the draws; null if the outcomes were given.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub seed: Option<Bytes32>,
}

impl Step {
    /// About how long its JSON is.
    fn bytes(&self) -> usize {
        let parts = [&self.position, &self.legal_commands].into_iter().flatten();
        let parts = parts.chain([&self.command]).chain(&self.events);
        parts.map(|part| part.get().len()).sum()
    }
}

/// A source of chance for one request.
enum Source {
    Seed(Bytes32),
    Forced(Forced),
}

impl Source {
    fn new(request: Option<ChanceRequest>) -> Self {
        match request {
            None => Source::Seed(Bytes32::random()),
            Some(ChanceRequest::Seed { seed }) => Source::Seed(seed),
            Some(ChanceRequest::Outcomes { outcomes }) => Source::Forced(Forced::new(outcomes)),
        }
    }

    fn seed(&self) -> Option<Bytes32> {
        match self {
            Source::Seed(seed) => Some(*seed),
            Source::Forced(_) => None,
        }
    }

    fn with<T>(&mut self, commit: u64, work: impl FnOnce(&mut dyn Chance) -> T) -> T {
        match self {
            Source::Seed(seed) => work(&mut Seeded::new(*seed, commit, &[])),
            Source::Forced(forced) => work(forced),
        }
    }

    fn check(&self, step: Option<usize>) -> Result<(), Error> {
        match self {
            Source::Forced(forced) if forced.problem().is_some() => Err(Error::ChanceOutcome {
                detail: forced.problem().unwrap_or_default().to_owned(),
                step,
            }),
            Source::Forced(_) | Source::Seed(_) => Ok(()),
        }
    }

    fn check_end(&self) -> Result<(), Error> {
        match self {
            Source::Forced(forced) if forced.left() > 0 => {
                let detail = format!("not all outcomes were drawn: {} left over", forced.left());
                Err(Error::ChanceOutcome { detail, step: None })
            }
            Source::Forced(_) | Source::Seed(_) => Ok(()),
        }
    }
}

impl Engine {
    /// A fresh start position.
    ///
    /// # Errors
    /// What the game refuses, and outcomes that do not fit.
    pub fn start_position(
        &self,
        game: &str,
        request: PositionRequest,
    ) -> Result<StartPosition, Error> {
        let PositionRequest { options, edition, seats, chance } = request;
        let game = self.game(game)?;
        let edition = edition::asked(game, edition)?;
        let mut source = Source::new(chance);
        let none = RawValue::from_string("{}".to_owned()).expect("an object is JSON");
        let options = options.unwrap_or(none);
        let started = source
            .with(1, |chance| game.setup(&options, seats, edition, chance))
            .map_err(Error::InvalidOptions)?;
        source.check(None)?;
        source.check_end()?;
        Ok(StartPosition {
            position: started.state.position(),
            events: started.events.into_iter().map(|event| event.full).collect(),
            seed: source.seed(),
        })
    }

    /// Carries out commands on a position; keeps nothing.
    ///
    /// # Errors
    /// The first rule broken, by the position or by a step, outcomes that do not fit, and more steps than an answer holds.
    pub fn analyse(&self, game: &str, request: AnalysisRequest) -> Result<Analysed, Error> {
        let AnalysisRequest { position, edition, commands, chance, include } = request;
        let game: &dyn AnyGame = self.game(game)?;
        if commands.len() > COMMANDS_MAX {
            let detail = format!("at most {COMMANDS_MAX} commands are allowed");
            return Err(Error::malformed(detail, "/commands"));
        }
        if include.len() > 2 {
            let detail = "include may name positions and legal_commands, each once";
            return Err(Error::malformed(detail, "/include"));
        }
        let mut source = Source::new(chance);
        let mut state = edition::load(game, &position, edition)?;
        let start_legal_commands = state.legal_commands();
        let mut room = Room::of_answer();
        room.take(start_legal_commands.get().len());
        let mut steps = Vec::with_capacity(commands.len());
        for (number, command) in commands.iter().enumerate() {
            let (step, next) = step(state.as_ref(), command, &mut source, number, &include)?;
            room.take(step.bytes());
            if room.is_full() {
                return Err(Error::TooLarge);
            }
            steps.push(step);
            state = next;
        }
        source.check_end()?;
        Ok(Analysed {
            start_legal_commands,
            steps,
            position: state.position(),
            active_seat: state.active_seat(),
            legal_commands: state.legal_commands(),
            points: state.points(),
            standing: state.standing(),
            seed: source.seed(),
        })
    }
}

fn step(
    state: &dyn AnyMatch,
    command: &RawValue,
    source: &mut Source,
    number: usize,
    include: &[Include],
) -> Result<(Step, Box<dyn AnyMatch>), Error> {
    let illegal = |refusal: Refusal| {
        let refusal = refusal.within(&format!("/commands/{number}"));
        Error::IllegalCommand { refusal, current: None, step: Some(number) }
    };
    let seat = state.active_seat();
    let decided = source.with(number as u64 + 2, |chance| state.decide(command, chance));
    source.check(Some(number))?;
    let decided = decided.map_err(illegal)?;
    let state = decided.state;
    let step = Step {
        command: decided.command,
        seat: seat.expect("a finished match takes no command"),
        events: decided.events.into_iter().map(|event| event.full).collect(),
        points: state.points(),
        position: include.contains(&Include::Positions).then(|| state.position()),
        legal_commands: include.contains(&Include::LegalCommands).then(|| state.legal_commands()),
    };
    Ok((step, state))
}

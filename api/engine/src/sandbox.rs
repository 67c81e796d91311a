//! Sandboxes: matches that are opened to try something out. They are played on before the request is answered.

use std::collections::VecDeque;
use std::sync::Arc;

use journal::{Bot, Bytes32, ForcedDraws, Sandbox, Seeded};
use kernel::{AnyMatch, Candidate, Chance, Decided, Refusal, Seat, Seen};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::capped::capped;
use crate::error::Error;
use crate::play::{Chooser, chosen};

/// The most commands of a script.
pub(crate) const SCRIPT_MAX: usize = 500;

/// The longest reply of a bot, in bytes of JSON: everybody is shown them,
pub(crate) const REPLY_BYTES: usize = 1_000;
/// and all of them.
pub(crate) const REPLIES_BYTES: usize = 100_000;

/// The most commands in all, with those of bots.
const COMMANDS_MAX: usize = 2_000;

/// The most outcomes that are forced,
const OUTCOMES_MAX: usize = 1_000;
/// and the longest one, in bytes of JSON: everybody is shown them.
const OUTCOME_BYTES: usize = 200;
/// The longest list of them, in bytes. As values in memory they may take a hundred times as much.
const OUTCOMES_BYTES: usize = OUTCOMES_MAX * (OUTCOME_BYTES + 8);

/// The most memory that the commits of one request take, in bytes.
const PLAYED_BYTES: usize = 32 << 20;

/// A part that is an object: serde's own way would also take an array of its values.
#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
pub(crate) struct ObjectOf<T>(#[serde(deserialize_with = "kernel::object")] pub(crate) T);

/// An object, or nothing.
pub(crate) fn some_object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::<ObjectOf<T>>::deserialize(from)?.map(|ObjectOf(part)| part))
}

/// Reads a list of objects.
pub(crate) fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    Ok(Vec::<ObjectOf<T>>::deserialize(from)?.into_iter().map(|ObjectOf(item)| item).collect())
}

/// Reads outcomes of bounded length.
fn outcomes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Value>, D::Error> {
    let text = Box::<RawValue>::deserialize(from)?;
    if text.get().len() > OUTCOMES_BYTES {
        let told = format!("outcomes may have at most {OUTCOMES_BYTES} bytes");
        return Err(D::Error::custom(told));
    }
    serde_json::from_str(text.get()).map_err(|_| D::Error::custom("outcomes must be a list"))
}

/// A match to try something out.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SandboxRequest {
    /// The seed. It is shown to everybody.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub seed: Option<Bytes32>,
    /// Outcomes of the first draws, each of at most 200 bytes; null for a draw from the seed.
    #[serde(default, deserialize_with = "outcomes")]
    #[schema(max_items = 1000)]
    pub outcomes: Vec<Value>,
    /// The commands to carry out first, each for the seat to act.
    #[serde(default, deserialize_with = "capped::<{ SCRIPT_MAX }, _, _>")]
    #[schema(value_type = Vec<crate::by_game::Command>, max_items = 500)]
    pub script: Vec<Box<RawValue>>,
    /// What bots do afterwards at their turns; when nothing is left, they play by themselves.
    #[serde(default, deserialize_with = "objects")]
    #[schema(max_items = 8)]
    pub replies: Vec<ReplyRequest>,
    /// How far bots play on after the script.
    #[serde(default, deserialize_with = "some_object")]
    pub fast_forward: Option<FastForward>,
}

/// How far bots play on. Default: to the end of the match.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FastForward {
    /// The version to reach, at least.
    pub version: Option<u64>,
    /// The situation to reach: the `name` of a fixture.
    pub moment: Option<String>,
    /// The bot that plays for seats without one. Default: `random`.
    #[schema(value_type = Option<Bot>)]
    pub bot: Option<String>,
}

/// What a bot does at its turns.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplyRequest {
    /// The seat, which must have a bot.
    #[schema(value_type = u8, minimum = 0, maximum = 7)]
    pub seat: usize,
    /// The commands, one for each turn of the bot.
    #[serde(deserialize_with = "capped::<{ SCRIPT_MAX }, _, _>")]
    #[schema(value_type = Vec<crate::by_game::Command>, max_items = 500)]
    pub commands: Vec<Box<RawValue>>,
}

/// A commit that was played.
pub(crate) struct Played {
    pub(crate) seat: Seat,
    pub(crate) command: Box<RawValue>,
    pub(crate) events: Vec<Seen>,
    pub(crate) state: Arc<dyn AnyMatch>,
}

/// A sandbox while it is played.
pub(crate) struct Stage {
    nonces: Vec<u8>,
    outcomes: VecDeque<Value>,
    pub(crate) sandbox: Sandbox,
    pub(crate) played: Vec<Played>,
    bytes: usize,
}

impl Stage {
    /// Before the setup.
    ///
    /// # Errors
    /// If more is asked for than one request may have.
    pub(crate) fn new(
        seed: Bytes32,
        nonce: Option<Bytes32>,
        outcomes: Vec<Value>,
    ) -> Result<Self, Error> {
        if outcomes.len() > OUTCOMES_MAX {
            let detail =
                format!("at most {OUTCOMES_MAX} outcomes can be forced, not {}", outcomes.len());
            return Err(Error::malformed(detail, "/sandbox/outcomes"));
        }
        if let Some(at) = outcomes.iter().position(|o| kernel::json_bytes(o) > OUTCOME_BYTES) {
            let detail = format!("an outcome has at most {OUTCOME_BYTES} bytes");
            return Err(Error::malformed(detail, format!("/sandbox/outcomes/{at}")));
        }
        Ok(Stage {
            nonces: nonce.iter().flat_map(|nonce| nonce.0).collect(),
            outcomes: outcomes.into(),
            sandbox: Sandbox::of(seed),
            played: Vec::new(),
            bytes: 0,
        })
    }

    /// Decides one commit: with what is forced, which is recorded.
    pub(crate) fn decide<T>(
        &mut self,
        commit: u64,
        decide: impl FnOnce(&mut dyn Chance) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let step = commit.checked_sub(2).map(|step| usize::try_from(step).unwrap_or(usize::MAX));
        let mut chance = Forcing {
            seeded: Seeded::new(self.sandbox.seed, commit, &self.nonces),
            left: &mut self.outcomes,
            taken: Vec::new(),
            problem: None,
        };
        let decided = decide(&mut chance);
        let Forcing { taken: outcomes, problem, .. } = chance;
        if let Some(detail) = problem {
            return Err(Error::ChanceOutcome { detail, step });
        }
        if outcomes.iter().any(|outcome| !outcome.is_null()) {
            self.sandbox.forced.push(ForcedDraws { commit, outcomes });
        }
        decided
    }

    /// Carries out the script, and lets bots play on.
    ///
    /// # Errors
    /// The first rule that a command of the script breaks, outcomes that do not fit, and a match that ends too early.
    pub(crate) fn play(
        &mut self,
        mut state: Arc<dyn AnyMatch>,
        mut version: u64,
        script: &[Box<RawValue>],
        forward: Option<(FastForward, Vec<Option<Bot>>)>,
    ) -> Result<(), Error> {
        if script.len() > SCRIPT_MAX {
            let detail = format!("a script has at most {SCRIPT_MAX} commands");
            return Err(Error::malformed(detail, "/sandbox/script"));
        }
        for command in script {
            state = self.step(&state, command, &mut version)?;
        }
        if let Some((forward, bots)) = forward {
            self.forward(state, version, &forward, &bots)?;
        }
        match self.outcomes.len() {
            0 => Ok(()),
            left => {
                let detail = format!("not all outcomes were drawn: {left} left over");
                Err(Error::ChanceOutcome { detail, step: None })
            }
        }
    }

    fn forward(
        &mut self,
        mut state: Arc<dyn AnyMatch>,
        mut version: u64,
        to: &FastForward,
        bots: &[Option<Bot>],
    ) -> Result<(), Error> {
        let other = to.bot.as_deref().map(str::parse::<Bot>).transpose();
        let other =
            other.map_err(|detail| Error::malformed(detail, "/sandbox/fast_forward/bot"))?;
        let other = other.unwrap_or_default();
        let moments = state.game().info().moments;
        if let Some(moment) = to.moment.as_deref().filter(|moment| !moments.contains(moment)) {
            let detail = format!("there is no moment {moment}; there are {}", moments.join(", "));
            return Err(Error::malformed(detail, "/sandbox/fast_forward/moment"));
        }
        let is_there = |state: &dyn AnyMatch, version: u64| {
            to.version.is_none_or(|to| version >= to)
                && to.moment.as_deref().is_none_or(|moment| moment == state.moment())
                && (to.version.is_some() || to.moment.is_some())
        };
        while !is_there(state.as_ref(), version) {
            let Some(seat) = state.active_seat() else {
                if to.version.is_none() && to.moment.is_none() {
                    return Ok(());
                }
                let detail = format!("the match ends at version {version}, before it gets so far");
                return Err(Error::NotReached { detail });
            };
            let bot = bots.get(seat.index()).copied().flatten().unwrap_or(other);
            let mut chooser = Chooser::new(self.sandbox.seed, self.played.len() as u64 + 2);
            let choose = |count| chooser.choose(bot, count, || state.prospects());
            let command = chosen(state.as_ref(), choose);
            state = self.step(&state, &command, &mut version)?;
        }
        Ok(())
    }

    fn step(
        &mut self,
        state: &Arc<dyn AnyMatch>,
        command: &RawValue,
        version: &mut u64,
    ) -> Result<Arc<dyn AnyMatch>, Error> {
        let step = self.played.len();
        if step >= COMMANDS_MAX || self.bytes >= PLAYED_BYTES {
            let detail = format!("one request plays no further than {step} commands");
            return Err(Error::NotReached { detail });
        }
        let illegal = |refusal: Refusal| {
            let refusal = refusal.within(&format!("/sandbox/script/{step}"));
            Error::IllegalCommand { refusal, current: None, step: Some(step) }
        };
        let decided =
            self.decide(step as u64 + 2, |chance| state.decide(command, chance).map_err(illegal))?;
        let Decided { state: next, command, events, certain: _ } = decided;
        let next: Arc<dyn AnyMatch> = next.into();
        let seat = state.active_seat().expect("a finished match takes no command");
        *version += events.len() as u64;
        let parts = events.iter().flat_map(|e| [Some(&e.full), e.public.as_ref()]).flatten();
        self.bytes += next.bytes() + parts.map(|part| part.get().len()).sum::<usize>();
        self.played.push(Played { seat, command, events, state: Arc::clone(&next) });
        Ok(next)
    }
}

/// The chance of one commit, of which the first draws are forced.
struct Forcing<'a> {
    seeded: Seeded<'a>,
    left: &'a mut VecDeque<Value>,
    taken: Vec<Value>,
    problem: Option<String>,
}

impl Chance for Forcing<'_> {
    fn draw(&mut self, kind: &'static str, count: usize, candidate: &Candidate<'_>) -> usize {
        if self.problem.is_some() {
            return 0;
        }
        let Some(outcome) = self.left.pop_front() else {
            return self.seeded.draw(kind, count, candidate);
        };
        self.taken.push(outcome.clone());
        if outcome.is_null() {
            return self.seeded.draw(kind, count, candidate);
        }
        (0..count).find(|index| candidate(*index) == outcome).unwrap_or_else(|| {
            self.problem = Some(format!("{outcome} is not a candidate for a draw of {kind}"));
            0
        })
    }
}

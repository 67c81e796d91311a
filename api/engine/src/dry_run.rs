//! Dry runs: what a command would do, and what would make half a command whole.

use journal::Folded;
use kernel::{Against, Candidate, Chance, Completions, Refusal, Rule, Seat, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::engine::Engine;
use crate::error::Error;
use crate::live::Slot;
use crate::submit::{check, seat_of};

/// What a command would do, as far as no chance is involved and nothing hidden is revealed. Nothing was stored.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DryRun {
    /// The version after these events.
    pub version: u64,
    /// The number the commit would have.
    pub commit: u64,
    /// The view the seat would have then.
    #[schema(value_type = crate::by_game::View)]
    pub view: Box<RawValue>,
    /// The events up to the first that is drawn by chance or reveals something hidden, as the seat would see them.
    #[schema(value_type = Vec<crate::by_game::EventView>)]
    pub events: Vec<Box<RawValue>>,
    /// Whether these are all events of the commit.
    pub complete: bool,
    /// The seat to act then.
    pub active_seat: Option<Seat>,
    /// For half a command, which does nothing: the legal commands that complete it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<crate::by_game::Command>)]
    pub completions: Option<Vec<Box<RawValue>>>,
    /// For half a command: the rules that forbid the other ways to complete it; that about the form of commands only if no other does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Vec<RefusedWays>>,
    /// For half a command: whether all ways to complete it were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhaustive: Option<bool>,
}

/// A rule that forbids some ways to complete a command.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RefusedWays {
    /// The rule.
    pub rule: &'static str,
    /// How it applies to the example.
    pub reason: String,
    /// How many.
    pub ways: u64,
    /// The first of these ways.
    #[schema(value_type = crate::by_game::Command)]
    pub example: Box<RawValue>,
}

impl DryRun {
    /// Of what was decided so far.
    fn of(folded: &Folded, viewer: Viewer) -> Self {
        DryRun {
            version: folded.version,
            commit: folded.commit,
            view: folded.view(viewer),
            events: Vec::new(),
            complete: false,
            active_seat: folded.state.active_seat(),
            completions: None,
            refused: None,
            exhaustive: None,
        }
    }

    /// With these ways to complete half a command.
    ///
    /// # Errors
    /// The rule that stands against most of them, if none is legal.
    fn completed_by(self, ways: Completions) -> Result<Self, Refusal> {
        let Completions { legal, refused, all } = ways;
        if let (true, Some(Against { refusal, .. })) = (legal.is_empty(), refused.first()) {
            let rules: Vec<_> =
                refused.iter().map(|of| format!("{} ({})", of.refusal.rule, of.ways)).collect();
            let (rules, reason) = (rules.join(", "), &refusal.reason);
            let told = format!(
                "no way to complete this is legal; the rules against it are {rules}: {reason}"
            );
            return Err(Refusal::new(refusal.rule, told));
        }
        let ways = refused.into_iter().map(|Against { refusal, ways, example }| {
            let Refusal { rule: Rule(rule), reason, pointer: _ } = refusal;
            RefusedWays { rule, reason, ways, example }
        });
        let (refused, completions) = (Some(ways.collect()), Some(legal));
        Ok(DryRun { completions, refused, exhaustive: Some(all), ..self })
    }
}

/// A chance for what will be thrown away: it draws nothing that could tell about the real one.
pub(crate) struct Nothing;

impl Chance for Nothing {
    fn draw(&mut self, _kind: &'static str, _count: usize, _candidate: &Candidate<'_>) -> usize {
        0
    }
}

impl Engine {
    /// Decides a command without storing anything: the events before the first draw, and before the first that reveals something. `None` of what is no
    /// whole command: [`complete`](Engine::complete) tells what is missing.
    ///
    /// # Errors
    /// Those of [`submit`](Engine::submit), but for the store's.
    pub fn try_out(
        &self,
        slot: &Slot,
        caller: Caller,
        command: &RawValue,
        expected: Option<u64>,
    ) -> Result<Option<DryRun>, Error> {
        let seat = seat_of(caller)?;
        let head = slot.head();
        check(slot, &head, seat, expected)?;
        let decided = match head.folded.state.decide(command, &mut Nothing) {
            Ok(decided) => decided,
            Err(_) if head.folded.state.check_form(command).is_err() => return Ok(None),
            Err(refusal) => return Err(illegal(refusal, head.folded.version)),
        };
        let mut folded = head.folded.clone();
        folded.enter();
        let viewer = caller.viewer();
        let mut events = Vec::new();
        for event in &decided.events[..decided.certain] {
            // The next card of a pile is no chance any more, but nobody has seen it yet.
            if folded.state.unforeseen(&event.full)? {
                break;
            }
            folded.apply_own(&event.full)?;
            events.push(folded.state.event_view(&event.full, viewer)?);
        }
        let complete = events.len() == decided.events.len();
        Ok(Some(DryRun { events, complete, ..DryRun::of(&folded, viewer) }))
    }

    /// Of half a command, what could complete it. Thousands of ways may be tried.
    ///
    /// # Errors
    /// As of [`try_out`](Engine::try_out); that it is no command, if nothing can complete it.
    pub fn complete(
        &self,
        slot: &Slot,
        caller: Caller,
        command: &RawValue,
        expected: Option<u64>,
    ) -> Result<DryRun, Error> {
        let seat = seat_of(caller)?;
        let head = slot.head();
        check(slot, &head, seat, expected)?;
        let (state, version) = (&head.folded.state, head.folded.version);
        let Some(ways) = state.complete(command) else {
            let rule = slot.game.info().forms.command;
            if let Some(spot) = spot_of(command) {
                let told = match spot.as_str() {
                    Some(spot) => format!("no command like this names {spot:?} now"),
                    None => format!("what should be a text, the id of a spot, is {spot}"),
                };
                let pointer = Some("/spot".to_owned()).filter(|_| !spot.is_string());
                let refusal = Refusal { pointer, ..Refusal::new(rule, told) };
                return Err(illegal(refusal, version));
            }
            let refusal = state.decide(command, &mut Nothing).err();
            let refusal =
                refusal.unwrap_or_else(|| Refusal::new(rule, "the match went on meanwhile"));
            return Err(illegal(refusal, version));
        };
        let mut folded = head.folded.clone();
        folded.enter();
        let run = DryRun::of(&folded, caller.viewer()).completed_by(ways);
        run.map_err(|refusal| illegal(refusal, version))
    }
}

/// The spot that half a command names. No command has such a field.
fn spot_of(half: &RawValue) -> Option<Value> {
    #[derive(Deserialize)]
    struct Named<'a> {
        #[serde(borrow)]
        spot: &'a RawValue,
    }
    const LONGEST: usize = 100;
    let Named { spot } = serde_json::from_str(half.get()).ok()?;
    Some(spot.get())
        .filter(|spot| spot.len() <= LONGEST)
        .and_then(|spot| serde_json::from_str(spot).ok())
}

fn illegal(refusal: Refusal, current: u64) -> Error {
    let refusal = refusal.within("/command");
    Error::IllegalCommand { refusal, current: Some(current), step: None }
}

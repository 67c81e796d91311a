//! A game that does not keep its secrets: what the tests of secrecy must catch.

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kernel::{
    Award, Candidate, Chance, Disclosure, Draft, Edition, Fact, First, Form, Game, Info, Placed,
    Pointed, Refusal, Rule, Seat, Secret, Sizes, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Conformance, conform};

/// A game, and something that is hidden in it.
pub trait Hides: Send + Sync + 'static {
    /// The game.
    type Game: Game;
    /// A JSON pointer into its position: a value that some viewers do not see.
    const HIDDEN: &'static str;
    /// A rule that a refusal may quote.
    const RULE: Rule;

    /// Of a game that is [`OFF_THE_LIST`]: does it list this command here, if it is a legal one?
    fn lists(position: &<Self::Game as Game>::Position, command: &Value) -> bool {
        let _ = (position, command);
        true
    }

    /// Of a game that is [`OFF_THE_LIST`]: does it take this command, wherever it is a legal one?
    fn takes(command: &Value) -> bool {
        let _ = command;
        true
    }
}

/// There is no leak.
pub const NOWHERE: u8 = 0;
/// A view shows the value.
pub const IN_VIEWS: u8 = 1;
/// Every event shows the value.
pub const IN_EVENTS: u8 = 2;
/// A refusal says the value.
pub const IN_REFUSALS: u8 = 3;
/// The order of the legal commands depends on the value.
pub const IN_THE_LIST: u8 = 4;
/// Events are shown in full: as if nothing were declared to be hidden.
pub const IN_FULL: u8 = 5;
/// Events say that they tell nothing.
pub const IN_SILENCE: u8 = 6;

/// Events show the value when the match is over.
pub const IN_THE_END: u8 = 7;
/// Awards tell the value while seat 0 acts.
pub const IN_AWARDS: u8 = 8;
/// Nothing leaks, but commands are taken that are not listed.
pub const OFF_THE_LIST: u8 = 9;

/// A real game, but for one leak, or one other fault.
pub struct Leaky<H, const LEAK: u8>(PhantomData<fn() -> H>);

/// An event of a leaky game; its JSON is that of the real one.
#[derive(Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct LeakyEvent<H: Hides, const LEAK: u8>(<H::Game as Game>::Event);

impl<H: Hides, const LEAK: u8> Clone for LeakyEvent<H, LEAK> {
    fn clone(&self) -> Self {
        LeakyEvent(self.0.clone())
    }
}

impl<H: Hides, const LEAK: u8> PartialEq for LeakyEvent<H, LEAK> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<H: Hides, const LEAK: u8> std::fmt::Debug for LeakyEvent<H, LEAK> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<H: Hides, const LEAK: u8> PartialSchema for LeakyEvent<H, LEAK> {
    fn schema() -> RefOr<Schema> {
        <H::Game as Game>::Event::schema()
    }
}

impl<H: Hides, const LEAK: u8> ToSchema for LeakyEvent<H, LEAK> {
    fn name() -> std::borrow::Cow<'static, str> {
        <H::Game as Game>::Event::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        <H::Game as Game>::Event::schemas(schemas);
    }
}

/// A view of a leaky game: that of the real one, and what leaks.
#[derive(Serialize)]
#[serde(bound = "")]
pub struct LeakyView<H: Hides> {
    #[serde(flatten)]
    view: <H::Game as Game>::View,
    #[serde(skip_serializing_if = "Option::is_none")]
    leak: Option<Value>,
}

impl<H: Hides> PartialSchema for LeakyView<H> {
    fn schema() -> RefOr<Schema> {
        <H::Game as Game>::View::schema()
    }
}

impl<H: Hides> ToSchema for LeakyView<H> {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        <H::Game as Game>::View::schemas(schemas);
    }
}

fn json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("plain data has JSON")
}

/// The hidden value.
fn hidden<H: Hides>(position: &<H::Game as Game>::Position) -> Value {
    json(position).pointer(H::HIDDEN).cloned().unwrap_or_default()
}

impl<H: Hides, const LEAK: u8> Secret for LeakyEvent<H, LEAK> {
    type Position = <H::Game as Game>::Position;
    type Seen = Value;

    fn seen(&self, position: &Self::Position, viewer: Viewer) -> Value {
        if LEAK == IN_FULL {
            return json(&self.0);
        }
        let mut seen = json(&self.0.seen(position, viewer));
        let is_over = H::Game::active_seat(position).is_none();
        if LEAK == IN_EVENTS || LEAK == IN_THE_END && is_over {
            seen["leak"] = hidden::<H>(position);
        }
        seen
    }
}

impl<H: Hides, const LEAK: u8> Fact for LeakyEvent<H, LEAK> {
    fn disclosure(&self) -> Disclosure {
        if LEAK == IN_SILENCE { Disclosure::Nothing } else { self.0.disclosure() }
    }

    fn is_open(&self) -> bool {
        false
    }
}

impl<H: Hides, const LEAK: u8> Form for LeakyEvent<H, LEAK> {
    type Before = First<Self::Position>;

    fn lift(before: First<Self::Position>) -> Self {
        before.none()
    }
}

/// The chance of a draft, for a draft of the game behind it.
struct Through<'d, 'a, G: Game>(&'d mut Draft<'a, G>);

impl<G: Game> Chance for Through<'_, '_, G> {
    fn draw(&mut self, kind: &'static str, count: usize, candidate: &Candidate<'_>) -> usize {
        self.0.pick_index(kind, count, candidate)
    }
}

impl<H: Hides, const LEAK: u8> Game for Leaky<H, LEAK> {
    const INFO: Info = <H::Game as Game>::INFO;

    type Options = <H::Game as Game>::Options;
    type PositionForm = <H::Game as Game>::PositionForm;
    type Position = <H::Game as Game>::Position;
    type Command = <H::Game as Game>::Command;
    type Event = LeakyEvent<H, LEAK>;
    type View = LeakyView<H>;
    type EventView = Value;
    type Place = <H::Game as Game>::Place;

    fn setup(
        options: Self::Options,
        seats: u8,
        edition: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Self::Event>, Refusal> {
        let events = H::Game::setup(options, seats, edition, chance)?;
        Ok(events.into_iter().map(LeakyEvent).collect())
    }

    fn start(first: &Self::Event, edition: Edition) -> Option<Self::Position> {
        H::Game::start(&first.0, edition)
    }

    fn told(form: &mut Self::PositionForm) -> &mut Option<Edition> {
        H::Game::told(form)
    }

    fn admit(form: Self::PositionForm) -> Result<Self::Position, Refusal> {
        H::Game::admit(form)
    }

    fn restore(form: Self::PositionForm) -> Result<Self::Position, Refusal> {
        H::Game::restore(form)
    }

    fn edition(position: &Self::Position) -> Edition {
        H::Game::edition(position)
    }

    fn options(position: &Self::Position) -> impl Serialize {
        H::Game::options(position)
    }

    fn active_seat(position: &Self::Position) -> Option<Seat> {
        H::Game::active_seat(position)
    }

    fn start_seat(position: &Self::Position) -> Option<Seat> {
        H::Game::start_seat(position)
    }

    fn moment(position: &Self::Position) -> &'static str {
        H::Game::moment(position)
    }

    fn sizes(position: &Self::Position) -> Sizes {
        H::Game::sizes(position)
    }

    fn turn_begun(before: &Self::Position, event: &Self::Event) -> Option<Seat> {
        H::Game::turn_begun(before, &event.0)
    }

    fn is_known(position: &Self::Position, event: &Self::Event) -> bool {
        H::Game::is_known(position, &event.0)
    }

    fn legal_commands(position: &Self::Position, commands: &mut Vec<Self::Command>) {
        H::Game::legal_commands(position, commands);
        if LEAK == OFF_THE_LIST {
            commands.retain(|command| H::lists(position, &json(command)));
        }
        if LEAK == IN_THE_LIST {
            // Not what is listed tells, but in which order.
            let value = hidden::<H>(position).to_string();
            let numbers = (1..).zip(value.bytes()).map(|(place, byte)| place * usize::from(byte));
            let first = numbers.sum::<usize>() % commands.len().max(1);
            commands.rotate_left(first);
        }
    }

    fn decide(draft: &mut Draft<'_, Self>, command: &Self::Command) -> Result<(), Refusal> {
        if LEAK == OFF_THE_LIST && !H::takes(&json(command)) {
            return Err(Refusal::new(H::RULE, "it is not taken"));
        }
        let mut position = draft.position().clone();
        let value = hidden::<H>(&position);
        let mut events = Vec::new();
        let mut chance = Through(draft);
        let decided =
            H::Game::decide(&mut Draft::new(&mut position, &mut events, &mut chance), command);
        decided.map_err(|refusal| match LEAK {
            IN_REFUSALS => Refusal::new(H::RULE, format!("the value is {value}")),
            _ => refusal,
        })?;
        events.into_iter().for_each(|event| draft.emit(LeakyEvent(event)));
        Ok(())
    }

    fn apply(position: &mut Self::Position, event: &Self::Event) {
        H::Game::apply(position, &event.0);
    }

    fn view(position: &Self::Position, viewer: Viewer) -> LeakyView<H> {
        let leak = (LEAK == IN_VIEWS).then(|| hidden::<H>(position));
        LeakyView { view: H::Game::view(position, viewer), leak }
    }

    fn pointed(position: &Self::Position, command: &Self::Command) -> Pointed {
        H::Game::pointed(position, command)
    }

    fn pieces(view: &LeakyView<H>) -> Vec<Placed> {
        H::Game::pieces(&view.view)
    }

    fn allows_take_back(position: &Self::Position) -> bool {
        H::Game::allows_take_back(position)
    }

    fn leanings(position: &Self::Position, commands: &[Self::Command]) -> Vec<i64> {
        H::Game::leanings(position, commands)
    }

    fn points(position: &Self::Position) -> Vec<i64> {
        H::Game::points(position)
    }

    fn awards(position: &Self::Position, event: &Self::Event) -> Vec<Award> {
        let mut awards = H::Game::awards(position, &event.0);
        if LEAK == IN_AWARDS && H::Game::active_seat(position) == Some(Seat(0)) {
            for award in &mut awards {
                let pieces = to_raw_value(&json!({"leak": hidden::<H>(position)}));
                award.pieces = pieces.expect("a value has JSON");
            }
        }
        awards
    }

    fn standing(position: &Self::Position) -> Option<Vec<Self::Place>> {
        H::Game::standing(position)
    }
}

/// Asserts that [`conform`] finds leaks when they are planted in this game: in its views, in its events, in what they say they disclose.
///
/// # Panics
/// If it does not find one.
pub fn are_found<H: Hides>(conformance: &Conformance<'_, H::Game>) {
    is_found::<H, IN_VIEWS>(conformance, "sees a difference that is hidden");
    is_found::<H, IN_FULL>(conformance, "what is hidden");
    is_found::<H, IN_SILENCE>(conformance, "does not say so");
}

/// Asserts that [`conform`] finds a leak of this kind, and that its complaint says so.
///
/// # Panics
/// If it does not.
pub fn is_found<H: Hides, const LEAK: u8>(conformance: &Conformance<'_, H::Game>, complaint: &str) {
    let Conformance { matches, options, longest, choose, exchange_hidden, invariant } = conformance;
    let leaky = Conformance::<Leaky<H, LEAK>> {
        matches: *matches,
        options: options.clone(),
        longest: *longest,
        choose: *choose,
        exchange_hidden: *exchange_hidden,
        invariant: *invariant,
    };
    let found = catch_unwind(AssertUnwindSafe(|| conform(&leaky))).err();
    let found = found.and_then(|found| found.downcast_ref::<String>().cloned()).unwrap_or_default();
    assert!(found.contains(complaint), "{complaint:?} was expected, not {found:?}");
}

//! A game that does not keep its secrets: what the tests here must catch.

use kernel::{Award, Chance, Disclosure, Draft, Game, Info, Refusal, Rule, Seat, Viewer};
use testkit::Nim;

/// Where the leak is.
pub(crate) const NOWHERE: u8 = 0;
pub(crate) const VIEW: u8 = 1;
pub(crate) const EVENT: u8 = 2;
pub(crate) const REFUSAL: u8 = 3;
pub(crate) const LIST: u8 = 4;

/// Nim, but for a leak.
pub(crate) struct Leaky<const LEAK: u8>;

type Position = <Nim as Game>::Position;

fn luck(position: &Position) -> usize {
    let position = serde_json::to_value(position).expect("a position has JSON");
    let lucky = position["lucky"].as_array().expect("a list");
    let numbers = (1..).zip(lucky).map(|(place, number)| place * number.as_u64().unwrap_or(0));
    usize::try_from(numbers.sum::<u64>()).expect("small")
}

impl<const LEAK: u8> Game for Leaky<LEAK> {
    const INFO: Info = Nim::INFO;

    type Options = <Nim as Game>::Options;
    type PositionForm = <Nim as Game>::PositionForm;
    type Position = Position;
    type Command = <Nim as Game>::Command;
    type Event = <Nim as Game>::Event;
    type View = serde_json::Value;
    type EventView = serde_json::Value;
    type Place = <Nim as Game>::Place;

    fn setup(
        options: Self::Options,
        seats: u8,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Self::Event>, Refusal> {
        Nim::setup(options, seats, chance)
    }

    fn start(first: &Self::Event) -> Option<Position> {
        Nim::start(first)
    }

    fn admit(form: Self::PositionForm) -> Result<Position, Refusal> {
        Nim::admit(form)
    }

    fn active_seat(position: &Position) -> Option<Seat> {
        Nim::active_seat(position)
    }

    fn legal_commands(position: &Position, commands: &mut Vec<Self::Command>) {
        Nim::legal_commands(position, commands);
        if LEAK == LIST {
            // Not what is listed tells, but in which order.
            let first = luck(position) % commands.len().max(1);
            commands.rotate_left(first);
        }
    }

    fn decide(draft: &mut Draft<'_, Self>, command: &Self::Command) -> Result<(), Refusal> {
        let mut position = draft.position().clone();
        let luck = luck(&position);
        let mut events = Vec::new();
        let mut nothing = testkit::Dice::new(0);
        let decided =
            Nim::decide(&mut Draft::new(&mut position, &mut events, &mut nothing), command);
        decided.map_err(|refusal| match LEAK {
            REFUSAL => Refusal::new(Rule("N-11"), format!("the luck is {luck}")),
            _ => refusal,
        })?;
        events.into_iter().for_each(|event| draft.emit(event));
        Ok(())
    }

    fn apply(position: &mut Position, event: &Self::Event) {
        Nim::apply(position, event);
    }

    fn view(position: &Position, viewer: Viewer) -> serde_json::Value {
        let view = serde_json::to_value(Nim::view(position, viewer));
        let mut view = view.expect("a view has JSON");
        if LEAK == VIEW {
            view["luck_in_all"] = luck(position).into();
        }
        view
    }

    fn event_view(position: &Position, event: &Self::Event, viewer: Viewer) -> serde_json::Value {
        let view = serde_json::to_value(Nim::event_view(position, event, viewer));
        let mut view = view.expect("an event has JSON");
        if LEAK == EVENT {
            view["luck_in_all"] = luck(position).into();
        }
        view
    }

    fn disclosure(event: &Self::Event) -> Disclosure {
        Nim::disclosure(event)
    }

    fn allows_take_back(position: &Position) -> bool {
        Nim::allows_take_back(position)
    }

    fn points(position: &Position) -> Vec<i64> {
        Nim::points(position)
    }

    fn awards(position: &Position, event: &Self::Event) -> Vec<Award> {
        Nim::awards(position, event)
    }

    fn standing(position: &Position) -> Option<Vec<Self::Place>> {
        Nim::standing(position)
    }
}

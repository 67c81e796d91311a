//! The Oracle of Delphi. The rules, D-101 to D-914, are in `RULES.md`; the printed data are in `data/`.
//!
//! Read in this order. The vocabulary: [`piece`], [`equipment`], [`multiset`], [`hex`], [`map`], [`options`], [`position`],
//! [`decision`], [`command`], [`event`], [`reason`], [`view`]. The verbs: `setup`; `legality` (what may be done now) and what it asks,
//! `sources`, `sailing`, `actions`, `gods`, `decisions`, `tasks`, each with its checks and its effects; `battle`, `islands`, `rewards`
//! and `gains` (effects that several of them have); `turn` (what happens by itself); `standing`; `apply`.

pub mod piece;

pub mod equipment;

pub mod multiset;

pub mod hex;

pub mod map;

pub mod options;

pub mod position;

pub mod decision;

pub mod command;

pub mod event;

pub mod reason;

pub mod view;

mod bounds;

mod setup;

mod legality;

mod refusal;

mod sources;

mod sailing;

mod actions;

mod gods;

mod decisions;

mod tasks;

mod battle;

mod islands;

mod rewards;

mod gains;

mod turn;

mod standing;

mod leaning;

mod awards;

mod apply;

use kernel::{
    Award, Chance, Disclosure, Draft, FormRules, Game, Info, Refusal, Rule, Seat, Viewer,
};

use crate::command::Command;
use crate::event::Event;
use crate::legality::Step;
use crate::options::Options;
use crate::position::{Place, Position, PositionForm, Stage};
use crate::view::{EventView, View};

/// The game.
pub struct Delphi;

impl Game for Delphi {
    const INFO: Info = Info {
        id: "delphi",
        title: "The Oracle of Delphi",
        text: "Sail an archipelago, and be the first to fulfil the tasks of Zeus: shrines, statues, offerings, monsters.",
        seats: 2..=4,
        forms: FormRules {
            seats: Rule("D-120"),
            options: Rule("D-120"),
            position: Rule("D-131"),
            command: Rule("D-202"),
            finished: Rule("D-201"),
            form_first: false,
            not_active: Some(Rule("D-204")),
        },
        rules: include_str!("../data/rules.toml"),
        data: concat!(include_str!("../data/delphi.toml"), include_str!("../data/delphi_map.toml")),
    };

    type Options = Options;
    type PositionForm = PositionForm;
    type Position = Position;
    type Command = Command;
    type Event = Event;
    type View = View;
    type EventView = EventView;
    type Place = Place;

    fn setup(options: Options, seats: u8, chance: &mut dyn Chance) -> Result<Vec<Event>, Refusal> {
        setup::setup(options, seats, chance)
    }

    fn start(first: &Event) -> Option<Position> {
        if let Event::MatchStarted { position } = first {
            Some(Position::clone(position))
        } else {
            None
        }
    }

    fn admit(form: PositionForm) -> Result<Position, Refusal> {
        bounds::check(&form).map_err(|reason| Refusal::new(Self::INFO.forms.position, reason))?;
        Self::restore(form)
    }

    fn restore(form: PositionForm) -> Result<Position, Refusal> {
        let refuse = |reason| Refusal::new(Self::INFO.forms.position, reason);
        let position = Position::try_from(form).map_err(refuse)?;
        if legality::is_stuck(&position) {
            return Err(refuse(
                "nobody could do anything: nothing is due, or what is due has no answer".to_owned(),
            ));
        }
        Ok(position)
    }

    fn active_seat(position: &Position) -> Option<Seat> {
        position.active_seat
    }

    fn legal_commands(position: &Position, commands: &mut Vec<Command>) {
        legality::list(position, commands);
    }

    fn decide(draft: &mut Draft<'_, Self>, command: &Command) -> Result<(), Refusal> {
        let step = legality::check(draft.position(), command).map_err(|broken| broken.told())?;
        let seat = draft.position().active();
        match step {
            Step::ChooseShip(ship) => setup::areas::choose_ship(draft, seat, ship),
            Step::Pay(paid) => sources::perform(draft, seat, paid),
            Step::EndTurn => turn::end(draft, seat),
            Step::Use(power) => gods::perform(draft, seat, power),
            Step::Act(deed, color) => actions::perform(draft, seat, deed, color),
            Step::Answer(answer) => decisions::perform(draft, seat, answer),
        }
        turn::go_on(draft);
        Ok(())
    }

    fn apply(position: &mut Position, event: &Event) {
        apply::apply(position, event);
    }

    fn view(position: &Position, viewer: Viewer) -> View {
        view::view(position, viewer)
    }

    fn event_view(_: &Position, event: &Event, viewer: Viewer) -> EventView {
        view::event_view(event, viewer)
    }

    fn disclosure(event: &Event) -> Disclosure {
        event::disclosure(event)
    }

    fn allows_take_back(_: &Position) -> bool {
        false
    }

    fn leanings(position: &Position, commands: &[Command]) -> Vec<i64> {
        leaning::leanings(position, commands)
    }

    fn points(position: &Position) -> Vec<i64> {
        let seats = position.in_turn_order(Seat(0));
        seats.map(|seat| i64::from(position.player(seat).fulfilled.count())).collect()
    }

    fn awards(before: &Position, event: &Event) -> Vec<Award> {
        awards::awards(before, event)
    }

    fn standing(position: &Position) -> Option<Vec<Place>> {
        let over = position.stage == Stage::Over;
        over.then(|| position.standing.clone().unwrap_or_else(|| standing::ranking(position)))
    }
}

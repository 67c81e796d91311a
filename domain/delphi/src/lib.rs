//! The Oracle of Delphi. The rules, D-101 to D-914, are in `RULES.md`; the printed data are in `data/`.
//!
//! Read in this order. The vocabulary: [`pieces`], [`board`], [`options`], [`position`], [`command`], [`event`], [`view`]. The verbs:
//! `setup`; `legality` (what may be done now) and `decide`, where what a deed needs and what it does stand in one file each;
//! `apply`; `scoring`.

mod printed;
pub mod pieces;
pub mod board;
pub mod options;
pub mod position;
pub mod command;
pub mod event;
pub mod view;
pub mod seen;
mod setup;
mod legality;
mod refusal;
mod decide;
mod apply;
mod scoring;
mod awards;
mod spots;
mod places;
mod moments;
mod load;
mod lean;

use kernel::{
    AnyGame, Award, Chance, Draft, Edition, EditionText, Erased, First, Form, FormRules, Game,
    Info, Placed, Pointed, Refusal, Rule, Seat, Secret, Sizes, Viewer,
};
use serde::Serialize;

use crate::command::Command;
use crate::event::{Event, EventView};
use crate::options::Options;
use crate::position::{Place, Position, PositionForm, Stage};
use crate::view::View;

/// The game.
pub struct Delphi;

/// The game as everything that knows no game of its own takes it: its rows in the catalogue and its tests share what is compiled for this.
pub static GAME: &dyn AnyGame = &Erased::<Delphi>::NEW;

impl Form for Event {
    type Before = First<Position>;

    fn lift(before: First<Position>) -> Event {
        before.none()
    }
}

impl Game for Delphi {
    const INFO: Info = Info {
        id: "delphi",
        title: "The Oracle of Delphi",
        text: "Sail an archipelago, and be the first to fulfil the tasks of Zeus: shrines, statues, offerings, monsters.",
        seats: printed::FACTS.seats[0]..=printed::FACTS.seats[1],
        editions: &[EditionText { date: "2026-11-22", changes: &[] }],
        fixed: &["game", "edition", "seats", "options", "map", "temples"],
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
        data: printed::DATA,
        words: &[
            ("en", include_str!("../words/en.toml")),
            ("de", include_str!("../words/de.toml")),
        ],
        moments: moments::ALL,
        fixtures: include_str!("../data/fixtures.json"),
    };

    type Options = Options;
    type PositionForm = PositionForm;
    type Position = Position;
    type Command = Command;
    type Event = Event;
    type View = View;
    type EventView = EventView;
    type Place = Place;

    fn setup(
        options: Options,
        seats: u8,
        edition: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Event>, Refusal> {
        setup::setup(options, seats, edition, chance)
    }

    fn start(first: &Event, edition: Edition) -> Option<Position> {
        let Event::MatchStarted { position } = first else { return None };
        Some(Position { edition, ..Position::clone(position) })
    }

    fn told(form: &mut PositionForm) -> &mut Option<Edition> {
        &mut form.edition
    }

    fn admit(form: PositionForm) -> Result<Position, Refusal> {
        load::admit(form)
    }

    fn restore(form: PositionForm) -> Result<Position, Refusal> {
        load::restore(form)
    }

    fn edition(position: &Position) -> Edition {
        position.edition
    }

    fn options(position: &Position) -> impl Serialize {
        &*position.terms
    }

    fn active_seat(position: &Position) -> Option<Seat> {
        position.active_seat
    }

    fn start_seat(position: &Position) -> Option<Seat> {
        match position.stage {
            Stage::Ships | Stage::Start => Some(position.start_seat),
            Stage::Upkeep | Stage::Main | Stage::Over => position.active_seat,
        }
    }

    fn moment(position: &Position) -> &'static str {
        moments::of(position)
    }

    fn sizes(position: &Position) -> Sizes {
        let players = position.players[..usize::from(position.seats)].iter();
        Sizes {
            left: position.oracle_deck.len() as u64,
            hands: players.map(|player| player.cards.len() as u64).collect(),
        }
    }

    fn turn_begun(before: &Position, event: &Event) -> Option<Seat> {
        let Event::TurnStarted { seat, round: _ } = event else { return None };
        // The choice of ships belongs to the first turn.
        (before.stage != Stage::Start).then_some(*seat)
    }

    fn is_known(position: &Position, event: &Event) -> bool {
        let (Event::IslandRevealed { at, .. } | Event::IslandLookedAt { at, .. }) = event else {
            return false;
        };
        let looking = position.island_at(*at).zip(position.active_seat);
        looking.is_some_and(|(place, seat)| position.islands[place].seen_by.contains(seat))
    }

    fn legal_commands(position: &Position, commands: &mut Vec<Command>) {
        legality::list(position, commands);
    }

    fn decide(draft: &mut Draft<'_, Self>, command: &Command) -> Result<(), Refusal> {
        decide::decide(draft, command)
    }

    fn apply(position: &mut Position, event: &Event) {
        apply::apply(position, event);
    }

    fn view(position: &Position, viewer: Viewer) -> View {
        let mut view = position.seen(position, viewer);
        // What was loaded may leave the ranking out, or be wrong.
        view.standing = scoring::standing(position);
        view
    }

    fn pointed(position: &Position, command: &Command) -> Pointed {
        spots::pointed(position, command)
    }

    fn pieces(view: &View) -> Vec<Placed> {
        places::places(view)
    }

    fn allows_take_back(_: &Position) -> bool {
        false
    }

    fn leanings(position: &Position, commands: &[Command]) -> Vec<i64> {
        lean::leanings(position, commands)
    }

    fn points(position: &Position) -> Vec<i64> {
        let seats = position.in_turn_order(Seat(0));
        seats.map(|seat| i64::from(position.player(seat).fulfilled.count())).collect()
    }

    fn awards(before: &Position, event: &Event) -> Vec<Award> {
        awards::awards(before, event)
    }

    fn standing(position: &Position) -> Option<Vec<Place>> {
        scoring::standing(position)
    }
}

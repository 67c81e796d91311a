//! Rosenkönig (The Rose King) by Dirk Henn: one crown on a board of 9 × 9 fields, 24 open power cards, 52 stones.
//!
//! The rules with their numbers are in `RULES.md`; comments here quote them as R-34. Everything is open but the order of
//! the draw pile. This file is the table of contents: the vocabulary is in [`Options`], [`Position`], [`Command`],
//! [`Event`] and [`View`]; each verb of [`Game`] is a function in a file of its own.
//!
//! In memory the board is one set of fields for each colour, a hand is a set of cards, and a pile is a fixed array, so a
//! whole match needs a few hundred bytes and a command changes a handful of them.

mod printed;
mod pieces;
mod board;
mod options;
mod position;
mod command;
mod event;
mod view;
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
    Info, Placed, Pointed, Refusal, Rule, Seat, Sizes, Viewer,
};
use serde::Serialize;

pub use board::{Color, Field, FieldForm, Fields};
pub use command::Command;
pub use event::{
    Area, AreaForm, Event, EventView, MatchFinished, MatchStarted, MatchStartedView, Place,
    PointsReason, ScoreAwarded,
};
pub use options::{Colors, MatchOptions, Options, Start};
pub use pieces::{Card, Cards, Direction, Pile};
pub use position::{EndReason, GameName, Phase, PhaseName, Position, PositionForm};
pub use printed::{CENTRE, DIRECTIONS, HAND_MAX, HEIGHT, HEROES, STONES, WIDTH};
pub use scoring::Score;
pub use view::{PileView, View};

/// The game. See the crate's documentation.
pub struct Rosenkoenig;

/// The game as everything that knows no game of its own takes it: its rows in the catalogue and its tests share what is compiled for this.
pub static GAME: &dyn AnyGame = &Erased::<Rosenkoenig>::NEW;

impl Form for Event {
    type Before = First<Position>;

    fn lift(before: First<Position>) -> Event {
        before.none()
    }
}

impl Game for Rosenkoenig {
    const INFO: Info = Info {
        id: "rosenkoenig",
        title: "Rosenkönig",
        text: "Two houses fight for England: power cards move one crown, which leaves a stone of the mover's colour on \
               each field it reaches. Areas of connected stones count the square of their size.",
        seats: printed::SEATS..=printed::SEATS,
        editions: &[EditionText { date: "2026-11-22", changes: &[] }],
        fixed: &["game", "edition", "options"],
        forms: FormRules {
            seats: Rule("R-01"),
            options: Rule("R-03"),
            position: Rule("R-90"),
            command: Rule("R-24"),
            finished: Rule("R-23"),
            form_first: false,
            not_active: None,
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
        _seats: u8,
        _: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Event>, Refusal> {
        setup::setup(options, chance)
    }

    fn start(first: &Event, edition: Edition) -> Option<Position> {
        apply::start(first, edition)
    }

    fn told(form: &mut PositionForm) -> &mut Option<Edition> {
        &mut form.edition
    }

    fn admit(form: PositionForm) -> Result<Position, Refusal> {
        load::admit(form)
    }

    fn edition(position: &Position) -> Edition {
        position.edition
    }

    fn options(position: &Position) -> impl Serialize {
        &position.options
    }

    fn active_seat(position: &Position) -> Option<Seat> {
        position.active_seat()
    }

    fn moment(position: &Position) -> &'static str {
        moments::of(position)
    }

    fn sizes(position: &Position) -> Sizes {
        Sizes {
            left: position.draw_pile.len() as u64,
            hands: position.hands.iter().map(|hand| hand.len() as u64).collect(),
        }
    }

    fn turn_begun(_: &Position, event: &Event) -> Option<Seat> {
        let Event::TurnStarted { seat } = event else { return None };
        Some(*seat)
    }

    fn legal_commands(position: &Position, commands: &mut Vec<Command>) {
        legality::legal_commands(position, commands);
    }

    fn decide(draft: &mut Draft<'_, Self>, command: &Command) -> Result<(), Refusal> {
        decide::decide(draft, *command)
    }

    #[inline(always)]
    fn apply(position: &mut Position, event: &Event) {
        apply::apply(position, event);
    }

    fn view(position: &Position, viewer: Viewer) -> View {
        view::view(position, viewer)
    }

    fn pointed(position: &Position, command: &Command) -> Pointed {
        spots::pointed(position, command)
    }

    fn pieces(view: &View) -> Vec<Placed> {
        places::places(view)
    }

    fn allows_take_back(position: &Position) -> bool {
        position.options.light
    }

    fn leanings(position: &Position, commands: &[Command]) -> Vec<i64> {
        lean::leanings(position, commands)
    }

    fn points(position: &Position) -> Vec<i64> {
        scoring::scores(position).map(|score| i64::from(score.points)).to_vec()
    }

    fn awards(before: &Position, event: &Event) -> Vec<Award> {
        awards::awards(before, event)
    }

    fn standing(position: &Position) -> Option<Vec<Place>> {
        let Phase::Finished(_) = position.phase else { return None };
        let scores = scoring::scores(position);
        Some(scoring::ranking(position.options.colors, scores).to_vec())
    }
}

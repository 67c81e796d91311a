//! Copenhagen: facades on the Nyhavn, for two to four players.
//!
//! The rules with their numbers are in `RULES.md`, the printed data in `data/copenhagen.toml`. This file is the table of
//! contents. The vocabulary: [`Color`], [`Cards`], [`Tile`], [`Ability`], [`Board`], [`Position`], [`Command`], [`Event`],
//! [`View`]. The verbs: one module each, free functions over that vocabulary.

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

use kernel::{
    AnyGame, Award, Chance, Draft, Edition, EditionText, Erased, First, Form, FormRules, Game,
    Info, Placed, Pointed, Refusal, Rule, Seat, Sizes, Viewer,
};
use serde::Serialize;

pub use board::{Board, Cell, Cells, Column, Fill, Orientation, PlacedTile, Row};
pub use command::Command;
pub use event::{Declined, Event, EventView, Price, ScoreReason};
pub use kernel::json::Below;
pub use options::{Options, OptionsAsked};
pub use pieces::{
    Abilities, Ability, AbilitySet, AbilityState, Cards, Color, FacadeTile, Supply, Tile,
};
pub use position::{
    EndCard, GameName, Harbor, MatchResult, Phase, Place, Player, PlayerForm, Position,
    PositionForm, Reason, Slot,
};
pub use scoring::{CoatCells, CoatRows, Line, LineKind, Lines, Space};
pub use view::{PlayerView, View};

/// The game.
pub struct Copenhagen;

/// The game as everything that knows no game of its own takes it: its rows in the catalogue and its tests share what is compiled for this.
pub static GAME: &dyn AnyGame = &Erased::<Copenhagen>::NEW;

impl Form for Event {
    type Before = First<Position>;

    fn lift(before: First<Position>) -> Event {
        before.none()
    }
}

impl Game for Copenhagen {
    const INFO: Info = Info {
        id: "copenhagen",
        title: "Copenhagen",
        text: "Two to four players build facades on the Nyhavn: take cards from the harbor, pay for tiles with cards of one colour, complete \
               rows and columns. Twelve points win at once.",
        seats: printed::SEATS,
        editions: &[EditionText { date: "2026-11-22", changes: &[] }],
        fixed: &["game", "edition", "options"],
        forms: FormRules {
            seats: Rule("C-201"),
            options: Rule("C-202"),
            position: Rule("C-210"),
            command: Rule("C-302"),
            finished: Rule("C-301"),
            form_first: true,
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

    type Options = OptionsAsked;
    type PositionForm = PositionForm;
    type Position = Position;
    type Command = Command;
    type Event = Event;
    type View = View;
    type EventView = EventView;
    type Place = Place;

    fn setup(
        OptionsAsked {}: OptionsAsked,
        seats: u8,
        edition: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Event>, Refusal> {
        Ok(vec![Event::MatchStarted {
            position: Box::new(setup::position(seats, edition, chance)),
        }])
    }

    fn start(first: &Event, edition: Edition) -> Option<Position> {
        let Event::MatchStarted { position } = first else { return None };
        Some(Position { edition, ..(**position).clone() })
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

    fn options(_: &Position) -> impl Serialize {
        Options {}
    }

    fn active_seat(position: &Position) -> Option<Seat> {
        position.active_seat
    }

    fn moment(position: &Position) -> &'static str {
        moments::of(position)
    }

    fn sizes(position: &Position) -> Sizes {
        Sizes {
            left: position.deck_size() as u64,
            hands: position.players.iter().map(|player| player.hand.len() as u64).collect(),
        }
    }

    fn turn_begun(_: &Position, event: &Event) -> Option<Seat> {
        let Event::TurnEnded { seat: _, next_seat, next_turn: _ } = event else { return None };
        Some(*next_seat)
    }

    fn legal_commands(position: &Position, commands: &mut Vec<Command>) {
        if let Some(seat) = position.active_seat {
            legality::list(position, seat, commands);
        }
    }

    fn decide(draft: &mut Draft<'_, Self>, command: &Command) -> Result<(), Refusal> {
        decide::decide(draft, command)
    }

    fn apply(position: &mut Position, event: &Event) {
        apply::apply(position, event);
    }

    fn view(position: &Position, viewer: Viewer) -> View {
        view::view(position, viewer)
    }

    fn pointed(_: &Position, command: &Command) -> Pointed {
        spots::pointed(command)
    }

    fn pieces(view: &View) -> Vec<Placed> {
        places::places(view)
    }

    fn allows_take_back(_: &Position) -> bool {
        false
    }

    fn points(position: &Position) -> Vec<i64> {
        position.players.iter().map(|player| i64::from(player.score)).collect()
    }

    fn awards(before: &Position, event: &Event) -> Vec<Award> {
        awards::awards(before, event)
    }

    fn standing(position: &Position) -> Option<Vec<Place>> {
        position.result.as_ref().map(|result| result.standing.clone())
    }
}

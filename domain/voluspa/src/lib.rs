//! Völuspá by Scott Caputo: the base game with Saga of Edda, Order of the Gods and the Lightning Bolt.
//!
//! Two to five seats lay tiles of Norse gods and creatures into one grid; a tile scores the row and the column that it newly
//! dominates, and almost every kind of tile bends this rule. The rules with their numbers are in `RULES.md` beside this crate;
//! every refusal quotes one.
//!
//! Read in this order: [`Tile`] and [`Tiles`], [`Cell`], [`Board`], [`Position`] and [`PositionForm`], [`Command`], [`Event`],
//! [`View`]; then the verbs: `legality` (section 7), `scoring` (section 9), `decide` and `apply` (section 8), `setup`
//! (section 5).

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

pub use board::{Board, Cell, Direction, Piece};
pub use command::{Command, Mode};
pub use event::{DiscardReason, Event, EventView, HelCount, Part, PartKind, Parts, ScoreReason};
pub use options::{Expansion, Options, OptionsAsked, Set};
pub use pieces::{Tile, TileSet, Tiles, Tokens};
pub use position::{BoardCell, Flight, GameId, Phase, Player, PlayerForm, Position, PositionForm};
pub use scoring::Place;
pub use view::{PlayerView, View};

use kernel::{
    AnyGame, Award, Chance, Draft, Edition, EditionText, Erased, First, Form, FormRules, Game,
    Info, Placed, Pointed, Refusal, Seat, Sizes, Viewer, json_bytes,
};
use serde::Serialize;

/// The game of Völuspá.
pub struct Voluspa;

/// The game as everything that knows no game of its own takes it: its rows in the catalogue and its tests share what is compiled for this.
pub static GAME: &dyn AnyGame = &Erased::<Voluspa>::NEW;

impl Form for Event {
    type Before = First<Position>;

    fn lift(before: First<Position>) -> Event {
        before.none()
    }
}

impl Game for Voluspa {
    const INFO: Info = Info {
        id: "voluspa",
        title: "Völuspá",
        text: "Lay tiles of Norse gods and creatures: a tile scores the row and the column that it is highest in. \
               With Saga of Edda, Order of the Gods and the Lightning Bolt.",
        seats: printed::SEATS,
        editions: &[EditionText { date: "2026-11-22", changes: &[] }],
        fixed: &["game", "edition", "options", "seats", "tile_types"],
        forms: FormRules {
            seats: refusal::SEATS,
            options: refusal::OPTIONS,
            position: refusal::POSITION,
            command: refusal::COMMAND,
            finished: refusal::FINISHED,
            form_first: false,
            not_active: Some(refusal::NOT_ACTIVE),
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
        options: OptionsAsked,
        seats: u8,
        edition: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Event>, Refusal> {
        Ok(setup::events(options.accept()?, seats, edition, chance))
    }

    fn start(first: &Event, edition: Edition) -> Option<Position> {
        setup::start(first, edition)
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
        &position.options
    }

    fn active_seat(position: &Position) -> Option<Seat> {
        position.active_seat
    }

    fn moment(position: &Position) -> &'static str {
        moments::of(position)
    }

    fn sizes(position: &Position) -> Sizes {
        Sizes {
            left: position.pile.total().into(),
            hands: position.players().map(|(_, player)| player.hand.total().into()).collect(),
        }
    }

    fn turn_begun(_: &Position, event: &Event) -> Option<Seat> {
        let Event::TurnStarted { seat, passed: _ } = event else { return None };
        Some(*seat)
    }

    fn legal_commands(position: &Position, commands: &mut Vec<Command>) {
        legality::legal_commands(position, commands);
    }

    fn decide(draft: &mut Draft<'_, Self>, command: &Command) -> Result<(), Refusal> {
        decide::decide(draft, command)
    }

    fn apply(position: &mut Position, event: &Event) {
        apply::apply(position, event);
    }

    fn bytes(position: &Position) -> usize {
        json_bytes(position) + position.board.bytes()
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

    fn allows_take_back(_: &Position) -> bool {
        false
    }

    fn points(position: &Position) -> Vec<i64> {
        scoring::points(position)
    }

    fn awards(before: &Position, event: &Event) -> Vec<Award> {
        awards::awards(before, event)
    }

    fn standing(position: &Position) -> Option<Vec<Place>> {
        scoring::ranking(position)
    }
}

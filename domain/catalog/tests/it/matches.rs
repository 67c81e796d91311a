//! Random matches, as the server would show them.

use canvas::{Picture, Scene, Shape, Style, Theme};
use kernel::{AnyGame, AnyMatch, Seat, Started, Viewer};
use serde_json::value::RawValue;
use testkit::Dice;

/// What somebody sees after a commit.
pub(crate) struct Moment {
    pub(crate) viewer: Viewer,
    pub(crate) version: u64,
    pub(crate) view: Box<RawValue>,
    pub(crate) events: Vec<Box<RawValue>>,
}

impl Moment {
    pub(crate) fn scene<'a>(&'a self, title: &'a str, names: &'a [Option<String>]) -> Scene<'a> {
        let scene = Scene::new(title, &self.view, self.viewer);
        Scene { events: &self.events, names, version: Some(self.version), ..scene }
    }
}

pub(crate) fn options(game: &str) -> &'static [&'static str] {
    let row = catalog::ROWS.iter().find(|row| row.game.info().id == game);
    row.expect("a game of the catalogue").options
}

/// Calls `see` with moments of random matches of a game, for every viewer: about `most` commits of each match.
pub(crate) fn moments(game: &'static dyn AnyGame, most: usize, mut see: impl FnMut(&Moment)) {
    for seats in game.info().seats.clone() {
        for options in options(game.info().id) {
            let mut dice = Dice::new(u64::from(seats));
            let started = started(game, options, seats.into(), &mut dice);
            let (mut state, mut events) = (started.state, started.events);
            let mut version = 0;
            for commit in 0..most {
                version += events.len() as u64;
                if commit < 12 || commit % 29 == 0 || state.active_seat().is_none() {
                    look(state.as_ref(), &events, version, &mut see);
                }
                if state.active_seat().is_none() {
                    break;
                }
                let command = dice.of(&legal(state.as_ref())).clone();
                let decided = state.decide(&command, &mut dice).expect("it is legal");
                (state, events) = (decided.state, decided.events);
            }
        }
    }
}

fn look(
    state: &dyn AnyMatch,
    events: &[kernel::Seen],
    version: u64,
    see: &mut impl FnMut(&Moment),
) {
    let seats =
        (0..state.seats()).map(|seat| Viewer::Seat(Seat(u8::try_from(seat).expect("few seats"))));
    for viewer in seats.chain([Viewer::Spectator]) {
        let seen =
            events.iter().map(|event| state.event_view(&event.full, viewer).expect("it is legal"));
        see(&Moment { viewer, version, view: state.view(viewer), events: seen.collect() });
    }
}

/// A match of a game by its newest rules.
pub(crate) fn started(game: &dyn AnyGame, options: &str, seats: usize, dice: &mut Dice) -> Started {
    let options = RawValue::from_string(options.to_owned()).expect("JSON");
    game.setup(&options, seats, game.info().newest(), dice).expect("options")
}

/// What the seat to act may do.
pub(crate) fn legal(state: &dyn AnyMatch) -> Vec<Box<RawValue>> {
    serde_json::from_str(state.legal_commands().get()).expect("a list")
}

/// One game with its picture.
pub(crate) fn picture_of(game: &str) -> (&'static Picture, &'static dyn AnyGame) {
    pictures().find(|(picture, _)| picture.game == game).expect("a game of the catalogue")
}

/// All pictures with their games.
pub(crate) fn pictures() -> impl Iterator<Item = (&'static Picture, &'static dyn AnyGame)> {
    catalog::ROWS.iter().map(|row| {
        assert_eq!(row.picture.game, row.game.info().id);
        (row.picture, *row.game)
    })
}

pub(crate) fn styles() -> impl Iterator<Item = Style> + Clone {
    let themes = [Theme::Auto, Theme::Light, Theme::Dark];
    let of = |theme| [Shape::Wide, Shape::Tall, Shape::Board].map(|shape| Style { theme, shape });
    themes.into_iter().flat_map(of)
}

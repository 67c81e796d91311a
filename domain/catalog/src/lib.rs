//! The games that this server plays: one row each.

use std::sync::LazyLock;

use canvas::Picture;
use kernel::AnyGame;

/// One game.
#[derive(Clone, Copy)]
pub struct Row {
    /// Its rules. A reference to where they are, since a copy of it would be compiled here once more, with all that it leads to.
    pub game: &'static &'static dyn AnyGame,
    /// Its picture.
    pub picture: &'static Picture,
    /// Options worth playing, JSON: the default first, then what uses the parts of the game that the default leaves out.
    pub options: &'static [&'static str],
}

/// Every game that can be played, in the order in which the catalogue lists them.
pub const ROWS: &[Row] = &[
    Row {
        game: &voluspa::GAME,
        picture: &voluspa_picture::PICTURE,
        options: &[
            "{}",
            r#"{"set": "saga_of_edda", "lightning_bolt": true}"#,
            r#"{"set": "custom", "custom_types": ["hel", "hermod", "jotunn", "sea_serpent", "dwarf", "freya", "raven", "niohoggr"]}"#,
        ],
    },
    Row {
        game: &rosenkoenig::GAME,
        picture: &rosenkoenig_picture::PICTURE,
        options: &["{}", r#"{"show_draw_pile": true, "colors": ["white", "red"]}"#],
    },
    Row { game: &copenhagen::GAME, picture: &copenhagen_picture::PICTURE, options: &["{}"] },
    Row { game: &delphi::GAME, picture: &delphi_picture::PICTURE, options: &["{}"] },
];

/// The rules of the games, in the order of their rows.
#[must_use]
pub fn games() -> &'static [&'static dyn AnyGame] {
    static GAMES: LazyLock<Vec<&dyn AnyGame>> =
        LazyLock::new(|| ROWS.iter().map(|row| *row.game).collect());
    &GAMES
}

/// Their pictures.
pub static PICTURES: &[&Picture] = &{
    let mut pictures = [ROWS[0].picture; ROWS.len()];
    let mut row = 1;
    while row < ROWS.len() {
        pictures[row] = ROWS[row].picture;
        row += 1;
    }
    pictures
};

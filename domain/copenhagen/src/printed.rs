//! The printed data, as constants. `data/copenhagen.toml` has the same with its sources; a test compares them.

use crate::pieces::Color;

/// Points that end the match (C-901).
pub(crate) const TARGET_POINTS: u8 = 12;
/// The most cards in a hand after taking (C-406).
pub(crate) const HAND_LIMIT: usize = 7;
/// The end card lies among so many of the lowest facade cards (C-902).
pub(crate) const END_CARD_BOTTOM: usize = 9;
/// Cards at the start by seat (C-205).
pub(crate) const START_HANDS: [u8; 4] = [2, 3, 3, 4];
/// Copies of the special tile (C-105).
pub(crate) const SPECIAL_COPIES: u8 = 12;

/// Places `(x, y)` of the coats of arms on spaces (C-102).
pub(crate) const COAT_CELLS: [(u8, u8); 4] = [(3, 0), (1, 2), (4, 4), (2, 6)];
/// Rows with a coat of arms beside them (C-102).
pub(crate) const COAT_ROWS: [u8; 3] = [3, 5, 7];

/// Facade cards of each colour by number of players (C-103).
pub(crate) const fn cards_per_color(seats: usize) -> u8 {
    if seats == 3 { 12 } else { 14 }
}

/// Copies of each kind of facade tile by number of players and size (C-104).
pub(crate) const fn tile_copies(seats: usize, size: u8) -> u8 {
    match (seats, size) {
        (_, 5) => 1,
        (3, 3) | (4, _) => 3,
        (_, _) => 2,
    }
}

/// The facade tiles at orientation 0, upper row first: `W` window, `B` brick (C-104). By colour, then size 2 to 5.
pub(crate) const PATTERNS: [(Color, [&[&str]; 4]); 5] = [
    (Color::Red, [&["BW"], &["WW", "B."], &["WW", "BW"], &[".WW", "BWW"]]),
    (Color::Yellow, [&["BW"], &["WW", "B."], &[".WW", "WB."], &["W..", "WWW", "..B"]]),
    (Color::Green, [&["BW"], &["BWW"], &["WWW", ".B."], &[".W.", "BWW", ".W."]]),
    (Color::Blue, [&["BW"], &["WW", "B."], &["..W", "BWW"], &["..W", "BWW", "..W"]]),
    (Color::Purple, [&["BW"], &["BWW"], &["BWWW"], &["BWWWW"]]),
];

/// The special tile (C-105).
pub(crate) const SPECIAL_PATTERN: &[&str] = &["W"];

//! Tiles and their shapes (C-104 to C-106).

use serde::Deserialize;

use canvas::Unreadable;

use copenhagen::seen::Color;

/// A kind of tile: its colour and its size, or the special tile, which has no colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Kind {
    pub(crate) color: Option<Color>,
    /// 1 to 5 squares.
    pub(crate) size: usize,
}

/// A square of a board that a tile covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Square {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) brick: bool,
}

/// The shapes at orientation 0, upper row first, by colour, then size from 2: `W` window, `B` brick.
const SHAPES: [[&[&str]; 4]; 5] = [
    [&["BW"], &["WW", "B."], &["WW", "BW"], &[".WW", "BWW"]],
    [&["BW"], &["WW", "B."], &[".WW", "WB."], &["W..", "WWW", "..B"]],
    [&["BW"], &["BWW"], &["WWW", ".B."], &[".W.", "BWW", ".W."]],
    [&["BW"], &["WW", "B."], &["..W", "BWW"], &["..W", "BWW", "..W"]],
    [&["BW"], &["BWW"], &["BWWW"], &["BWWWW"]],
];

impl TryFrom<String> for Kind {
    type Error = Unreadable;

    fn try_from(id: String) -> Result<Self, Unreadable> {
        Kind::all()
            .find(|kind| kind.id() == id)
            .ok_or_else(|| Unreadable(format!("{id} is no tile")))
    }
}

impl Kind {
    /// The special tile: one window.
    pub(crate) const SPECIAL: Kind = Kind { color: None, size: 1 };

    /// All kinds by colour, then size; the special tile last.
    pub(crate) fn all() -> impl Iterator<Item = Kind> {
        let facades = Color::ALL
            .into_iter()
            .flat_map(|color| (2..=5).map(move |size| Kind { color: Some(color), size }));
        facades.chain([Kind::SPECIAL])
    }

    /// As commands name it.
    pub(crate) fn id(self) -> String {
        match self.color {
            Some(color) => format!("{}_{}", color.name(), self.size),
            None => "special".to_owned(),
        }
    }

    /// For people.
    pub(crate) fn words(self) -> String {
        match self.color {
            Some(color) => format!("{} tile of {}", color.name(), self.size),
            None => "special tile".to_owned(),
        }
    }

    fn pattern(self) -> &'static [&'static str] {
        match self.color {
            Some(color) => SHAPES[color as usize][self.size - 2],
            None => &["W"],
        }
    }

    /// The squares of the tile, mirrored if `orientation` is 4 or more, then turned `orientation` modulo 4 quarter turns clockwise,
    /// and shifted so that the least x and the least y are 0 (C-106).
    pub(crate) fn squares(self, orientation: u8) -> Vec<Square> {
        let pattern = self.pattern();
        let (mut wide, mut high) = (pattern[0].len(), pattern.len());
        let mut squares = Vec::new();
        for (y, row) in pattern.iter().enumerate() {
            for (x, fill) in row.bytes().enumerate() {
                let x = if orientation < 4 { x } else { wide - 1 - x };
                if fill != b'.' {
                    let brick = fill == b'B';
                    squares.push(Square { x, y, brick });
                }
            }
        }
        for _ in 0..orientation % 4 {
            for square in &mut squares {
                (square.x, square.y) = (high - 1 - square.y, square.x);
            }
            (wide, high) = (high, wide);
        }
        squares
    }
}

/// How many squares wide and high a shape is.
pub(crate) fn extent(squares: &[Square]) -> (usize, usize) {
    squares
        .iter()
        .fold((0, 0), |(wide, high), square| (wide.max(square.x + 1), high.max(square.y + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check of C-106.
    #[test]
    fn a_tile_turns_clockwise_after_it_is_mirrored() {
        let kind = Kind::try_from("red_3".to_owned()).unwrap();
        let seen: Vec<String> = (0..8)
            .map(|orientation| {
                let squares = kind.squares(orientation);
                let row = |y: usize| -> String {
                    let at = |x: usize| {
                        let square = squares.iter().find(|square| (square.x, square.y) == (x, y));
                        square.map_or('.', |square| if square.brick { 'B' } else { 'W' })
                    };
                    (0..2).map(at).collect()
                };
                format!("{} {}", row(0), row(1))
            })
            .collect();
        let expected = ["WW B.", "BW .W", ".B WW", "W. WB", "WW .B", ".W BW", "B. WW", "WB W."];
        assert_eq!(seen, expected);
    }
}

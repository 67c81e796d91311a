//! What is drawn of a view, and what has just happened.

use std::collections::BTreeMap;

use kernel::Seat;
use serde::Deserialize;

use canvas::{Scene, Unreadable, known};

use copenhagen::seen::{Abilities, Color, EndCard, LineKind, MatchResult, Phase, Reason};

use crate::tile::{Kind, Square};

/// Columns of a board.
pub(crate) const COLUMNS: usize = 5;
/// Rows of a board; the last one is the ground floor.
pub(crate) const ROWS: usize = 9;
/// Points that end the match.
pub(crate) const TARGET: u16 = 12;
/// Spaces with a coat of arms (C-102).
pub(crate) const COAT_SPACES: [(usize, usize); 4] = [(3, 0), (1, 2), (4, 4), (2, 6)];
/// Rows with a coat of arms beside them.
pub(crate) const COAT_ROWS: [usize; 3] = [3, 5, 7];

#[derive(Deserialize)]
pub(crate) struct View {
    pub(crate) turn: u32,
    pub(crate) phase: Phase,
    pub(crate) active_seat: Option<Seat>,
    pub(crate) coats: u8,
    pub(crate) players: Vec<Player>,
    pub(crate) harbor: [Option<Color>; 7],
    pub(crate) deck: Option<Vec<Color>>,
    pub(crate) deck_size: u16,
    pub(crate) discard: Vec<Color>,
    pub(crate) end_card: EndCard,
    pub(crate) supply: BTreeMap<Kind, u8>,
    pub(crate) result: Option<MatchResult>,
}

#[derive(Deserialize)]
pub(crate) struct Player {
    pub(crate) score: u16,
    pub(crate) hand: Option<Vec<Color>>,
    pub(crate) hand_size: u16,
    pub(crate) abilities: Abilities,
    pub(crate) tiles: Vec<Placed>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
pub(crate) struct Placed {
    pub(crate) tile: Kind,
    pub(crate) orientation: u8,
    pub(crate) x: u8,
    pub(crate) y: u8,
}

/// A row or a column.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
pub(crate) struct Line {
    pub(crate) kind: LineKind,
    pub(crate) index: u8,
}

/// What covers a space: which tile of the board, and with what.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cover {
    pub(crate) brick: bool,
    pub(crate) color: Option<Color>,
}

/// The spaces of a board, by row, then column.
pub(crate) type Spaces = [[Option<Cover>; COLUMNS]; ROWS];

impl View {
    pub(crate) fn read(scene: &Scene<'_>) -> Result<Self, Unreadable> {
        let view: View = scene.view()?;
        let seats = view.players.len();
        if !(2..=4).contains(&seats) {
            return Err(Unreadable("there are two to four players".to_owned()));
        }
        known(view.active_seat, seats)?;
        for player in &view.players {
            if player.tiles.len() > COLUMNS * ROWS {
                return Err(Unreadable("a board has 45 spaces".to_owned()));
            }
            if player.tiles.iter().any(|tile| !tile.fits()) {
                return Err(Unreadable("a tile is off the board".to_owned()));
            }
        }
        let hands = view.players.iter().filter_map(|player| player.hand.as_ref());
        let piles = view.deck.iter().chain(hands).flatten();
        if piles.chain(&view.discard).count() > 70 {
            return Err(Unreadable("there are 70 cards".to_owned()));
        }
        Ok(view)
    }

    /// What is to be done, or how it ended.
    pub(crate) fn words(&self) -> String {
        let words = match self.phase {
            Phase::Action => "take a card, or build",
            Phase::SecondCard => "take a second card",
            Phase::ThirdCard => "a third card, or not",
            Phase::Discard => "discard down to 7 cards",
            Phase::Build => "build, or end the turn",
            Phase::CoatOfArms if self.coats > 1 => {
                return format!("use one of {} coats of arms", self.coats);
            }
            Phase::CoatOfArms => "use a coat of arms",
            Phase::Finished => match self.result.as_ref().map(|result| result.reason) {
                Some(Reason::TwelvePoints) => "twelve points",
                Some(Reason::EndCard) => "the end card came up",
                None => "",
            },
        };
        words.to_owned()
    }

    pub(crate) fn is_active(&self, seat: usize) -> bool {
        self.active_seat.is_some_and(|active| active.index() == seat)
    }

    pub(crate) fn rank(&self, seat: usize) -> Option<u32> {
        let standing = &self.result.as_ref()?.standing;
        let place = standing.iter().find(|place| place.seat.index() == seat)?;
        Some(u32::from(place.rank))
    }

    /// How many cards of a colour lie in the discard.
    pub(crate) fn discarded(&self, color: Color) -> usize {
        self.discard.iter().filter(|card| **card == color).count()
    }
}

impl Placed {
    /// The squares on the board.
    pub(crate) fn squares(&self) -> Vec<Square> {
        let mut squares = self.tile.squares(self.orientation % 8);
        for square in &mut squares {
            square.x += usize::from(self.x);
            square.y += usize::from(self.y);
        }
        squares
    }

    fn fits(&self) -> bool {
        let inside = |square: &Square| square.x < COLUMNS && square.y < ROWS;
        self.orientation < 8 && self.squares().iter().all(inside)
    }
}

impl Player {
    pub(crate) fn spaces(&self) -> Spaces {
        let mut spaces = Spaces::default();
        for tile in &self.tiles {
            for square in tile.squares() {
                spaces[square.y][square.x] =
                    Some(Cover { brick: square.brick, color: tile.tile.color });
            }
        }
        spaces
    }

    /// How many spaces are empty: they break ties after the end card.
    pub(crate) fn empty(&self) -> usize {
        let spaces = self.spaces();
        spaces.iter().flatten().filter(|space| space.is_none()).count()
    }
}

/// What a row is worth, if it is complete (C-801).
pub(crate) fn row_value(spaces: &Spaces, y: usize) -> Option<u32> {
    value(spaces[y].iter(), 1)
}

/// What a column is worth, if it is complete (C-802).
pub(crate) fn column_value(spaces: &Spaces, x: usize) -> Option<u32> {
    value(spaces.iter().map(|row| &row[x]), 2)
}

fn value<'a>(line: impl Iterator<Item = &'a Option<Cover>>, base: u32) -> Option<u32> {
    let covers: Option<Vec<Cover>> = line.copied().collect();
    let bricks = covers?.iter().any(|cover| cover.brick);
    Some(if bricks { base } else { 2 * base })
}

/// The letter that stands for the colour wherever it is drawn.
pub(crate) fn letter(color: Color) -> char {
    match color {
        Color::Red => 'R',
        Color::Yellow => 'Y',
        Color::Green => 'G',
        Color::Blue => 'B',
        Color::Purple => 'P',
    }
}

//! What is drawn of a view, and what has just happened.

use std::collections::BTreeMap;

use kernel::Seat;
use serde::Deserialize;

use crate::scene::{Scene, Unreadable, known};

use super::ability::Abilities;
use super::tile::{Kind, Square};

/// Columns of a board.
pub(super) const COLUMNS: usize = 5;
/// Rows of a board; the last one is the ground floor.
pub(super) const ROWS: usize = 9;
/// Points that end the match.
pub(super) const TARGET: u16 = 12;
/// Spaces with a coat of arms (C-102).
pub(super) const COAT_SPACES: [(usize, usize); 4] = [(3, 0), (1, 2), (4, 4), (2, 6)];
/// Rows with a coat of arms beside them.
pub(super) const COAT_ROWS: [usize; 3] = [3, 5, 7];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Color {
    Red,
    Yellow,
    Green,
    Blue,
    Purple,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    Action,
    SecondCard,
    ThirdCard,
    Discard,
    Build,
    CoatOfArms,
    Finished,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EndCard {
    Aside,
    Deck,
    Revealed,
}

#[derive(Deserialize)]
pub(super) struct View {
    pub(super) turn: u32,
    pub(super) phase: Phase,
    pub(super) active_seat: Option<Seat>,
    pub(super) coats: u8,
    pub(super) players: Vec<Player>,
    pub(super) harbor: [Option<Color>; 7],
    pub(super) deck: Option<Vec<Color>>,
    pub(super) deck_size: u16,
    pub(super) discard: Vec<Color>,
    pub(super) end_card: EndCard,
    pub(super) supply: BTreeMap<Kind, u8>,
    pub(super) result: Option<MatchResult>,
}

#[derive(Deserialize)]
pub(super) struct Player {
    pub(super) score: u16,
    pub(super) hand: Option<Vec<Color>>,
    pub(super) hand_size: u16,
    pub(super) abilities: Abilities,
    pub(super) tiles: Vec<Placed>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) struct Placed {
    pub(super) tile: Kind,
    pub(super) orientation: u8,
    pub(super) x: u8,
    pub(super) y: u8,
}

#[derive(Deserialize)]
pub(super) struct MatchResult {
    pub(super) reason: Reason,
    pub(super) standing: Vec<Place>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reason {
    TwelvePoints,
    EndCard,
}

#[derive(Deserialize)]
pub(super) struct Place {
    pub(super) seat: Seat,
    pub(super) rank: u8,
}

/// A row or a column.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) struct Line {
    pub(super) kind: LineKind,
    pub(super) index: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LineKind {
    Row,
    Column,
}

/// What covers a space: which tile of the board, and with what.
#[derive(Clone, Copy, Default)]
pub(super) struct Cover {
    pub(super) brick: bool,
    pub(super) color: Option<Color>,
}

/// The spaces of a board, by row, then column.
pub(super) type Spaces = [[Option<Cover>; COLUMNS]; ROWS];

impl View {
    pub(super) fn read(scene: &Scene<'_>) -> Result<Self, Unreadable> {
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
    pub(super) fn words(&self) -> String {
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

    pub(super) fn is_active(&self, seat: usize) -> bool {
        self.active_seat.is_some_and(|active| active.index() == seat)
    }

    pub(super) fn rank(&self, seat: usize) -> Option<u32> {
        let standing = &self.result.as_ref()?.standing;
        let place = standing.iter().find(|place| place.seat.index() == seat)?;
        Some(u32::from(place.rank))
    }

    /// How many cards of a color lie in the discard.
    pub(super) fn discarded(&self, color: Color) -> usize {
        self.discard.iter().filter(|card| **card == color).count()
    }
}

impl Placed {
    /// The squares on the board.
    pub(super) fn squares(&self) -> Vec<Square> {
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
    pub(super) fn spaces(&self) -> Spaces {
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
    pub(super) fn empty(&self) -> usize {
        let spaces = self.spaces();
        spaces.iter().flatten().filter(|space| space.is_none()).count()
    }
}

/// What a row is worth, if it is complete (C-801).
pub(super) fn row_value(spaces: &Spaces, y: usize) -> Option<u32> {
    value(spaces[y].iter(), 1)
}

/// What a column is worth, if it is complete (C-802).
pub(super) fn column_value(spaces: &Spaces, x: usize) -> Option<u32> {
    value(spaces.iter().map(|row| &row[x]), 2)
}

fn value<'a>(line: impl Iterator<Item = &'a Option<Cover>>, base: u32) -> Option<u32> {
    let covers: Option<Vec<Cover>> = line.copied().collect();
    let bricks = covers?.iter().any(|cover| cover.brick);
    Some(if bricks { base } else { 2 * base })
}

impl Color {
    pub(super) const ALL: [Color; 5] =
        [Color::Red, Color::Yellow, Color::Green, Color::Blue, Color::Purple];

    pub(super) fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::Yellow => "yellow",
            Color::Green => "green",
            Color::Blue => "blue",
            Color::Purple => "purple",
        }
    }

    /// The letter that stands for the color wherever it is drawn.
    pub(super) fn letter(self) -> char {
        match self {
            Color::Red => 'R',
            Color::Yellow => 'Y',
            Color::Green => 'G',
            Color::Blue => 'B',
            Color::Purple => 'P',
        }
    }
}

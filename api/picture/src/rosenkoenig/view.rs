//! What is drawn of a view, and what has just happened.

use kernel::Seat;
use serde::Deserialize;

use crate::scene::{Cell, Scene, Unreadable, known};

use super::card::Card;

/// Fields in a row, and rows.
pub(super) const SIDE: usize = 9;

#[derive(Deserialize)]
pub(super) struct View {
    options: Options,
    pub(super) active_seat: Option<Seat>,
    /// Nine rows of nine characters: `.`, `r`, `w`.
    board: Vec<String>,
    pub(super) crown: Cell,
    pub(super) hands: [Vec<Card>; 2],
    pub(super) heroes: [u8; 2],
    pub(super) stones_left: u8,
    pub(super) draw_pile: PileView,
    /// The card on top comes first.
    pub(super) discard_pile: Vec<Card>,
    pub(super) end_reason: Option<EndReason>,
    pub(super) scores: [Score; 2],
}

#[derive(Deserialize)]
struct Options {
    colors: [Color; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Color {
    Red,
    White,
}

#[derive(Deserialize)]
pub(super) struct PileView {
    pub(super) count: u8,
    pub(super) cards: Option<Vec<Card>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EndReason {
    LastStone,
    Blocked,
}

#[derive(Deserialize)]
pub(super) struct Score {
    pub(super) points: u16,
    pub(super) largest_area: u16,
    pub(super) stones: u16,
}

/// What is highlighted.
#[derive(Deserialize)]
#[serde(tag = "type")]
pub(super) enum Event {
    CardPlayed {
        card: Card,
    },
    StonePlaced {
        at: Cell,
    },
    StoneFlipped {
        at: Cell,
    },
    CrownMoved {
        from: Cell,
        to: Cell,
    },
    CardDrawn {
        card: Card,
    },
    #[serde(other)]
    Other,
}

impl View {
    pub(super) fn read(scene: &Scene<'_>) -> Result<Self, Unreadable> {
        let view: View = scene.view()?;
        known(view.active_seat, 2)?;
        let rows = view.board.len() == SIDE;
        if !rows || view.board.iter().any(|row| row.len() != SIDE || !row.is_ascii()) {
            return Err(Unreadable("a board has nine rows of nine fields".to_owned()));
        }
        if !on_board(view.crown) {
            return Err(Unreadable("the crown is off the board".to_owned()));
        }
        let piles = view.draw_pile.cards.iter().flatten();
        let cards = view.hands.iter().flatten().chain(piles);
        if cards.chain(&view.discard_pile).count() > 24 {
            return Err(Unreadable("there are 24 cards".to_owned()));
        }
        Ok(view)
    }

    /// The stone on a field of the board.
    pub(super) fn stone(&self, x: usize, y: usize) -> Option<Color> {
        match self.board[y].as_bytes()[x] {
            b'r' => Some(Color::Red),
            b'w' => Some(Color::White),
            _ => None,
        }
    }

    pub(super) fn color(&self, seat: usize) -> Color {
        self.options.colors[seat]
    }

    /// Where a card leads the crown, if that is on the board.
    pub(super) fn target(&self, card: Card) -> Option<Cell> {
        let Cell { x, y } = self.crown;
        let (dx, dy) = card.direction();
        let target = Cell { x: x + dx * card.distance(), y: y + dy * card.distance() };
        on_board(target).then_some(target)
    }

    pub(super) fn rank(&self, seat: usize) -> Option<u32> {
        self.end_reason?;
        let key = |seat: usize| {
            let Score { points, largest_area, stones } = self.scores[seat];
            (points, largest_area, stones)
        };
        Some(if key(seat) >= key(1 - seat) { 1 } else { 2 })
    }
}

impl Color {
    pub(super) fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::White => "white",
        }
    }
}

impl EndReason {
    pub(super) fn words(self) -> &'static str {
        match self {
            EndReason::LastStone => "the last stone was laid",
            EndReason::Blocked => "nobody could move",
        }
    }
}

fn on_board(Cell { x, y }: Cell) -> bool {
    let side = 0..SIDE as i32;
    side.contains(&x) && side.contains(&y)
}

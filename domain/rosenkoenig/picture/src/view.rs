//! What is drawn of a view, and what has just happened.

use kernel::Seat;
use serde::Deserialize;

use canvas::{Cell, Scene, Unreadable, known};

use crate::card::Card;

/// Fields in a row, and rows.
pub(crate) const SIDE: usize = 9;

#[derive(Deserialize)]
pub(crate) struct View {
    options: Options,
    pub(crate) active_seat: Option<Seat>,
    /// Nine rows of nine characters: `.`, `r`, `w`.
    board: Vec<String>,
    pub(crate) crown: Cell,
    pub(crate) hands: [Vec<Card>; 2],
    pub(crate) heroes: [u8; 2],
    pub(crate) stones_left: u8,
    pub(crate) draw_pile: PileView,
    /// The card on top comes first.
    pub(crate) discard_pile: Vec<Card>,
    pub(crate) end_reason: Option<EndReason>,
    pub(crate) scores: [Score; 2],
}

#[derive(Deserialize)]
struct Options {
    colors: [Color; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Color {
    Red,
    White,
}

#[derive(Deserialize)]
pub(crate) struct PileView {
    pub(crate) count: u8,
    pub(crate) cards: Option<Vec<Card>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EndReason {
    LastStone,
    Blocked,
}

#[derive(Deserialize)]
pub(crate) struct Score {
    pub(crate) points: u16,
    pub(crate) largest_area: u16,
    pub(crate) stones: u16,
}

/// What is highlighted.
#[derive(Deserialize)]
#[serde(tag = "type")]
pub(crate) enum Event {
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
    pub(crate) fn read(scene: &Scene<'_>) -> Result<Self, Unreadable> {
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
    pub(crate) fn stone(&self, x: usize, y: usize) -> Option<Color> {
        match self.board[y].as_bytes()[x] {
            b'r' => Some(Color::Red),
            b'w' => Some(Color::White),
            _ => None,
        }
    }

    pub(crate) fn color(&self, seat: usize) -> Color {
        self.options.colors[seat]
    }

    /// Where a card leads the crown, if that is on the board.
    pub(crate) fn target(&self, card: Card) -> Option<Cell> {
        let Cell { x, y } = self.crown;
        let (dx, dy) = card.direction();
        let target = Cell { x: x + dx * card.distance(), y: y + dy * card.distance() };
        on_board(target).then_some(target)
    }

    pub(crate) fn rank(&self, seat: usize) -> Option<u32> {
        self.end_reason?;
        let key = |seat: usize| {
            let Score { points, largest_area, stones } = self.scores[seat];
            (points, largest_area, stones)
        };
        Some(if key(seat) >= key(1 - seat) { 1 } else { 2 })
    }
}

impl Color {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::White => "white",
        }
    }
}

impl EndReason {
    pub(crate) fn words(self) -> &'static str {
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

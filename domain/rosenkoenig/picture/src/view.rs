//! What is drawn of a view.

use canvas::{Says, Scene, Unreadable, say};
use kernel::{Seat, require};
use rosenkoenig::seen::{Card, Color, EndReason, Field, View, WIDTH};

/// Fields in a row, and rows.
pub(crate) const SIDE: usize = WIDTH;

/// Reads the view.
pub(crate) fn read(scene: &Scene<'_>) -> Result<View, Unreadable> {
    let mut view: View = scene.view()?;
    view.active_seat = scene.acting(view.active_seat, 2)?;
    let square = view.board.len() == SIDE
        && view.board.iter().all(|row| row.len() == SIDE && row.is_ascii());
    require(square, || Unreadable("a board has nine rows of nine fields".to_owned()))?;
    let piles = view.hands.iter().chain(&view.draw_pile.cards).map(|cards| cards.len());
    let cards = piles.sum::<usize>() + view.discard_pile.len();
    require(cards <= Card::COUNT, || Unreadable("there are 24 cards".to_owned()))?;
    Ok(view)
}

/// The stone on a field.
pub(crate) fn stone(view: &View, field: Field) -> Option<Color> {
    match view.board[usize::from(field.y())].as_bytes()[usize::from(field.x())] {
        b'r' => Some(Color::Red),
        b'w' => Some(Color::White),
        _ => None,
    }
}

/// The colour of a seat, 0 or 1.
pub(crate) fn color(view: &View, seat: usize) -> Color {
    <[Color; 2]>::from(view.options.colors)[seat]
}

pub(crate) fn is_active(view: &View, seat: usize) -> bool {
    view.active_seat.map(Seat::index) == Some(seat)
}

pub(crate) fn rank(view: &View, seat: usize) -> Option<u32> {
    view.end_reason?;
    Some(if view.scores[seat] >= view.scores[1 - seat] { 1 } else { 2 })
}

/// How it ended.
pub(crate) fn ended(says: Says<'_>, view: &View) -> String {
    match view.end_reason {
        None => String::new(),
        Some(EndReason::LastStone) => say!(says, "the last stone was laid"),
        Some(EndReason::Blocked) => say!(says, "nobody could move"),
    }
}

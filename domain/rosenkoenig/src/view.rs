//! What a viewer may see: everything but the order of the draw pile. Both seats and the spectator see the same.
//!
//! [`View`] is another shape than the position: it has the viewer and the scores, and of the draw pile a count.

use kernel::{Edition, Seat, Secret, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::position::{phase_fields, rows};
use crate::{
    Card, Cards, EndReason, Field, GameName, MatchOptions, PhaseName, Pile, Position, Score,
    scoring,
};

/// A position as one viewer sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct View {
    /// The viewer.
    pub viewer: Viewer,
    /// Always `rosenkoenig`.
    pub game: GameName,
    /// The edition of the rules by which the match is played.
    pub edition: Edition,
    /// All four options.
    pub options: MatchOptions,
    /// `turn` until the match ends.
    pub phase: PhaseName,
    /// The seat to act; null exactly when the match is finished.
    pub active_seat: Option<Seat>,
    /// The seat that began.
    pub start_seat: Seat,
    /// Nine rows of nine characters, north first: `.` empty, `r` red stone, `w` white stone.
    #[schema(min_items = 9, max_items = 9)]
    pub board: Vec<String>,
    /// The field of the crown.
    pub crown: Field,
    /// By seat, each in card order; open.
    #[schema(value_type = Vec<Vec<Card>>, min_items = 2, max_items = 2)]
    pub hands: [Cards; 2],
    /// By seat: heroes left.
    #[schema(min_items = 2, max_items = 2)]
    pub heroes: [u8; 2],
    /// Stones in the supply.
    #[schema(maximum = 52)]
    pub stones_left: u8,
    /// The draw pile without its order.
    pub draw_pile: PileView,
    /// The card played last comes first.
    pub discard_pile: Pile,
    /// Why the match ended; null until then.
    pub end_reason: Option<EndReason>,
    /// By seat: what the board as it is now would score.
    #[schema(min_items = 2, max_items = 2)]
    pub scores: [Score; 2],
}

/// A pile whose order is hidden.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct PileView {
    /// How many cards it has.
    #[schema(maximum = 24)]
    pub count: u8,
    /// Its cards in card order; null without the option `show_draw_pile`.
    #[schema(value_type = Option<Vec<Card>>, max_items = 24)]
    pub cards: Option<Cards>,
}

impl Secret for Pile {
    type Position = Position;
    type Seen = PileView;

    fn seen(&self, position: &Position, _: Viewer) -> PileView {
        let show = position.options.show_draw_pile;
        PileView { count: self.len() as u8, cards: show.then(|| self.set()) }
    }
}

/// What `viewer` may see of a position.
pub(crate) fn view(position: &Position, viewer: Viewer) -> View {
    let Position {
        edition,
        options,
        phase,
        start_seat,
        stones,
        crown,
        hands,
        heroes,
        stones_left,
        draw_pile,
        discard_pile,
    } = position;
    let (phase, active_seat, end_reason) = phase_fields(*phase);
    View {
        viewer,
        game: GameName::Rosenkoenig,
        edition: *edition,
        options: *options,
        phase,
        active_seat,
        start_seat: *start_seat,
        board: rows(*stones),
        crown: *crown,
        hands: *hands,
        heroes: *heroes,
        stones_left: *stones_left,
        draw_pile: draw_pile.seen(position, viewer),
        discard_pile: *discard_pile,
        end_reason,
        scores: scoring::scores(position),
    }
}

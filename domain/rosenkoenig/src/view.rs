//! What a viewer may see: everything but the order of the draw pile. Both seats and the spectator see the same.

use kernel::{Seat, Viewer};
use serde::Serialize;
use utoipa::ToSchema;

use crate::position::{phase_fields, rows};
use crate::{
    Card, Cards, Color, EndReason, Event, Field, GameName, MatchFinished, MatchOptions,
    MatchStarted, PhaseName, Pile, Position, Score, ScoreAwarded, scoring,
};

/// A position as one viewer sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct View {
    /// Who looks.
    viewer: Viewer,
    /// Always `rosenkoenig`.
    game: GameName,
    /// All four options.
    options: MatchOptions,
    /// `turn` until the match ends.
    phase: PhaseName,
    /// Who is to act; null exactly when finished.
    active_seat: Option<Seat>,
    /// Who began.
    start_seat: Seat,
    /// Nine rows of nine characters, north first: `.` empty, `r` red stone, `w` white stone.
    #[schema(min_items = 9, max_items = 9)]
    board: Vec<String>,
    /// The field of the crown.
    crown: Field,
    /// By seat, open.
    #[schema(min_items = 2, max_items = 2)]
    hands: [Cards; 2],
    /// By seat: heroes left.
    #[schema(min_items = 2, max_items = 2)]
    heroes: [u8; 2],
    /// Stones in the supply.
    #[schema(maximum = 52)]
    stones_left: u8,
    /// The draw pile without its order.
    draw_pile: PileView,
    /// The card played last comes first.
    discard_pile: Pile,
    /// Why the match ended; null until then.
    end_reason: Option<EndReason>,
    /// By seat: what the board as it is now would score.
    #[schema(min_items = 2, max_items = 2)]
    scores: [Score; 2],
}

/// A pile whose order is hidden.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct PileView {
    /// How many cards it has.
    #[schema(maximum = 24)]
    count: u8,
    /// Its cards in card order; null without the option `show_draw_pile`.
    cards: Option<Cards>,
}

impl PileView {
    fn new(pile: &Pile, show: bool) -> Self {
        PileView { count: pile.len() as u8, cards: show.then(|| pile.set()) }
    }
}

/// What `viewer` may see of a position.
pub(crate) fn view(position: &Position, viewer: Viewer) -> View {
    let Position {
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
        options: *options,
        phase,
        active_seat,
        start_seat: *start_seat,
        board: rows(*stones),
        crown: *crown,
        hands: *hands,
        heroes: *heroes,
        stones_left: *stones_left,
        draw_pile: PileView::new(draw_pile, options.show_draw_pile),
        discard_pile: *discard_pile,
        end_reason,
        scores: scoring::scores(position),
    }
}

/// An event as any viewer sees it: the order of a draw pile is hidden.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type")]
pub enum EventView {
    /// The start position.
    MatchStarted(Box<MatchStartedView>),
    /// A card left its hand for the top of the discard pile.
    CardPlayed {
        /// Who played it.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// A hero left the match.
    HeroSpent {
        /// Whose hero.
        seat: Seat,
        /// How many the seat has left.
        #[schema(maximum = 4)]
        heroes_left: u8,
    },
    /// A stone of the supply was laid on the board.
    StonePlaced {
        /// Who laid it.
        seat: Seat,
        /// The side that lies up.
        color: Color,
        /// On which field.
        at: Field,
        /// How many stones the supply has left.
        #[schema(maximum = 52)]
        stones_left: u8,
    },
    /// An opponent's stone was turned.
    StoneFlipped {
        /// Who turned it.
        seat: Seat,
        /// The side that lies up now.
        color: Color,
        /// On which field.
        at: Field,
    },
    /// The crown moved.
    CrownMoved {
        /// Where it stood.
        from: Field,
        /// Where it stands.
        to: Field,
    },
    /// The discard pile was shuffled to be the new draw pile.
    DrawPileReshuffled {
        /// The new draw pile without its order.
        draw_pile: PileView,
    },
    /// The top card of the draw pile went to a hand.
    CardDrawn {
        /// Who drew it.
        seat: Seat,
        /// The card.
        card: Card,
        /// How many cards the draw pile has left.
        #[schema(maximum = 24)]
        draw_pile_left: u8,
    },
    /// A seat was due and had no legal command.
    TurnPassed {
        /// Who passed.
        seat: Seat,
    },
    /// A turn began.
    TurnStarted {
        /// Whose turn.
        seat: Seat,
    },
    /// The final points of a seat, explained.
    ScoreAwarded(Box<ScoreAwarded>),
    /// The match ended.
    MatchFinished(Box<MatchFinished>),
}

/// The start of a match as any viewer sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MatchStartedView {
    /// Always `rosenkoenig`.
    game: GameName,
    /// All four options.
    options: MatchOptions,
    /// Who begins.
    start_seat: Seat,
    /// By seat, open.
    #[schema(min_items = 2, max_items = 2)]
    hands: [Cards; 2],
    /// The draw pile without its order.
    draw_pile: PileView,
}

/// What any viewer may see of an event, in a match with these options.
pub(crate) fn event_view(event: &Event, options: MatchOptions) -> EventView {
    match *event {
        Event::MatchStarted(ref started) => {
            let MatchStarted { game, options, start_seat, hands, ref draw_pile } = **started;
            let draw_pile = PileView::new(draw_pile, options.show_draw_pile);
            let started = MatchStartedView { game, options, start_seat, hands, draw_pile };
            EventView::MatchStarted(Box::new(started))
        }
        Event::CardPlayed { seat, card } => EventView::CardPlayed { seat, card },
        Event::HeroSpent { seat, heroes_left } => EventView::HeroSpent { seat, heroes_left },
        Event::StonePlaced { seat, color, at, stones_left } => {
            EventView::StonePlaced { seat, color, at, stones_left }
        }
        Event::StoneFlipped { seat, color, at } => EventView::StoneFlipped { seat, color, at },
        Event::CrownMoved { from, to } => EventView::CrownMoved { from, to },
        Event::DrawPileReshuffled { ref draw_pile } => EventView::DrawPileReshuffled {
            draw_pile: PileView::new(draw_pile, options.show_draw_pile),
        },
        Event::CardDrawn { seat, card, draw_pile_left } => {
            EventView::CardDrawn { seat, card, draw_pile_left }
        }
        Event::TurnPassed { seat } => EventView::TurnPassed { seat },
        Event::TurnStarted { seat } => EventView::TurnStarted { seat },
        Event::ScoreAwarded(ref awarded) => EventView::ScoreAwarded(awarded.clone()),
        Event::MatchFinished(ref finished) => EventView::MatchFinished(finished.clone()),
    }
}

//! What a viewer may see: hands and the deck are hidden until the match is finished.

use kernel::{Disclosure, Seat, Viewer};
use serde::Serialize;
use utoipa::ToSchema;

use crate::board::{Cell, Cells, Column, Orientation, PlacedTile, Row};
use crate::event::{Declined, Event, Price, ScoreReason};
use crate::options::Options;
use crate::pieces::{Abilities, Ability, AbilitySet, Cards, Color, Supply, Tile};
use crate::position::{
    EndCard, GameName, Harbor, MatchResult, Phase, Place, Player, Position, Reason, Slot,
};
use crate::scoring::{CoatCells, CoatRows, Line, Lines, Space};

/// A position as one viewer may see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct View {
    /// Always `copenhagen`.
    pub game: GameName,
    /// Always empty.
    pub options: Options,
    /// Who looks.
    pub viewer: Viewer,
    /// Number of the current turn, all seats counted together.
    #[schema(minimum = 1)]
    pub turn: u32,
    /// What the active seat may do.
    pub phase: Phase,
    /// Who acts; null exactly when the match is finished.
    #[schema(required = true)]
    pub active_seat: Option<Seat>,
    /// Coats of arms that the active seat has activated and not yet used.
    #[schema(maximum = 7)]
    pub coats: u8,
    /// The players, in seat order.
    pub players: Vec<PlayerView>,
    /// The colors in slots 0 to 6; null where a slot is empty.
    #[schema(value_type = Vec<Option<Color>>, min_items = 7, max_items = 7)]
    pub harbor: Harbor,
    /// Facade cards in the deck, sorted; null until the match is finished.
    #[schema(required = true, value_type = Option<Vec<Color>>)]
    pub deck: Option<Cards>,
    /// Facade cards in the deck, plus 1 if the end card is in it.
    pub deck_size: usize,
    /// Facade cards that were paid or discarded, sorted.
    #[schema(value_type = Vec<Color>)]
    pub discard: Cards,
    /// Where the end card is.
    pub end_card: EndCard,
    /// Tiles not yet on a board.
    pub supply: Supply,
    /// How the match ended; null until then.
    #[schema(required = true)]
    pub result: Option<MatchResult>,
}

/// A player as one viewer may see them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerView {
    /// The player's index in the list.
    pub seat: Seat,
    /// What the complete lines of the board are worth.
    pub score: u8,
    /// Cards in hand, sorted: one's own; null for those of others until the match is finished.
    #[schema(required = true, value_type = Option<Vec<Color>>)]
    pub hand: Option<Cards>,
    /// How many cards are in hand.
    pub hand_size: usize,
    /// The five abilities.
    pub abilities: Abilities,
    /// Tiles on the board, in order of placing.
    pub tiles: Vec<PlacedTile>,
}

/// The position as `viewer` may see it.
pub(crate) fn view(position: &Position, viewer: Viewer) -> View {
    let Position {
        turn,
        phase,
        active_seat,
        coats,
        players,
        harbor,
        deck,
        discard,
        end_card,
        supply,
        result,
    } = position;
    let open = result.is_some();
    let player = |(seat, player)| player_view(seat, player, open || viewer.is(seat));
    View {
        game: GameName::Copenhagen,
        options: Options {},
        viewer,
        turn: *turn,
        phase: *phase,
        active_seat: *active_seat,
        coats: *coats,
        players: (0..).map(Seat).zip(players).map(player).collect(),
        harbor: *harbor,
        deck: open.then_some(*deck),
        deck_size: position.deck_size(),
        discard: *discard,
        end_card: *end_card,
        supply: *supply,
        result: result.as_deref().cloned(),
    }
}

fn player_view(seat: Seat, player: &Player, open: bool) -> PlayerView {
    let Player { score, hand, abilities, board } = player;
    PlayerView {
        seat,
        score: *score,
        hand: open.then_some(*hand),
        hand_size: hand.len(),
        abilities: *abilities,
        tiles: board.tiles().to_vec(),
    }
}

/// An event as one viewer may see it: only the start of a match has hidden parts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type")]
pub enum EventView {
    /// The position after the setup, or as loaded. First event of a stream.
    MatchStarted {
        /// The position as the viewer may see it.
        #[schema(value_type = View)]
        position: Box<View>,
    },
    /// A card went from the harbor to a hand.
    CardTaken {
        /// Whose hand.
        seat: Seat,
        /// From which slot.
        #[schema(value_type = u8, minimum = 0, maximum = 6)]
        slot: Slot,
        /// The card.
        color: Color,
    },
    /// An ability was used (C-708).
    AbilityUsed {
        /// By whom.
        seat: Seat,
        /// Which one.
        ability: Ability,
        /// For `change_of_colors`: the color of the cards that count as another; else null.
        #[schema(required = true)]
        from_color: Option<Color>,
        /// For `change_of_colors`: the color that they count as; else null.
        #[schema(required = true)]
        to_color: Option<Color>,
    },
    /// A possibility was not taken.
    OptionDeclined {
        /// By whom.
        seat: Seat,
        /// Which one.
        option: Declined,
    },
    /// A card was discarded (C-407).
    CardDiscarded {
        /// By whom.
        seat: Seat,
        /// The card.
        color: Color,
    },
    /// A tile was put on a board.
    TilePlaced {
        /// Whose board.
        seat: Seat,
        /// The kind.
        tile: Tile,
        /// Quarter turns clockwise plus 4 if mirrored before; 0 for a special tile.
        #[schema(value_type = u8, minimum = 0, maximum = 7)]
        orientation: Orientation,
        /// Column of the upper left corner of the bounding box.
        #[schema(value_type = u8, minimum = 0, maximum = 4)]
        x: Column,
        /// Row of the upper left corner of the bounding box.
        #[schema(value_type = u8, minimum = 0, maximum = 8)]
        y: Row,
        /// The squares, by y, then x.
        #[schema(value_type = Vec<Cell>)]
        cells: Cells,
        /// What it cost; null for a special tile.
        #[schema(required = true)]
        price: Option<Price>,
        /// The cards paid, sorted.
        #[schema(value_type = Vec<Color>)]
        payment: Cards,
    },
    /// A tile completed lines.
    ScoreAwarded {
        /// Who scores.
        seat: Seat,
        /// The sum of the lines' points.
        points: u8,
        /// The score afterwards.
        total: u8,
        /// Why.
        reason: ScoreReason,
        /// The lines: rows by y, then columns by x.
        #[schema(value_type = Vec<Line>)]
        lines: Lines,
    },
    /// A tile activated coats of arms (C-601).
    CoatsOfArmsActivated {
        /// Whose.
        seat: Seat,
        /// How many.
        #[schema(minimum = 1, maximum = 7)]
        count: u8,
        /// The covered spaces that have one, by y, then x.
        #[schema(value_type = Vec<Space>)]
        cells: CoatCells,
        /// The completed rows that have one beside them, ascending.
        #[schema(value_type = Vec<u8>)]
        rows: CoatRows,
    },
    /// A coat of arms gave a new ability (C-604).
    AbilityTaken {
        /// To whom.
        seat: Seat,
        /// Which one.
        ability: Ability,
    },
    /// A coat of arms made used abilities active (C-605).
    AbilitiesReactivated {
        /// Whose.
        seat: Seat,
        /// Those that were used, in order.
        #[schema(value_type = Vec<Ability>)]
        abilities: AbilitySet,
    },
    /// Coats of arms were lost, as nothing can be done with them (C-607).
    CoatsOfArmsLapsed {
        /// Whose.
        seat: Seat,
        /// How many.
        #[schema(minimum = 1, maximum = 7)]
        count: u8,
    },
    /// The turn goes on in another phase.
    PhaseChanged {
        /// The new phase.
        phase: Phase,
    },
    /// The deck had run out: the discard became the deck, and the end card joined it (C-904).
    DeckReshuffled {
        /// How many facade cards the deck has now.
        cards: u8,
    },
    /// A card from the deck filled an empty slot (C-305).
    HarborCardRevealed {
        /// Which slot.
        #[schema(value_type = u8, minimum = 0, maximum = 6)]
        slot: Slot,
        /// The card.
        color: Color,
    },
    /// The end card came up (C-902).
    EndCardRevealed {
        /// The slot that was to be filled.
        #[schema(value_type = u8, minimum = 0, maximum = 6)]
        slot: Slot,
    },
    /// The turn is over.
    TurnEnded {
        /// Whose turn it was.
        seat: Seat,
        /// Whose turn it is.
        next_seat: Seat,
        /// The number of that turn.
        next_turn: u32,
    },
    /// The match is over (C-906).
    MatchFinished {
        /// Why.
        reason: Reason,
        /// The seats with rank 1, ascending.
        winners: Vec<Seat>,
        /// All seats, by rank, then seat.
        standing: Vec<Place>,
    },
}

/// The event as `viewer` may see it.
pub(crate) fn event_view(event: &Event, viewer: Viewer) -> EventView {
    match *event {
        Event::MatchStarted { ref position } => {
            EventView::MatchStarted { position: Box::new(view(position, viewer)) }
        }
        Event::CardTaken { seat, slot, color } => EventView::CardTaken { seat, slot, color },
        Event::AbilityUsed { seat, ability, from_color, to_color } => {
            EventView::AbilityUsed { seat, ability, from_color, to_color }
        }
        Event::OptionDeclined { seat, option } => EventView::OptionDeclined { seat, option },
        Event::CardDiscarded { seat, color } => EventView::CardDiscarded { seat, color },
        Event::TilePlaced { seat, tile, orientation, x, y, cells, price, payment } => {
            EventView::TilePlaced { seat, tile, orientation, x, y, cells, price, payment }
        }
        Event::ScoreAwarded { seat, points, total, reason, lines } => {
            EventView::ScoreAwarded { seat, points, total, reason, lines }
        }
        Event::CoatsOfArmsActivated { seat, count, cells, rows } => {
            EventView::CoatsOfArmsActivated { seat, count, cells, rows }
        }
        Event::AbilityTaken { seat, ability } => EventView::AbilityTaken { seat, ability },
        Event::AbilitiesReactivated { seat, abilities } => {
            EventView::AbilitiesReactivated { seat, abilities }
        }
        Event::CoatsOfArmsLapsed { seat, count } => EventView::CoatsOfArmsLapsed { seat, count },
        Event::PhaseChanged { phase } => EventView::PhaseChanged { phase },
        Event::DeckReshuffled { cards } => EventView::DeckReshuffled { cards },
        Event::HarborCardRevealed { slot, color } => EventView::HarborCardRevealed { slot, color },
        Event::EndCardRevealed { slot } => EventView::EndCardRevealed { slot },
        Event::TurnEnded { seat, next_seat, next_turn } => {
            EventView::TurnEnded { seat, next_seat, next_turn }
        }
        Event::MatchFinished { reason, ref winners, ref standing } => EventView::MatchFinished {
            reason,
            winners: winners.clone(),
            standing: standing.clone(),
        },
    }
}

/// What an event tells that was hidden.
///
/// Discarded and paid cards were in a hidden hand: no news to their own seat. The use of `change_of_colors` names their color too. The end of the match
/// opens hands and deck. A reshuffle only turns open cards over: what is drawn next is in an event of its own.
pub(crate) fn disclosure(event: &Event) -> Disclosure {
    match event {
        Event::CardDiscarded { seat: _, color: _ } => Disclosure::ToOthers,
        Event::MatchStarted { position: _ }
        | Event::HarborCardRevealed { slot: _, color: _ }
        | Event::EndCardRevealed { slot: _ }
        | Event::MatchFinished { reason: _, winners: _, standing: _ } => Disclosure::ToAll,
        Event::AbilityUsed { seat: _, ability: _, from_color, to_color: _ } => {
            Disclosure::to_others_if(from_color.is_some())
        }
        Event::TilePlaced {
            seat: _,
            tile: _,
            orientation: _,
            x: _,
            y: _,
            cells: _,
            price: _,
            payment,
        } => Disclosure::to_others_if(!payment.is_empty()),
        Event::CardTaken { seat: _, slot: _, color: _ }
        | Event::OptionDeclined { seat: _, option: _ }
        | Event::ScoreAwarded { seat: _, points: _, total: _, reason: _, lines: _ }
        | Event::CoatsOfArmsActivated { seat: _, count: _, cells: _, rows: _ }
        | Event::AbilityTaken { seat: _, ability: _ }
        | Event::AbilitiesReactivated { seat: _, abilities: _ }
        | Event::CoatsOfArmsLapsed { seat: _, count: _ }
        | Event::PhaseChanged { phase: _ }
        | Event::DeckReshuffled { cards: _ }
        | Event::TurnEnded { seat: _, next_seat: _, next_turn: _ } => Disclosure::Nothing,
    }
}

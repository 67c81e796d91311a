//! What happened (section 5 of the rules).

use kernel::{Fact, Open, Seat, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::{Cell, Cells, Column, Orientation, Row};
use crate::pieces::{Ability, AbilitySet, Cards, Color, Tile};
use crate::position::{Phase, Place, Position, PositionForm, Reason, Slot};
use crate::scoring::{CoatCells, CoatRows, Line, Lines, Space};
use crate::view::View;

/// What a player declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Declined {
    /// A third card (C-405).
    ThirdCard,
    /// Building in phase `build` (C-707).
    Build,
}

/// What a facade tile cost (C-507): the number of cards paid is the size minus both reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(size, same_color, construction_discount)]
pub struct Price {
    /// Squares of the tile.
    #[schema(minimum = 2, maximum = 5)]
    pub size: u8,
    /// 1 if the tile shares an edge with a tile of its colour.
    #[schema(maximum = 1)]
    pub same_color: u8,
    /// 1 if `construction_discount` was used.
    #[schema(maximum = 1)]
    pub construction_discount: u8,
}

/// Why points were scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum ScoreReason {
    /// A tile completed rows or columns (C-803).
    LinesCompleted,
}

/// A fact. Outcomes of chance are in it, so that applying it draws nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Fact)]
#[secret(position = Position)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Event {
    /// The position after the setup. First event of a match that did not begin from a position.
    MatchStarted {
        /// The complete position.
        #[schema(value_type = PositionForm)]
        #[hidden(as = Box<View>, doc = "The position as the viewer may see it.")]
        #[news(all)]
        position: Box<Position>,
    },
    /// A card went from the harbor to a hand.
    #[open(seat, slot, color)]
    CardTaken {
        /// The seat that took the card.
        seat: Seat,
        /// The slot from which it was taken.
        #[schema(value_type = u8, minimum = 0, maximum = 6)]
        slot: Slot,
        /// The colour of the card.
        color: Color,
    },
    /// An ability was used (C-708).
    #[open(seat, ability, to_color)]
    AbilityUsed {
        /// The seat that used it.
        seat: Seat,
        /// The ability that was used.
        ability: Ability,
        /// For `change_of_colors`: the colour of the cards that count as another; otherwise null.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        #[news(others, if = Option::is_some)]
        from_color: Option<Color>,
        /// For `change_of_colors`: the colour that they count as; otherwise null.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        to_color: Option<Color>,
    },
    /// A possibility was not taken.
    #[open(seat, option)]
    OptionDeclined {
        /// The seat that declined it.
        seat: Seat,
        /// The possibility that was declined.
        option: Declined,
    },
    /// A card was discarded (C-407).
    #[open(seat)]
    CardDiscarded {
        /// The seat that discarded the card.
        seat: Seat,
        /// The colour of the card.
        #[news(others)]
        color: Color,
    },
    /// A tile was put on a board.
    #[open(seat, tile, orientation, x, y, cells, price)]
    TilePlaced {
        /// The seat on whose board the tile was placed.
        seat: Seat,
        /// The kind of tile.
        tile: Tile,
        /// Quarter turns clockwise, plus 4 if the tile was mirrored before; 0 for a special tile.
        #[schema(value_type = u8, minimum = 0, maximum = 7)]
        orientation: Orientation,
        /// Column of the upper left corner of the bounding box.
        #[schema(value_type = u8, minimum = 0, maximum = 4)]
        x: Column,
        /// Row of the upper left corner of the bounding box.
        #[schema(value_type = u8, minimum = 0, maximum = 8)]
        y: Row,
        /// The squares of the tile, by y, then x.
        #[schema(value_type = Vec<Cell>)]
        cells: Cells,
        /// What the tile cost; null for a special tile.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        price: Option<Price>,
        /// The cards that were paid, sorted.
        #[schema(value_type = Vec<Color>)]
        #[news(others, if = |paid: &Cards| !paid.is_empty())]
        payment: Cards,
    },
    /// A tile completed lines.
    #[open(seat, points, total, reason, lines)]
    ScoreAwarded {
        /// The seat that scores.
        seat: Seat,
        /// The sum of the lines' points.
        points: u8,
        /// The score of the seat afterwards.
        total: u8,
        /// The reason for the points.
        reason: ScoreReason,
        /// The completed lines: rows by y, then columns by x.
        #[schema(value_type = Vec<Line>)]
        lines: Lines,
    },
    /// A tile activated coats of arms (C-601).
    #[open(seat, count, cells, rows)]
    CoatsOfArmsActivated {
        /// The seat that activated them.
        seat: Seat,
        /// The number of coats of arms.
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
    #[open(seat, ability)]
    AbilityTaken {
        /// The seat that took the ability.
        seat: Seat,
        /// The ability that was taken.
        ability: Ability,
    },
    /// A coat of arms made used abilities active (C-605).
    #[open(seat, abilities)]
    AbilitiesReactivated {
        /// The seat whose abilities were reactivated.
        seat: Seat,
        /// The abilities that had been used, in order.
        #[schema(value_type = Vec<Ability>)]
        abilities: AbilitySet,
    },
    /// Coats of arms were lost, as nothing can be done with them (C-607).
    #[open(seat, count)]
    CoatsOfArmsLapsed {
        /// The seat that lost them.
        seat: Seat,
        /// The number of coats of arms.
        #[schema(minimum = 1, maximum = 7)]
        count: u8,
    },
    /// The turn continues in another phase.
    #[open(phase)]
    PhaseChanged {
        /// The new phase.
        phase: Phase,
    },
    /// The deck had run out: the discard became the deck, and the end card joined it (C-904).
    #[open(cards)]
    DeckReshuffled {
        /// The number of facade cards in the deck now.
        cards: u8,
    },
    /// A card from the deck filled an empty slot (C-305).
    #[open(slot)]
    HarborCardRevealed {
        /// The slot that was filled.
        #[schema(value_type = u8, minimum = 0, maximum = 6)]
        slot: Slot,
        /// The colour of the card.
        #[news(all)]
        color: Color,
    },
    /// The end card came up (C-902).
    #[news(all)]
    #[open(slot)]
    EndCardRevealed {
        /// The slot that was to be filled.
        #[schema(value_type = u8, minimum = 0, maximum = 6)]
        slot: Slot,
    },
    /// The turn is over.
    #[open(seat, next_seat, next_turn)]
    TurnEnded {
        /// The seat whose turn ended.
        seat: Seat,
        /// The seat whose turn begins.
        next_seat: Seat,
        /// The number of the turn that begins.
        next_turn: u32,
    },
    /// The match is over (C-906).
    #[news(all)]
    #[open(reason, winners, standing)]
    MatchFinished {
        /// Why the match ended.
        reason: Reason,
        /// The seats with rank 1, ascending.
        winners: Vec<Seat>,
        /// All seats, by rank, then seat.
        standing: Vec<Place>,
    },
}

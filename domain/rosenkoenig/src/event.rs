//! What happened (section 8 of the rules).

use kernel::{Fact, Open, Seat, Secret};
use serde::{Deserialize, Serialize};
use utoipa::{PartialSchema, ToSchema};

use crate::printed::AREA_EXPONENT;
use crate::{
    Card, Cards, Color, EndReason, Field, Fields, GameName, MatchOptions, Pile, PileView, Position,
};

/// A fact. Small, so that a match of 400 events stays small: what is rare and big is boxed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Fact)]
#[secret(position = Position)]
#[serde(tag = "type", deny_unknown_fields)]
#[schema(description = "An event in full (section 8 of the rules).")]
pub enum Event {
    /// The start position.
    MatchStarted(
        #[hidden(as = Box<MatchStartedView>)]
        #[news(all)]
        Box<MatchStarted>,
    ),
    /// A card left its hand for the top of the discard pile.
    #[open(seat, card)]
    CardPlayed {
        /// The seat that played it.
        #[serde(deserialize_with = "crate::position::seat::one")]
        seat: Seat,
        /// The card that was played.
        card: Card,
    },
    /// A hero left the match.
    #[open(seat, heroes_left)]
    HeroSpent {
        /// The seat that spent it.
        #[serde(deserialize_with = "crate::position::seat::one")]
        seat: Seat,
        /// The number of heroes that the seat has left.
        #[schema(maximum = 4)]
        heroes_left: u8,
    },
    /// A stone of the supply was laid on the board.
    #[open(seat, color, at, stones_left)]
    StonePlaced {
        /// The seat that placed it.
        #[serde(deserialize_with = "crate::position::seat::one")]
        seat: Seat,
        /// The colour of the side that lies up.
        color: Color,
        /// The field on which it lies.
        at: Field,
        /// The number of stones left in the supply.
        #[schema(maximum = 52)]
        stones_left: u8,
    },
    /// An opponent's stone was turned.
    #[open(seat, color, at)]
    StoneFlipped {
        /// The seat that flipped it.
        #[serde(deserialize_with = "crate::position::seat::one")]
        seat: Seat,
        /// The colour of the side that lies up now.
        color: Color,
        /// The field on which it lies.
        at: Field,
    },
    /// The crown moved.
    #[open(from, to)]
    CrownMoved {
        /// The field that it left.
        from: Field,
        /// The field that it reached.
        to: Field,
    },
    /// The discard pile was shuffled to be the new draw pile.
    DrawPileReshuffled {
        /// The new draw pile: its order is hidden.
        #[hidden(as = Box<PileView>, doc = "The new draw pile without its order.")]
        #[news(all)]
        draw_pile: Box<Pile>,
    },
    /// The top card of the draw pile went to a hand.
    #[open(seat, draw_pile_left)]
    CardDrawn {
        /// The seat that drew it.
        #[serde(deserialize_with = "crate::position::seat::one")]
        seat: Seat,
        /// The card, which is open from now on.
        #[news(all)]
        card: Card,
        /// The number of cards left in the draw pile.
        #[schema(maximum = 24)]
        draw_pile_left: u8,
    },
    /// A seat was due and had no legal command.
    #[open(seat)]
    TurnPassed {
        /// The seat that passed.
        #[serde(deserialize_with = "crate::position::seat::one")]
        seat: Seat,
    },
    /// A turn began.
    #[open(seat)]
    TurnStarted {
        /// The seat whose turn begins.
        #[serde(deserialize_with = "crate::position::seat::one")]
        seat: Seat,
    },
    /// The final points of a seat, explained.
    #[open(0)]
    ScoreAwarded(Box<ScoreAwarded>),
    /// The match ended.
    #[open(0)]
    MatchFinished(Box<MatchFinished>),
}

const _: () = assert!(size_of::<Event>() <= 16, "a match has 400 events");

/// The start of a match, version 1. `start_seat` if it was drawn, both hands and the draw pile are the outcomes of the
/// setup's draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Secret)]
#[secret(position = Position)]
#[open(game, options, start_seat, hands)]
#[serde(deny_unknown_fields)]
pub struct MatchStarted {
    /// Always `rosenkoenig`.
    pub game: GameName,
    /// All four options.
    pub options: MatchOptions,
    /// The seat that begins.
    #[serde(deserialize_with = "crate::position::seat::one")]
    pub start_seat: Seat,
    /// The hands by seat, each in card order, which are open.
    #[schema(value_type = Vec<Vec<Card>>, min_items = 2, max_items = 2)]
    pub hands: [Cards; 2],
    /// The draw pile. The first card is drawn next; the order is hidden.
    #[hidden(as = PileView, doc = "The draw pile without its order.")]
    pub draw_pile: Pile,
}

/// The final points of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(seat, reason, points, breakdown)]
pub struct ScoreAwarded {
    /// The seat that scores.
    #[serde(deserialize_with = "crate::position::seat::one")]
    pub seat: Seat,
    /// What the points are for.
    pub reason: PointsReason,
    /// The sum of the points of all areas.
    #[schema(maximum = 2704)]
    pub points: u16,
    /// The areas, the largest first; areas of one size in the reading order of their first fields.
    pub breakdown: Vec<Area>,
}

/// What points are for: only areas count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum PointsReason {
    /// Areas of connected stones.
    Areas,
}

/// An area of connected stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Open)]
#[serde(into = "AreaForm", try_from = "AreaForm")]
#[open(fields, size)]
pub struct Area {
    fields: Fields,
    /// How many fields: counted once.
    size: u16,
}

impl Area {
    /// The area of these fields.
    #[must_use]
    pub const fn new(fields: Fields) -> Self {
        let size = fields.len() as u16;
        Area { fields, size }
    }

    /// How many stones it has.
    #[must_use]
    pub const fn size(self) -> u16 {
        self.size
    }

    /// The square of its size.
    #[must_use]
    pub const fn points(self) -> u16 {
        self.size.pow(AREA_EXPONENT)
    }
}

/// The JSON of an [`Area`].
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(description = "An area of connected stones (R-60).")]
pub struct AreaForm {
    /// The number of its stones.
    #[schema(minimum = 1, maximum = 52)]
    size: u16,
    /// The square of its size.
    #[schema(minimum = 1, maximum = 2704)]
    points: u16,
    /// Its fields in reading order: by y, then x.
    fields: Vec<Field>,
}

impl From<Area> for AreaForm {
    fn from(area: Area) -> Self {
        AreaForm { size: area.size(), points: area.points(), fields: area.fields.iter().collect() }
    }
}

impl TryFrom<AreaForm> for Area {
    type Error = &'static str;

    fn try_from(form: AreaForm) -> Result<Self, Self::Error> {
        let AreaForm { size, points, fields } = form;
        let area = Area::new(fields.iter().copied().collect());
        if fields.is_sorted_by(|before, after| before < after)
            && size == area.size()
            && points == area.points()
        {
            return Ok(area);
        }
        Err("an area's size and points follow from its fields, which stand as one reads")
    }
}

impl PartialSchema for Area {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        AreaForm::schema()
    }
}

impl ToSchema for Area {
    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        AreaForm::schemas(schemas);
    }
}

/// The end of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(reason, standing)]
pub struct MatchFinished {
    /// Why the match ended.
    pub reason: EndReason,
    /// The final ranking, by rank, then seat.
    #[schema(min_items = 2, max_items = 2)]
    pub standing: [Place; 2],
}

/// A place in the standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(rank, seat, color, points, largest_area, stones)]
pub struct Place {
    /// 1 or 2; both seats have 1 if all three values are equal.
    #[schema(minimum = 1, maximum = 2)]
    pub rank: u8,
    /// The seat.
    #[serde(deserialize_with = "crate::position::seat::one")]
    pub seat: Seat,
    /// The seat's colour.
    pub color: Color,
    /// The sum of the points of all areas.
    #[schema(maximum = 2704)]
    pub points: u16,
    /// The size of the largest area.
    #[schema(maximum = 52)]
    pub largest_area: u16,
    /// Stones of the seat's colour on the board.
    #[schema(maximum = 52)]
    pub stones: u16,
}

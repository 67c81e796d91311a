//! The board of 9 × 9 fields, sets of its fields, and where each card leads from each field.

use kernel::Open;
use serde::{Deserialize, Serialize};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Card, Direction, HEIGHT, WIDTH};

const FIELDS: usize = WIDTH * HEIGHT;

/// The colour of a stone, and of the seat that lays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Lancaster, in the south.
    Red,
    /// York, in the north.
    White,
}

impl Color {
    /// The other colour.
    #[must_use]
    pub const fn other(self) -> Color {
        match self {
            Color::Red => Color::White,
            Color::White => Color::Red,
        }
    }

    /// 0 for red, 1 for white.
    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

/// Its word in JSON.
impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// A field of the board, in JSON `{"x": 0, "y": 0}`; (0, 0) is the north-west corner.
///
/// Fields are ordered as one reads: by y, then x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Open)]
#[serde(into = "FieldForm", try_from = "FieldForm")]
#[open(0)]
pub struct Field(u8);

impl Field {
    /// The field in column `x` and row `y`, or `None` off the board.
    #[must_use]
    pub const fn new(x: i64, y: i64) -> Option<Field> {
        if 0 <= x && x < WIDTH as i64 && 0 <= y && y < HEIGHT as i64 {
            Some(Field(y as u8 * WIDTH as u8 + x as u8))
        } else {
            None
        }
    }

    /// The column, 0 in the west.
    #[must_use]
    pub const fn x(self) -> u8 {
        self.0 % WIDTH as u8
    }

    /// The row, 0 in the north.
    #[must_use]
    pub const fn y(self) -> u8 {
        self.0 / WIDTH as u8
    }

    /// All fields, as one reads.
    pub fn all() -> impl Iterator<Item = Field> {
        (0..FIELDS as u8).map(Field)
    }

    /// The field that a crown on this one reaches with the card, or `None` off the board.
    #[must_use]
    pub const fn target(self, card: Card) -> Option<Field> {
        self.landing(card).field()
    }

    /// Where a crown on this field comes to with the card, on the board or off it.
    #[inline]
    pub(crate) const fn landing(self, card: Card) -> Landing {
        LANDINGS[self.0 as usize][card.index()]
    }
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.x(), self.y())
    }
}

/// Where a card leads: a field, or off the board. One small number, so that sets of fields answer without a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Landing(u8);

impl Landing {
    /// The last bit of a set of fields: no field has it.
    const OFF_BOARD: Landing = Landing(127);

    /// The field, if it is one.
    const fn field(self) -> Option<Field> {
        if self.0 == Landing::OFF_BOARD.0 { None } else { Some(Field(self.0)) }
    }
}

/// By field, then card: where the crown comes to.
static LANDINGS: [[Landing; Card::COUNT]; FIELDS] = landings();

const fn landings() -> [[Landing; Card::COUNT]; FIELDS] {
    let mut landings = [[Landing::OFF_BOARD; Card::COUNT]; FIELDS];
    let mut from = 0;
    while from < FIELDS {
        let field = Field(from as u8);
        let mut card = 0;
        while card < Card::COUNT {
            let (x, y) = reach(field, Card::ALL[card]);
            if let Some(target) = Field::new(x, y) {
                landings[from][card] = Landing(target.0);
            }
            card += 1;
        }
        from += 1;
    }
    landings
}

/// Column and row at the card's full distance in its direction, on the board or off it.
pub(crate) const fn reach(from: Field, card: Card) -> (i64, i64) {
    let Direction { id: _, dx, dy } = card.direction();
    let distance = card.distance() as i64;
    (from.x() as i64 + dx as i64 * distance, from.y() as i64 + dy as i64 * distance)
}

/// The JSON of a [`Field`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(description = "A field of the board; (0, 0) is the north-west corner (R-04).")]
pub struct FieldForm {
    /// Column, from 0 in the west to 8 in the east.
    #[schema(minimum = 0, maximum = 8)]
    pub x: i64,
    /// Row, from 0 in the north to 8 in the south.
    #[schema(minimum = 0, maximum = 8)]
    pub y: i64,
}

impl From<Field> for FieldForm {
    fn from(field: Field) -> Self {
        FieldForm { x: field.x().into(), y: field.y().into() }
    }
}

impl TryFrom<FieldForm> for Field {
    type Error = String;

    fn try_from(form: FieldForm) -> Result<Self, String> {
        let FieldForm { x, y } = form;
        Field::new(x, y).ok_or_else(|| format!("the field ({x}, {y}) is off the board"))
    }
}

impl PartialSchema for Field {
    fn schema() -> RefOr<Schema> {
        FieldForm::schema()
    }
}

impl ToSchema for Field {}

/// A set of fields: bit `9 * y + x` for the field (x, y).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fields(u128);

/// Everybody sees the fields of it, whatever number they are kept in.
impl Open for Fields {}

/// The westernmost column.
const WEST: u128 = column(0);

/// The easternmost column.
const EAST: u128 = column(WIDTH - 1);

const fn column(x: usize) -> u128 {
    let mut fields = 0;
    let mut y = 0;
    while y < HEIGHT {
        fields |= 1 << (y * WIDTH + x);
        y += 1;
    }
    fields
}

impl Fields {
    /// No field.
    pub const EMPTY: Fields = Fields(0);

    /// The set and what is off the board, for [`holds`](Fields::holds).
    pub(crate) const fn or_off_board(self) -> Fields {
        Fields(self.0 | 1 << Landing::OFF_BOARD.0)
    }

    /// Does the set hold the place where a card leads?
    #[inline]
    pub(crate) const fn holds(self, landing: Landing) -> bool {
        self.0.wrapping_shr(landing.0 as u32) & 1 != 0
    }

    /// The fields of both sets.
    pub(crate) const fn or(self, other: Fields) -> Fields {
        Fields(self.0 | other.0)
    }

    /// How many fields are in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Is no field in the set?
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is the field in the set?
    #[inline]
    #[must_use]
    pub const fn contains(self, field: Field) -> bool {
        self.0.wrapping_shr(field.0 as u32) & 1 != 0
    }

    /// The set and this field.
    #[must_use]
    pub const fn with(self, field: Field) -> Fields {
        Fields(self.0 | bit(field))
    }

    /// The set without this field.
    #[must_use]
    pub const fn without(self, field: Field) -> Fields {
        Fields(self.0 & !bit(field))
    }

    /// The first field as one reads.
    #[must_use]
    pub fn first(self) -> Option<Field> {
        (self.0 != 0).then(|| Field(self.0.trailing_zeros() as u8))
    }

    /// The fields as one reads: by y, then x.
    pub fn iter(self) -> impl Iterator<Item = Field> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let field = rest.first()?;
            rest = rest.without(field);
            Some(field)
        })
    }

    /// The sets of fields that touch over a side; a corner does not connect. In the reading order of their first
    /// fields.
    pub fn areas(self) -> impl Iterator<Item = Fields> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let mut area = rest & rest.wrapping_neg();
            if area == 0 {
                return None;
            }
            loop {
                let east_west = (area & !EAST) << 1 | (area & !WEST) >> 1;
                let grown = (area | east_west | area << WIDTH | area >> WIDTH) & rest;
                if grown == area {
                    break;
                }
                area = grown;
            }
            rest &= !area;
            Some(Fields(area))
        })
    }
}

const fn bit(field: Field) -> u128 {
    1u128.wrapping_shl(field.0 as u32)
}

impl FromIterator<Field> for Fields {
    fn from_iter<I: IntoIterator<Item = Field>>(fields: I) -> Self {
        fields.into_iter().fold(Fields::EMPTY, Fields::with)
    }
}

//! What a table is: its name, and its columns with their kinds.

use std::borrow::Cow;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A 64-bit integer.
    Int,
    /// A 64-bit floating point number: only in answers to queries.
    Real,
    /// Text.
    Text,
    /// True or false.
    Bool,
    /// A moment in UTC with milliseconds.
    Time,
    /// A list of integers: LIST in Parquet, JSON elsewhere.
    Ints,
    /// A list of texts: LIST in Parquet, JSON elsewhere.
    Texts,
    /// JSON: an array, or an object that has no columns of its own. Text in all formats but JSON lines.
    Json,
}

impl Kind {
    /// The name in the data dictionary.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Int => "integer",
            Kind::Real => "number",
            Kind::Text => "text",
            Kind::Bool => "boolean",
            Kind::Time => "time",
            Kind::Ints => "integers",
            Kind::Texts => "texts",
            Kind::Json => "JSON",
        }
    }
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: Cow<'static, str>,
    /// What its values are.
    pub kind: Kind,
    /// Whether a value may be missing.
    pub nullable: bool,
    /// What it says, one sentence.
    pub about: Cow<'static, str>,
}

impl Column {
    /// The first column of every table.
    pub const GAME: Column = Column::new(GAME, Kind::Text, "The game");

    /// A column that always has a value.
    #[must_use]
    pub const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Column { name: Cow::Borrowed(name), kind, nullable: false, about: Cow::Borrowed(about) }
    }

    /// A column whose value may be missing.
    #[must_use]
    pub const fn nullable(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Column { name: Cow::Borrowed(name), kind, nullable: true, about: Cow::Borrowed(about) }
    }
}

/// A table. Every table also has the column `game` in front: in a partitioned folder it is in the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name: `events`, or `<game>_<type of event>`.
    pub name: Cow<'static, str>,
    /// What a row is, one sentence.
    pub about: Cow<'static, str>,
    /// The columns after `game`.
    pub columns: Vec<Column>,
}

/// The name of the first column of every table.
pub const GAME: &str = "game";

//! The options of a match (R-02, R-03).

use kernel::{Given, Open, Refusal, Rule, Seat};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::Color;
use crate::printed::DEFAULTS;

/// The requested options; a missing one has its default (R-03).
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Colour of seat 0 and of seat 1 (R-02). Default `["red", "white"]`.
    #[serde(default)]
    #[schema(value_type = Colors, required = false)]
    colors: Given<Colors>,
    /// Who begins (R-09): `random` or `red`. Default `"random"`.
    #[serde(default)]
    #[schema(value_type = Start, required = false)]
    start: Given<Start>,
    /// Whether everybody may look at the cards of the draw pile, though not at their order (R-71). Default `false`.
    #[serde(default)]
    #[schema(value_type = bool, required = false)]
    show_draw_pile: Given<bool>,
    /// Whether the latest card play may be taken back, also in a match opened without taking back (R-80). Default `false`.
    #[serde(default)]
    #[schema(value_type = bool, required = false)]
    light: Given<bool>,
}

impl Options {
    /// The options with their defaults filled in.
    ///
    /// # Errors
    /// R-02 for wrong colours, then R-03 for another wrong value.
    pub(crate) fn complete(self) -> Result<MatchOptions, Refusal> {
        let Options { colors, start, show_draw_pile, light } = self;
        let colors_may_be = r#"the option colors is ["red", "white"] or ["white", "red"]"#;
        Ok(MatchOptions {
            colors: colors.or(DEFAULTS.colors, Rule("R-02"), colors_may_be)?,
            start: start.or(
                DEFAULTS.start,
                Rule("R-03"),
                r#"the option start is "random" or "red""#,
            )?,
            show_draw_pile: show_draw_pile.or(
                DEFAULTS.show_draw_pile,
                Rule("R-03"),
                "the option show_draw_pile is true or false",
            )?,
            light: light.or(DEFAULTS.light, Rule("R-03"), "the option light is true or false")?,
        })
    }
}

/// The options of a match, all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(colors, start, show_draw_pile, light)]
pub struct MatchOptions {
    /// Colour of seat 0 and of seat 1 (R-02).
    pub colors: Colors,
    /// Who begins (R-09).
    pub start: Start,
    /// Whether everybody may look at the cards of the draw pile, though not at their order (R-71).
    pub show_draw_pile: bool,
    /// Whether the latest card play may be taken back, also in a match opened without taking back (R-80).
    pub light: bool,
}

/// Who begins (R-09).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Drawn by lot.
    Random,
    /// The red seat.
    Red,
}

/// The colours by seat: one is red, the other white (R-02). Holds the colour of seat 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Open)]
#[serde(into = "[Color; 2]", try_from = "[Color; 2]")]
#[open(0)]
pub struct Colors(Color);

impl Colors {
    /// The colours if seat 0 has this one.
    pub(crate) const fn beginning(first: Color) -> Colors {
        Colors(first)
    }

    /// The colour of a seat.
    #[must_use]
    pub const fn of(self, seat: Seat) -> Color {
        if seat.0 == 0 { self.0 } else { self.0.other() }
    }

    /// The seat that plays a colour.
    #[must_use]
    pub fn seat(self, color: Color) -> Seat {
        if color == self.0 { Seat(0) } else { Seat(1) }
    }
}

impl From<Colors> for [Color; 2] {
    fn from(colors: Colors) -> Self {
        [colors.0, colors.0.other()]
    }
}

impl TryFrom<[Color; 2]> for Colors {
    type Error = &'static str;

    fn try_from([first, second]: [Color; 2]) -> Result<Self, Self::Error> {
        if first == second { Err("the seats have different colours") } else { Ok(Colors(first)) }
    }
}

impl PartialSchema for Colors {
    fn schema() -> RefOr<Schema> {
        ArrayBuilder::new()
            .items(Ref::from_schema_name(Color::name()))
            .min_items(Some(2))
            .max_items(Some(2))
            .unique_items(true)
            .description(Some("Colour of seat 0 and of seat 1, two different ones."))
            .into()
    }
}

impl ToSchema for Colors {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Color::name().into_owned(), Color::schema()));
    }
}

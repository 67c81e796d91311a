//! Options of a match (section 3).

use kernel::{Open, Refusal, Rule, Seat, present};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::board::MapName;
use crate::board::random::SEEDS;
use crate::pieces::PlayerColor;
use crate::position::number;
use crate::printed::FACTS;

/// The most tasks that the short game is without (D-143).
const FEWER_MOST: u8 = FACTS.removed_from.len() as u8;

/// How the ship tiles are given out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum ShipsOption {
    /// Each seat draws one.
    #[default]
    Lot,
    /// Seats + 1 tiles are drawn, and each seat chooses one (D-141).
    Choice,
}

/// The requested options; a missing one has its default.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The map. Default `first_journey`.
    map: MapName,
    /// The seed of a random map; null: drawn. Only with the map `random`.
    #[schema(minimum = 0, maximum = 999)]
    map_seed: Option<u16>,
    /// How the ship tiles are given out. Default `lot`.
    ships: ShipsOption,
    /// The short game (D-143): how many tasks fewer. Default 0.
    #[schema(minimum = 0, maximum = 4)]
    fewer_tasks: u8,
    /// Distinct colours, one for each seat; null: the first ones.
    colors: Option<SeatColors>,
    /// The seat that begins; null: drawn.
    #[schema(value_type = Option<u8>, minimum = 0, maximum = 3)]
    start_seat: Option<Seat>,
}

/// The requested colours.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatColors(Vec<PlayerColor>);

impl PartialSchema for SeatColors {
    fn schema() -> RefOr<Schema> {
        ArrayBuilder::new()
            .items(Ref::from_schema_name(PlayerColor::name()))
            .min_items(Some(2))
            .max_items(Some(4))
            .unique_items(true)
            .description(Some("Distinct colours, one for each seat."))
            .into()
    }
}

impl ToSchema for SeatColors {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((PlayerColor::name().into_owned(), PlayerColor::schema()));
    }
}

/// Options complete, as a position keeps them; a drawn `map_seed` is entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(map, map_seed, ships, fewer_tasks, colors, start_seat)]
pub struct Terms {
    /// The map.
    pub map: MapName,
    /// The seed of a random map.
    #[serde(deserialize_with = "present")]
    #[schema(required = true, minimum = 0, maximum = 999)]
    pub map_seed: Option<u16>,
    /// How the ship tiles were given out.
    pub ships: ShipsOption,
    /// The short game (D-143): how many tasks fewer.
    #[serde(deserialize_with = "number::<_, 0, FEWER_MOST>")]
    #[schema(minimum = 0, maximum = 4)]
    pub fewer_tasks: u8,
    /// The requested colours, by seat.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub colors: Option<Vec<PlayerColor>>,
    /// The requested start seat.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub start_seat: Option<Seat>,
}

impl Options {
    /// Checks the values for so many seats (D-120).
    ///
    /// # Errors
    /// A refusal by D-120 that names the first option with a value that is not allowed.
    pub(crate) fn complete(self, seats: u8) -> Result<Terms, Refusal> {
        let refuse = |reason: String| Err(Refusal::new(Rule("D-120"), reason));
        let Options { map, map_seed, ships, fewer_tasks, colors, start_seat } = self;
        let colors = colors.map(|SeatColors(colors)| colors);
        if let Some(seed) = map_seed {
            if map != MapName::Random {
                return refuse("the option map_seed goes with the map random only".to_owned());
            }
            if seed >= SEEDS {
                return refuse(format!(
                    "the option map_seed is a number from 0 to {}, not {seed}",
                    SEEDS - 1
                ));
            }
        }
        if fewer_tasks > FEWER_MOST {
            return refuse(format!(
                "the option fewer_tasks is a number from 0 to {FEWER_MOST}, not {fewer_tasks}"
            ));
        }
        if let Some(colors) = &colors {
            let distinct = (1..colors.len()).all(|place| !colors[..place].contains(&colors[place]));
            if colors.len() != usize::from(seats) || !distinct {
                return refuse(format!(
                    "the option colors names {seats} distinct colours, one for each seat"
                ));
            }
        }
        if let Some(seat) = start_seat
            && seat.0 >= seats
        {
            return refuse(format!("the option start_seat is one of {seats} seats, not {seat}"));
        }
        Ok(Terms { map, map_seed, ships, fewer_tasks, colors, start_seat })
    }
}

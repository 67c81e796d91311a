//! What a match is played with (section 2).

use kernel::{Open, Refusal, present};
use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::pieces::{Tile, TileSet};
use crate::printed::{MODULES, NAMES, SETS};
use crate::refusal;

/// The tiles that are always in a match.
const BASE: TileSet = MODULES[0];

/// The eight types of the expansions, from which a custom set is made.
const EXPANSIONS: TileSet = MODULES[1].or(MODULES[2]);

/// A type of tile of the expansions, as requested for a custom set. No other can be requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Tile", into = "Tile")]
pub struct Expansion(Tile);

impl TryFrom<Tile> for Expansion {
    type Error = String;

    fn try_from(tile: Tile) -> Result<Self, String> {
        let known = EXPANSIONS.contains(tile);
        known
            .then_some(Expansion(tile))
            .ok_or_else(|| format!("{tile} is not a type of an expansion"))
    }
}

impl From<Expansion> for Tile {
    fn from(Expansion(tile): Expansion) -> Tile {
        tile
    }
}

impl PartialSchema for Expansion {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::String))
            .description(Some(
                "A type of tile of the expansions, as requested for a custom set. No other can be requested.",
            ))
            .enum_values(Some(EXPANSIONS.map(|tile| NAMES[tile as usize])))
            .into()
    }
}

impl ToSchema for Expansion {}

/// A recommended set, or a custom one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Set {
    /// The 60 tiles of the base game.
    #[default]
    Base,
    /// "Saga of Edda": with Hel, Hermod, Jotunn and Sea Serpent.
    SagaOfEdda,
    /// "Order of the Gods": with Dwarf, Freya, Raven and Niohoggr.
    InTheOrderOfTheGods,
    /// "King of the Giants": with Hermod, Jotunn, Freya and Niohoggr.
    KingOfGiants,
    /// "Rise of the Serpents": with Hel, Sea Serpent, Dwarf and Freya.
    AwakeningOfTheSerpents,
    /// "Master of Ravens": with Hel, Hermod, Raven and Niohoggr.
    MasterOfRavens,
    /// With the types of `custom_types`.
    Custom,
}

impl Set {
    /// The expansion types of a recommended set; none for a custom one, which names its own.
    #[must_use]
    pub const fn expansions(self) -> TileSet {
        if matches!(self, Set::Custom) { TileSet::of(&[]) } else { SETS[self as usize] }
    }
}

/// The requested options; a missing one has its default (V-102).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(title = "OptionsAsked")]
pub struct OptionsAsked {
    /// The tiles of the match. Default `base`.
    set: Set,
    /// With `set` = `custom`, required: any of the eight types hel … niohoggr, in any order, each once; `[]` for none. With any other set, null.
    /// Default null.
    #[schema(value_type = Option<BTreeSet<Expansion>>)]
    custom_types: Option<Vec<Expansion>>,
    /// Add the six Lightning Bolts. Default false.
    lightning_bolt: bool,
    /// All Hel in the hands leave the match with the last tile of the pile (V-210). Default false.
    no_late_hel: bool,
}

impl OptionsAsked {
    /// The options of the match.
    ///
    /// # Errors
    /// V-102: `custom_types` with another set, missing with `custom`, or with a type twice.
    pub fn accept(self) -> Result<Options, Refusal> {
        let OptionsAsked { set, custom_types, lightning_bolt, no_late_hel } = self;
        let custom_types = match custom_types {
            None => None,
            Some(list) => {
                let types: TileSet = list.iter().map(|kind| kind.0).collect();
                if types.len() < list.len() {
                    return Err(Refusal::new(refusal::OPTIONS, "custom_types names a type twice"));
                }
                Some(types)
            }
        };
        let options = Options { set, custom_types, lightning_bolt, no_late_hel };
        options.check()?;
        Ok(options)
    }
}

/// The options of a match, with defaults filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(set, custom_types, lightning_bolt, no_late_hel)]
pub struct Options {
    /// The tiles of the match.
    pub set: Set,
    /// With `set` = `custom`: the types in addition to the base tiles, in order; otherwise null.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub custom_types: Option<TileSet>,
    /// Whether the six Lightning Bolts are in the match.
    pub lightning_bolt: bool,
    /// Whether all Hel in the hands leave the match with the last tile of the pile (V-210).
    pub no_late_hel: bool,
}

impl Options {
    /// # Errors
    /// V-102: `custom_types` does not fit `set`, or has a type that is no expansion.
    pub fn check(&self) -> Result<(), Refusal> {
        let reason = match (self.set, self.custom_types) {
            (Set::Custom, None) => "the set custom needs custom_types".to_owned(),
            (Set::Custom, Some(types)) => match types.without(EXPANSIONS).next() {
                Some(tile) => format!("{tile} is not a type of an expansion"),
                None => return Ok(()),
            },
            (_, Some(_)) => "custom_types are given, but the set is not custom".to_owned(),
            (_, None) => return Ok(()),
        };
        Err(Refusal::new(refusal::OPTIONS, reason))
    }

    /// All types of the match.
    #[must_use]
    pub fn tile_types(&self) -> TileSet {
        let bolts = if self.lightning_bolt { &[Tile::LightningBolt][..] } else { &[] };
        let expansions = self.custom_types.unwrap_or(self.set.expansions());
        BASE.or(expansions).or(TileSet::of(bolts))
    }
}

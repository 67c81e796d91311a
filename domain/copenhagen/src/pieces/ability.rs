//! The five ability tiles (C-107).

use std::fmt;

use kernel::{Open, Piece, Set, json};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{
    AdditionalProperties, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::printed::START_ABILITIES;

/// A kind of ability tile, in the game's order (C-107, C-108).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// The second card may come from any slot (C-703).
    AnyCards,
    /// A third card from any slot (C-704).
    AdditionalCard,
    /// A tile costs one card fewer (C-705).
    ConstructionDiscount,
    /// The cards of one colour count as the tile's colour (C-706).
    ChangeOfColors,
    /// Take cards, then build (C-707).
    BothActions,
}

impl Ability {
    /// All abilities, in order (C-107).
    pub const ALL: [Ability; 5] = [
        Ability::AnyCards,
        Ability::AdditionalCard,
        Ability::ConstructionDiscount,
        Ability::ChangeOfColors,
        Ability::BothActions,
    ];

    const NAMES: [&str; 5] = [
        "any_cards",
        "additional_card",
        "construction_discount",
        "change_of_colors",
        "both_actions",
    ];

    /// The ability's name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Ability::NAMES[self as usize]
    }
}

impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A player's tile of an ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AbilityState {
    /// May be used.
    Active,
    /// Used; waits for `ReactivateAbilities` (C-605).
    Used,
}

/// What a player owns of the five abilities (C-701). JSON: an object with all five, null where not owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities([Option<AbilityState>; 5]);

impl Abilities {
    /// What everybody owns at the start (C-206).
    pub const AT_START: Abilities = {
        let (mut states, mut place) = ([None; 5], 0);
        while place < states.len() {
            if START_ABILITIES[place] {
                states[place] = Some(AbilityState::Active);
            }
            place += 1;
        }
        Abilities(states)
    };

    /// The state of an ability, or `None` if it is not owned.
    #[must_use]
    pub const fn state(self, ability: Ability) -> Option<AbilityState> {
        self.0[ability as usize]
    }

    /// Is the ability owned and active?
    #[must_use]
    pub fn is_active(self, ability: Ability) -> bool {
        self.state(ability) == Some(AbilityState::Active)
    }

    /// The abilities that are owned and used.
    #[must_use]
    pub fn used(self) -> AbilitySet {
        let is_used = |ability: &Ability| self.state(*ability) == Some(AbilityState::Used);
        Ability::ALL.into_iter().filter(is_used).collect()
    }

    /// Are all five owned?
    #[must_use]
    pub fn owns_all(self) -> bool {
        self.0.iter().all(Option::is_some)
    }

    pub(crate) fn set(&mut self, ability: Ability, state: AbilityState) {
        self.0[ability as usize] = Some(state);
    }
}

impl Serialize for Abilities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for ability in Ability::ALL {
            map.serialize_entry(ability.name(), &self.state(ability))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Abilities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::record(deserializer, &Ability::NAMES).map(Abilities)
    }
}

impl PartialSchema for Abilities {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new()
            .description(Some("The five abilities: active, used, or null where not owned (C-701)."))
            .additional_properties(Some(AdditionalProperties::FreeForm(false)));
        let state = || {
            OneOfBuilder::new()
                .item(ObjectBuilder::new().schema_type(SchemaType::new(Type::Null)))
                .item(Ref::from_schema_name(AbilityState::name_in_schema()))
        };
        let with =
            |object: ObjectBuilder, name: &str| object.property(name, state()).required(name);
        Ability::NAMES.into_iter().fold(object, with).into()
    }
}

impl AbilityState {
    fn name_in_schema() -> String {
        <AbilityState as ToSchema>::name().into_owned()
    }
}

impl ToSchema for Abilities {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((AbilityState::name_in_schema(), AbilityState::schema()));
    }
}

/// A set of abilities. JSON: the array, in order.
pub type AbilitySet = Set<Ability>;

impl Piece for Ability {
    const COUNT: usize = 5;
    fn index(self) -> usize {
        self as usize
    }
    fn at(index: usize) -> Self {
        Ability::ALL[index]
    }
}

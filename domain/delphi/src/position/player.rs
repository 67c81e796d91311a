//! What belongs to a seat. All of it lies open.

use kernel::{Open, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::Hex;
use crate::decide::gains::MOST_SHIELD;
use crate::pieces::{
    CargoKind, Color, Colors, Companion, CompanionKind, Equipment, God, PlayerColor, Set, Ship,
    Tiles, ZeusTile,
};
use crate::position::number;
use crate::printed::FACTS;

/// The topmost row of the god track.
pub const TOP_ROW: u8 = FACTS.top_row;

/// The row of each god, 0 to 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(aphrodite, ares, hermes, poseidon, apollon, artemis)]
pub struct GodRows {
    #[serde(deserialize_with = "number::<_, 0, TOP_ROW>")]
    #[schema(minimum = 0, maximum = 6)]
    aphrodite: u8,
    #[serde(deserialize_with = "number::<_, 0, TOP_ROW>")]
    #[schema(minimum = 0, maximum = 6)]
    ares: u8,
    #[serde(deserialize_with = "number::<_, 0, TOP_ROW>")]
    #[schema(minimum = 0, maximum = 6)]
    hermes: u8,
    #[serde(deserialize_with = "number::<_, 0, TOP_ROW>")]
    #[schema(minimum = 0, maximum = 6)]
    poseidon: u8,
    #[serde(deserialize_with = "number::<_, 0, TOP_ROW>")]
    #[schema(minimum = 0, maximum = 6)]
    apollon: u8,
    #[serde(deserialize_with = "number::<_, 0, TOP_ROW>")]
    #[schema(minimum = 0, maximum = 6)]
    artemis: u8,
}

impl GodRows {
    /// All gods in one row.
    #[must_use]
    pub fn all_in(row: u8) -> Self {
        let row = row.min(TOP_ROW);
        GodRows {
            aphrodite: row,
            ares: row,
            hermes: row,
            poseidon: row,
            apollon: row,
            artemis: row,
        }
    }

    /// The row of a god.
    #[must_use]
    pub fn row(&self, god: God) -> u8 {
        match god {
            God::Aphrodite => self.aphrodite,
            God::Ares => self.ares,
            God::Hermes => self.hermes,
            God::Poseidon => self.poseidon,
            God::Apollon => self.apollon,
            God::Artemis => self.artemis,
        }
    }

    /// Puts a god into a row, or into the topmost one if there is no such row.
    pub fn put(&mut self, god: God, row: u8) {
        let place = match god {
            God::Aphrodite => &mut self.aphrodite,
            God::Ares => &mut self.ares,
            God::Hermes => &mut self.hermes,
            God::Poseidon => &mut self.poseidon,
            God::Apollon => &mut self.apollon,
            God::Artemis => &mut self.artemis,
        };
        *place = row.min(TOP_ROW);
    }

    /// Those of `gods` that stand below the topmost row.
    #[must_use]
    pub fn below_top(&self, gods: Set<God>) -> Set<God> {
        gods.iter().filter(|god| self.row(*god) < TOP_ROW).collect()
    }
}

/// Zeus tiles left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(shrine, statue, offering, monster)]
pub struct Tasks {
    /// Shrines to build.
    #[schema(maximum = 3)]
    pub shrine: u8,
    /// Statues to raise.
    #[schema(value_type = Vec<ZeusTile>, max_items = 3)]
    pub statue: Tiles,
    /// Offerings to deliver.
    #[schema(value_type = Vec<ZeusTile>, max_items = 3)]
    pub offering: Tiles,
    /// Monsters to defeat.
    #[schema(value_type = Vec<ZeusTile>, max_items = 3)]
    pub monster: Tiles,
}

impl Tasks {
    /// Is no task left?
    #[must_use]
    pub fn none(&self) -> bool {
        self.shrine == 0
            && self.statue.is_empty()
            && self.offering.is_empty()
            && self.monster.is_empty()
    }
}

/// Tasks fulfilled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(shrine, statue, offering, monster)]
pub struct Fulfilled {
    /// Shrines built.
    #[schema(maximum = 3)]
    pub shrine: u8,
    /// Colours of the statues raised.
    #[schema(value_type = Vec<Color>, max_items = 3)]
    pub statue: Colors,
    /// Colours of the offerings delivered.
    #[schema(value_type = Vec<Color>, max_items = 3)]
    pub offering: Colors,
    /// Colours of the monsters defeated.
    #[schema(value_type = Vec<Color>, max_items = 3)]
    pub monster: Colors,
}

impl Fulfilled {
    /// The number of fulfilled tasks.
    #[must_use]
    pub fn count(&self) -> u16 {
        let tasks =
            usize::from(self.shrine) + self.statue.len() + self.offering.len() + self.monster.len();
        u16::try_from(tasks).unwrap_or(u16::MAX)
    }
}

/// What is in the storage of a ship.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(statue, offering)]
pub struct Cargo {
    /// Statues.
    #[schema(value_type = Vec<Color>, max_items = 18)]
    pub statue: Colors,
    /// Offerings.
    #[schema(value_type = Vec<Color>, max_items = 18)]
    pub offering: Colors,
}

impl Cargo {
    /// The colours of one kind.
    #[must_use]
    pub fn of(&self, kind: CargoKind) -> &Colors {
        match kind {
            CargoKind::Statue => &self.statue,
            CargoKind::Offering => &self.offering,
        }
    }

    /// The number of pieces.
    #[must_use]
    pub fn len(&self) -> usize {
        self.statue.len() + self.offering.len()
    }

    /// Is nothing in the storage?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Everything that belongs to a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(
    color,
    ship,
    at,
    home,
    dice,
    cards,
    injuries,
    favor,
    shield,
    gods,
    god_choices,
    tasks,
    fulfilled,
    cargo,
    companions,
    equipment,
    shrines
)]
pub struct Player {
    /// The player colour.
    pub color: PlayerColor,
    /// Ship tile; null only in stage `ships`.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub ship: Option<Ship>,
    /// The hex of the ship.
    pub at: Hex,
    /// Whether the ship has returned to Zeus.
    pub home: bool,
    /// Unused oracle dice.
    #[schema(value_type = Vec<Color>, max_items = 3)]
    pub dice: Colors,
    /// Oracle cards in hand.
    #[schema(value_type = Vec<Color>, max_items = 30)]
    pub cards: Colors,
    /// Injury cards.
    #[schema(value_type = Vec<Color>, max_items = 42)]
    pub injuries: Colors,
    /// The favor.
    pub favor: u16,
    /// The shield, 0 to 5.
    #[serde(deserialize_with = "number::<_, 0, MOST_SHIELD>")]
    #[schema(minimum = 0, maximum = 5)]
    pub shield: u8,
    /// The rows of the gods.
    pub gods: GodRows,
    /// Advances from the others' consultations that wait for a choice, oldest first. When a position is loaded, at most three.
    #[schema(value_type = Vec<Vec<God>>)]
    pub god_choices: Vec<Set<God>>,
    /// Zeus tiles left.
    pub tasks: Tasks,
    /// Tasks fulfilled.
    pub fulfilled: Fulfilled,
    /// The contents of the storage.
    pub cargo: Cargo,
    /// The companions.
    #[schema(value_type = Vec<Companion>, max_items = 18)]
    pub companions: Set<Companion>,
    /// Equipment cards; used one-time cards stay.
    #[schema(value_type = Vec<Equipment>, max_items = 22)]
    pub equipment: Set<Equipment>,
    /// Shrine pieces left.
    #[schema(maximum = 3)]
    pub shrines: u8,
}

impl Player {
    /// A player before anything is dealt: the ship stands on the hex of Zeus.
    #[must_use]
    pub fn new(color: PlayerColor) -> Self {
        Player {
            color,
            ship: None,
            at: Hex::ZEUS,
            home: false,
            dice: Colors::EMPTY,
            cards: Colors::EMPTY,
            injuries: Colors::EMPTY,
            favor: 0,
            shield: 0,
            gods: GodRows::default(),
            god_choices: Vec::new(),
            tasks: Tasks::default(),
            fulfilled: Fulfilled::default(),
            cargo: Cargo::default(),
            companions: Set::EMPTY,
            equipment: Set::EMPTY,
            shrines: 0,
        }
    }

    /// Is this the ship tile of the seat?
    #[must_use]
    pub fn sails(&self, ship: Ship) -> bool {
        self.ship == Some(ship)
    }

    /// Does the seat have this equipment card?
    #[must_use]
    pub fn has(&self, card: Equipment) -> bool {
        self.equipment.contains(card)
    }

    /// Does the seat have this companion?
    #[must_use]
    pub fn is_joined_by(&self, kind: CompanionKind, color: Color) -> bool {
        self.companions.contains(Companion { kind, color })
    }

    /// The number of places in the storage (D-704).
    #[must_use]
    pub fn storage(&self) -> usize {
        let hold = if self.has(Equipment::Hold) { FACTS.hold_storage } else { 0 };
        usize::from(FACTS.storage[self.ship.unwrap_or(Ship::Shield2) as usize] + hold)
    }
}

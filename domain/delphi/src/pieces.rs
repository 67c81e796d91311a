//! The pieces of the game by name: colours, gods, letters, ships, cards. Every enum stands in the order of the rules.

mod equipment;

pub use equipment::Equipment;
use kernel::Open;
pub use kernel::{Bag, Piece, Set};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A multiset of colours: cards, dice, offerings or statues.
pub type Colors = Bag<Color, 6>;

/// A multiset of Zeus tiles of one kind of task.
pub type Tiles = Bag<ZeusTile, 7>;

macro_rules! listed {
    ($($piece:ident),*) => {$(
        impl Piece for $piece {
            const COUNT: usize = $piece::ALL.len();
            fn index(self) -> usize {
                self as usize
            }
            fn at(index: usize) -> Self {
                $piece::ALL[index]
            }
        }
    )*};
}

listed!(Color, ZeusTile, God, Ship, Equipment);

macro_rules! spoken_as_in_json {
    ($($piece:ident),*) => {$(
        impl std::fmt::Display for $piece {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.serialize(f)
            }
        }
    )*};
}

spoken_as_in_json!(Color, ZeusTile, PlayerColor, TaskKind, CompanionKind, Ship, Equipment);

/// A colour of the oracle, clockwise around it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema, Open,
)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// The colour of Aphrodite.
    Red,
    /// The colour of Ares.
    Black,
    /// The colour of Hermes.
    Pink,
    /// The colour of Poseidon.
    Blue,
    /// The colour of Apollon.
    Yellow,
    /// The colour of Artemis.
    Green,
}

impl Color {
    /// All colours, clockwise.
    pub const ALL: [Color; 6] =
        [Color::Red, Color::Black, Color::Pink, Color::Blue, Color::Yellow, Color::Green];

    /// Steps clockwise around the oracle from this colour to `to`, 0 to 5.
    #[must_use]
    pub fn clockwise_to(self, to: Color) -> u8 {
        (6 + to as u8 - self as u8) % 6
    }

    /// The god of this colour.
    #[must_use]
    pub const fn god(self) -> God {
        God::ALL[self as usize]
    }

    /// The Zeus tile of this colour.
    #[must_use]
    pub fn tile(self) -> ZeusTile {
        ZeusTile::at(self as usize)
    }
}

/// What a Zeus tile shows: a colour, or white for any colour.
#[expect(missing_docs, reason = "a colour needs no description")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum ZeusTile {
    Red,
    Black,
    Pink,
    Blue,
    Yellow,
    Green,
    /// A task of any colour that the seat has not yet fulfilled in this kind.
    White,
}

impl ZeusTile {
    /// All of them; white last.
    pub const ALL: [ZeusTile; 7] = [
        ZeusTile::Red,
        ZeusTile::Black,
        ZeusTile::Pink,
        ZeusTile::Blue,
        ZeusTile::Yellow,
        ZeusTile::Green,
        ZeusTile::White,
    ];
}

/// A god; the gods stand in the order of their colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum God {
    /// Discards all injury cards.
    Aphrodite,
    /// Defeats a monster without a roll.
    Ares,
    /// Loads a statue from any city.
    Hermes,
    /// Sails to any water space, or home to Zeus when no task is left.
    Poseidon,
    /// Draws an oracle card; dice and one oracle card have any colour for the rest of the turn.
    Apollon,
    /// Explores any face-down island.
    Artemis,
}

impl God {
    /// All gods.
    pub const ALL: [God; 6] =
        [God::Aphrodite, God::Ares, God::Hermes, God::Poseidon, God::Apollon, God::Artemis];

    /// The colour of this god.
    #[must_use]
    pub fn color(self) -> Color {
        Color::ALL[self as usize]
    }
}

impl std::fmt::Display for God {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            God::Aphrodite => "Aphrodite",
            God::Ares => "Ares",
            God::Hermes => "Hermes",
            God::Poseidon => "Poseidon",
            God::Apollon => "Apollon",
            God::Artemis => "Artemis",
        })
    }
}

/// The colour of a player's pieces.
#[expect(missing_docs, reason = "a colour needs no description")]
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema, Open,
)]
#[serde(rename_all = "snake_case")]
pub enum PlayerColor {
    Red,
    Yellow,
    Green,
    Blue,
}

impl PlayerColor {
    /// All player colours, in the order in which seats get them.
    pub const ALL: [PlayerColor; 4] =
        [PlayerColor::Red, PlayerColor::Yellow, PlayerColor::Green, PlayerColor::Blue];
}

/// The Greek letter on an island tile: what the island gives to a seat that explores it and builds no shrine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Letter {
    /// Advance gods by three rows in all.
    Sigma,
    /// Two oracle cards.
    Phi,
    /// Four favor.
    Psi,
    /// All injury cards of one colour are discarded, and the shield rises by one.
    Omega,
}

impl Letter {
    /// All letters.
    pub const ALL: [Letter; 4] = [Letter::Sigma, Letter::Phi, Letter::Psi, Letter::Omega];
}

/// The hidden side of an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(color, letter)]
pub struct Face {
    /// The player colour that may build a shrine here.
    pub color: PlayerColor,
    /// The letter, which says what an explorer gets who builds no shrine.
    pub letter: Letter,
}

/// A kind of task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// Build a shrine on an island of the own player colour.
    Shrine,
    /// Raise a statue.
    Statue,
    /// Deliver an offering.
    Offering,
    /// Defeat a monster.
    Monster,
}

/// What a ship carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum CargoKind {
    /// Statues, from cities to building sites.
    Statue,
    /// Offerings, from islands to temples.
    Offering,
}

/// A kind of companion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum CompanionKind {
    /// The shield rises by two; injury cards of this colour are discarded from now on.
    Hero,
    /// Draws an oracle card; dice of this colour may be used as any colour.
    Demigod,
    /// With a die of this colour the ship sails farther, to water of any colour.
    Creature,
}

impl CompanionKind {
    /// All kinds.
    pub const ALL: [CompanionKind; 3] =
        [CompanionKind::Hero, CompanionKind::Demigod, CompanionKind::Creature];
}

/// A companion: there is one of each kind in each colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(kind, color)]
pub struct Companion {
    /// The kind of companion.
    pub kind: CompanionKind,
    /// The colour of the companion.
    pub color: Color,
}

impl Piece for Companion {
    const COUNT: usize = CompanionKind::ALL.len() * Color::ALL.len();
    fn index(self) -> usize {
        self.kind as usize * Color::COUNT + self.color as usize
    }
    fn at(index: usize) -> Self {
        Companion {
            kind: CompanionKind::ALL[index / Color::COUNT],
            color: Color::ALL[index % Color::COUNT],
        }
    }
}

/// A ship tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
pub enum Ship {
    /// The shield begins two higher.
    #[serde(rename = "shield_2")]
    Shield2,
    /// Gods start in the row that a god reaches first, by the number of players, and return to it.
    #[serde(rename = "gods_up")]
    GodsUp,
    /// The ship sails two spaces farther.
    #[serde(rename = "range_2")]
    Range2,
    /// Each gain of favor is one higher.
    #[serde(rename = "favor_1")]
    Favor1,
    /// One Zeus tile is returned at the start.
    #[serde(rename = "tasks_11")]
    Tasks11,
    /// Recolouring costs one favor less.
    #[serde(rename = "recolor_1")]
    Recolor1,
    /// An oracle card and an equipment card at the start.
    #[serde(rename = "equipped")]
    Equipped,
    /// Recolours in both directions; two more places in the storage.
    #[serde(rename = "reverse_4")]
    Reverse4,
}

impl Ship {
    /// All ship tiles.
    pub const ALL: [Ship; 8] = [
        Ship::Shield2,
        Ship::GodsUp,
        Ship::Range2,
        Ship::Favor1,
        Ship::Tasks11,
        Ship::Recolor1,
        Ship::Equipped,
        Ship::Reverse4,
    ];
}

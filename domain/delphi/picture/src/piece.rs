//! The names of the game: colours, gods, letters, ships, kinds of tasks and companions.

use serde::Deserialize;

/// A colour of the oracle, clockwise around it; white is the colour of a task that any colour fulfils.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Color {
    Red,
    Black,
    Pink,
    Blue,
    Yellow,
    Green,
    White,
}

impl Color {
    /// The colours of the oracle, without white.
    pub(crate) const ALL: [Color; 6] =
        [Color::Red, Color::Black, Color::Pink, Color::Blue, Color::Yellow, Color::Green];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::Black => "black",
            Color::Pink => "pink",
            Color::Blue => "blue",
            Color::Yellow => "yellow",
            Color::Green => "green",
            Color::White => "white",
        }
    }

    /// The letter that stands for the colour wherever it is drawn: K is black, as in printing.
    pub(crate) fn letter(self) -> char {
        match self {
            Color::Red => 'R',
            Color::Black => 'K',
            Color::Pink => 'P',
            Color::Blue => 'B',
            Color::Yellow => 'Y',
            Color::Green => 'G',
            Color::White => '?',
        }
    }

    /// The class of letters on the colour.
    pub(crate) fn ink(self) -> &'static str {
        match self {
            Color::Red | Color::Black | Color::Blue | Color::Green => "f-onblack",
            Color::Pink | Color::Yellow | Color::White => "f-print",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum God {
    Aphrodite,
    Ares,
    Hermes,
    Poseidon,
    Apollon,
    Artemis,
}

impl God {
    pub(crate) const ALL: [God; 6] =
        [God::Aphrodite, God::Ares, God::Hermes, God::Poseidon, God::Apollon, God::Artemis];

    pub(crate) fn color(self) -> Color {
        Color::ALL[self as usize]
    }

    /// As commands name it.
    pub(crate) fn id(self) -> &'static str {
        match self {
            God::Aphrodite => "aphrodite",
            God::Ares => "ares",
            God::Hermes => "hermes",
            God::Poseidon => "poseidon",
            God::Apollon => "apollon",
            God::Artemis => "artemis",
        }
    }
}

/// The colour of a player's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlayerColor {
    Red,
    Yellow,
    Green,
    Blue,
}

impl PlayerColor {
    pub(crate) fn name(self) -> &'static str {
        match self {
            PlayerColor::Red => "red",
            PlayerColor::Yellow => "yellow",
            PlayerColor::Green => "green",
            PlayerColor::Blue => "blue",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Letter {
    Sigma,
    Phi,
    Psi,
    Omega,
}

impl Letter {
    pub(crate) fn glyph(self) -> char {
        match self {
            Letter::Sigma => 'Σ',
            Letter::Phi => 'Φ',
            Letter::Psi => 'Ψ',
            Letter::Omega => 'Ω',
        }
    }

    /// What the explorer gets.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Letter::Sigma => "sigma: gods advance by 3 rows in all",
            Letter::Phi => "phi: 2 oracle cards",
            Letter::Psi => "psi: 4 favor",
            Letter::Omega => "omega: 1 shield, and the injuries of one colour leave",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskKind {
    Shrine,
    Statue,
    Offering,
    Monster,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CompanionKind {
    Hero,
    Demigod,
    Creature,
}

impl CompanionKind {
    pub(crate) const ALL: [CompanionKind; 3] =
        [CompanionKind::Hero, CompanionKind::Demigod, CompanionKind::Creature];

    pub(crate) fn name(self) -> &'static str {
        match self {
            CompanionKind::Hero => "hero",
            CompanionKind::Demigod => "demigod",
            CompanionKind::Creature => "creature",
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            CompanionKind::Hero => "2 shields once, and no injuries of the colour any more",
            CompanionKind::Demigod => "an oracle card once, and the colour stands for any colour",
            CompanionKind::Creature => {
                "range + 3, and a destination of any colour, with a die of the colour"
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Companion {
    pub(crate) kind: CompanionKind,
    pub(crate) color: Color,
}

/// A ship tile: what it is called, and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Ship {
    #[serde(rename = "shield_2")]
    Shield2,
    #[serde(rename = "gods_up")]
    GodsUp,
    #[serde(rename = "range_2")]
    Range2,
    #[serde(rename = "favor_1")]
    Favor1,
    #[serde(rename = "tasks_11")]
    Tasks11,
    #[serde(rename = "recolor_1")]
    Recolor1,
    #[serde(rename = "equipped")]
    Equipped,
    #[serde(rename = "reverse_4")]
    Reverse4,
}

impl Ship {
    /// The id, what it is called on the tile, and what it does.
    pub(crate) fn told(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Ship::Shield2 => ("shield_2", "shield 2", "starts with shield 2"),
            Ship::GodsUp => ("gods_up", "gods up", "gods start in the first row, and return to it"),
            Ship::Range2 => ("range_2", "range + 2", "range + 2"),
            Ship::Favor1 => ("favor_1", "favor + 1", "1 favor more at each receipt"),
            Ship::Tasks11 => ("tasks_11", "11 tasks", "one task less from the start"),
            Ship::Recolor1 => ("recolor_1", "recolor - 1", "recolouring costs 1 favor less"),
            Ship::Equipped => {
                ("equipped", "equipped", "starts with an equipment card and an oracle card")
            }
            Ship::Reverse4 => (
                "reverse_4",
                "both ways, 4 places",
                "recolours both ways round; 4 places of storage",
            ),
        }
    }
}

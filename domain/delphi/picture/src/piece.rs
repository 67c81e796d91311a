//! How the pieces of the game are named and painted.

pub(crate) use delphi::seen::{CompanionKind, God, Letter, PlayerColor, Ship, TaskKind};
use serde::Deserialize;

/// A colour of the oracle, clockwise around it; white is the colour of a task that any colour fulfils.
pub(crate) use delphi::seen::ZeusTile as Color;

/// The colours of the oracle, without white.
pub(crate) const COLORS: [Color; 6] =
    [Color::Red, Color::Black, Color::Pink, Color::Blue, Color::Yellow, Color::Green];

/// How a colour is painted.
pub(crate) trait Paint {
    /// Its word in JSON.
    fn name(self) -> &'static str;
    /// The letter that stands for the colour wherever it is drawn: K is black, as in printing.
    fn letter(self) -> char;
    /// The class of letters on the colour.
    fn ink(self) -> &'static str;
}

impl Paint for Color {
    fn name(self) -> &'static str {
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

    fn letter(self) -> char {
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

    fn ink(self) -> &'static str {
        match self {
            Color::Red | Color::Black | Color::Blue | Color::Green => "f-onblack",
            Color::Pink | Color::Yellow | Color::White => "f-print",
        }
    }
}

/// How something is told.
pub(crate) trait Told {
    /// Its word in JSON.
    fn name(self) -> &'static str;
}

impl Told for God {
    fn name(self) -> &'static str {
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

impl Told for CompanionKind {
    fn name(self) -> &'static str {
        match self {
            CompanionKind::Hero => "hero",
            CompanionKind::Demigod => "demigod",
            CompanionKind::Creature => "creature",
        }
    }
}

/// What a companion does.
pub(crate) fn skill(kind: CompanionKind) -> &'static str {
    match kind {
        CompanionKind::Hero => "2 shields once, and no injuries of the colour any more",
        CompanionKind::Demigod => "an oracle card once, and the colour stands for any colour",
        CompanionKind::Creature => {
            "range + 3, and a destination of any colour, with a die of the colour"
        }
    }
}

/// The Greek letter.
pub(crate) fn glyph(letter: Letter) -> char {
    match letter {
        Letter::Sigma => 'Σ',
        Letter::Phi => 'Φ',
        Letter::Psi => 'Ψ',
        Letter::Omega => 'Ω',
    }
}

/// What the explorer gets.
pub(crate) fn gain(letter: Letter) -> &'static str {
    match letter {
        Letter::Sigma => "sigma: gods advance by 3 rows in all",
        Letter::Phi => "phi: 2 oracle cards",
        Letter::Psi => "psi: 4 favor",
        Letter::Omega => "omega: 1 shield, and the injuries of one colour leave",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Companion {
    pub(crate) kind: CompanionKind,
    pub(crate) color: Color,
}

/// A ship tile: its id, what it is called, and what it does.
pub(crate) fn told(ship: Ship) -> (&'static str, &'static str, &'static str) {
    match ship {
        Ship::Shield2 => ("shield_2", "shield 2", "starts with shield 2"),
        Ship::GodsUp => ("gods_up", "gods up", "gods start in the first row, and return to it"),
        Ship::Range2 => ("range_2", "range + 2", "range + 2"),
        Ship::Favor1 => ("favor_1", "favor + 1", "1 favor more at each receipt"),
        Ship::Tasks11 => ("tasks_11", "11 tasks", "one task less from the start"),
        Ship::Recolor1 => ("recolor_1", "recolor - 1", "recolouring costs 1 favor less"),
        Ship::Equipped => {
            ("equipped", "equipped", "starts with an equipment card and an oracle card")
        }
        Ship::Reverse4 => {
            ("reverse_4", "both ways, 4 places", "recolours both ways round; 4 places of storage")
        }
    }
}

//! How the pieces of the game are named and painted.

use canvas::{Says, say};
use delphi::seen::{
    Color, Companion, CompanionKind, Fulfilled, God, Letter, Ship, TaskKind, Tasks, ZeusTile,
};

/// How a colour is painted; white is the colour of a task that any colour fulfils.
pub(crate) trait Paint: Copy {
    /// The tile of the colour.
    fn paint(self) -> ZeusTile;

    /// Its word in JSON.
    fn name(self) -> &'static str {
        match self.paint() {
            ZeusTile::Red => "red",
            ZeusTile::Black => "black",
            ZeusTile::Pink => "pink",
            ZeusTile::Blue => "blue",
            ZeusTile::Yellow => "yellow",
            ZeusTile::Green => "green",
            ZeusTile::White => "white",
        }
    }

    /// The letter that stands for the colour wherever it is drawn: K is black, as in printing.
    fn letter(self, says: Says<'_>) -> String {
        says.word(match self.paint() {
            ZeusTile::Red => "R",
            ZeusTile::Black => "K",
            ZeusTile::Pink => "P",
            ZeusTile::Blue => "B",
            ZeusTile::Yellow => "Y",
            ZeusTile::Green => "G",
            ZeusTile::White => "?",
        })
    }

    /// The class of letters on the colour.
    fn ink(self) -> &'static str {
        match self.paint() {
            ZeusTile::Red | ZeusTile::Black | ZeusTile::Blue | ZeusTile::Green => "f-onblack",
            ZeusTile::Pink | ZeusTile::Yellow | ZeusTile::White => "f-print",
        }
    }
}

impl Paint for ZeusTile {
    fn paint(self) -> ZeusTile {
        self
    }
}

impl Paint for Color {
    fn paint(self) -> ZeusTile {
        self.tile()
    }
}

/// The tiles of a kind of task that are left; shrines are white.
pub(crate) fn left(tasks: &Tasks, kind: TaskKind) -> Vec<ZeusTile> {
    match kind {
        TaskKind::Shrine => shrines(tasks.shrine),
        TaskKind::Statue => tasks.statue.iter().collect(),
        TaskKind::Offering => tasks.offering.iter().collect(),
        TaskKind::Monster => tasks.monster.iter().collect(),
    }
}

/// The same of those that are fulfilled.
pub(crate) fn done(tasks: &Fulfilled, kind: TaskKind) -> Vec<ZeusTile> {
    match kind {
        TaskKind::Shrine => shrines(tasks.shrine),
        TaskKind::Statue => tasks.statue.iter().map(Color::tile).collect(),
        TaskKind::Offering => tasks.offering.iter().map(Color::tile).collect(),
        TaskKind::Monster => tasks.monster.iter().map(Color::tile).collect(),
    }
}

fn shrines(count: u8) -> Vec<ZeusTile> {
    vec![ZeusTile::White; usize::from(count.min(6))]
}

/// How many tasks are left.
pub(crate) fn count(tasks: &Tasks) -> usize {
    usize::from(tasks.shrine) + tasks.statue.len() + tasks.offering.len() + tasks.monster.len()
}

/// The name of a god for people.
pub(crate) fn god_name(says: Says<'_>, god: God) -> String {
    says.word(&god.to_string())
}

/// A companion for people.
pub(crate) fn companion_name(says: Says<'_>, companion: Companion) -> String {
    let Companion { kind, color } = companion;
    let kind = says.word(&kind.to_string());
    say!(says, "{color} {kind}", color = says.word(color.name()), kind = kind)
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

/// A ship tile: what it is called, and what it does.
pub(crate) fn told(ship: Ship) -> (&'static str, &'static str) {
    match ship {
        Ship::Shield2 => ("shield 2", "starts with shield 2"),
        Ship::GodsUp => {
            ("gods up", "gods start in the row that a god reaches first, and return to it")
        }
        Ship::Range2 => ("range + 2", "range + 2"),
        Ship::Favor1 => ("favor + 1", "1 favor more at each receipt"),
        Ship::Tasks11 => ("11 tasks", "one task less from the start"),
        Ship::Recolor1 => ("recolor - 1", "recolouring costs 1 favor less"),
        Ship::Equipped => ("equipped", "starts with an equipment card and an oracle card"),
        Ship::Reverse4 => ("both ways, 4 places", "recolours both ways round; 4 places of storage"),
    }
}

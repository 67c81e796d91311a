//! The kinds of tiles: their letters, their colours, and what a tile looks like.

use serde::Deserialize;

use canvas::svg::Svg;

use crate::emblem::emblem;

/// A kind of tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tile {
    Odin,
    Thor,
    Troll,
    Dragon,
    Fenrir,
    Skadi,
    Valkyrie,
    Loki,
    Hel,
    Hermod,
    Jotunn,
    SeaSerpent,
    Dwarf,
    Freya,
    Raven,
    Niohoggr,
    LightningBolt,
}

/// Its name in the API, its name on the tile, four letters for terminals, its value, its colour.
struct Face(&'static str, &'static str, &'static str, Option<u32>, &'static str);

/// In the order of the kinds.
#[rustfmt::skip]
const FACES: [Face; 17] = [
    Face("odin", "Odin", "Odin", Some(8), "blue"),
    Face("thor", "Thor", "Thor", Some(7), "orange"),
    Face("troll", "Troll", "Trol", Some(6), "green"),
    Face("dragon", "Dragon", "Drag", Some(5), "red"),
    Face("fenrir", "Fenrir", "Fenr", Some(4), "black"),
    Face("skadi", "Skadi", "Skad", Some(3), "ice"),
    Face("valkyrie", "Valkyrie", "Valk", Some(2), "purple"),
    Face("loki", "Loki", "Loki", Some(1), "moss"),
    Face("hel", "Hel", "Hel", None, "black"),
    Face("hermod", "Hermod", "Herm", Some(3), "orange"),
    Face("jotunn", "Jotunn", "Jotu", Some(5), "ice"),
    Face("sea_serpent", "Serpent", "Serp", Some(6), "blue"),
    Face("dwarf", "Dwarf", "Dwar", Some(2), "earth"),
    Face("freya", "Freya", "Frey", Some(3), "rose"),
    Face("raven", "Raven", "Rave", Some(4), "black"),
    Face("niohoggr", "Niohoggr", "Nioh", Some(7), "moss"),
    Face("lightning_bolt", "Bolt", "Bolt", Some(1), "purple"),
];

impl Tile {
    /// As the API writes it: `sea_serpent`.
    pub(crate) fn id(self) -> &'static str {
        FACES[self as usize].0
    }

    /// As it is written on the tile.
    pub(crate) fn name(self) -> &'static str {
        FACES[self as usize].1
    }

    /// Four letters at most.
    pub(crate) fn letters(self) -> &'static str {
        FACES[self as usize].2
    }

    /// The printed value; Hel has none.
    pub(crate) fn value(self) -> Option<u32> {
        FACES[self as usize].3
    }

    fn color(self) -> &'static str {
        FACES[self as usize].4
    }

    /// The value with boosts, as text.
    pub(crate) fn worth(self, boost: u8) -> String {
        let worth = self.value().map(|value| value + u32::from(boost));
        worth.map_or_else(|| "–".to_owned(), |worth| worth.to_string())
    }

    /// In words: `Fenrir 4`, `Freya 3 + 2`.
    pub(crate) fn words(self, boost: u8) -> String {
        let name = self.name();
        match (self.value(), boost) {
            (None, _) => name.to_owned(),
            (Some(value), 0) => format!("{name} {value}"),
            (Some(value), boost) => format!("{name} {value} + {boost}"),
        }
    }

    /// Draws the tile on the square of 100 units.
    pub(crate) fn draw(self, svg: &mut Svg, boost: u8) {
        svg.rect(4.0, 4.0, 92.0, 92.0, 12.0).class("f-card s-whiteline w2").end();
        svg.rect(10.0, 10.0, 80.0, 61.0, 8.0).class(&format!("f-{}", self.color())).end();
        svg.group().placed(57.0, 40.5, 0.0, 1.0).with(|svg| emblem(svg, self));
        let (ground, size) =
            if boost > 0 { ("f-gold s-print w3", 24.0) } else { ("f-card s-print w2", 27.0) };
        svg.circle(24.0, 25.0, 18.0).class(ground).end();
        svg.label(24.0, 34.0, size).class("f-print b m").text(self.worth(boost));
        if boost > 0 {
            svg.rect(62.0, 55.0, 30.0, 20.0, 10.0).class("f-gold s-print w2").end();
            svg.label(77.0, 70.5, 15.0).class("f-print b m").text(format_args!("+{boost}"));
        }
        svg.label(50.0, 89.0, 15.0).class("f-print b m").text(self.name());
    }

    /// The emblem alone, 32 units wide and high, for lists.
    pub(crate) fn small(self, svg: &mut Svg) {
        svg.rect(0.0, 0.0, 32.0, 32.0, 6.0).class(&format!("f-{}", self.color())).end();
        svg.group().placed(16.0, 16.0, 0.0, 0.55).with(|svg| emblem(svg, self));
    }
}

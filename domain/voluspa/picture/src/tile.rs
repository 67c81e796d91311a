//! The kinds of tiles: their letters, their colours, and what a tile looks like.

use canvas::Says;
use canvas::svg::Svg;
use voluspa::seen::Tile;

use crate::emblem::emblem;

fn color(tile: Tile) -> &'static str {
    match tile {
        Tile::Odin | Tile::SeaSerpent => "blue",
        Tile::Thor | Tile::Hermod => "orange",
        Tile::Troll => "green",
        Tile::Dragon => "red",
        Tile::Fenrir | Tile::Hel | Tile::Raven => "black",
        Tile::Skadi | Tile::Jotunn => "ice",
        Tile::Valkyrie | Tile::LightningBolt => "purple",
        Tile::Loki | Tile::Niohoggr => "moss",
        Tile::Dwarf => "earth",
        Tile::Freya => "rose",
    }
}

/// As the API writes it: `sea_serpent`.
pub(crate) fn id(tile: Tile) -> String {
    tile.to_string().to_lowercase().replace(' ', "_")
}

/// As it is written on the tile: its last word.
pub(crate) fn name(says: Says<'_>, tile: Tile) -> String {
    let name = tile.to_string();
    says.word(name.rsplit(' ').next().unwrap_or_default())
}

/// Four letters at most.
pub(crate) fn letters(says: Says<'_>, tile: Tile) -> String {
    name(says, tile).chars().take(4).collect()
}

/// The printed value; Hel has none.
fn value(tile: Tile) -> Option<u32> {
    (tile != Tile::Hel).then(|| tile.printed().into())
}

/// The value with boosts, as text.
pub(crate) fn worth(tile: Tile, boost: u8) -> String {
    let worth = value(tile).map(|value| value + u32::from(boost));
    worth.map_or_else(|| "–".to_owned(), |worth| worth.to_string())
}

/// In words: `Fenrir 4`, `Freya 3 + 2`.
pub(crate) fn words(says: Says<'_>, tile: Tile, boost: u8) -> String {
    let name = name(says, tile);
    match (value(tile), boost) {
        (None, _) => name,
        (Some(value), 0) => format!("{name} {value}"),
        (Some(value), boost) => format!("{name} {value} + {boost}"),
    }
}

/// Draws the tile on the square of 100 units.
pub(crate) fn draw(says: Says<'_>, tile: Tile, svg: &mut Svg, boost: u8) {
    svg.rect(4.0, 4.0, 92.0, 92.0, 12.0).class("f-card s-whiteline w2").end();
    svg.rect(10.0, 10.0, 80.0, 61.0, 8.0).class(&format!("f-{}", color(tile))).end();
    svg.group().placed(57.0, 40.5, 0.0, 1.0).with(|svg| emblem(svg, tile));
    let (ground, size) =
        if boost > 0 { ("f-gold s-print w3", 24.0) } else { ("f-card s-print w2", 27.0) };
    svg.circle(24.0, 25.0, 18.0).class(ground).end();
    svg.label(24.0, 34.0, size).class("f-print b m").text(worth(tile, boost));
    if boost > 0 {
        svg.rect(62.0, 55.0, 30.0, 20.0, 10.0).class("f-gold s-print w2").end();
        svg.label(77.0, 70.5, 15.0).class("f-print b m").text(format_args!("+{boost}"));
    }
    svg.label(50.0, 89.0, 15.0).class("f-print b m").text(name(says, tile));
}

/// The emblem alone, 32 units wide and high, for lists.
pub(crate) fn small(tile: Tile, svg: &mut Svg) {
    svg.rect(0.0, 0.0, 32.0, 32.0, 6.0).class(&format!("f-{}", color(tile))).end();
    svg.group().placed(16.0, 16.0, 0.0, 0.55).with(|svg| emblem(svg, tile));
}

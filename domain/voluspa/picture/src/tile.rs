//! The kinds of tiles: their letters, their colours, and what a tile looks like.

use canvas::Says;
use canvas::measure::bold_width;
use canvas::svg::Svg;
use voluspa::seen::Tile;

use crate::emblem::emblem;

/// The smallest letters, in units of the sheet.
const READABLE: f64 = 11.0;
/// The room for a name, in units of the tile.
const NAME: f64 = 86.0;

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

/// How large letters on a tile are that is drawn at this scale: where it is small, larger on it, so that they can be read.
pub(crate) fn letters_at(scale: f64) -> f64 {
    (READABLE / scale).clamp(15.0, 52.0)
}

/// Draws the tile on the square of 100 units, with letters of this size.
pub(crate) fn draw(says: Says<'_>, tile: Tile, svg: &mut Svg, boost: u8, letters: f64) {
    let more = letters - 15.0;
    svg.rect(4.0, 4.0, 92.0, 92.0, 12.0).class("f-card s-whiteline w2").end();
    let high = 61.0 - more;
    svg.rect(10.0, 10.0, 80.0, high, 8.0).class(&format!("f-{}", color(tile))).end();
    let (x, y) = (57.0 + more / 2.0, 10.0 + high / 2.0);
    svg.group().placed(x, y, 0.0, high / 61.0).with(|svg| emblem(svg, tile));
    let (ground, least) =
        if boost > 0 { ("f-gold s-print w3", 24.0) } else { ("f-card s-print w2", 27.0) };
    let (size, worth) = (letters.max(least), worth(tile, boost));
    let round = (size * 0.6).max(18.0);
    let wide = (bold_width(&worth, size) + 4.0).max(2.0 * round);
    svg.rect(6.0, 7.0, wide, 2.0 * round, round).class(ground).end();
    let middle = 6.0 + wide / 2.0;
    svg.label(middle, 7.0 + round + size / 3.0, size).class("f-print b m").text(worth);
    // Where there is no room for it, the gold and the value say it.
    if boost > 0 && letters < 20.0 {
        svg.rect(62.0, 55.0 - more, 30.0 + more, 20.0 + more, 10.0)
            .class("f-gold s-print w2")
            .end();
        let text = format_args!("+{boost}");
        svg.label(77.0 + more / 2.0, 70.5, letters).class("f-print b m").text(text);
    }
    let (name, squeezed) = shortened(name(says, tile), letters);
    let label = svg.label(50.0, 90.0 - letters / 15.0, letters).class("f-print b m");
    let label = if squeezed {
        label.n("textLength", NAME).a("lengthAdjust", "spacingAndGlyphs")
    } else {
        label
    };
    label.text(name);
}

/// As much of a name as there is room for, and whether it is to be squeezed into it.
fn shortened(mut name: String, size: f64) -> (String, bool) {
    while bold_width(&name, size) > NAME * 1.25 {
        name.pop();
    }
    let squeezed = bold_width(&name, size) > NAME;
    (name, squeezed)
}

/// The emblem alone, 32 units wide and high, for lists.
pub(crate) fn small(tile: Tile, svg: &mut Svg) {
    svg.rect(0.0, 0.0, 32.0, 32.0, 6.0).class(&format!("f-{}", color(tile))).end();
    svg.group().placed(16.0, 16.0, 0.0, 0.55).with(|svg| emblem(svg, tile));
}

//! One simple sign for each kind of tile: lines and areas within 24 units around the origin.

use canvas::svg::Svg;

use voluspa::seen::Tile;

/// The line that all signs are drawn with.
const LINE: &str = "f0 s-onblack w4 c";
const AREA: &str = "f-onblack";

pub(crate) fn emblem(svg: &mut Svg, tile: Tile) {
    let (lines, areas) = signs(tile);
    if !areas.is_empty() {
        svg.path(areas).class(AREA).end();
    }
    if !lines.is_empty() {
        svg.path(lines).class(LINE).end();
    }
}

/// Lines, then areas.
fn signs(tile: Tile) -> (&'static str, &'static str) {
    match tile {
        // The one eye.
        Tile::Odin => (
            "M-22 0C-12-16 12-16 22 0C12 16-12 16-22 0ZM0-22V-17M-14-19L-11-14M14-19L11-14",
            "M-7 0A7 7 0 0 1 7 0A7 7 0 0 1-7 0Z",
        ),
        // The hammer.
        Tile::Thor => ("M0-4V21M-5 21H5", "M-20-20H20V-6H5L0-1L-5-6H-20Z"),
        // The club.
        Tile::Troll => (
            "M-18 20L2-2",
            "M-4-4C-2-16 8-24 18-20C24-10 16 0 4 4ZM8-26L12-20L4-18ZM22-14L16-12L22-4Z",
        ),
        // A head that spits fire.
        Tile::Dragon => (
            "M10 4C16 6 20 4 23 0M10 9C16 12 20 12 23 10",
            "M-22 20C-22 4-16-8-4-12L-8-22L2-14L12-20L8-10L14-4L10 0L2 2C-2 10-8 18-10 20ZM0-7L5-7L2-4Z",
        ),
        // The wolf's head.
        Tile::Fenrir => (
            "",
            "M-18-22L-8-12H8L18-22L20-2L8 10L4 20H-4L-8 10L-20-2ZM-11-4L-4-1L-10 1ZM11-4L4-1L10 1Z",
        ),
        // Bow and arrow.
        Tile::Skadi => ("M-6-22C16-12 16 12-6 22M-6-22V22M-20 0H20M13-6L20 0L13 6", ""),
        // Two wings.
        Tile::Valkyrie => (
            "M0-18V20",
            "M-4-6C-12-8-20-14-22-20C-24-6-20 6-4 12ZM4-6C12-8 20-14 22-20C24-6 20 6 4 12Z",
        ),
        // A mask that smiles on one side.
        Tile::Loki => (
            "M-10 8C-4 14 6 12 12 4",
            "M-20-18C-8-12 8-12 20-18C22 4 14 18 0 22C-14 18-22 4-20-18ZM-13-6L-4-3C-6 1-12 0-13-6ZM13-6L4-3C6 1 12 0 13-6Z",
        ),
        // Half dead, half alive.
        Tile::Hel => ("M0-21A21 21 0 0 1 0 21A21 21 0 0 1 0-21Z", "M0-21A21 21 0 0 0 0 21Z"),
        // The messenger's horse: a shoe.
        Tile::Hermod => ("M-9 20C-26 2-16-20 0-20C16-20 26 2 9 20M-13 20H-5M5 20H13", ""),
        // Mountains.
        Tile::Jotunn => ("", "M-24 18L-8-18L2 2L8-8L24 18ZM-8-18L-13-7L-8-4L-4-8Z"),
        // Coils in the waves.
        Tile::SeaSerpent => (
            "M-22 10C-22-8-8-8-8 8M-2 8C-2-18 14-18 14 4M-24 18C-18 12-12 12-6 18C0 24 6 24 12 18C16 14 20 14 24 18",
            "M14-4L24-4L18 4H10Z",
        ),
        // The anvil.
        Tile::Dwarf => ("", "M-24-12H20V-4C14-4 8 0 6 6L12 14V20H-14V14L-6 6C-8 2-16 0-24-2Z"),
        // A heart with a jewel.
        Tile::Freya => ("", "M0 21C-30-2-16-24 0-10C16-24 30-2 0 21ZM0-3L6 3L0 11L-6 3Z"),
        // The bird.
        Tile::Raven => (
            "M-2 12L-6 21M4 12L6 21",
            "M-24 14L-12-4C-8-16 4-20 10-16C12-20 18-18 24-12L14-8C14 6 4 14-8 12Z",
        ),
        // A snake around the root.
        Tile::Niohoggr => {
            ("M-14 22C-24 12-10 8 4 6C20 4 20-6 6-8C-10-10-14-18 2-20", "M0-24L14-20L4-14Z")
        }
        Tile::LightningBolt => ("", "M6-24L-16 4H-3L-8 24L16-6H3Z"),
    }
}

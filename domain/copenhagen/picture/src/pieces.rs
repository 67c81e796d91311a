//! Cards, squares of tiles, coats of arms.

use std::fmt::Write;

use canvas::Says;
use canvas::card::face;
use canvas::say;
use canvas::svg::Svg;
use copenhagen::seen::{Cell, Color, Column, Fill, Orientation, PlacedTile, Row, Tile};

use crate::view::{letter, squares};

/// A card of the harbor, of the piles.
pub(crate) const CARD: (f64, f64) = (58.0, 82.0);

/// A facade card: the colour, and its letter in a gable.
pub(crate) fn card(says: Says<'_>, svg: &mut Svg, color: Color, (w, h): (f64, f64)) {
    face(svg, w, h, |svg| {
        svg.rect(w * 0.08, w * 0.08, w * 0.84, h - w * 0.16, w * 0.06)
            .class(&format!("f-{}", color.name()))
            .end();
        svg.group().placed(w / 2.0, h / 2.0, 0.0, w / 58.0).with(|svg| {
            svg.path("M-18 27V-10H-12V-18H-6V-26H6V-18H12V-10H18V27Z")
                .class("f-card s-print w1")
                .end();
            svg.label(0.0, 15.0, 26.0).class("f-print b m").text(letter(says, color));
        });
    });
}

/// The end card: the harbor closes.
pub(crate) fn end_card(says: Says<'_>, svg: &mut Svg, (w, h): (f64, f64)) {
    face(svg, w, h, |svg| {
        svg.label(w / 2.0, h * 0.58, 17.0).class("f-print b m").text(say!(says, "END"));
    });
}

/// The name of the colour that a tile has in the palette; special tiles are grey.
fn paint(color: Option<Color>) -> &'static str {
    color.map_or("grey", Color::name)
}

/// A kind of tile for people.
pub(crate) fn words(says: Says<'_>, tile: Tile) -> String {
    match tile.color() {
        Some(color) => {
            let color = says.word(color.name());
            say!(says, "{color} tile of {size}", color = color, size = tile.size())
        }
        None => say!(says, "special tile"),
    }
}

/// The squares of a tile that lies in the upper left corner.
pub(crate) fn in_corner(tile: Tile, orientation: Orientation) -> Vec<Cell> {
    squares(&PlacedTile { tile, orientation, x: Column::ZERO, y: Row::ZERO })
}

/// How many squares wide and high a shape in the corner is.
pub(crate) fn extent(squares: &[Cell]) -> (usize, usize) {
    squares.iter().fold((0, 0), |(wide, high), square| {
        (wide.max(square.x.index() + 1), high.max(square.y.index() + 1))
    })
}

/// A tile: its squares, each `side` wide, and the line around it. The square (0, 0) has its corner at the origin. Small tiles are drawn
/// with less detail.
pub(crate) fn tile(
    says: Says<'_>,
    svg: &mut Svg,
    squares: &[Cell],
    color: Option<Color>,
    side: f64,
) {
    let small = side <= 20.0;
    let (mut ground, mut windows, mut joints) = (String::new(), String::new(), String::new());
    for square in squares {
        let (x, y) = corner(square, side);
        write!(ground, "M{x} {y}h{side}v{side}h-{side}z").expect(TEXT);
        match (square.fill, small) {
            (Fill::Brick, true) => write!(joints, "M{x} {}h{side}", y + side / 2.0).expect(TEXT),
            (Fill::Brick, false) => brick(&mut joints, x, y, side),
            (Fill::Window, _) => window(&mut windows, x, y, side),
        }
    }
    svg.path(&ground).class(&format!("f-{}", paint(color))).end();
    if !joints.is_empty() {
        svg.path(&joints).class("f0 s-print w1").end();
    }
    let glass = if small { "f-card" } else { "f-card s-print w2" };
    if !windows.is_empty() {
        svg.path(&windows).class(glass).end();
    }
    let width = if small { "w1" } else { "w3" };
    svg.path(&outline(squares, side)).class(&format!("f0 s-print c {width}")).end();
    let bricks = squares.iter().filter(|square| square.fill == Fill::Brick && !small);
    for (square, color) in bricks.zip(color) {
        let (left, top) = corner(square, side);
        let (cx, cy) = (left + side / 2.0, top + side / 2.0);
        svg.circle(cx, cy, side * 0.3).class("f-card s-print w1").end();
        svg.label(cx, cy + side * 0.15, side * 0.42).class("f-print b m").text(letter(says, color));
    }
}

/// The upper left corner of a square.
fn corner(square: &Cell, side: f64) -> (f64, f64) {
    (f64::from(square.x.get()) * side, f64::from(square.y.get()) * side)
}

const TEXT: &str = "a string takes all text";

/// A window with its bars: the bars are lines of the same path.
fn window(path: &mut String, x: f64, y: f64, side: f64) {
    let (w, h) = ((side * 0.5).round(), (side * 0.66).round());
    let (left, top) = (x + (side - w) / 2.0, y + (side - h) / 2.0);
    write!(path, "M{left} {top}h{w}v{h}h-{w}z").expect(TEXT);
    if side > 20.0 {
        let (middle, bar) = (x + side / 2.0, top + (h * 0.4).round());
        write!(path, "M{middle} {top}v{h}M{left} {bar}h{w}").expect(TEXT);
    }
}

/// The joints between bricks.
fn brick(path: &mut String, x: f64, y: f64, side: f64) {
    let (third, quarter, half) = (side / 3.0, side / 4.0, side / 2.0);
    write!(
        path,
        "M{x} {}h{side}m0 {third}h-{side}M{} {y}v{third}m-{quarter} 0v{third}m{half} 0v-{third}m-{quarter} {third}v{third}",
        y + third,
        x + half,
    )
    .expect(TEXT);
}

/// The line around the squares: every edge that only one of them has.
pub(crate) fn outline(squares: &[Cell], side: f64) -> String {
    let has = |x: Option<usize>, y: Option<usize>| {
        squares.iter().any(|square| (Some(square.x.index()), Some(square.y.index())) == (x, y))
    };
    let mut path = String::new();
    for square in squares {
        let (left, top) = corner(square, side);
        let (x, y) = (square.x.index(), square.y.index());
        let edges = [
            (has(Some(x), y.checked_sub(1)), left, top, "h"),
            (has(Some(x), Some(y + 1)), left, top + side, "h"),
            (has(x.checked_sub(1), Some(y)), left, top, "v"),
            (has(Some(x + 1), Some(y)), left + side, top, "v"),
        ];
        for (shared, x, y, step) in edges {
            if !shared {
                write!(path, "M{x} {y}{step}{side}").expect(TEXT);
            }
        }
    }
    path
}

/// A coat of arms, about 24 units wide around (x, y).
pub(crate) fn coat(says: Says<'_>, svg: &mut Svg, (x, y): (f64, f64), spent: bool) {
    let class = if spent { "coat dim" } else { "coat" };
    svg.moved(x, y).class(class).with(|svg| {
        svg.element("title").text(say!(says, "coat of arms"));
        svg.path("M-11-13H11V0C11 8 5 12 0 15C-5 12-11 8-11 0Z").class("f-gold s-print w2 c").end();
        svg.path("M-6-6H6M-6 0H6M-4 6H4").class("f0 s-print w2 c").end();
    });
}

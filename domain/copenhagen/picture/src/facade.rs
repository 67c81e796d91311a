//! A facade: the board of a seat.

use canvas::block::Block;
use canvas::card::{glow_path, glow_rect};
use canvas::measure::fit;
use canvas::panel::seat_mark;
use canvas::say;
use canvas::svg::Svg;
use canvas::{Says, Scene};
use copenhagen::seen::{COAT_ROWS, LineKind, PlayerView, View};

use crate::event::Last;
use crate::pieces::{coat, in_corner, outline, tile, words};
use crate::view::{
    COLUMNS, ROWS, Spaces, column_value, has_coat, is_active, row_value, spaces, squares,
};

const SIDE: f64 = 48.0;
const WALL: f64 = COLUMNS as f64 * SIDE;
const HIGH: f64 = ROWS as f64 * SIDE;
const LEFT: f64 = 28.0;
const RIGHT: f64 = 34.0;
const ROOF: f64 = 60.0;
const NAME: f64 = 28.0;
const BASE: f64 = 34.0;

/// The width of a facade with all that stands around it.
pub(crate) const WIDTH: f64 = LEFT + WALL + RIGHT;

pub(crate) fn facade(scene: &Scene<'_>, view: &View, last: &Last, seat: usize) -> Block {
    let player = &view.players[seat];
    let spaces = spaces(player);
    Block::new(WIDTH, NAME + ROOF + HIGH + BASE, |svg| {
        svg.group().class("facade").a("data-board", seat).with(|svg| {
            let name = fit(&scene.name(seat), 20.0, WIDTH - 20.0);
            svg.label(LEFT + WALL / 2.0, 20.0, 20.0).class("f-ink b m name").text(name);
            roof(svg, seat);
            svg.moved(LEFT, NAME + ROOF).with(|svg| {
                wall(svg, scene.says, view, seat, &spaces);
                lines(svg, scene.says, last, seat, &spaces);
                tiles(svg, scene.says, player, seat);
                glow(svg, player, last, seat);
            });
        });
    })
}

fn roof(svg: &mut Svg, seat: usize) {
    svg.moved(LEFT, NAME + ROOF).with(|svg| {
        svg.path("M-5 0V-12H32V-25H66V-38H96V-52H144V-38H174V-25H208V-12H245V0Z")
            .class(&format!("f-board w3 c s-seat{}", seat % 5))
            .end();
        seat_mark(svg, seat, WALL / 2.0, -25.0, 19.0);
    });
}

fn wall(svg: &mut Svg, says: Says<'_>, view: &View, seat: usize, spaces: &Spaces) {
    svg.rect(-5.0, 0.0, WALL + 10.0, HIGH + 6.0, 0.0)
        .class(&format!("f-board w3 s-seat{}", seat % 5))
        .end();
    for (y, row) in spaces.iter().enumerate() {
        for (x, space) in row.iter().enumerate() {
            if space.is_none() {
                empty(svg, says, is_active(view, seat), x, y);
            }
        }
    }
}

/// An empty space: a place for a tile of the seat to act.
fn empty(svg: &mut Svg, says: Says<'_>, active: bool, x: usize, y: usize) {
    let (left, top) = (x as f64 * SIDE, y as f64 * SIDE);
    let group = svg.group().class("space");
    let group = if active { group.spot("cell", format_args!("{x},{y}")) } else { group };
    group.with(|svg| {
        if active {
            svg.element("title").text(say!(says, "({x}, {y}), empty", x = x, y = y));
        }
        svg.rect(left + 1.0, top + 1.0, SIDE - 2.0, SIDE - 2.0, 3.0).class("f-field").end();
        if has_coat(x, y) {
            coat(says, svg, (left + SIDE / 2.0, top + SIDE / 2.0), false);
        }
    });
}

/// What complete rows and columns are worth, the numbers of the others, and the coats of arms beside the rows.
fn lines(svg: &mut Svg, says: Says<'_>, last: &Last, seat: usize, spaces: &Spaces) {
    for y in 0..ROWS {
        let middle = (y as f64 + 0.5) * SIDE;
        let value = row_value(spaces, y);
        let new = last.line(seat, LineKind::Row, y);
        worth(svg, -LEFT / 2.0 - 3.0, middle, y, value, new);
        if COAT_ROWS.iter().any(|row| usize::from(*row) == y) {
            coat(says, svg, (WALL + 21.0, middle), value.is_some());
        }
    }
    for x in 0..COLUMNS {
        let middle = (x as f64 + 0.5) * SIDE;
        let new = last.line(seat, LineKind::Column, x);
        worth(svg, middle, HIGH + 21.0, x, column_value(spaces, x), new);
    }
}

fn worth(svg: &mut Svg, x: f64, y: f64, index: usize, value: Option<u32>, last: bool) {
    let Some(value) = value else {
        svg.label(x, y + 7.0, 20.0).class("f-faint m").text(index);
        return;
    };
    svg.rect(x - 11.0, y - 12.0, 22.0, 24.0, 5.0).class("f-gold s-print w2").end();
    svg.label(x, y + 7.0, 20.0).class("f-print b m").text(value);
    if last {
        glow_rect(svg, x - 12.0, y - 13.0, 24.0, 26.0, 6.0);
    }
}

fn tiles(svg: &mut Svg, says: Says<'_>, player: &PlayerView, seat: usize) {
    for (index, placed) in player.tiles.iter().enumerate() {
        let (x, y) = (placed.x.get(), placed.y.get());
        svg.moved(f64::from(x) * SIDE, f64::from(y) * SIDE)
            .class("piece tile")
            .piece(format_args!("tile-{}", placed.tile), format_args!("board:{seat}-{index}"))
            .a("id", format_args!("piece-tile-{seat}-{index}"))
            .with(|svg| {
                let what = words(says, placed.tile);
                let title = say!(says, "{tile} at ({x}, {y})", tile = what, x = x, y = y);
                svg.element("title").text(title);
                tile(
                    says,
                    svg,
                    &in_corner(placed.tile, placed.orientation),
                    placed.tile.color(),
                    SIDE,
                );
            });
    }
}

/// The tile that was placed last.
fn glow(svg: &mut Svg, player: &PlayerView, last: &Last, seat: usize) {
    let new = player.tiles.iter().filter(|placed| last.tile(seat, placed));
    for placed in new {
        glow_path(svg, &outline(&squares(placed), SIDE));
    }
}

//! The map: water and land, what lies there, and the ships.

use std::fmt::{Display, Write};

use canvas::block::Block;
use canvas::card::glow_path;
use canvas::svg::Svg;
use canvas::{Says, Scene, say};
use delphi::seen::{Color, Hex, HexKind, MapHex, Player, TaskKind, View};

use crate::event::{Last, Mark};
use crate::hex::{ACROSS, DOWN, RADIUS, column, name, outline};
use crate::land;
use crate::piece::Paint;
use crate::play::{define, hex, ship};

/// Around the hexes.
const EDGE: f64 = 14.0;

/// Where a map lies on its sheet.
pub(crate) struct Chart {
    left: i64,
    top: i64,
    width: f64,
    height: f64,
}

impl Chart {
    pub(crate) fn new(hexes: &[MapHex]) -> Self {
        let columns = || hexes.iter().map(|hex| column(hex.at()));
        let rows = || hexes.iter().map(|hex| i64::from(hex.at().r));
        // A view has hexes: it was checked when it was read.
        let (left, right) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
        let (top, bottom) = (rows().min().unwrap_or(0), rows().max().unwrap_or(0));
        Chart {
            left,
            top,
            width: 2.0 * EDGE + (right - left) as f64 * ACROSS / 2.0 + ACROSS,
            height: 2.0 * EDGE + (bottom - top) as f64 * DOWN + 2.0 * RADIUS,
        }
    }

    /// The middle of a hex.
    fn middle(&self, at: Hex) -> (f64, f64) {
        let right = (column(at) - self.left) as f64;
        let down = (i64::from(at.r) - self.top) as f64;
        (EDGE + ACROSS / 2.0 + right * ACROSS / 2.0, EDGE + RADIUS + down * DOWN)
    }
}

pub(crate) fn map(scene: &Scene<'_>, view: &View, last: &Last) -> Block {
    let chart = Chart::new(&view.map.hexes);
    Block::new(chart.width, chart.height, |svg| {
        define(scene.says, svg);
        svg.rect(0.0, 0.0, chart.width, chart.height, 24.0).class("f-sea").end();
        // What the letters on the water have in common stands once.
        let hexes = svg.group().class("f-ink m").n("font-size", 22.0);
        hexes.with(|svg| {
            for hex in &view.map.hexes {
                let (x, y) = chart.middle(hex.at());
                svg.moved(x.round(), y)
                    .spot("hex", name(hex.at()))
                    .with(|svg| ground(svg, scene, view, hex));
            }
        });
        waves(svg, view, &chart);
        let lasting = view.map.hexes.iter().map(|hex| hex.at());
        for at in lasting.filter(|at| last.has(Mark::Hex(*at))) {
            let (x, y) = chart.middle(at);
            svg.moved(x, y)
                .a("pointer-events", "none")
                .with(|svg| glow_path(svg, &outline(RADIUS - 3.0)));
        }
        ways(svg, view, &chart, last);
        ships(svg, scene, view, &chart);
    })
}

fn ground(svg: &mut Svg, scene: &Scene<'_>, view: &View, place: &MapHex) {
    let (at, says) = (place.at(), scene.says);
    match place.kind {
        HexKind::Water => water(svg, says, at, place.color),
        HexKind::Shallow => {
            title(svg, say!(says, "({at}) shallow", at = name(at)));
            hex(svg, "f-sea s-line w1");
            svg.path("M-18 8L-10-6L-3 5L6-14L18 8M-12 16H0M8 17H16").class("f0 s-faint w3 c").end();
        }
        HexKind::Zeus => {
            title(svg, say!(says, "({at}) Zeus, start and goal", at = name(at)));
            hex(svg, "f-panel s-gold w4");
            svg.path("M6-28L-14 5H-2L-8 28L14-7H2Z").class("f-gold s-print w2 c").end();
        }
        HexKind::Offering => land::stock(svg, says, &view.offerings, at, TaskKind::Offering),
        HexKind::Monster => land::stock(svg, says, &view.monsters, at, TaskKind::Monster),
        HexKind::Temple => land::temple(svg, says, view, at),
        HexKind::Statue => land::sites(svg, says, view, at),
        HexKind::Island => land::island(svg, scene, view, at),
        HexKind::City => land::city(svg, says, view, at),
    }
    land::strays(svg, says, view, place);
}

pub(crate) fn title(svg: &mut Svg, text: impl std::fmt::Display) {
    svg.element("title").text(text);
}

fn water(svg: &mut Svg, says: Says<'_>, at: Hex, color: Option<Color>) {
    let paint = match color {
        Some(Color::Red) => "f-wred",
        Some(Color::Black) => "f-wblack",
        Some(Color::Pink) => "f-wpink",
        Some(Color::Blue) => "f-wblue",
        Some(Color::Yellow) => "f-wyellow",
        Some(Color::Green) => "f-wgreen",
        None => "f-sea",
    };
    let at = name(at);
    let told = match color {
        Some(color) => {
            say!(says, "({at}) {color} water", at = at, color = says.word(color.name()))
        }
        None => say!(says, "({at}) no water", at = at),
    };
    title(svg, told);
    hex(svg, paint);
    svg.element("text")
        .n("y", 8.0)
        .text(color.map_or_else(String::new, |color| color.letter(says)));
}

/// A wave on each water space, as one path.
fn waves(svg: &mut Svg, view: &View, chart: &Chart) {
    let mut path = String::new();
    for hex in &view.map.hexes {
        if hex.kind == HexKind::Water {
            let (x, y) = chart.middle(hex.at());
            write!(path, "M{:.0} {:.0}q8-7 16 0t16 0", x - 16.0, y + 21.0)
                .expect("a string takes all text");
        }
    }
    let waves = svg.path(&path).class("f0 s-ink w1 c");
    waves.a("pointer-events", "none").end();
}

/// The way of a ship: not the hexes that it passed, but from where to where.
fn ways(svg: &mut Svg, view: &View, chart: &Chart, last: &Last) {
    let on_map = |at: Hex| view.map.hexes.iter().any(|hex| hex.at() == at);
    for (from, to) in &last.ways {
        if on_map(*from) && on_map(*to) {
            let ((x1, y1), (x2, y2)) = (chart.middle(*from), chart.middle(*to));
            glow_path(svg, &format!("M{x1:.0} {y1:.0}L{x2:.0} {y2:.0}"));
            svg.circle(x1, y1, 8.0).class("f-gold s-ink w2").end();
        }
    }
}

fn ships(svg: &mut Svg, scene: &Scene<'_>, view: &View, chart: &Chart) {
    for (seat, player) in view.players.iter().enumerate() {
        if !view.map.hexes.iter().any(|hex| hex.at() == player.at) {
            continue;
        }
        let here = |(_, other): &(usize, &Player)| other.at == player.at;
        let company: Vec<usize> =
            view.players.iter().enumerate().filter(here).map(|(seat, _)| seat).collect();
        let place = company.iter().position(|other| *other == seat).unwrap_or(0);
        let (dx, dy) = berth(company.len(), place);
        let (x, y) = chart.middle(player.at);
        // What is below a ship can be named as well.
        let group = svg.moved(x + dx, y + dy).class("piece ship");
        let place = format_args!("hex:{}", name(player.at));
        let group = group.piece(format_args!("ship-{seat}"), place);
        let group = group.a("pointer-events", "none");
        group.a("id", format_args!("piece-ship-{seat}")).with(|svg| {
            let sentence = if player.home {
                "ship of {name} at ({at}), home"
            } else {
                "ship of {name} at ({at})"
            };
            let parts: [(&str, &dyn Display); 2] =
                [("name", &scene.name(seat)), ("at", &name(player.at))];
            title(svg, scene.says.text(sentence, &parts));
            ship(svg, seat);
        });
    }
}

/// Where a ship lies in a hex that it shares.
fn berth(ships: usize, place: usize) -> (f64, f64) {
    let side = if place.is_multiple_of(2) { -17.0 } else { 17.0 };
    match (ships, place) {
        (1, _) => (0.0, 0.0),
        (2, _) => (side, 0.0),
        (3, 2) => (0.0, 17.0),
        (_, 0 | 1) => (side, -15.0),
        (_, _) => (side, 18.0),
    }
}

//! Pieces as they are drawn everywhere: dice, cubes, monsters, statues, shrines, ships, shields.
//!
//! A piece is drawn around the origin, about 24 units high. Its kind is its shape; its colour is also its letter.

use canvas::Says;
use canvas::palette::fixed;
use canvas::panel::seat_mark;
use canvas::svg::{Element, Svg};
use delphi::seen::{TaskKind, ZeusTile};

use crate::hex::{RADIUS, outline};
use crate::piece::Paint;

/// A square die.
pub(crate) fn die(says: Says<'_>, svg: &mut Svg, color: impl Paint) {
    svg.rect(-16.0, -16.0, 32.0, 32.0, 7.0).class(&format!("f-{} s-print w2", color.name())).end();
    letter(says, svg, color, 7.5, 22.0);
}

pub(crate) fn letter(says: Says<'_>, svg: &mut Svg, color: impl Paint, down: f64, size: f64) {
    svg.element("text")
        .n("y", down)
        .n("font-size", size)
        .class(&format!("{} b m", color.ink()))
        .text(color.letter(says));
}

/// What occurs often: drawn once, used by name.
pub(crate) fn define(says: Says<'_>, svg: &mut Svg) {
    svg.element("defs").with(|svg| {
        let mut shape = |id: &str, d: &str| svg.path(d).a("id", id).end();
        shape("mn-hex", &outline(RADIUS - 1.0));
        shape("mn-check", "M11 5a6 6 0 1 0 .1 0zM8 11l2.5 2.5l4-5");
        for (kind, id) in SHAPES {
            shape(id, path(kind));
        }
        for color in ZeusTile::ALL {
            let name = color.name();
            let disc = svg.group().a("id", format_args!("mn-{name}"));
            disc.with(|svg| {
                svg.element("circle").n("r", 9.0).end();
                fixed_letter(says, svg, color, 4.5, 12.0);
            });
            for (kind, shape) in &SHAPES[1..] {
                let piece = svg.group().a("id", format_args!("{shape}-{name}"));
                piece.with(|svg| {
                    svg.element("use").a("href", format_args!("#{shape}")).end();
                    let (down, size) = match kind {
                        TaskKind::Statue => (0.5, 12.5),
                        TaskKind::Offering => (5.5, 15.0),
                        TaskKind::Shrine | TaskKind::Monster => (6.5, 14.0),
                    };
                    fixed_letter(says, svg, color, down, size);
                });
            }
        }
    });
}

/// A letter in something that is used by name: there the style sheet reaches the whole alone, not its parts. So the ink, which no
/// theme changes, stands here.
fn fixed_letter(says: Says<'_>, svg: &mut Svg, color: impl Paint, down: f64, size: f64) {
    svg.element("text")
        .n("y", down)
        .n("font-size", size)
        .a("font-weight", 700)
        .a("text-anchor", "middle")
        .a("stroke", "none")
        .a("fill", fixed(color.ink()))
        .text(color.letter(says));
}

const SHAPES: [(TaskKind, &str); 4] = [
    (TaskKind::Shrine, "mn-shrine"),
    (TaskKind::Statue, "mn-statue"),
    (TaskKind::Offering, "mn-offering"),
    (TaskKind::Monster, "mn-monster"),
];

/// A hex around the origin.
pub(crate) fn hex(svg: &mut Svg, class: &str) {
    svg.element("use").a("href", "#mn-hex").class(class).end();
}

/// The shape of a kind of task around the origin.
pub(crate) fn shape(svg: &mut Svg, kind: TaskKind, class: &str) {
    let (_, id) = SHAPES[kind as usize];
    svg.element("use").a("href", format_args!("#{id}")).class(class).end();
}

fn path(kind: TaskKind) -> &'static str {
    match kind {
        // A small temple.
        TaskKind::Shrine => "M-11 11V-2L0-12L11-2V11Z",
        // A bust.
        TaskKind::Statue => "M-9 13V9H-6C-6 6-4 5-4 3A8 8 0 1 1 4 3C4 5 6 6 6 9H9V13Z",
        // A cube.
        TaskKind::Offering => "M-10-10H10V10H-10Z",
        // A head with horns.
        TaskKind::Monster => {
            "M-12-15C-12-9-8-9-4-9H4C8-9 12-9 12-15C16-7 13-2 11 3C9 9 4 13 0 13C-4 13-9 9-11 3C-13-2-16-7-12-15Z"
        }
    }
}

/// A statue, an offering or a monster of a colour around (x, y).
pub(crate) fn piece(
    svg: &mut Svg,
    kind: TaskKind,
    color: impl Paint,
    x: f64,
    y: f64,
) -> Element<'_> {
    let (_, id) = SHAPES[kind as usize];
    let name = color.name();
    svg.element("use")
        .a("href", format_args!("#{id}-{name}"))
        .n("x", x)
        .n("y", y)
        .class(&format!("piece f-{name} p"))
}

/// A task that is left: hollow.
pub(crate) fn hollow(says: Says<'_>, svg: &mut Svg, kind: TaskKind, color: ZeusTile) {
    let stroke = if color == ZeusTile::White { "faint" } else { color.name() };
    shape(svg, kind, &format!("f-field w3 c s-{stroke}"));
    if color != ZeusTile::White {
        let (down, size) = match kind {
            TaskKind::Statue => (0.5, 12.5),
            TaskKind::Shrine | TaskKind::Offering | TaskKind::Monster => (5.0, 14.0),
        };
        svg.element("text")
            .n("y", down)
            .n("font-size", size)
            .class("f-ink b m")
            .text(color.letter(says));
    }
}

/// Done.
pub(crate) fn check(svg: &mut Svg) {
    svg.element("use").a("href", "#mn-check").class("f-panel s-ink w2 c").end();
}

/// A shrine of a seat.
pub(crate) fn shrine(svg: &mut Svg, seat: usize) {
    svg.path("M-15 14V-3L0-17L15-3V14Z").class(&format!("f-seat{} p", seat % 5)).end();
    svg.label(0.0, 9.0, 17.0).class("f-onseat b m").text(seat);
}

/// A ship of a seat: its mark is the sail.
pub(crate) fn ship(svg: &mut Svg, seat: usize) {
    svg.path("M-17 4H17L11 14H-11Z").class("f-card p").end();
    svg.circle(0.0, -6.0, 13.5).class("f-card").end();
    seat_mark(svg, seat, 0.0, -6.0, 11.0);
}

/// A shield with its strength.
pub(crate) fn shield(svg: &mut Svg, strength: u8) {
    svg.path("M-13-14H13V0C13 9 6 14 0 17C-6 14-13 9-13 0Z").class("f-grey p").end();
    svg.label(0.0, 6.0, 17.0).class("f-print b m").text(strength);
}

/// A coin.
pub(crate) fn coin(svg: &mut Svg) {
    svg.circle(0.0, 0.0, 13.0).class("f-gold s-print w2").end();
    svg.path("M-5 4C-5-4 5-4 5 4M0-7V-3").class("f0 p").end();
}

/// A disc with the letter of a colour around (x, y), 18 units wide.
pub(crate) fn disc(svg: &mut Svg, color: impl Paint, x: f64, y: f64) {
    let name = color.name();
    svg.element("use")
        .a("href", format_args!("#mn-{name}"))
        .n("x", x)
        .n("y", y)
        .class(&format!("f-{name} s-print w1"))
        .end();
}

/// A larger disc, of radius `r`.
pub(crate) fn large_disc(svg: &mut Svg, color: impl Paint, x: f64, y: f64, r: f64) {
    let group = svg.group().placed(x, y, 0.0, r / 9.0);
    group.with(|svg| disc(svg, color, 0.0, 0.0));
}

//! Panels: one for each seat, and one for what lies on the table beside the board. All are [`PANEL`] wide.

use kernel::{Seat, Viewer};

use crate::block::{Block, stack};
use crate::frame::PANEL;
use crate::measure::{Fitted, READABLE, Room, bold_width, fit};
use crate::say;
use crate::say::Says;
use crate::scene::Scene;
use crate::svg::Svg;

/// The room inside a panel.
pub const INSIDE: f64 = PANEL - 28.0;

const HEAD: f64 = 50.0;
const GAP: f64 = 9.0;

/// The head of a seat's panel.
pub struct SeatHead<'a> {
    /// Whose panel.
    pub seat: usize,
    /// Is it to act?
    pub active: bool,
    /// Its score as it is shown.
    pub score: &'a str,
    /// What the score counts: `points`, `tasks`.
    pub unit: &'a str,
    /// Its rank, when the match is finished.
    pub rank: Option<u32>,
    /// Few words below the name.
    pub note: &'a str,
}

/// A seat's panel with what it has, one block below the other.
pub fn seat_panel(scene: &Scene<'_>, head: &SeatHead<'_>, content: &[Block]) -> Block {
    let SeatHead { seat, active, score, unit, rank, note } = *head;
    let content = stack(GAP, content);
    let height = HEAD + content.height + if content.height > 0.0 { 14.0 } else { 2.0 };
    Block::new(PANEL, height, |svg| {
        let group = svg.group().class("seat").a("data-seat", seat);
        let group = if active { group.a("data-active", "true") } else { group };
        group.with(|svg| {
            let classes = if active {
                format!("f-panel w4 s-seat{}", seat % 5)
            } else {
                "f-panel w1 s-line".to_owned()
            };
            let inset = if active { 2.0 } else { 0.5 };
            svg.rect(inset, inset, PANEL - 2.0 * inset, height - 2.0 * inset, 12.0)
                .class(&classes)
                .end();
            seat_mark(svg, seat, 30.0, 26.0, 15.0);
            let mut right = PANEL - 16.0;
            let high = if unit.is_empty() { 34.0 } else { 29.0 };
            svg.label(right, high, 24.0).class("f-ink b r score").text(score);
            svg.label(right, 43.0, 11.0).class("f-faint r").text(unit);
            right -= bold_width(score, 24.0).max(bold_width(unit, 11.0)) + 12.0;
            if let Some(rank) = rank {
                laurel(svg, scene.says, (right - 15.0, 25.0), rank);
                right -= 42.0;
            }
            if active {
                hourglass(svg, scene.says, right - 9.0, 25.0);
                right -= 28.0;
            }
            let is_own = scene.viewer == Viewer::Seat(Seat(u8::try_from(seat).unwrap_or(u8::MAX)));
            let mut room = right - 54.0;
            if is_own {
                room -= 30.0;
            }
            let name = fit(&scene.name(seat), 18.0, room);
            let end = 54.0 + bold_width(&name, 18.0);
            let small =
                Room { width: right - 54.0, size: 12.0, least: READABLE, two: Some(READABLE) };
            let below = small.set(note);
            let baseline = match below.lines.len() {
                _ if note.is_empty() => 32.0,
                1 => 25.0,
                _ => 19.0,
            };
            svg.label(54.0, baseline, 18.0).class("f-ink b name").text(name);
            if is_own {
                eye(svg, scene.says, end.min(right - 24.0) + 4.0, baseline - 6.0);
            }
            if below.whole {
                lines(svg, &below);
            } else {
                svg.group().with(|svg| {
                    svg.element("title").text(note);
                    lines(svg, &below);
                });
            }
            svg.add_at(14.0, HEAD, &content.svg);
        });
    })
}

/// The few words below the name.
fn lines(svg: &mut Svg, below: &Fitted) {
    let baselines: &[f64] = if below.lines.len() > 1 { &[32.0, 44.5] } else { &[42.0] };
    for (line, baseline) in below.lines.iter().zip(baselines) {
        svg.label(54.0, *baseline, below.size).class("f-faint").text(line);
    }
}

/// A panel without a seat: piles and supplies.
pub fn table_panel(content: &[Block]) -> Block {
    let content = stack(GAP, content);
    let height = content.height + 28.0;
    Block::new(PANEL, height, |svg| {
        svg.rect(0.5, 0.5, PANEL - 1.0, height - 1.0, 12.0).class("f-panel w1 s-line").end();
        svg.add_at(14.0, 14.0, &content.svg);
    })
}

/// The mark of a seat: colour, shape and number. From the sixth seat on, colours and shapes are those of the first ones again. `r` is half its width.
pub fn seat_mark(svg: &mut Svg, seat: usize, x: f64, y: f64, r: f64) {
    const SHAPES: [&str; 5] = [
        "M0-1A1 1 0 0 1 0 1A1 1 0 0 1 0-1Z",
        "M-.9-.9H.9V.9H-.9Z",
        "M0-1.15L1.12.85H-1.12Z",
        "M0-1.2L1.2 0L0 1.2L-1.2 0Z",
        "M-.55-1H.55L1.1 0L.55 1H-.55L-1.1 0Z",
    ];
    let kind = seat % 5;
    svg.group().placed(x, y, 0.0, r).with(|svg| {
        svg.path(SHAPES[kind]).class(&format!("f-seat{kind}")).end();
    });
    let down = if kind == 2 { 0.55 } else { 0.38 };
    svg.label(x, y + r * down, r * 1.05).class("f-onseat b m").text(seat);
}

/// Time runs: this seat is to act.
fn hourglass(svg: &mut Svg, says: Says<'_>, x: f64, y: f64) {
    svg.moved(x, y).class("to-act").with(|svg| {
        svg.element("title").text(say!(says, "is to act"));
        svg.path("M-7-10H7M-7 10H7M-5-10C-5-3 0-3 0 0C0 3-5 3-5 10M5-10C5-3 0-3 0 0C0 3 5 3 5 10")
            .class("f0 s-ink w2 c")
            .end();
        svg.path("M-3.5 9C-3.5 6 0 6 0 4C0 6 3.5 6 3.5 9Z").class("f-gold").end();
    });
}

/// This seat looks.
fn eye(svg: &mut Svg, says: Says<'_>, x: f64, y: f64) {
    svg.moved(x, y).with(|svg| {
        svg.element("title").text(say!(says, "looks"));
        svg.path("M0 0C6-9 16-9 22 0C16 9 6 9 0 0Z").class("f0 s-faint w2 c").end();
        svg.circle(11.0, 0.0, 3.5).class("f-faint").end();
    });
}

/// The rank, in a wreath.
fn laurel(svg: &mut Svg, says: Says<'_>, (x, y): (f64, f64), rank: u32) {
    svg.moved(x, y).class("rank").with(|svg| {
        svg.element("title").text(say!(says, "rank {rank}", rank = rank));
        let leaves = if rank == 1 { "s-gold" } else { "s-grey" };
        svg.path("M-5 13C-17 9-17-7-8-13M5 13C17 9 17-7 8-13")
            .class(&format!("f0 w3 c {leaves}"))
            .end();
        svg.label(0.0, 6.0, 17.0).class("f-ink b m").text(rank);
    });
}

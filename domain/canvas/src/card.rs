//! Cards, piles, counters and the highlight: the shapes that all games share.

use crate::block::Block;
use crate::svg::Svg;

/// A card that lies face up: draws the ground, then `face` on it.
pub fn face(svg: &mut Svg, w: f64, h: f64, face: impl FnOnce(&mut Svg)) {
    svg.rect(0.75, 0.75, w - 1.5, h - 1.5, w / 9.0).class("f-card s-whiteline w1").end();
    face(svg);
}

/// A card that lies face down: a pattern, no letter.
pub fn back(svg: &mut Svg, w: f64, h: f64) {
    svg.rect(0.75, 0.75, w - 1.5, h - 1.5, w / 9.0).class("f-back s-backline w1").end();
    let (x, y) = (w / 2.0, h / 2.0);
    let r = w.min(h) * 0.3;
    svg.group().placed(x, y, 0.0, r).with(|svg| {
        // A raven's feather, crossed: the sign of the house.
        svg.path("M-.9.9L.6-.6C.9-.9 1-.5.7-.2L-.5 1M.9.9L-.6-.6C-.9-.9-1-.5-.7-.2L.5 1")
            .class("f0 s-backline c")
            .n("stroke-width", 0.16)
            .end();
    });
}

/// A pile of `count` cards: the card on top, shadows of those below, the number, and a label.
///
/// `top` draws the card on top at the origin, `w` × `h`; it is not asked when the pile is empty.
pub fn pile(label: &str, count: usize, (w, h): (f64, f64), top: impl FnOnce(&mut Svg)) -> Block {
    let depth = count.saturating_sub(1).min(3);
    let lift = 2.5;
    Block::new(w + 10.0, h + 10.0 + 17.0, |svg| {
        if count == 0 {
            svg.rect(1.0, 8.5, w - 2.0, h - 2.0, w / 9.0).class("f0 s-line w2 dash").end();
        } else {
            for below in 0..depth {
                let shift = below as f64 * lift;
                svg.rect(shift + 0.75, 8.25 - shift, w - 1.5, h - 1.5, w / 9.0)
                    .class("f-panel s-backline w1")
                    .end();
            }
            let shift = depth as f64 * lift;
            svg.moved(shift, 7.5 - shift).with(top);
        }
        svg.label(w / 2.0, h + 24.0, 12.0).class("f-faint m").text(label);
        badge(svg, w - 1.0, h - 2.0, count);
    })
}

/// A number in a disc: how many.
pub fn badge(svg: &mut Svg, x: f64, y: f64, count: usize) {
    let w = if count > 99 { 34.0 } else { 26.0 };
    svg.rect(x - w / 2.0, y - 12.0, w, 22.0, 11.0).class("f-panel s-ink w2").end();
    svg.label(x, y + 4.5, 14.0).class("f-ink b m count").text(count);
}

/// The highlight of what was done last, around a rectangle.
pub fn glow_rect(svg: &mut Svg, x: f64, y: f64, w: f64, h: f64, r: f64) {
    for class in ["f0 s-ink w7", "f0 s-gold w4 last"] {
        svg.rect(x, y, w, h, r).class(class).a("pointer-events", "none").end();
    }
}

/// The highlight around a circle.
pub fn glow_circle(svg: &mut Svg, x: f64, y: f64, r: f64) {
    for class in ["f0 s-ink w7", "f0 s-gold w4 last"] {
        svg.circle(x, y, r).class(class).a("pointer-events", "none").end();
    }
}

/// The highlight along a path.
pub fn glow_path(svg: &mut Svg, d: &str) {
    for class in ["f0 s-ink w7 c", "f0 s-gold w4 c last"] {
        svg.path(d).class(class).a("pointer-events", "none").end();
    }
}

//! Copenhagen: the harbor, a facade for each seat, and the tiles that are left.

mod ability;
mod draw;
mod event;
mod facade;
mod pieces;
mod seat;
mod text;
mod view;

use canvas::{Picture, Scene, Script, Style, Unreadable};

const WORDS: &[Script] = &[
    Script { name: "en.js", text: include_str!("../../words/en.js") },
    Script { name: "de.js", text: include_str!("../../words/de.js") },
    Script { name: "places.js", text: include_str!("../../words/places.js") },
    Script { name: "shape.js", text: include_str!("../../words/shape.js") },
];

/// Draws Copenhagen.
pub struct Copenhagen;

impl Picture for Copenhagen {
    fn game(&self) -> &'static str {
        "copenhagen"
    }

    fn svg(&self, scene: &Scene<'_>, style: Style) -> Result<String, Unreadable> {
        draw::svg(scene, style)
    }

    fn text(&self, scene: &Scene<'_>) -> Result<String, Unreadable> {
        text::text(scene)
    }

    fn words(&self) -> &'static [Script] {
        WORDS
    }
}

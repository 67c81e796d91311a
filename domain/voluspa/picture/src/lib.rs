//! Völuspá: tiles on a table without edges, hands, the pile.

mod draw;
mod emblem;
mod grid;
mod text;
mod tile;
mod view;

use canvas::{Picture, Scene, Script, Style, Unreadable};

const WORDS: &[Script] = &[
    Script { name: "en.js", text: include_str!("../../words/en.js") },
    Script { name: "de.js", text: include_str!("../../words/de.js") },
    Script { name: "places.js", text: include_str!("../../words/places.js") },
];

/// Draws Völuspá.
pub struct Voluspa;

impl Picture for Voluspa {
    fn game(&self) -> &'static str {
        "voluspa"
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

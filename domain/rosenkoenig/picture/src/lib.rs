//! Rosenkönig: nine rows of fields, the crown, stones with roses, cards with arrows.

mod card;
mod draw;
mod text;
mod view;

use canvas::{Picture, Scene, Script, Style, Unreadable};

const WORDS: &[Script] = &[
    Script { name: "en.js", text: include_str!("../../words/en.js") },
    Script { name: "de.js", text: include_str!("../../words/de.js") },
    Script { name: "places.js", text: include_str!("../../words/places.js") },
];

/// Draws Rosenkönig.
pub struct Rosenkoenig;

impl Picture for Rosenkoenig {
    fn game(&self) -> &'static str {
        "rosenkoenig"
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

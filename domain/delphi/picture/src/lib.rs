//! The Oracle of Delphi: the map with everything on it, a panel for each seat, and the supplies.

mod card;
mod chip;
mod draw;
mod event;
mod hand;
mod hex;
mod land;
mod map;
mod piece;
mod play;
mod progress;
mod seat;
mod supply;
mod text;
mod view;

use canvas::{Picture, Scene, Script, Style, Unreadable};

const WORDS: &[Script] = &[
    Script { name: "en.js", text: include_str!("../../words/en.js") },
    Script { name: "de.js", text: include_str!("../../words/de.js") },
    Script { name: "places.js", text: include_str!("../../words/places.js") },
];

/// Draws The Oracle of Delphi.
pub struct Delphi;

impl Picture for Delphi {
    fn game(&self) -> &'static str {
        "delphi"
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

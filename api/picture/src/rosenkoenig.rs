//! Rosenkönig: nine rows of fields, the crown, stones with roses, cards with arrows.

mod card;
mod draw;
mod text;
mod view;

use crate::{Picture, Scene, Style, Unreadable};

/// Draws Rosenkönig.
pub(crate) struct Rosenkoenig;

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
}

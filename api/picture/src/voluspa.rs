//! Völuspá: tiles on a table without edges, hands, the pile.

mod draw;
mod emblem;
mod grid;
mod text;
mod tile;
mod view;

use crate::{Picture, Scene, Style, Unreadable};

/// Draws Völuspá.
pub(crate) struct Voluspa;

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
}

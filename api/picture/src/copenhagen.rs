//! Copenhagen: the harbor, a facade for each seat, and the tiles that are left.

mod ability;
mod draw;
mod event;
mod facade;
mod pieces;
mod seat;
mod text;
mod tile;
mod view;

use crate::{Picture, Scene, Style, Unreadable};

/// Draws Copenhagen.
pub(crate) struct Copenhagen;

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
}

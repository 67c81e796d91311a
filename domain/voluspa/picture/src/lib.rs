//! Völuspá: tiles on a table without edges, hands, the pile.

mod draw;
mod emblem;
mod grid;
mod text;
mod tile;
mod view;

use canvas::Picture;

/// The picture of Völuspá.
pub const PICTURE: Picture = Picture { game: "voluspa", svg: draw::svg, text: text::text };

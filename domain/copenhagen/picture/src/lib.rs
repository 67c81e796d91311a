//! Copenhagen: the harbor, a facade for each seat, and the tiles that are left.

mod ability;
mod draw;
mod event;
mod facade;
mod pieces;
mod seat;
mod text;
mod view;

use canvas::Picture;

/// The picture of Copenhagen.
pub const PICTURE: Picture = Picture { game: "copenhagen", svg: draw::svg, text: text::text };

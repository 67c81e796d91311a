//! Copenhagen: the harbor, a facade for each seat, and the tiles that are left.

mod ability;
mod draw;
mod event;
mod facade;
mod pieces;
mod seat;
mod text;
mod view;

use canvas::{Picture, Script};

/// The picture of Copenhagen.
pub const PICTURE: Picture = Picture {
    game: "copenhagen",
    svg: draw::svg,
    text: text::text,
    words: &[
        Script { name: "en.js", text: include_str!("../../words/en.js") },
        Script { name: "de.js", text: include_str!("../../words/de.js") },
        Script { name: "places.js", text: include_str!("../../words/places.js") },
        Script { name: "shape.js", text: include_str!("../../words/shape.js") },
    ],
};

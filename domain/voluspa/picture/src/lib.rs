//! Völuspá: tiles on a table without edges, hands, the pile.

mod draw;
mod emblem;
mod grid;
mod text;
mod tile;
mod view;

use canvas::{Picture, Script};

/// The picture of Völuspá.
pub const PICTURE: Picture = Picture {
    game: "voluspa",
    svg: draw::svg,
    text: text::text,
    words: &[
        Script { name: "en.js", text: include_str!("../../words/en.js") },
        Script { name: "de.js", text: include_str!("../../words/de.js") },
        Script { name: "places.js", text: include_str!("../../words/places.js") },
    ],
};

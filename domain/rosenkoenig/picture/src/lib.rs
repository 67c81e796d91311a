//! Rosenkönig: nine rows of fields, the crown, stones with roses, cards with arrows.

mod card;
mod draw;
mod text;
mod view;

use canvas::{Picture, Script};

/// The picture of Rosenkönig.
pub const PICTURE: Picture = Picture {
    game: "rosenkoenig",
    svg: draw::svg,
    text: text::text,
    words: &[
        Script { name: "en.js", text: include_str!("../../words/en.js") },
        Script { name: "de.js", text: include_str!("../../words/de.js") },
        Script { name: "places.js", text: include_str!("../../words/places.js") },
    ],
};

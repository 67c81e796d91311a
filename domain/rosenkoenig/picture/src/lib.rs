//! Rosenkönig: nine rows of fields, the crown, stones with roses, cards with arrows.

mod card;
mod draw;
mod text;
mod view;

use canvas::Picture;

/// The picture of Rosenkönig.
pub const PICTURE: Picture = Picture { game: "rosenkoenig", svg: draw::svg, text: text::text };

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

use canvas::Picture;

/// The picture of The Oracle of Delphi.
pub const PICTURE: Picture = Picture { game: "delphi", svg: draw::svg, text: text::text };

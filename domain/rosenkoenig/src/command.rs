//! What the active seat may ask for.

use kernel::Open;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Card;

/// One turn. JSON has exactly these fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Command {
    /// Move the crown by a card of your hand, and mark the field that it reaches.
    #[open(card, hero)]
    PlayCard {
        /// The card.
        card: Card,
        /// Whether a hero is played with the card. It confirms what the position requires: `true` exactly on an opponent's stone.
        hero: bool,
    },
    /// Draw the top card of the draw pile.
    DrawCard {},
}

//! Equipment cards: ids, short names and texts.

use serde::Deserialize;

use crate::piece::Color;

/// An equipment card, by its place in [`CARDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Equipment(usize);

type Card = (&'static str, &'static str, &'static [Color], &'static str);

use Color::{Black, Blue, Green, Pink, Red, Yellow};

const WARM: &[Color] = &[Red, Yellow, Green];
const COOL: &[Color] = &[Black, Pink, Blue];

/// Id, name on the card, colours on the card, what it does.
const CARDS: [Card; 22] = [
    ("statue_warm", "statue", WARM, "load one of these statues from its city"),
    ("statue_cool", "statue", COOL, "load one of these statues from its city"),
    ("offering_warm", "offering", WARM, "load one of these offerings from any island"),
    ("offering_cool", "offering", COOL, "load one of these offerings from any island"),
    ("god_to_top", "to top", &[Red, Pink, Blue, Green], "one of these gods to the topmost row"),
    ("windfall", "windfall", &[], "3 favor, 1 oracle card, gods advance by 2 rows in all"),
    ("scout", "scout", &[], "look at two islands, explore one of them"),
    ("charm_red", "charm", &[Red], "2 favor for a red die at your consultation"),
    ("charm_black", "charm", &[Black], "2 favor for a black die at your consultation"),
    ("charm_yellow", "charm", &[Yellow], "2 favor for a yellow die at your consultation"),
    ("blessing", "blessing", &[], "advance a god with each reward but that for a shrine"),
    ("far_islands", "far islands", &[], "fight, explore and build across a water space"),
    ("far_statues", "far statues", &[], "load and raise statues across a water space"),
    ("far_offerings", "far offerings", &[], "load and deliver offerings across a water space"),
    ("shallows", "shallows", &[], "sail across shallows"),
    ("range_1", "range + 1", &[], "range + 1"),
    ("hold", "hold + 1", &[], "a place of storage more; 1 shield once"),
    ("toughness", "toughness", &[], "recover only with 4 equal or 8 injuries"),
    ("extra_action", "extra action", &[], "once in a turn: 3 favor for an action of any colour"),
    ("amulet_pink", "amulet", &[Pink], "an action: 1 favor, 1 oracle card, Hermes one row"),
    ("amulet_blue", "amulet", &[Blue], "an action: 1 favor, 1 oracle card, Poseidon one row"),
    ("amulet_green", "amulet", &[Green], "an action: 1 favor, 1 oracle card, Artemis one row"),
];

impl TryFrom<String> for Equipment {
    type Error = String;

    fn try_from(id: String) -> Result<Self, String> {
        let at = CARDS.iter().position(|(known, ..)| *known == id);
        at.map(Equipment).ok_or_else(|| format!("{id} is no equipment card"))
    }
}

impl Equipment {
    pub(crate) fn id(self) -> &'static str {
        CARDS[self.0].0
    }

    /// What it is called on the card, beside the colours.
    pub(crate) fn name(self) -> &'static str {
        CARDS[self.0].1
    }

    pub(crate) fn colors(self) -> &'static [Color] {
        CARDS[self.0].2
    }

    pub(crate) fn words(self) -> &'static str {
        CARDS[self.0].3
    }
}

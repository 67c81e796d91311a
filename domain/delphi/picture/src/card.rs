//! Equipment cards: short names, colours and texts.

use delphi::seen::Color::{self, Black, Blue, Green, Pink, Red, Yellow};
use delphi::seen::Equipment;

const WARM: &[Color] = &[Red, Yellow, Green];
const COOL: &[Color] = &[Black, Pink, Blue];

/// Name on the card, colours on the card, what it does.
pub(crate) fn told(card: Equipment) -> (&'static str, &'static [Color], &'static str) {
    match card {
        Equipment::StatueWarm => ("statue", WARM, "load one of these statues from its city"),
        Equipment::StatueCool => ("statue", COOL, "load one of these statues from its city"),
        Equipment::OfferingWarm => {
            ("offering", WARM, "load one of these offerings from any island")
        }
        Equipment::OfferingCool => {
            ("offering", COOL, "load one of these offerings from any island")
        }
        Equipment::GodToTop => {
            ("to top", &[Red, Pink, Blue, Green], "one of these gods to the topmost row")
        }
        Equipment::Windfall => {
            ("windfall", &[], "3 favor, 1 oracle card, gods advance by 2 rows in all")
        }
        Equipment::Scout => ("scout", &[], "look at two islands, explore one of them"),
        Equipment::CharmRed => ("charm", &[Red], "2 favor for a red die at your consultation"),
        Equipment::CharmBlack => {
            ("charm", &[Black], "2 favor for a black die at your consultation")
        }
        Equipment::CharmYellow => {
            ("charm", &[Yellow], "2 favor for a yellow die at your consultation")
        }
        Equipment::Blessing => {
            ("blessing", &[], "advance a god with each reward but that for a shrine")
        }
        Equipment::FarIslands => {
            ("far islands", &[], "fight, explore and build across a water space")
        }
        Equipment::FarStatues => {
            ("far statues", &[], "load and raise statues across a water space")
        }
        Equipment::FarOfferings => {
            ("far offerings", &[], "load and deliver offerings across a water space")
        }
        Equipment::Shallows => ("shallows", &[], "sail across shallows"),
        Equipment::Range1 => ("range + 1", &[], "range + 1"),
        Equipment::Hold => ("hold + 1", &[], "a place of storage more; 1 shield once"),
        Equipment::Toughness => ("toughness", &[], "recover only with 4 equal or 8 injuries"),
        Equipment::ExtraAction => {
            ("extra action", &[], "once in a turn: 3 favor for an action of any colour")
        }
        Equipment::AmuletPink => {
            ("amulet", &[Pink], "an action: 1 favor, 1 oracle card, Hermes one row")
        }
        Equipment::AmuletBlue => {
            ("amulet", &[Blue], "an action: 1 favor, 1 oracle card, Poseidon one row")
        }
        Equipment::AmuletGreen => {
            ("amulet", &[Green], "an action: 1 favor, 1 oracle card, Artemis one row")
        }
    }
}

//! What equipment cards and companions do when they are taken (D-602, D-622).

use kernel::{Draft, Seat};

use crate::Delphi;
use crate::board::HexPair;
use crate::decide::{gains, tasks};
use crate::event::{Event, Reason};
use crate::pieces::{CargoKind, Color, CompanionKind, Equipment, Set};
use crate::position::{Decision, Then};
use crate::printed;

/// Favor of `windfall`.
const WINDFALL_FAVOR: u16 = printed::on_card("windfall", "favor") as u16;

/// Oracle cards of `windfall`.
const WINDFALL_CARDS: u8 = printed::on_card("windfall", "cards");

/// Rows of `windfall`.
const WINDFALL_STEPS: u8 = printed::on_card("windfall", "steps");

/// What a hero adds to the shield.
const HERO_SHIELD: u8 = printed::count("[companions]", "hero_shield");

/// Takes a card of the display, refills the display, and lets the card take effect; then `blessing`, if it is a reward.
pub(crate) fn take_equipment(
    draft: &mut Draft<'_, Delphi>,
    seat: Seat,
    card: Equipment,
    reward: bool,
) {
    let deck = draft.position().equipment_deck;
    let refill = (!deck.is_empty())
        .then(|| deck.nth(draft.pick_index("equipment", deck.len(), |place| deck.nth(place))));
    draft.emit(Event::EquipmentTaken { seat, card, refill });
    let decision = effect(draft, seat, card);
    let blessing = if reward { tasks::blessing(draft.position().player(seat)) } else { None };
    tasks::open(draft, seat, decision.into_iter().chain(blessing));
}

/// The immediate effect of a card: gains at once, and the decision that it opens.
fn effect(draft: &mut Draft<'_, Delphi>, seat: Seat, card: Equipment) -> Option<Decision> {
    let load = |cargo, colors: [Color; 3]| {
        Some(Decision::LoadAny { cargo, colors: Set::from_iter(colors) })
    };
    match card {
        Equipment::StatueWarm => {
            load(CargoKind::Statue, const { printed::card_colors("statue_warm") })
        }
        Equipment::StatueCool => {
            load(CargoKind::Statue, const { printed::card_colors("statue_cool") })
        }
        Equipment::OfferingWarm => {
            load(CargoKind::Offering, const { printed::card_colors("offering_warm") })
        }
        Equipment::OfferingCool => {
            load(CargoKind::Offering, const { printed::card_colors("offering_cool") })
        }
        Equipment::GodToTop => Some(Decision::GodToTop { gods: Set::from_iter(printed::TO_TOP) }),
        Equipment::Windfall => {
            gains::favor(draft, seat, WINDFALL_FAVOR, Reason::Windfall);
            (0..WINDFALL_CARDS).for_each(|_| gains::oracle_card(draft, seat, Reason::Windfall));
            Some(Decision::AdvanceGod {
                steps: WINDFALL_STEPS,
                gods: Set::all(),
                reason: Reason::Windfall,
            })
        }
        Equipment::Scout => {
            let look = Decision::Look { left: 2, seen: HexPair::default(), then: Then::Reveal };
            (draft.position().count_face_down() >= 2).then_some(look)
        }
        Equipment::Hold => {
            gains::shield(draft, seat, 1, Reason::Hold);
            None
        }
        Equipment::CharmRed
        | Equipment::CharmBlack
        | Equipment::CharmYellow
        | Equipment::Blessing
        | Equipment::FarIslands
        | Equipment::FarStatues
        | Equipment::FarOfferings
        | Equipment::Shallows
        | Equipment::Range1
        | Equipment::Toughness
        | Equipment::ExtraAction
        | Equipment::AmuletPink
        | Equipment::AmuletBlue
        | Equipment::AmuletGreen => None,
    }
}

/// Takes a companion, with its effect.
pub(crate) fn take_companion(
    draft: &mut Draft<'_, Delphi>,
    seat: Seat,
    kind: CompanionKind,
    color: Color,
) {
    draft.emit(Event::CompanionTaken { seat, kind, color });
    match kind {
        CompanionKind::Hero => {
            gains::shield(draft, seat, HERO_SHIELD, Reason::Hero);
            let cards = draft.position().player(seat).injuries.only(color);
            gains::discard_injuries(draft, seat, cards, Reason::Hero);
        }
        CompanionKind::Demigod => gains::oracle_card(draft, seat, Reason::Demigod),
        CompanionKind::Creature => {}
    }
}

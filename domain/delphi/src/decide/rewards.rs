//! What equipment cards and companions do when they are taken (D-602, D-622).

use kernel::{Draft, Seat};

use crate::Delphi;
use crate::board::HexPair;
use crate::decide::{gains, tasks};
use crate::event::{Event, Reason};
use crate::pieces::{CargoKind, Color, CompanionKind, Equipment, Set};
use crate::position::{Decision, Then};
use crate::printed::FACTS;

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
        Equipment::StatueWarm => load(CargoKind::Statue, FACTS.cargo_colors[0]),
        Equipment::StatueCool => load(CargoKind::Statue, FACTS.cargo_colors[1]),
        Equipment::OfferingWarm => load(CargoKind::Offering, FACTS.cargo_colors[2]),
        Equipment::OfferingCool => load(CargoKind::Offering, FACTS.cargo_colors[3]),
        Equipment::GodToTop => Some(Decision::GodToTop { gods: Set::from_iter(FACTS.to_top) }),
        Equipment::Windfall => {
            gains::favor(draft, seat, FACTS.windfall.0, Reason::Windfall);
            (0..FACTS.windfall.1).for_each(|_| gains::oracle_card(draft, seat, Reason::Windfall));
            Some(Decision::AdvanceGod {
                steps: FACTS.windfall.2,
                gods: Set::all(),
                reason: Reason::Windfall,
            })
        }
        Equipment::Scout => {
            let look = Decision::Look { left: 2, seen: HexPair::default(), then: Then::Reveal };
            (draft.position().count_face_down() >= 2).then_some(look)
        }
        Equipment::Hold => {
            gains::shield(draft, seat, FACTS.hold_shield, Reason::Hold);
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
            gains::shield(draft, seat, FACTS.hero_shield, Reason::Hero);
            let cards = draft.position().player(seat).injuries.only(color);
            gains::discard_injuries(draft, seat, cards, Reason::Hero);
        }
        CompanionKind::Demigod => gains::oracle_card(draft, seat, Reason::Demigod),
        CompanionKind::Creature => {}
    }
}

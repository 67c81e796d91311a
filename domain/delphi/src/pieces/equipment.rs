//! The 22 equipment cards.

use kernel::Open;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::pieces::Color;
use crate::printed::FACTS;

/// An equipment card; there is one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Equipment {
    /// Load one of the shown statues from its city.
    StatueWarm,
    /// Load one of the shown statues from its city.
    StatueCool,
    /// Load one of the shown offerings from any island.
    OfferingWarm,
    /// Load one of the shown offerings from any island.
    OfferingCool,
    /// Advance one of the shown gods to the topmost row.
    GodToTop,
    /// 3 favor, 1 oracle card, advance gods by 2 rows in all.
    Windfall,
    /// Look at two face-down islands, explore one of them. No effect with fewer than two.
    Scout,
    /// A red die at your consultation: 2 favor.
    CharmRed,
    /// A black die at your consultation: 2 favor.
    CharmBlack,
    /// A yellow die at your consultation: 2 favor.
    CharmYellow,
    /// With each reward for an offering, a statue or a monster: advance one god one row.
    Blessing,
    /// Fight, explore and build shrines across one water space.
    FarIslands,
    /// Load and raise statues across one water space.
    FarStatues,
    /// Load and deliver offerings across one water space.
    FarOfferings,
    /// Sail across shallows; a shallow is no step.
    Shallows,
    /// Range + 1.
    #[serde(rename = "range_1")]
    Range1,
    /// One additional place of storage. Once: shield + 1.
    Hold,
    /// Recover only with 4 equal or 8 injury cards.
    Toughness,
    /// Once in a turn: pay 3 favor for one additional action of any colour.
    ExtraAction,
    /// As an action with a pink die: 1 favor, 1 oracle card, advance Hermes one row.
    AmuletPink,
    /// As an action with a blue die: 1 favor, 1 oracle card, advance Poseidon one row.
    AmuletBlue,
    /// As an action with a green die: 1 favor, 1 oracle card, advance Artemis one row.
    AmuletGreen,
}

impl Equipment {
    /// All cards.
    pub const ALL: [Equipment; 22] = [
        Equipment::StatueWarm,
        Equipment::StatueCool,
        Equipment::OfferingWarm,
        Equipment::OfferingCool,
        Equipment::GodToTop,
        Equipment::Windfall,
        Equipment::Scout,
        Equipment::CharmRed,
        Equipment::CharmBlack,
        Equipment::CharmYellow,
        Equipment::Blessing,
        Equipment::FarIslands,
        Equipment::FarStatues,
        Equipment::FarOfferings,
        Equipment::Shallows,
        Equipment::Range1,
        Equipment::Hold,
        Equipment::Toughness,
        Equipment::ExtraAction,
        Equipment::AmuletPink,
        Equipment::AmuletBlue,
        Equipment::AmuletGreen,
    ];

    /// The colour on a charm (D-241).
    pub const CHARMS: [(Equipment, Color); 3] = [
        (Equipment::CharmRed, FACTS.charms[0]),
        (Equipment::CharmBlack, FACTS.charms[1]),
        (Equipment::CharmYellow, FACTS.charms[2]),
    ];

    /// The colour on an amulet (D-612).
    const AMULETS: [(Equipment, Color); 3] = [
        (Equipment::AmuletPink, FACTS.amulets[0]),
        (Equipment::AmuletBlue, FACTS.amulets[1]),
        (Equipment::AmuletGreen, FACTS.amulets[2]),
    ];

    /// The amulet of a colour (D-612).
    #[must_use]
    pub fn amulet(color: Color) -> Option<Equipment> {
        let of_color = Equipment::AMULETS.into_iter().find(|(_, own)| *own == color);
        of_color.map(|(amulet, _)| amulet)
    }
}

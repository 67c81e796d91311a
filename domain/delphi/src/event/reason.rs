//! Why something was gained, paid, drawn or discarded.

use kernel::Open;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The cause of a change, as events name it: a rule, or the equipment card of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// An action.
    Action,
    /// An oracle consultation.
    Consultation,
    /// No injury card at the start of the turn (D-223).
    NoInjuries,
    /// A recovery (D-222).
    Recovery,
    /// A battle.
    Battle,
    /// The titan's attack.
    Titan,
    /// A shrine.
    Shrine,
    /// An offering.
    Offering,
    /// The equipment card of that name.
    Blessing,
    /// The letter of an island.
    Sigma,
    /// The letter of an island.
    Phi,
    /// The letter of an island.
    Psi,
    /// The letter of an island.
    Omega,
    /// A ship tile.
    Ship,
    /// A god given for a card.
    God,
    /// The power of Apollon.
    Apollon,
    /// The power of Aphrodite.
    Aphrodite,
    /// A hero.
    Hero,
    /// A demigod.
    Demigod,
    /// An amulet.
    Amulet,
    /// The equipment card.
    StatueWarm,
    /// The equipment card.
    StatueCool,
    /// The equipment card.
    OfferingWarm,
    /// The equipment card.
    OfferingCool,
    /// The equipment card.
    GodToTop,
    /// The equipment card.
    Windfall,
    /// The equipment card.
    Scout,
    /// The equipment card.
    CharmRed,
    /// The equipment card.
    CharmBlack,
    /// The equipment card.
    CharmYellow,
    /// The equipment card.
    FarIslands,
    /// The equipment card.
    FarStatues,
    /// The equipment card.
    FarOfferings,
    /// The equipment card.
    Shallows,
    /// The equipment card.
    #[serde(rename = "range_1")]
    Range1,
    /// The equipment card.
    Hold,
    /// The equipment card.
    Toughness,
    /// The equipment card.
    ExtraAction,
    /// The equipment card.
    AmuletPink,
    /// The equipment card.
    AmuletBlue,
    /// The equipment card.
    AmuletGreen,
}

//! Why something was gained, paid, drawn or discarded.

use kernel::Open;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The cause of a change, as events name it: a rule, or the equipment card of that name.
#[expect(missing_docs, reason = "without a line of its own is what has its full name")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Action,
    /// An oracle consultation.
    Consultation,
    /// No injury card at the start of the turn (D-223).
    NoInjuries,
    /// A recovery (D-222).
    Recovery,
    Battle,
    /// The titan's attack.
    Titan,
    Shrine,
    Offering,
    Blessing,
    /// A letter of an island, as are the next three.
    Sigma,
    Phi,
    Psi,
    Omega,
    /// A ship tile.
    Ship,
    /// A god given for a card.
    God,
    /// The power of Apollon.
    Apollon,
    /// The power of Aphrodite.
    Aphrodite,
    Hero,
    Demigod,
    Amulet,
    StatueWarm,
    StatueCool,
    OfferingWarm,
    OfferingCool,
    GodToTop,
    Windfall,
    Scout,
    CharmRed,
    CharmBlack,
    CharmYellow,
    FarIslands,
    FarStatues,
    FarOfferings,
    Shallows,
    #[serde(rename = "range_1")]
    Range1,
    Hold,
    Toughness,
    ExtraAction,
    AmuletPink,
    AmuletBlue,
    AmuletGreen,
}

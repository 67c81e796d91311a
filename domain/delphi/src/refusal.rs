//! Which rule a command breaks, and the facts of it. The sentence is made only when somebody is told.

use kernel::{Refusal, Rule};

use crate::board::Hex;
use crate::pieces::{CargoKind, Color, Equipment, God, PlayerColor, Ship};
use crate::position::TOP_ROW;
use crate::printed::FACTS;

/// The first condition that a command breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breach {
    Finished,
    PowerShape { god: God, at: bool, color: bool },
    NotDue { due: &'static str },
    DecisionDue { due: &'static str },
    NotOffered { ship: Ship },
    NotLeftToReturn,
    DiceLeft { count: usize },
    NoDie { color: Color },
    NoCard { color: Color },
    CardLaidAside { color: Color },
    NoExtraAction,
    BonusUsed,
    BonusTooDear { favor: u16 },
    TooDear { cost: u8, favor: u16 },
    NoOracleCardLeft,
    NotFaceDown { at: Hex },
    LookedAtJustNow { at: Hex },
    HomeStays,
    SameHex { to: Hex },
    TasksLeft,
    NotWater { to: Hex },
    OtherWater { to: Hex, color: Color },
    TooFar { to: Hex, steps: Option<u8>, range: u8, favor: u16 },
    NoMonster { at: Hex, color: Color },
    OutOfReach { at: Hex, ship: Hex },
    NotTurned { at: Hex },
    OtherFrame { at: Hex, color: Color },
    NotOwnIsland { at: Hex, color: PlayerColor },
    ShrineStands { at: Hex },
    NoShrineTask,
    NoOffering { at: Hex, color: Color },
    NoTemple { at: Hex, color: Color },
    NoStatue { at: Hex, color: Color },
    NoStatueLeft { color: Color },
    NoSite { at: Hex, color: Color },
    SiteTaken { at: Hex, color: Color },
    NoInjury { color: Color },
    OtherGod { god: God, color: Color },
    CannotAdvance { god: God, row: u8 },
    NoAmulet { color: Color },
    StorageFull { places: usize },
    NotCommitted { color: Color },
    NotAboard { kind: CargoKind, color: Color },
    NoTile { color: Color },
    NotOnTop { god: God, row: u8 },
    NoCardForGod,
    PoseidonNeedsWater { to: Hex },
    ArtemisNeedsIsland { at: Hex },
    NotInjured,
    NoCityNear { ship: Hex },
    NotDisplayed { card: Equipment },
    WrongRecovery { count: u8 },
    NoRewardGod { god: God },
    NoFavorToFight,
    NothingToHeal { color: Color },
    NoCompanion,
    NotLoadable { color: Color },
    CannotRise { god: God, row: u8 },
    NotLookedAt { at: Hex },
}

impl Breach {
    /// The rule and a sentence with the facts.
    #[expect(clippy::too_many_lines, reason = "one exhaustive match, an arm for each refusal")]
    pub(crate) fn refusal(self) -> Refusal {
        let (rule, reason) = match self {
            Breach::Finished => ("D-201", "the match is finished".to_owned()),
            Breach::PowerShape { god, at, color } => {
                let needs = |needed: bool| if needed { "given" } else { "null" };
                ("D-202", format!("for {god}, at is {} and color is {}", needs(at), needs(color)))
            }
            Breach::NotDue { due } => ("D-203", format!("due now is {due}")),
            Breach::DecisionDue { due } => ("D-203", format!("due now is the decision {due}")),
            Breach::NotOffered { ship } => ("D-141", format!("the ship {ship} is not on offer")),
            Breach::NotLeftToReturn => ("D-144", "no such Zeus tile is left".to_owned()),
            Breach::DiceLeft { count: 1 } => ("D-241", "one die is still unused".to_owned()),
            Breach::DiceLeft { count } => ("D-241", format!("{count} dice are still unused")),
            Breach::NoDie { color } => ("D-301", format!("no unused die shows {color}")),
            Breach::NoCard { color } => ("D-302", format!("the hand has no {color} oracle card")),
            Breach::CardLaidAside { color } => {
                ("D-303", format!("a {color} oracle card has already been played this turn"))
            }
            Breach::NoExtraAction => ("D-304", "the seat has no extra_action".to_owned()),
            Breach::BonusUsed => {
                ("D-305", "the bonus action has already been used this turn".to_owned())
            }
            Breach::BonusTooDear { favor } => (
                "D-306",
                format!(
                    "the bonus action costs {} favor, but the seat has {favor}",
                    FACTS.bonus_cost
                ),
            ),
            Breach::TooDear { cost, favor } => {
                ("D-311", format!("the colour costs {cost} favor, but the seat has {favor}"))
            }
            Breach::NotOnTop { god, row } => {
                ("D-511", format!("{god} stands in row {row}, not in row {TOP_ROW}"))
            }
            Breach::NoCardForGod => ("D-519", "no oracle card is left to draw".to_owned()),
            Breach::PoseidonNeedsWater { to } => {
                ("D-512", format!("{to} is neither water nor Zeus"))
            }
            Breach::ArtemisNeedsIsland { at } => {
                ("D-514", format!("no face-down island lies at {at}"))
            }
            Breach::NotInjured => ("D-515", "the seat has no injury cards".to_owned()),
            Breach::NoCityNear { ship } => ("D-517", format!("no city is within reach of {ship}")),
            Breach::NoOracleCardLeft => {
                ("D-411", "neither deck nor discard has an oracle card".to_owned())
            }
            Breach::NotFaceDown { at } => ("D-421", format!("no face-down island lies at {at}")),
            Breach::LookedAtJustNow { at } => {
                ("D-421", format!("the island at {at} has just been looked at"))
            }
            Breach::HomeStays => {
                ("D-409", "the ship has returned to Zeus and stays there".to_owned())
            }
            Breach::SameHex { to } => ("D-408", format!("the ship is already at {to}")),
            Breach::TasksLeft => {
                ("D-407", "tasks are left, so the ship cannot sail to Zeus".to_owned())
            }
            Breach::NotWater { to } => ("D-404", format!("{to} is not a water space")),
            Breach::OtherWater { to, color } => {
                ("D-405", format!("the water at {to} is not {color}"))
            }
            Breach::TooFar { to, steps: Some(steps), range, favor } => (
                "D-406",
                format!(
                    "{to} is {steps} steps away; the range is {range}, and the seat has {favor} favor"
                ),
            ),
            Breach::TooFar { to, steps: None, range: _, favor: _ } => {
                ("D-406", format!("there is no way over water to {to}"))
            }
            Breach::NoMonster { at, color } => ("D-431", format!("no {color} monster is at {at}")),
            Breach::OutOfReach { at, ship } => {
                ("D-410", format!("{at} is not within reach of the ship at {ship}"))
            }
            Breach::NotTurned { at } => ("D-435", format!("there is no suitable island at {at}")),
            Breach::OtherFrame { at, color } => {
                ("D-436", format!("the frame of the island at {at} is not {color}"))
            }
            Breach::NotOwnIsland { at, color } => {
                ("D-438", format!("the island at {at} is not for {color} shrines"))
            }
            Breach::ShrineStands { at } => ("D-438", format!("a shrine stands at {at}")),
            Breach::NoShrineTask => ("D-439", "no shrine task is left".to_owned()),
            Breach::NoInjury { color } => ("D-441", format!("the seat has no {color} injury card")),
            Breach::OtherGod { god, color } => {
                ("D-445", format!("{god} is not the god of {color}"))
            }
            Breach::CannotAdvance { god, row } => {
                ("D-502", format!("{god}, in row {row}, cannot be advanced now"))
            }
            Breach::NoAmulet { color } => ("D-612", format!("the seat has no {color} amulet")),
            Breach::NoOffering { at, color } => {
                ("D-451", format!("no {color} offering lies at {at}"))
            }
            Breach::NoTemple { at, color } => ("D-452", format!("no {color} temple is at {at}")),
            Breach::NoStatue { at, color } => {
                ("D-453", format!("no {color} statue is left at {at}"))
            }
            Breach::NoStatueLeft { color } => {
                ("D-453", format!("no city has a {color} statue left"))
            }
            Breach::NoSite { at, color } => {
                ("D-454", format!("no {color} building site is at {at}"))
            }
            Breach::SiteTaken { at, color } => {
                ("D-455", format!("a statue stands on the {color} site at {at}"))
            }
            Breach::StorageFull { places } => {
                ("D-704", format!("all {places} places of the storage are taken"))
            }
            Breach::NotCommitted { color } => (
                "D-701",
                format!(
                    "{color} is fulfilled or on board already, or the Zeus tiles left do not \
                     suffice for the cargo and it"
                ),
            ),
            Breach::NotAboard { kind: CargoKind::Statue, color } => {
                ("D-703", format!("no {color} statue is on board"))
            }
            Breach::NotAboard { kind: CargoKind::Offering, color } => {
                ("D-703", format!("no {color} offering is on board"))
            }
            Breach::NoTile { color } => (
                "D-702",
                format!(
                    "no Zeus tile is left for {color}, or the colour has been fulfilled already"
                ),
            ),
            Breach::NotDisplayed { card } => {
                ("D-601", format!("the card {card} is not in the display"))
            }
            Breach::WrongRecovery { count } => {
                ("D-222", format!("exactly {count} of the seat's injury cards must be discarded"))
            }
            Breach::NoRewardGod { god } => ("D-223", format!("{god} stands in row {TOP_ROW}")),
            Breach::NoFavorToFight => {
                ("D-433", "another round costs 1 favor, but the seat has none".to_owned())
            }
            Breach::NothingToHeal { color } => {
                ("D-443", format!("the seat has no {color} injury card"))
            }
            Breach::NoCompanion => {
                ("D-621", "no such companion of the colour of the statue is left".to_owned())
            }
            Breach::NotLoadable { color } => (
                "D-604",
                format!("no {color} piece of the card's kind and colours is to be had there"),
            ),
            Breach::CannotRise { god, row } => {
                ("D-605", format!("{god}, in row {row}, cannot be raised by this card"))
            }
            Breach::NotLookedAt { at } => {
                ("D-607", format!("{at} is not one of the face-down islands just looked at"))
            }
        };
        Refusal::new(Rule(rule), reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_speak_the_words_of_the_json() {
        let ship = Breach::NotOffered { ship: Ship::Shield2 };
        let card = Breach::NotDisplayed { card: Equipment::StatueWarm };
        let said = [ship, card].map(|breach| breach.refusal().reason);
        assert_eq!(
            said,
            ["the ship shield_2 is not on offer", "the card statue_warm is not in the display"]
        );
    }
}

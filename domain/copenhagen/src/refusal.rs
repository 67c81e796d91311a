//! What a command breaks: cheap to make for each candidate, and a sentence only when a player is told.

use kernel::{Refusal, Rule};

use crate::board::{PlacedTile, spaces};
use crate::pieces::{Ability, Cards, Color, Tile};
use crate::position::{Phase, Slot};

/// The first rule that a command breaks, with the facts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Breach {
    /// The command does not belong to the phase (C-303).
    Phase(&'static str, Phase),
    /// The slot is empty (C-404).
    EmptySlot(Slot),
    /// The slot is no neighbour of the first one (C-402).
    NotAdjacent(Slot),
    /// There is no such card in hand (C-407).
    NoSuchCard(Color),
    /// The kind is not in the supply (C-502, or C-603 for special tiles).
    NotInSupply(Tile),
    /// The orientation is not canonical (C-503).
    NotCanonical(PlacedTile),
    /// A square lies outside the board (C-504).
    Outside(PlacedTile),
    /// Some squares are covered (C-505).
    Covered { placed: PlacedTile, covered: u64 },
    /// Nothing supports the tile (C-506).
    Unsupported(PlacedTile),
    /// The payment is not in the hand (C-508).
    NotInHand { payment: Cards, hand: Cards },
    /// The payment has colours that do not count; `change_of_colors` is active or not (C-509).
    WrongColors { payment: Cards, color: Color, change: bool },
    /// The payment has a wrong number of cards; `construction_discount` is active or not (C-510).
    WrongAmount { payment: Cards, amount: u8, discount: bool },
    /// The ability is owned already (C-604).
    Owned(Ability),
    /// No ability is used (C-605).
    NoneUsed,
}

impl Breach {
    /// The rule's number and one sentence.
    pub(crate) fn refusal(self) -> Refusal {
        let (rule, reason) = match self {
            Breach::Phase(command, phase) => {
                ("C-303", format!("{command} does not belong to phase {}", phase))
            }
            Breach::EmptySlot(slot) => ("C-404", format!("slot {slot} is empty")),
            Breach::NotAdjacent(slot) => (
                "C-402",
                format!(
                    "slot {slot} is not next to that of the first card, and any_cards is not active"
                ),
            ),
            Breach::NoSuchCard(color) => ("C-407", format!("there is no {color} card in the hand")),
            Breach::NotInSupply(Tile::SPECIAL) => {
                ("C-603", "there is no special tile left".to_owned())
            }
            Breach::NotInSupply(tile) => ("C-502", format!("there is no {tile} left")),
            Breach::NotCanonical(PlacedTile { tile, orientation, x: _, y: _ }) => (
                "C-503",
                format!("{tile} looks the same in a lower orientation than {orientation}"),
            ),
            Breach::Outside(placed) => ("C-504", format!("{} sticks out of the board", at(placed))),
            Breach::Covered { placed, covered } => {
                let covered: Vec<String> =
                    spaces(covered).map(|(x, y)| format!("({x}, {y})")).collect();
                ("C-505", format!("{} lies on covered spaces: {}", at(placed), covered.join(", ")))
            }
            Breach::Unsupported(placed) => (
                "C-506",
                format!(
                    "{} is neither on the ground floor nor directly above a covered space",
                    at(placed)
                ),
            ),
            Breach::NotInHand { payment, hand } => {
                ("C-508", format!("the hand holds {}, not {}", told(hand), told(payment)))
            }
            Breach::WrongColors { payment, color, change } => {
                let also = if change { " and one other colour" } else { "" };
                (
                    "C-509",
                    format!(
                        "a {color} tile is paid with {color}{also}, not with {}",
                        told(payment)
                    ),
                )
            }
            Breach::WrongAmount { payment, amount, discount } => {
                let price = match (amount, discount) {
                    (amount, true) => format!("{amount} or {} cards", amount - 1),
                    (1, false) => "1 card".to_owned(),
                    (amount, false) => format!("{amount} cards"),
                };
                ("C-510", format!("the tile costs {price} there, not {}", payment.len()))
            }
            Breach::Owned(ability) => ("C-604", format!("the player owns {ability} already")),
            Breach::NoneUsed => ("C-605", "no ability of the player is used".to_owned()),
        };
        Refusal::new(Rule(rule), reason)
    }
}

fn at(placed: PlacedTile) -> String {
    let PlacedTile { tile, orientation, x, y } = placed;
    format!("{tile} in orientation {orientation} at ({x}, {y})")
}

/// Cards as a player counts them.
fn told(cards: Cards) -> String {
    let parts: Vec<String> =
        cards.kinds().map(|color| format!("{} {color}", cards.count(color))).collect();
    if parts.is_empty() { "no cards".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_card_is_one() {
        for (amount, discount, price) in
            [(1, false, "1 card"), (1, true, "1 or 0 cards"), (4, false, "4 cards")]
        {
            let breach = Breach::WrongAmount { payment: Cards::EMPTY, amount, discount };
            assert_eq!(breach.refusal().reason, format!("the tile costs {price} there, not 0"));
        }
    }
}

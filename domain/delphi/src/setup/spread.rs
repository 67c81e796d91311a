//! How offerings and monsters are spread over the islands (D-133): at random, and so that it can always be completed.

use kernel::Chance;

use crate::board::HexKind;
use crate::pieces::{Color, Colors, Set};
use crate::printed::map::spaces;

/// Monsters on a marked island at the start.
const ON_MARKED: usize = 2;

/// The offerings on each of the offering islands.
pub(crate) fn offerings(
    islands: usize,
    seats: u8,
    chance: &mut dyn Chance,
) -> [Colors; spaces(HexKind::Offering)] {
    let mut stocks = [Colors::EMPTY; _];
    let places: Vec<usize> = (0..islands.min(stocks.len())).collect();
    (0..seats).for_each(|_| round("offering", &mut stocks, &places, chance));
    stocks
}

/// The monsters on each of the monster islands; `marked` by island.
pub(crate) fn monsters(
    marked: &[bool],
    seats: u8,
    chance: &mut dyn Chance,
) -> [Colors; spaces(HexKind::Monster)] {
    let mut stocks = [Colors::EMPTY; _];
    let mut left: Vec<Color> = Color::ALL.to_vec();
    for place in (0..marked.len()).filter(|place| marked[*place]) {
        for _ in 0..ON_MARKED {
            let color = chance.pick("monster", &left);
            left.retain(|other| *other != color);
            stocks[place].add(color);
        }
    }
    let others: Vec<usize> = (0..marked.len()).filter(|place| !marked[*place]).collect();
    (1..seats).for_each(|_| round("monster", &mut stocks, &others, chance));
    stocks
}

/// One round: each of the places gets one colour that was not used in this round and does not lie there, such that the rest of the
/// round can still be filled.
fn round(kind: &'static str, stocks: &mut [Colors], places: &[usize], chance: &mut dyn Chance) {
    let mut left: Set<Color> = Set::all();
    for (done, place) in places.iter().enumerate() {
        let rest = &places[done + 1..];
        let fits = |color: &Color| {
            !stocks[*place].contains(*color) && can_be_filled(stocks, rest, left.without(*color))
        };
        let candidates: Vec<Color> = left.iter().filter(fits).collect();
        let color = chance.pick(kind, &candidates);
        stocks[*place].add(color);
        left = left.without(color);
    }
}

/// Can each of the places get a colour of its own among those left, none that lies there?
fn can_be_filled(stocks: &[Colors], places: &[usize], left: Set<Color>) -> bool {
    let Some((place, rest)) = places.split_first() else { return true };
    left.iter().any(|color| {
        !stocks[*place].contains(color) && can_be_filled(stocks, rest, left.without(color))
    })
}

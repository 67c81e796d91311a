//! Power cards: a direction and a distance.

use canvas::Says;
use canvas::svg::Svg;
use rosenkoenig::seen::{Card, DIRECTIONS};

/// The words for the directions.
const WORDS: [&str; DIRECTIONS.len()] =
    ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/// The directions as cards show them.
const LETTERS: [&str; DIRECTIONS.len()] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// The direction's place in card order.
fn direction(card: Card) -> usize {
    card.index() / 3
}

/// In words: `north-east 2`.
pub(crate) fn words(says: Says<'_>, card: Card) -> String {
    format!("{} {}", says.word(WORDS[direction(card)]), card.distance())
}

/// On the card: `NE2`.
pub(crate) fn letters(says: Says<'_>, card: Card) -> String {
    format!("{}{}", says.word(LETTERS[direction(card)]), card.distance())
}

/// An arrow of as many heads as the card goes fields, pointing where it goes, around the origin, of about 36 units.
pub(crate) fn arrow(card: Card, svg: &mut Svg, class: &str) {
    const HEADS: [&str; 3] = [
        "M0 18V-16M-9-6L0-17L9-6",
        "M0 19V-12M-9-8L0-19L9-8M-9 5L0-6L9 5",
        "M0 19V-13M-9-9L0-20L9-9M-9 3L0-8L9 3M-9 15L0 4L9 15",
    ];
    let group = svg.group().placed(0.0, 0.0, direction(card) as f64 * 45.0, 1.0);
    group.with(|svg| {
        svg.path(HEADS[usize::from(card.distance()) - 1]).class(class).end();
    });
}

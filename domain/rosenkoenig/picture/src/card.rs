//! Power cards: a direction and a distance.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use canvas::svg::Svg;

/// The directions in card order: the name, and the step to the east and to the south.
const DIRECTIONS: [(&str, i32, i32); 8] = [
    ("n", 0, -1),
    ("ne", 1, -1),
    ("e", 1, 0),
    ("se", 1, 1),
    ("s", 0, 1),
    ("sw", -1, 1),
    ("w", -1, 0),
    ("nw", -1, -1),
];

/// The words for them.
const WORDS: [&str; 8] =
    ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/// A card by its direction and its distance, 1 to 3.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Card {
    direction: usize,
    distance: u8,
}

impl Card {
    /// The step to the east and to the south.
    pub(crate) fn direction(self) -> (i32, i32) {
        let (_, dx, dy) = DIRECTIONS[self.direction];
        (dx, dy)
    }

    pub(crate) fn distance(self) -> i32 {
        self.distance.into()
    }

    /// In words: `north-east 2`.
    pub(crate) fn words(self) -> String {
        format!("{} {}", WORDS[self.direction], self.distance)
    }

    /// On the card: `NE2`.
    pub(crate) fn letters(self) -> String {
        self.to_string().to_uppercase()
    }

    /// An arrow of as many heads as the card goes fields, pointing where it goes, around the origin, of about 36 units.
    pub(crate) fn arrow(self, svg: &mut Svg, class: &str) {
        const HEADS: [&str; 3] = [
            "M0 18V-16M-9-6L0-17L9-6",
            "M0 19V-12M-9-8L0-19L9-8M-9 5L0-6L9 5",
            "M0 19V-13M-9-9L0-20L9-9M-9 3L0-8L9 3M-9 15L0 4L9 15",
        ];
        let group = svg.group().placed(0.0, 0.0, self.direction as f64 * 45.0, 1.0);
        group.with(|svg| {
            svg.path(HEADS[usize::from(self.distance) - 1]).class(class).end();
        });
    }
}

impl std::fmt::Display for Card {
    /// As the API writes it: `ne2`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", DIRECTIONS[self.direction].0, self.distance)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let known = |direction: usize| {
            let distance = text.strip_prefix(DIRECTIONS[direction].0)?;
            let distance = ["1", "2", "3"].iter().position(|known| *known == distance)?;
            let distance = u8::try_from(distance + 1).ok()?;
            Some(Card { direction, distance })
        };
        let card = (0..DIRECTIONS.len()).find_map(known);
        card.ok_or_else(|| D::Error::custom(format_args!("there is no card {text}")))
    }
}

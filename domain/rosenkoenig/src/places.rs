//! What lies where, for everybody: the crown, the stones, cards whose place is known, heroes.
//!
//! A stone is the same one whichever side lies up, so the stones of both colours are of one kind.

use kernel::Placed;

use crate::{Pile, PileView, View};

pub(crate) fn places(view: &View) -> Vec<Placed> {
    let mut places = vec![
        Placed::many(view.stones_left.into(), "stone", "supply:stones"),
        Placed::new("crown", format_args!("cell:{},{}", view.crown.x(), view.crown.y())),
    ];
    for (y, row) in view.board.iter().enumerate() {
        let stones = row.bytes().enumerate().filter(|(_, field)| *field != b'.');
        places.extend(stones.map(|(x, _)| Placed::new("stone", format_args!("cell:{x},{y}"))));
    }
    let PileView { count: _, cards } = &view.draw_pile;
    let known = cards.iter().flat_map(|cards| cards.iter());
    places.extend(known.map(|card| Placed::new(format_args!("card-{card}"), "pile:draw")));
    places.extend(
        Pile::iter(&view.discard_pile)
            .map(|card| Placed::new(format_args!("card-{card}"), "pile:discard")),
    );
    for (seat, (hand, heroes)) in view.hands.iter().zip(view.heroes).enumerate() {
        let card = |card| Placed::new(format_args!("card-{card}"), format_args!("card:{card}"));
        places.extend(hand.iter().map(card));
        let hero =
            |number| Placed::new(format_args!("hero-{seat}"), format_args!("hero:{seat}-{number}"));
        places.extend((0..heroes).map(hero));
    }
    places
}

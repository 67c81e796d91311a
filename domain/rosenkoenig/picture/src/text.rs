//! The board for a terminal.

use canvas::plain::Plain;
use canvas::{Scene, Unreadable};

use crate::view::{Color, Event, SIDE, Score, View};

pub(crate) fn text(scene: &Scene<'_>) -> Result<String, Unreadable> {
    let view = View::read(scene)?;
    let phase = view.end_reason.map_or("", |reason| reason.words());
    let mut plain = Plain::new(scene, view.active_seat, phase);
    let events: Vec<Event> = scene.events();
    let last = |x: i32, y: i32| {
        events.iter().any(|event| match event {
            Event::StonePlaced { at } | Event::StoneFlipped { at } => (at.x, at.y) == (x, y),
            Event::CrownMoved { .. }
            | Event::CardPlayed { .. }
            | Event::CardDrawn { .. }
            | Event::Other => false,
        })
    };
    plain.line("     0  1  2  3  4  5  6  7  8");
    for y in 0..SIDE {
        let mut row = format!("  {y} ");
        for x in 0..SIDE {
            let stone = match view.stone(x, y) {
                None => '.',
                Some(Color::Red) => 'r',
                Some(Color::White) => 'w',
            };
            let (i, j) = (x as i32, y as i32);
            let (before, after) = match (view.crown.x == i && view.crown.y == j, last(i, j)) {
                (true, _) => ('[', ']'),
                (false, true) => ('(', ')'),
                (false, false) => (' ', ' '),
            };
            row.extend([before, stone, after]);
        }
        plain.line(row);
    }
    plain.line("     [ ] the crown, r red, w white");
    plain.line("");
    for seat in 0..2 {
        let Score { points, largest_area, stones } = view.scores[seat];
        let rank = view.rank(seat).map_or_else(String::new, |rank| format!(", rank {rank}"));
        let hand: Vec<String> = view.hands[seat].iter().map(|card| card.letters()).collect();
        plain.seat(
            scene,
            seat,
            view.active_seat,
            format_args!("{}, {points} points{rank}", view.color(seat).name()),
        );
        plain.line(format!(
            "      hand {}; heroes {}; stones {stones}, largest area {largest_area}",
            if hand.is_empty() { "-".to_owned() } else { hand.join(" ") },
            view.heroes[seat],
        ));
    }
    plain.line("");
    let discard: Vec<String> = view.discard_pile.iter().map(|card| card.letters()).collect();
    plain.line(format!(
        "draw pile {}, discard pile {}{}, stones left {}",
        view.draw_pile.count,
        discard.len(),
        discard.first().map_or_else(String::new, |top| format!(" ({top} on top)")),
        view.stones_left,
    ));
    if let Some(cards) = &view.draw_pile.cards {
        let cards: Vec<String> = cards.iter().map(|card| card.letters()).collect();
        plain.line(format!("in the draw pile: {}", cards.join(" ")));
    }
    Ok(plain.into_string())
}

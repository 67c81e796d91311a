//! The board for a terminal.

use canvas::plain::Plain;
use canvas::{Scene, Unreadable, say};

use rosenkoenig::seen::{Color, EventView, Field, Score};

use crate::card::letters;
use crate::view::{SIDE, color, ended, rank, read, stone};

pub(crate) fn text(scene: &Scene<'_>) -> Result<String, Unreadable> {
    let (view, says) = (read(scene)?, scene.says);
    let mut plain = Plain::new(scene, view.active_seat, &ended(says, &view));
    let events: Vec<EventView> = scene.events();
    let last = |field: Field| {
        events.iter().any(|event| {
            matches!(event, EventView::StonePlaced { at, .. } | EventView::StoneFlipped { at, .. }
                if *at == field)
        })
    };
    plain.line("     0  1  2  3  4  5  6  7  8");
    let fields: Vec<Field> = Field::all().collect();
    for (y, fields) in fields.chunks(SIDE).enumerate() {
        let mut row = format!("  {y} ");
        for field in fields {
            let stone = match stone(&view, *field) {
                None => '.',
                Some(Color::Red) => 'r',
                Some(Color::White) => 'w',
            };
            let (before, after) = match (view.crown == *field, last(*field)) {
                (true, _) => ('[', ']'),
                (false, true) => ('(', ')'),
                (false, false) => (' ', ' '),
            };
            row.extend([before, stone, after]);
        }
        plain.line(row);
    }
    plain.line(format!("     [ ] {}", say!(says, "the crown, r red, w white")));
    plain.line("");
    for seat in 0..2 {
        let Score { points, largest_area, stones } = view.scores[seat];
        let rank = rank(&view, seat);
        let rank = rank.map_or_else(String::new, |rank| say!(says, ", rank {rank}", rank = rank));
        let hand: Vec<String> = view.hands[seat].iter().map(|card| letters(says, card)).collect();
        let color = says.word(&color(&view, seat).to_string());
        let points = says.counted(points, "{n} point", "{n} points");
        plain.seat(scene, seat, view.active_seat, format_args!("{color}, {points}{rank}"));
        plain.line(say!(
            says,
            "      hand {hand}; heroes {heroes}; stones {stones}, largest area {area}",
            hand = if hand.is_empty() { "-".to_owned() } else { hand.join(" ") },
            heroes = view.heroes[seat],
            stones = stones,
            area = largest_area,
        ));
    }
    plain.line("");
    let discard: Vec<String> = view.discard_pile.iter().map(|card| letters(says, card)).collect();
    let top = discard.first();
    plain.line(say!(
        says,
        "draw pile {draw}, discard pile {discard}{top}, stones left {stones}",
        draw = view.draw_pile.count,
        discard = discard.len(),
        top = top.map_or_else(String::new, |top| say!(says, " ({top} on top)", top = top)),
        stones = view.stones_left,
    ));
    if let Some(cards) = &view.draw_pile.cards {
        let cards: Vec<String> = cards.iter().map(|card| letters(says, card)).collect();
        plain.line(say!(says, "in the draw pile: {cards}", cards = cards.join(" ")));
    }
    Ok(plain.into_string())
}

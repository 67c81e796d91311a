//! The panel of a seat: hand and abilities.

use canvas::block::{Block, fan, flow};
use canvas::card::{back, glow_rect};
use canvas::panel::{INSIDE, SeatHead, seat_panel};
use canvas::say;
use canvas::{Says, Scene};
use copenhagen::seen::{Ability, Cards, TARGET_POINTS, View};

use crate::ability::tile;
use crate::event::Last;
use crate::pieces::card;
use crate::view::{empty, is_active, rank};

/// A card of a hand: seven fit side by side.
const CARD: (f64, f64) = (42.0, 59.0);

pub(crate) fn panel(scene: &Scene<'_>, view: &View, last: &Last, seat: usize) -> Block {
    let player = &view.players[seat];
    let (active, says) = (is_active(view, seat), scene.says);
    let coats = match view.coats {
        0 => String::new(),
        1 if active => say!(says, ", a coat of arms to use"),
        coats if active => say!(says, ", {n} coats of arms to use", n = coats),
        _ => String::new(),
    };
    let head = SeatHead {
        seat,
        active,
        score: &player.score.to_string(),
        unit: &say!(says, "of {points}", points = TARGET_POINTS),
        rank: rank(view, seat),
        note: &format!(
            "{}, {}{coats}",
            says.counted(player.hand_size, "{n} card", "{n} cards"),
            says.counted(empty(player), "{n} space empty", "{n} spaces empty")
        ),
    };
    let hand = match &player.hand {
        Some(hand) => open_hand(says, hand, last, seat, active),
        None => closed_hand(player.hand_size),
    };
    let abilities: Vec<Block> = Ability::ALL
        .into_iter()
        .map(|ability| {
            let state = player.abilities.state(ability);
            tile(says, ability, state, active, last.ability(seat, ability))
        })
        .collect();
    let abilities = flow(INSIDE, 8.0, &abilities);
    if hand.is_empty() {
        return seat_panel(scene, &head, &[abilities]);
    }
    seat_panel(scene, &head, &[fan(INSIDE, 6.0, &hand), abilities])
}

fn open_hand(says: Says<'_>, hand: &Cards, last: &Last, seat: usize, active: bool) -> Vec<Block> {
    // A card that was just taken is the last one of its colour: equal cards are one choice.
    let (w, h) = CARD;
    let draw = |(index, color)| {
        let new = hand.iter().nth(index + 1) != Some(color) && last.took(seat, color);
        Block::new(w, h, |svg| {
            let group = svg.group().class("card");
            let group = if active { group.spot("card", color.name()) } else { group };
            group.with(|svg| {
                svg.element("title").text(say!(
                    says,
                    "{color} card",
                    color = says.word(color.name())
                ));
                card(says, svg, color, CARD);
                if new {
                    glow_rect(svg, 2.0, 2.0, w - 4.0, h - 4.0, 5.0);
                }
            });
        })
    };
    hand.iter().enumerate().map(draw).collect()
}

fn closed_hand(count: usize) -> Vec<Block> {
    let (w, h) = CARD;
    (0..count.min(10))
        .map(|_| {
            Block::new(w, h, |svg| {
                svg.group().class("card").with(|svg| back(svg, w, h));
            })
        })
        .collect()
}

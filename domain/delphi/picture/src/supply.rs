//! What lies beside the map: the oracle, the decks, equipment, companions, ships on offer.

use canvas::block::{Block, flow, stack};
use canvas::card::{back, pile};
use canvas::panel::{INSIDE, table_panel};
use canvas::{Says, say};
use delphi::seen::{Color, Colors, Companion, CompanionKind, Decision, View};

use crate::chip::{equipment_chip, ship_chip};
use crate::event::{Last, Mark};
use crate::map::title;
use crate::piece::{Paint, companion_name, skill};
use crate::play::{disc, large_disc};
use crate::view::{bonus_used, freed};

const CARD: (f64, f64) = (34.0, 48.0);

pub(crate) fn panel(says: Says<'_>, view: &View, last: &Last) -> Block {
    let mut content = vec![flow(INSIDE, 12.0, &[oracle(says, view), decks(says, view)])];
    if let Some(color) = view.turn.card_played {
        content.push(Block::new(INSIDE, 20.0, |svg| {
            disc(svg, color, 10.0, 10.0);
            svg.label(26.0, 14.0, 12.0)
                .class("f-faint")
                .text(say!(says, "the oracle card laid aside in this turn"));
        }));
    }
    for told in freed(says, view).into_iter().chain(bonus_used(says, view)) {
        content.push(Block::new(INSIDE, 16.0, |svg| {
            svg.label(0.0, 12.0, 12.0).class("f-faint").text(told);
        }));
    }
    if let Some(strength) = last.titan {
        content.push(Block::new(INSIDE, 16.0, |svg| {
            svg.label(0.0, 12.0, 13.0).class("f-ink b").text(say!(
                says,
                "the titan rolled {n}",
                n = strength
            ));
        }));
    }
    if !view.ship_offer.is_empty() {
        let ships = view.ship_offer.iter().map(|ship| ship_chip(says, ship, None));
        let ships: Vec<Block> = ships.collect();
        content.push(labelled(&say!(says, "ships to choose"), &ships));
    }
    let display: Vec<Block> = view
        .equipment_display
        .iter()
        .map(|card| equipment_chip(says, card, last.has(Mark::Display(card)), None))
        .collect();
    let left = view.equipment_deck.len();
    let label = say!(says, "equipment to take, {n} more in the deck", n = left);
    content.push(labelled(&label, &display));
    content.push(companions(says, view));
    table_panel(&content)
}

fn labelled(label: &str, chips: &[Block]) -> Block {
    let label = Block::new(INSIDE, 12.0, |svg| {
        svg.label(0.0, 10.0, 11.0).class("f-faint").text(label);
    });
    stack(5.0, &[label, flow(INSIDE, 6.0, chips)])
}

/// The six colours in a ring: recolouring goes clockwise, as the arrow in the middle does. It is gold if the colours are free.
fn oracle(says: Says<'_>, view: &View) -> Block {
    // The corners of a hexagon, clockwise from the top.
    const CORNERS: [(f64, f64); 6] =
        [(0.0, -1.0), (0.866, -0.5), (0.866, 0.5), (0.0, 1.0), (-0.866, 0.5), (-0.866, -0.5)];
    Block::new(112.0, 112.0, |svg| {
        svg.circle(56.0, 56.0, 41.0).class("f0 s-line w3").end();
        for (color, (x, y)) in Color::ALL.into_iter().zip(CORNERS) {
            svg.moved(56.0 + x * 41.0, 56.0 + y * 41.0).spot("color", color.name()).with(|svg| {
                let told = says.word(color.name());
                title(svg, say!(says, "{color} of the oracle", color = told));
                large_disc(svg, color, 0.0, 0.0, 14.0);
            });
        }
        let arrow = svg.path("M44 56A12 12 0 1 1 56 68M56 68L63 62M56 68L63 74");
        match freed(says, view) {
            Some(told) => arrow.class("f0 s-gold w4 c").with(|svg| title(svg, told)),
            None => arrow.class("f0 s-faint w3 c").end(),
        }
    })
}

fn decks(says: Says<'_>, view: &View) -> Block {
    let (w, h) = CARD;
    let deck = |label: &str, words: &'static str, colors: &Colors| {
        pile(&says.word(label), colors.len(), CARD, |svg| {
            svg.group().with(|svg| {
                title(svg, format_args!("{}: {}", says.word(words), counted(says, colors)));
                back(svg, w, h);
            });
        })
    };
    let piles = [
        deck("oracle", "the oracle cards to draw", &view.oracle_deck),
        deck("discard", "the oracle cards discarded", &view.oracle_discard),
        deck("injuries", "the injury cards to draw", &view.injury_deck),
        deck("discard", "the injury cards discarded", &view.injury_discard),
    ];
    flow(208.0, 10.0, &piles)
}

/// `5 red, 4 black`: every player can count the decks.
pub(crate) fn counted(says: Says<'_>, colors: &Colors) -> String {
    let counted = |color: Color| format!("{} {}", colors.count(color), says.word(color.name()));
    let counts: Vec<String> = colors.kinds().map(counted).collect();
    if counts.is_empty() { say!(says, "none") } else { counts.join(", ") }
}

/// The companions that are left: a row for each kind.
fn companions(says: Says<'_>, view: &View) -> Block {
    let due = match view.pending.first() {
        Some(Decision::TakeCompanion { color }) => Some(*color),
        Some(_) | None => None,
    };
    Block::new(INSIDE, 16.0 + 3.0 * 25.0, |svg| {
        svg.label(0.0, 10.0, 11.0).class("f-faint").text(say!(says, "companions to take"));
        for (row, kind) in CompanionKind::ALL.into_iter().enumerate() {
            let y = 30.0 + row as f64 * 25.0;
            svg.group().with(|svg| {
                title(svg, says.word(skill(kind)));
                svg.label(0.0, y + 4.5, 13.0).class("f-ink").text(says.word(&kind.to_string()));
            });
            for (place, color) in Color::ALL.into_iter().enumerate() {
                let x = 112.0 + place as f64 * 38.0;
                if !view.companions.contains(Companion { kind, color }) {
                    svg.circle(x, y, 9.0).class("f0 s-line w2 dash").end();
                    continue;
                }
                let name = format!("{kind}-{}", color.name());
                svg.moved(x, y)
                    .class("piece")
                    .spot("companion", &name)
                    .piece(format_args!("companion-{name}"), format_args!("companion:{name}"))
                    .with(|svg| {
                        title(svg, companion_name(says, Companion { kind, color }));
                        disc(svg, color, 0.0, 0.0);
                        if due == Some(color) {
                            svg.circle(0.0, 0.0, 14.0).class("f0 s-ink w2").end();
                        }
                    });
            }
        }
    })
}

//! What lies beside the map: the oracle, the decks, equipment, companions, ships on offer.

use canvas::block::{Block, flow, stack};
use canvas::card::{back, pile};
use canvas::panel::{INSIDE, table_panel};
use delphi::seen::{Color, Colors, Companion, CompanionKind, Decision, View};

use crate::chip::{equipment_chip, ship_chip};
use crate::event::{Last, Mark};
use crate::map::title;
use crate::piece::{Paint, Told, skill};
use crate::play::{disc, large_disc};

const CARD: (f64, f64) = (34.0, 48.0);

pub(crate) fn panel(view: &View, last: &Last) -> Block {
    let mut content = vec![flow(INSIDE, 12.0, &[oracle(view), decks(view)])];
    if let Some(color) = view.turn.card_played {
        content.push(Block::new(INSIDE, 20.0, |svg| {
            disc(svg, color, 10.0, 10.0);
            svg.label(26.0, 14.0, 12.0)
                .class("f-faint")
                .text("the oracle card laid aside in this turn");
        }));
    }
    if let Some(strength) = last.titan {
        content.push(Block::new(INSIDE, 16.0, |svg| {
            svg.label(0.0, 12.0, 13.0)
                .class("f-ink b")
                .text(format_args!("the titan rolled {strength}"));
        }));
    }
    if !view.ship_offer.is_empty() {
        let ships: Vec<Block> = view.ship_offer.iter().map(|ship| ship_chip(ship, None)).collect();
        content.push(labelled("ships to choose", &ships));
    }
    let display: Vec<Block> = view
        .equipment_display
        .iter()
        .map(|card| equipment_chip(card, last.has(Mark::Display(card)), None))
        .collect();
    let left = view.equipment_deck.len();
    let label = format!("equipment to take, {left} more in the deck");
    content.push(labelled(&label, &display));
    content.push(companions(view));
    table_panel(&content)
}

fn labelled(label: &str, chips: &[Block]) -> Block {
    let label = Block::new(INSIDE, 12.0, |svg| {
        svg.label(0.0, 10.0, 11.0).class("f-faint").text(label);
    });
    stack(5.0, &[label, flow(INSIDE, 6.0, chips)])
}

/// The six colours in a ring: recolouring goes clockwise. In the middle what the titan rolled, or the free colours.
fn oracle(view: &View) -> Block {
    // The corners of a hexagon, clockwise from the top.
    const CORNERS: [(f64, f64); 6] =
        [(0.0, -1.0), (0.866, -0.5), (0.866, 0.5), (0.0, 1.0), (-0.866, 0.5), (-0.866, -0.5)];
    Block::new(112.0, 112.0, |svg| {
        svg.circle(56.0, 56.0, 41.0).class("f0 s-line w3").end();
        for (color, (x, y)) in Color::ALL.into_iter().zip(CORNERS) {
            svg.moved(56.0 + x * 41.0, 56.0 + y * 41.0).spot("color", color.name()).with(|svg| {
                title(svg, format_args!("{} of the oracle", color.name()));
                large_disc(svg, color, 0.0, 0.0, 14.0);
            });
        }
        let class = if view.turn.wild { "f0 s-gold w4 c" } else { "f0 s-faint w3 c" };
        svg.path("M44 56A12 12 0 1 1 56 68M56 68L63 62M56 68L63 74").class(class).end();
    })
}

fn decks(view: &View) -> Block {
    let (w, h) = CARD;
    let deck = |label: &str, words: &'static str, colors: &Colors| {
        pile(label, colors.len(), CARD, |svg| {
            svg.group().with(|svg| {
                title(svg, format_args!("{words}: {}", counted(colors)));
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
pub(crate) fn counted(colors: &Colors) -> String {
    let counted = |color| format!("{} {}", colors.count(color), color.name());
    let counts: Vec<String> = colors.kinds().map(counted).collect();
    if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
}

/// The companions that are left: a row for each kind.
fn companions(view: &View) -> Block {
    let due = match view.pending.first() {
        Some(Decision::TakeCompanion { color }) => Some(*color),
        Some(_) | None => None,
    };
    Block::new(INSIDE, 16.0 + 3.0 * 25.0, |svg| {
        svg.label(0.0, 10.0, 11.0).class("f-faint").text("companions to take");
        for (row, kind) in CompanionKind::ALL.into_iter().enumerate() {
            let y = 30.0 + row as f64 * 25.0;
            svg.group().with(|svg| {
                title(svg, skill(kind));
                svg.label(0.0, y + 4.5, 13.0).class("f-ink").text(kind.name());
            });
            for (place, color) in Color::ALL.into_iter().enumerate() {
                let x = 112.0 + place as f64 * 38.0;
                if !view.companions.contains(Companion { kind, color }) {
                    svg.circle(x, y, 9.0).class("f0 s-line w2 dash").end();
                    continue;
                }
                let name = format!("{}-{}", kind.name(), color.name());
                svg.moved(x, y)
                    .spot("companion", &name)
                    .piece(format_args!("companion-{name}"), format_args!("companion:{name}"))
                    .with(|svg| {
                        title(svg, format_args!("{} {}", color.name(), kind.name()));
                        disc(svg, color, 0.0, 0.0);
                        if due == Some(color) {
                            svg.circle(0.0, 0.0, 14.0).class("f0 s-ink w2").end();
                        }
                    });
            }
        }
    })
}

//! Chips: ship tiles, companions, equipment, each a few words and its colours.

use canvas::Says;
use canvas::block::Block;
use canvas::card::glow_rect;
use canvas::measure::width;
use delphi::seen::{Color, Companion, Equipment, Player, Ship};

use crate::card;
use crate::event::{Last, Mark};
use crate::map::title;
use crate::piece::{Paint, skill, told};
use crate::play::disc;

/// The ship tile, companions, equipment.
pub(crate) fn chips(says: Says<'_>, player: &Player, last: &Last, seat: usize) -> Vec<Block> {
    let mut chips = Vec::new();
    chips.extend(player.ship.map(|ship| ship_chip(says, ship, Some(seat))));
    for companion in player.companions.iter() {
        let lasting = last.has(Mark::Joined(seat, companion));
        chips.push(companion_chip(says, companion, lasting, seat));
    }
    for card in player.equipment.iter() {
        let lasting = last.has(Mark::Owned(seat, card));
        chips.push(equipment_chip(says, card, lasting, Some(seat)));
    }
    chips
}

/// The seat has it, or it is on offer.
pub(crate) fn ship_chip(says: Says<'_>, ship: Ship, seat: Option<usize>) -> Block {
    let (name, words) = told(ship);
    let id = ship.to_string();
    let spot = seat.is_none().then_some(("ship", id.as_str()));
    let piece = (format!("ship_tile-{id}"), place(("ship", &id), seat));
    chip(says, &Chip { name, colors: &[], words, spot, piece, last: false, class: "s-seat4" })
}

/// Where a thing on offer lies, or that of a seat.
fn place((kind, id): (&str, &str), seat: Option<usize>) -> String {
    match seat {
        Some(seat) => format!("area:{seat}"),
        None => format!("{kind}:{id}"),
    }
}

fn companion_chip(says: Says<'_>, companion: Companion, last: bool, seat: usize) -> Block {
    let Companion { kind, color } = companion;
    let named = format!("companion-{kind}-{}", color.name());
    chip(
        says,
        &Chip {
            name: &kind.to_string(),
            colors: &[color],
            words: skill(kind),
            spot: None,
            piece: (named, format!("area:{seat}")),
            last,
            class: "s-purple",
        },
    )
}

/// The seat has it, or it is on offer.
pub(crate) fn equipment_chip(
    says: Says<'_>,
    card: Equipment,
    last: bool,
    seat: Option<usize>,
) -> Block {
    let (name, colors, words) = card::told(card);
    let id = card.to_string();
    let spot = seat.is_none().then_some(("equipment", id.as_str()));
    let piece = (format!("equipment-{id}"), place(("equipment", &id), seat));
    chip(says, &Chip { name, colors, words, spot, piece, last, class: "s-back" })
}

struct Chip<'a> {
    name: &'a str,
    colors: &'a [Color],
    words: &'a str,
    spot: Option<(&'a str, &'a str)>,
    /// Its kind and its place as a piece.
    piece: (String, String),
    last: bool,
    /// The colour of its edge.
    class: &'a str,
}

fn chip(says: Says<'_>, chip: &Chip<'_>) -> Block {
    let (name, words) = (says.word(chip.name), says.word(chip.words));
    let text = width(&name, 12.0).ceil();
    let w = 13.0 + text + chip.colors.len() as f64 * 19.0 + 8.0;
    let h = 24.0;
    Block::new(w, h, |svg| {
        let group = svg.group().class("piece").piece(&chip.piece.0, &chip.piece.1);
        let group = match chip.spot {
            Some((kind, value)) => group.spot(kind, value),
            None => group,
        };
        group.with(|svg| {
            title(svg, format_args!("{name}: {words}"));
            svg.rect(0.5, 0.5, w - 1.0, h - 1.0, 5.0).class("f-field s-line w1").end();
            svg.path("M3 4v16").class(&format!("{} w4 c", chip.class)).end();
            svg.label(11.0, 16.5, 12.0).class("f-ink").text(&name);
            for (at, color) in chip.colors.iter().enumerate() {
                disc(svg, *color, 13.0 + text + 9.0 + at as f64 * 19.0, h / 2.0);
            }
            if chip.last {
                glow_rect(svg, 1.0, 1.0, w - 2.0, h - 2.0, 5.0);
            }
        });
    })
}

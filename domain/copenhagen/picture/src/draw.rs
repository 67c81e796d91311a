//! The whole table as SVG.

use canvas::block::{Block, flow, stack};
use canvas::card::{back, glow_rect, pile};
use canvas::frame::{Frame, PANEL, Shape};
use canvas::panel::{INSIDE, table_panel};
use canvas::svg::Svg;
use canvas::{Says, Scene, Style, Unreadable, say};
use copenhagen::seen::{Cards, Color, EndCard, Orientation, Tile, View};

use crate::event::Last;
use crate::facade;
use crate::pieces::{CARD, card, end_card, extent, in_corner, tile, words};
use crate::seat::panel;
use crate::view::{empty, read, task};

const GAP: f64 = 24.0;

pub(crate) fn svg(scene: &Scene<'_>, style: Style) -> Result<String, Unreadable> {
    let view = read(scene)?;
    let last = Last::new(scene);
    let seats = view.players.len();
    let mut panels: Vec<Block> = (0..seats).map(|seat| panel(scene, &view, &last, seat)).collect();
    let facades: Vec<Block> =
        (0..seats).map(|seat| facade::facade(scene, &view, &last, seat)).collect();
    // Two facades stand side by side on a phone, three on a screen; four stand in two rows.
    let across = match (style.shape, seats) {
        (Shape::Wide | Shape::Board, 3) => 3.0,
        (Shape::Wide | Shape::Tall | Shape::Board, _) => 2.0,
    };
    let width = across * facade::WIDTH + (across - 1.0) * GAP;
    let facades = flow(width, GAP, &facades);
    let harbor = harbor(scene.says, &view, &last);
    let harbor = {
        let scale = width / harbor.width;
        harbor.scaled(scale)
    };
    let mut board = vec![harbor, facades];
    let table = [supply(scene.says, &view), piles(scene.says, &view)];
    if (style.shape, seats) == (Shape::Wide, 3) {
        // Below three facades there is room.
        let below = flow(2.0 * PANEL + GAP, GAP, &table);
        let scale = width / below.width;
        board.push(below.scaled(scale));
    } else {
        panels.extend(table);
    }
    let frame = Frame {
        scene,
        style,
        game: "copenhagen",
        active: view.active_seat,
        phase: task(scene.says, &view),
        description: describe(scene, &view),
    };
    frame.finish(stack(GAP, &board), &panels)
}

fn describe(scene: &Scene<'_>, view: &View) -> String {
    let says = scene.says;
    let waits = scene.status(view.active_seat, &task(says, view));
    let mut words = say!(says, "Turn {turn}, {waits}. ", turn = view.turn, waits = waits);
    for (seat, player) in view.players.iter().enumerate() {
        words.push_str(&say!(
            says,
            "{name}: {points}, {cards}, {tiles}, {spaces}. ",
            name = scene.name(seat),
            points = says.counted(player.score, "{n} point", "{n} points"),
            cards = says.counted(player.hand_size, "{n} card", "{n} cards"),
            tiles = says.counted(player.tiles.len(), "{n} tile", "{n} tiles"),
            spaces = says.counted(empty(player), "{n} space empty", "{n} spaces empty"),
        ));
    }
    let cards = view.harbor.iter().map(|card| card.map_or("empty", Color::name));
    let cards = says.words(cards).join(", ");
    words.push_str(&say!(says, "The harbor from slot 0: {cards}.", cards = cards));
    words
}

/// The quay with the seven cards, the deck and the discard.
fn harbor(says: Says<'_>, view: &View, last: &Last) -> Block {
    let (w, h) = CARD;
    let (left, step) = (16.0, w + 9.0);
    let width = left + 7.0 * step + 2.0 * (w + 24.0) + 14.0;
    Block::new(width, h + 58.0, |svg| {
        svg.rect(0.0, 0.0, width, h + 58.0, 14.0).class("f-sea").end();
        for (slot, color) in view.harbor.iter().enumerate() {
            let x = left + slot as f64 * step;
            let group = svg.moved(x, 16.0).class("slot").spot("slot", slot);
            let group = match color {
                Some(color) => {
                    group.piece(format_args!("card-{color}"), format_args!("slot:{slot}"))
                }
                None => group,
            };
            group.with(|svg| {
                let lies = says.word(color.map_or("empty", Color::name));
                let title = say!(says, "slot {slot}, {lies}", slot = slot, lies = lies);
                svg.element("title").text(title);
                match color {
                    Some(color) => card(says, svg, *color, CARD),
                    None if last.is_end(slot) => end_card(says, svg, CARD),
                    None => {
                        svg.rect(1.0, 1.0, w - 2.0, h - 2.0, 6.0).class("f0 s-ink w2 dash").end()
                    }
                }
                if last.slot(slot) {
                    glow_rect(svg, 1.0, 1.0, w - 2.0, h - 2.0, 6.0);
                }
                svg.label(w / 2.0, h + 22.0, 20.0).class("f-ink m").text(slot);
            });
        }
        let x = left + 7.0 * step + 12.0;
        svg.add_at(x, 8.0, &deck(says, view).svg);
        svg.add_at(x + w + 24.0, 8.0, &discard(says, view, last).svg);
    })
}

/// The piles are drawn smaller, and then made as large as the cards: so their letters can be read on a phone.
const PILES: f64 = 1.7;

fn deck(says: Says<'_>, view: &View) -> Block {
    let (w, h) = (CARD.0 / PILES, CARD.1 / PILES);
    let deck = pile(&say!(says, "deck"), view.deck_size, (w, h), |svg| {
        svg.group().class("pile").spot("pile", "deck").with(|svg| {
            let end = match view.end_card {
                EndCard::Aside => "the end card lies aside",
                EndCard::Deck => "the end card is among the last ten",
                EndCard::Revealed => "the end card came up",
            };
            svg.element("title").text(say!(says, "the deck, {end}", end = says.word(end)));
            back(svg, w, h);
        });
    });
    deck.scaled(PILES)
}

fn discard(says: Says<'_>, view: &View, last: &Last) -> Block {
    let (w, h) = (CARD.0 / PILES, CARD.1 / PILES);
    let discard = pile(&say!(says, "discard"), view.discard.len(), (w, h), |svg| {
        // It has no order: what was paid last lies on top.
        let top = last.discarded.or(view.discard.iter().last());
        let group = svg.group().class("pile").spot("pile", "discard");
        let group = match top {
            Some(color) => group.piece(format_args!("card-{color}"), "pile:discard"),
            None => group,
        };
        group.with(|svg| {
            let counts: Vec<String> = Color::ALL
                .into_iter()
                .map(|color| format!("{} {}", view.discard.count(color), says.word(color.name())))
                .collect();
            let title = say!(says, "the discard: {cards}", cards = counts.join(", "));
            svg.element("title").text(title);
            if let Some(top) = top {
                card(says, svg, top, (w, h));
            }
            if last.discarded.is_some() {
                glow_rect(svg, 1.0, 1.0, w - 2.0, h - 2.0, 6.0);
            }
        });
    });
    discard.scaled(PILES)
}

/// The tiles that are left, by colour and size, and the cards of the discard by colour.
fn supply(says: Says<'_>, view: &View) -> Block {
    let column = INSIDE / 5.0;
    let rows = [22.0, 32.0, 32.0, 60.0];
    let grid = Block::new(INSIDE, rows.iter().sum::<f64>(), |svg| {
        for (at, color) in Color::ALL.into_iter().enumerate() {
            let mut y = 0.0;
            let tiles = Tile::all().filter(|tile| tile.color() == Some(color));
            for (row, tile) in rows.iter().zip(tiles) {
                tile_left(svg, says, view, tile, (at as f64 * column, y), *row);
                y += row;
            }
        }
    });
    let special = Block::new(INSIDE, 22.0, |svg| {
        tile_left(svg, says, view, Tile::SPECIAL, (0.0, 0.0), 22.0);
        svg.label(column, 15.0, 12.0).class("f-faint").text(say!(says, "special tiles"));
        let tiles: usize = Tile::all().map(|tile| usize::from(view.supply.count(tile))).sum();
        let tiles = says.counted(tiles, "{n} tile", "{n} tiles");
        let left = say!(says, "{tiles} left", tiles = tiles);
        svg.label(INSIDE, 15.0, 12.0).class("f-faint r").text(left);
    });
    table_panel(&[grid, special])
}

/// What lies in the discard, and at the end in the deck, by colour.
fn piles(says: Says<'_>, view: &View) -> Block {
    let mut content = vec![by_color(says, &say!(says, "discard"), &view.discard)];
    if let Some(deck) = &view.deck {
        content.push(by_color(says, &say!(says, "deck"), deck));
    }
    table_panel(&content)
}

fn by_color(says: Says<'_>, label: &str, cards: &Cards) -> Block {
    let small = (24.0, 34.0);
    Block::new(INSIDE, 36.0, |svg| {
        svg.label(0.0, 22.0, 12.0).class("f-faint").text(label);
        for (at, color) in Color::ALL.into_iter().enumerate() {
            let count = cards.count(color);
            let x = 70.0 + at as f64 * 52.0;
            svg.moved(x, 1.0).with(|svg| {
                svg.element("title").text(format_args!(
                    "{label}: {} {}",
                    count,
                    says.word(color.name())
                ));
                card(says, svg, color, small);
            });
            svg.label(x + 27.0, 23.0, 14.0).class("f-ink b").text(count);
        }
    })
}

fn tile_left(
    svg: &mut Svg,
    says: Says<'_>,
    view: &View,
    kind: Tile,
    (x, y): (f64, f64),
    high: f64,
) {
    let count = view.supply.count(kind);
    let side = 10.0;
    // The long purple tile stands: there is no room for it to lie.
    let stands = kind.size() == 5 && kind.color() == Some(Color::Purple);
    let orientation = Orientation::new(stands.into()).unwrap_or(Orientation::ZERO);
    let squares = in_corner(kind, orientation);
    let (wide, tall) = extent(&squares);
    let group = svg.moved(x, y).class("kind").spot("tile", kind.name());
    group.with(|svg| {
        let title = say!(says, "{tile}, {n} left", tile = words(says, kind), n = count);
        svg.element("title").text(title);
        // Nothing is to be seen of it: a click between the squares, and on the number, is one on this tile.
        svg.rect(0.0, 0.0, INSIDE / 5.0, high, 0.0).class("f-panel hidden").end();
        let top = (high - tall as f64 * side) / 2.0;
        let class = if count == 0 { "dim" } else { "left" };
        let drawn = svg.moved(2.0, top).class(class);
        let drawn = drawn.piece(format_args!("tile-{kind}"), format_args!("tile:{kind}"));
        drawn.with(|svg| tile(says, svg, &squares, kind.color(), side));
        svg.label(wide as f64 * side + 6.0, high / 2.0 + 4.5, 13.0)
            .class(if count == 0 { "f-faint" } else { "f-ink b" })
            .text(format_args!("×{count}"));
    });
}

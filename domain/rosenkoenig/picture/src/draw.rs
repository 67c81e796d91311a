//! The whole table as SVG.

use canvas::block::{Block, fan, flow};
use canvas::card::{back, badge, face, glow_circle, glow_path, glow_rect, pile};
use canvas::frame::Frame;
use canvas::panel::{INSIDE, SeatHead, seat_panel, table_panel};
use canvas::svg::Svg;
use canvas::{Says, Scene, Style, Unreadable, say};

use rosenkoenig::seen::{Card, Color, EventView, Field, Score, View};

use crate::card::{arrow, letters, words};
use crate::view::{SIDE, color, ended, is_active, rank, read, stone};

/// The side of a field.
const FIELD: f64 = 66.0;
/// North and west of the fields: room for the numbers of columns and rows.
const EDGE: f64 = 30.0;
/// South and east of them.
const RIM: f64 = 10.0;
/// A card of a hand: five fit into a panel.
const CARD: (f64, f64) = (60.0, 86.0);

pub(crate) fn svg(scene: &Scene<'_>, style: Style) -> Result<String, Unreadable> {
    let view = read(scene)?;
    let events: Vec<EventView> = scene.events();
    let mut panels: Vec<Block> = (0..2).map(|seat| hand(scene, &view, &events, seat)).collect();
    panels.push(table(scene.says, &view, &events));
    let frame = Frame {
        scene,
        style,
        game: "rosenkoenig",
        active: view.active_seat,
        phase: ended(scene.says, &view),
        description: describe(scene, &view),
    };
    frame.finish(board(scene.says, &view, &events), &panels)
}

fn describe(scene: &Scene<'_>, view: &View) -> String {
    let says = scene.says;
    let mut words = format!("{}. ", scene.status(view.active_seat, &ended(says, view)));
    for seat in 0..2 {
        let Score { points, stones, .. } = view.scores[seat];
        words.push_str(&say!(
            says,
            "{name}, {color}: {points}, {stones}, {cards}, {heroes}. ",
            name = scene.name(seat),
            color = says.word(&color(view, seat).to_string()),
            points = says.counted(points, "{n} point", "{n} points"),
            stones = says.counted(stones, "{n} stone", "{n} stones"),
            cards = says.counted(view.hands[seat].len(), "{n} card", "{n} cards"),
            heroes = says.counted(view.heroes[seat], "{n} hero", "{n} heroes"),
        ));
    }
    words.push_str(&say!(
        says,
        "The crown stands in column {x}, row {y}.",
        x = view.crown.x(),
        y = view.crown.y()
    ));
    words
}

/// The middle of a field.
fn middle(field: Field) -> (f64, f64) {
    let along = |i: u8| EDGE + (f64::from(i) + 0.5) * FIELD;
    (along(field.x()), along(field.y()))
}

fn board(says: Says<'_>, view: &View, events: &[EventView]) -> Block {
    let side = EDGE + SIDE as f64 * FIELD + RIM;
    Block::new(side, side, |svg| {
        svg.rect(0.0, 0.0, side, side, 14.0).class("f-board").end();
        for i in 0..SIDE {
            let along = EDGE + (i as f64 + 0.5) * FIELD;
            svg.label(along, EDGE - 8.0, 19.5).class("f-faint m").text(i);
            svg.label(EDGE / 2.0 - 1.0, along + 7.0, 19.5).class("f-faint m").text(i);
        }
        Field::all().for_each(|at| field(says, svg, view, at));
        hints(svg, view);
        highlight(svg, events);
        let (x, y) = middle(view.crown);
        // A little higher than the middle: the stone below it stays in sight.
        let place = format_args!("cell:{},{}", view.crown.x(), view.crown.y());
        let group = svg.moved(x, y - 9.0).class("piece crown").piece("crown", place);
        group.a("id", "piece-crown").with(|svg| {
            svg.element("title").text(say!(says, "the crown"));
            crown(svg);
        });
    })
}

fn field(says: Says<'_>, svg: &mut Svg, view: &View, at: Field) {
    let (x, y) = (at.x(), at.y());
    let (left, top) = (EDGE + f64::from(x) * FIELD, EDGE + f64::from(y) * FIELD);
    let stone = stone(view, at);
    let group = svg.group().class("field").spot("cell", format_args!("{x},{y}"));
    group.with(|svg| {
        let lies = stone.map_or_else(|| say!(says, "empty"), |color| says.word(&color.to_string()));
        svg.element("title").text(format_args!("{at}, {lies}"));
        svg.rect(left + 1.5, top + 1.5, FIELD - 3.0, FIELD - 3.0, 6.0).class("f-field").end();
        if let Some(color) = stone {
            svg.moved(left + FIELD / 2.0, top + FIELD / 2.0)
                .class(&format!("piece stone {color}"))
                .piece("stone", format_args!("cell:{x},{y}"))
                .a("id", format_args!("piece-stone-{x}-{y}"))
                .with(|svg| rose(svg, color, 27.0));
        }
    });
}

/// A stone of this radius around the origin. Red roses have round petals, white ones pointed petals: colour is not all.
fn rose(svg: &mut Svg, color: Color, r: f64) {
    /// The corners of a pentagon, as a rose has five petals.
    const PETALS: [(f64, f64); 5] =
        [(0.0, -1.0), (0.951, -0.309), (0.588, 0.809), (-0.588, 0.809), (-0.951, -0.309)];
    match color {
        Color::Red => {
            svg.circle(0.0, 0.0, r).class("f-red").end();
            for (x, y) in PETALS {
                svg.circle(x * r * 0.44, y * r * 0.44, r * 0.3).class("f-redlight").end();
            }
            svg.circle(0.0, 0.0, r * 0.22).class("f-red").end();
        }
        Color::White => {
            svg.circle(0.0, 0.0, r - 1.0).class("f-white s-whiteline w2").end();
            for turn in 0..5 {
                let petal = svg.group().placed(0.0, 0.0, f64::from(turn) * 72.0, r);
                petal.with(|svg| {
                    svg.path("M0-.16C-.34-.3-.2-.62 0-.8C.2-.62.34-.3 0-.16Z")
                        .class("f-whiteline")
                        .end();
                });
            }
        }
    }
}

fn crown(svg: &mut Svg) {
    svg.path("M-20 14L-24-13L-11-2L0-20L11-2L24-13L20 14Z").class("f-gold s-print w3 c").end();
    svg.line(-19.0, 7.0, 19.0, 7.0).class("s-print w2").end();
    for (x, y) in [(-24.0, -15.0), (0.0, -22.0), (24.0, -15.0)] {
        svg.circle(x, y, 3.5).class("f-gold s-print w2").end();
    }
}

/// Where the cards of the seat to act lead: a small arrow on each field that is not its own already.
fn hints(svg: &mut Svg, view: &View) {
    let Some(seat) = view.active_seat else { return };
    for card in view.hands[seat.index()].iter() {
        let Some(target) = view.crown.target(card) else { continue };
        let stone = stone(view, target);
        let hero = stone.is_some();
        if stone == Some(color(view, seat.index())) || hero && view.heroes[seat.index()] == 0 {
            continue;
        }
        let (x, y) = middle(target);
        let hint = svg.group().placed(x, y, 0.0, 0.62).class("hint").a("data-card", card);
        // The field below is what is clicked.
        let hint = hint.a("pointer-events", "none");
        hint.with(|svg| {
            svg.circle(0.0, 0.0, 26.0).class("f-panel s-faint w2 dash").end();
            arrow(card, svg, &format!("f0 w4 c s-seat{}", seat.index()));
        });
    }
}

fn highlight(svg: &mut Svg, events: &[EventView]) {
    for event in events {
        if let EventView::StonePlaced { at, .. } | EventView::StoneFlipped { at, .. } = *event {
            let (x, y) = middle(at);
            glow_circle(svg, x, y, 30.0);
        } else if let EventView::CrownMoved { from, to } = *event {
            let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
            glow_path(svg, &format!("M{x1:.0} {y1:.0}L{x2:.0} {y2:.0}"));
            svg.circle(x1, y1, 7.0).class("f-gold s-ink w2").end();
        }
    }
}

fn hand(scene: &Scene<'_>, view: &View, events: &[EventView], seat: usize) -> Block {
    let drawn = |card: Card| {
        events.iter().any(
            |event| matches!(event, EventView::CardDrawn { card: drawn, .. } if *drawn == card),
        )
    };
    let cards: Vec<Block> =
        view.hands[seat].iter().map(|card| hand_card(scene.says, card, drawn(card))).collect();
    let Score { points, largest_area, stones } = view.scores[seat];
    let color = color(view, seat);
    let head = SeatHead {
        seat,
        active: is_active(view, seat),
        score: &points.to_string(),
        unit: &say!(scene.says, "points"),
        rank: rank(view, seat),
        note: &say!(
            scene.says,
            "{stones}, largest area {area}",
            stones = scene.says.counted(stones, "{n} stone", "{n} stones"),
            area = largest_area
        ),
    };
    let mut tokens = vec![Block::new(40.0, 40.0, |svg| {
        svg.moved(20.0, 20.0).with(|svg| {
            svg.element("title").text(scene.says.word(&color.to_string()));
            rose(svg, color, 18.0);
        });
    })];
    tokens.extend((0..4).map(|number| hero(scene.says, seat, number, number < view.heroes[seat])));
    let content = [fan(INSIDE, 7.0, &cards), flow(INSIDE, 8.0, &tokens)];
    seat_panel(scene, &head, if cards.is_empty() { &content[1..] } else { &content })
}

/// A card as a piece.
fn kind(card: Card) -> String {
    format!("card-{card}")
}

fn card_face(says: Says<'_>, svg: &mut Svg, card: Card) {
    let (w, h) = CARD;
    face(svg, w, h, |svg| {
        svg.label(w / 2.0, 22.0, 15.0).class("f-print b m").text(letters(says, card));
        svg.moved(w / 2.0, 54.0).with(|svg| arrow(card, svg, "f0 s-print w4 c"));
    });
}

fn hand_card(says: Says<'_>, card: Card, last: bool) -> Block {
    let (w, h) = CARD;
    Block::new(w, h, |svg| {
        let group = svg.group().class("piece card").spot("card", card);
        let group = group.piece(kind(card), format_args!("card:{card}"));
        group.a("id", format_args!("piece-card-{card}")).with(|svg| {
            svg.element("title").text(words(says, card));
            card_face(says, svg, card);
            if last {
                glow_rect(svg, 0.5, 0.5, w - 1.0, h - 1.0, 7.0);
            }
        });
    })
}

/// A hero: a shield, hollow when it is spent.
fn hero(says: Says<'_>, seat: usize, number: u8, left: bool) -> Block {
    Block::new(32.0, 40.0, |svg| {
        let group = svg.group().class("hero");
        let place = format!("hero:{seat}-{number}");
        let group = match left {
            true => group.a("data-spot", &place).piece(format_args!("hero-{seat}"), &place),
            false => group,
        };
        group.with(|svg| {
            let title = if left { say!(says, "a hero") } else { say!(says, "a hero, spent") };
            svg.element("title").text(title);
            let class = if left { "f-gold s-print w2 c" } else { "f0 s-line w2 c dash" };
            svg.path("M4 5C10 6 13 5 16 2C19 5 22 6 28 5V18C28 28 22 34 16 37C10 34 4 28 4 18Z")
                .class(class)
                .end();
            if left {
                svg.path("M16 10V27M10 16H22").class("f0 s-print w3 c").end();
            }
        });
    })
}

fn table(says: Says<'_>, view: &View, events: &[EventView]) -> Block {
    let (w, h) = CARD;
    let count = usize::from(view.draw_pile.count);
    let draw = pile(&say!(says, "draw"), count, CARD, |svg| {
        svg.group().class("pile").spot("pile", "draw").with(|svg| {
            svg.element("title").text(say!(says, "the draw pile"));
            back(svg, w, h);
        });
    });
    let discard = pile(&say!(says, "discard"), view.discard_pile.len(), CARD, |svg| {
        let top = view.discard_pile.top();
        let group = svg.group().class("pile").spot("pile", "discard");
        let group = match top {
            Some(top) => group.piece(kind(top), "pile:discard"),
            None => group,
        };
        group.with(|svg| {
            svg.element("title").text(say!(says, "the discard pile"));
            if let Some(top) = top {
                card_face(says, svg, top);
                let played =
                    |event: &EventView| matches!(event, EventView::CardPlayed { card, .. } if *card == top);
                if events.iter().any(played) {
                    glow_rect(svg, 0.5, 0.5, w - 1.0, h - 1.0, 7.0);
                }
            }
        });
    });
    let supply = Block::new(84.0, h + 27.0, |svg| {
        let stones = usize::from(view.stones_left);
        if stones > 1 {
            svg.moved(34.0, 40.0).with(|svg| rose(svg, Color::White, 24.0));
        }
        if stones > 0 {
            // The next one to be laid.
            let stone = svg.moved(46.0, 58.0).piece("stone", "supply:stones");
            stone.with(|svg| rose(svg, Color::Red, 24.0));
        }
        badge(svg, 68.0, h - 2.0, stones);
        svg.label(42.0, h + 24.0, 12.0).class("f-faint m").text(say!(says, "stones left"));
    });
    let mut content = vec![flow(INSIDE, 22.0, &[draw, discard, supply])];
    if let Some(cards) = &view.draw_pile.cards {
        let letters: Vec<String> = cards.iter().map(|card| letters(says, card)).collect();
        let lines = letters.chunks(8).map(|line| {
            Block::new(INSIDE, 16.0, |svg| {
                svg.label(0.0, 12.0, 12.0).class("f-ink").text(line.join("  "));
            })
        });
        content.push(Block::new(INSIDE, 14.0, |svg| {
            let text = say!(says, "in the draw pile, in card order");
            svg.label(0.0, 11.0, 12.0).class("f-faint").text(text);
        }));
        content.extend(lines);
    }
    table_panel(&content)
}

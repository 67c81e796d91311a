//! Oracle cards and injury cards.

use canvas::Says;
use canvas::block::{Block, flow};
use canvas::card::{face, glow_rect};
use canvas::measure::width;
use canvas::panel::INSIDE;
use canvas::svg::Svg;
use delphi::seen::{Color, Colors, Player};

use crate::event::{Last, Mark};
use crate::map::title;
use crate::piece::Paint;
use crate::play::{large_disc, letter};
use crate::seat::spot;

const CARD: (f64, f64) = (30.0, 42.0);

/// Oracle cards and injuries: a disc is an oracle card, a jagged wound an injury.
pub(crate) fn cards(
    says: Says<'_>,
    player: &Player,
    last: &Last,
    seat: usize,
    active: bool,
) -> Option<Block> {
    let (w, h) = CARD;
    let row = |colors: &Colors, kind: &'static str, mark: &dyn Fn(Color) -> Mark| {
        let place = if kind == "injury" { "injuries" } else { "cards" };
        // Equal cards are one choice: they lie on one another, with their number.
        let draw = |color: Color| {
            let count = colors.count(color).into();
            let more = if count > 1 { 22.0 } else { 0.0 };
            Block::new(w + more, h, |svg| {
                let group = svg.group().class("piece");
                let place = format_args!("{place}:{seat}");
                let group = group.piece(format_args!("{kind}-{}", color.name()), place);
                spot(group, active, kind, color.name()).with(|svg| {
                    title(svg, of_color(says, count, color, kind));
                    small_card(says, svg, color, kind == "injury");
                    if count > 1 {
                        svg.label(w + 2.0, h / 2.0 + 5.0, 14.0)
                            .class("f-ink b")
                            .text(format_args!("×{count}"));
                    }
                    if last.has(mark(color)) {
                        glow_rect(svg, 2.0, 2.0, w - 4.0, h - 4.0, 4.0);
                    }
                });
            })
        };
        let cards: Vec<Block> = colors.kinds().map(draw).collect();
        let label = of_kind(says, colors.len(), kind);
        let wide: f64 = cards.iter().map(|card| card.width + 4.0).sum();
        Block::new(wide.max(width(&label, 11.0)), h + 16.0, |svg| {
            svg.label(0.0, 10.0, 11.0).class("f-faint").text(label);
            svg.add_at(0.0, 16.0, &flow(INSIDE + 4.0, 4.0, &cards).svg);
        })
    };
    let hand = row(&player.cards, "card", &|color| Mark::Card(seat, color));
    let wounds = row(&player.injuries, "injury", &|color| Mark::Injury(seat, color));
    let rows = [(hand, &player.cards), (wounds, &player.injuries)].into_iter();
    let rows = rows.filter(|(_, cards)| !cards.is_empty()).map(|(row, _)| row);
    let rows: Vec<Block> = rows.collect();
    (!rows.is_empty()).then(|| flow(INSIDE, 14.0, &rows))
}

/// `1 red oracle card`.
fn of_color(says: Says<'_>, count: usize, color: Color, kind: &str) -> String {
    let sentence = match (kind, count) {
        ("injury", 1) => "{n} {color} injury card",
        ("injury", _) => "{n} {color} injury cards",
        (_, 1) => "{n} {color} oracle card",
        (_, _) => "{n} {color} oracle cards",
    };
    says.text(sentence, &[("n", &count), ("color", &says.word(color.name()))])
}

/// `2 oracle cards`.
fn of_kind(says: Says<'_>, count: usize, kind: &str) -> String {
    match kind {
        "injury" => says.counted(count, "{n} injury card", "{n} injury cards"),
        _ => says.counted(count, "{n} oracle card", "{n} oracle cards"),
    }
}

/// The face of an oracle card or an injury card.
fn small_card(says: Says<'_>, svg: &mut Svg, color: Color, injury: bool) {
    let (w, h) = CARD;
    face(svg, w, h, |svg| {
        if !injury {
            return large_disc(svg, color, w / 2.0, h / 2.0, 11.5);
        }
        svg.moved(w / 2.0, h / 2.0).with(|svg| {
            svg.path("M-2-17L3-9L11-12L8-3L13 4L6 6L6 15L-1 9L-9 14L-8 5L-13 0L-6-5L-9-12Z")
                .class(&format!("f-{} s-print w1 c", color.name()))
                .end();
            letter(says, svg, color, 5.0, 14.0);
        });
    });
}

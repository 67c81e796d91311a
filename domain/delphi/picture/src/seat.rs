//! The panel of a seat: everything of it lies open.

use canvas::block::{Block, flow};
use canvas::card::{glow_circle, glow_rect};
use canvas::measure::width;
use canvas::panel::{INSIDE, SeatHead, seat_panel};
use canvas::svg::{Element, Svg};
use canvas::{Says, Scene, say};
use delphi::seen::View;

use crate::chip::chips;
use crate::event::{Last, Mark};
use crate::hand::cards;
use crate::map::title;
use crate::piece::{Paint, count};
use crate::play::{coin, die, shield};
use crate::progress::progress;
use crate::view::{is_active, rank, waiting_gods};

pub(crate) fn panel(scene: &Scene<'_>, view: &View, last: &Last, seat: usize) -> Block {
    let player = &view.players[seat];
    let active = is_active(view, seat);
    let done = usize::from(player.fulfilled.count());
    let says = scene.says;
    let mut note = say!(says, "{color} pieces", color = says.word(&player.color.to_string()));
    if player.home {
        note.push_str(&say!(says, ", home"));
    }
    note.push_str(&waiting_gods(says, player));
    let head = SeatHead {
        seat,
        active,
        score: &done.to_string(),
        unit: &say!(says, "of {n} tasks", n = done + count(&player.tasks)),
        rank: rank(view, seat),
        note: &note,
    };
    let mut content = vec![dice(says, view, last, seat)];
    content.extend(cards(says, player, last, seat, active));
    content.push(progress(says, player, last, seat, active));
    let chips = chips(says, player, last, seat);
    if !chips.is_empty() {
        content.push(flow(INSIDE, 6.0, &chips));
    }
    seat_panel(scene, &head, &content)
}

/// What a command of the seat to act can name.
pub(crate) fn spot<'a>(element: Element<'a>, active: bool, kind: &str, value: &str) -> Element<'a> {
    if active { element.spot(kind, value) } else { element }
}

/// Dice, favor, shield.
fn dice(says: Says<'_>, view: &View, last: &Last, seat: usize) -> Block {
    let player = &view.players[seat];
    let active = is_active(view, seat);
    Block::new(INSIDE, 40.0, |svg| {
        let dice: Vec<_> = player.dice.iter().collect();
        for place in 0..3.max(dice.len().min(4)) {
            let x = 18.0 + place as f64 * 40.0;
            let Some(color) = dice.get(place) else {
                svg.rect(x - 15.0, 6.0, 30.0, 30.0, 7.0).class("f0 s-line w2 dash").end();
                continue;
            };
            let group = svg.moved(x, 21.0);
            spot(group, active, "die", color.name()).with(|svg| {
                title(svg, say!(says, "{color} die", color = says.word(color.name())));
                die(says, svg, *color);
            });
        }
        if last.has(Mark::Dice(seat)) {
            glow_rect(svg, -2.0, 2.0, 120.0, 38.0, 9.0);
        }
        svg.moved(160.0, 21.0).with(|svg| {
            title(svg, say!(says, "{n} favor", n = player.favor));
            coin(svg);
            if last.has(Mark::Favor(seat)) {
                glow_circle(svg, 0.0, 0.0, 15.0);
            }
        });
        counter(svg, 181.0, player.favor, &say!(says, "favor"));
        svg.moved(257.0, 19.0).with(|svg| {
            title(svg, say!(says, "shield {n}", n = player.shield));
            shield(svg, player.shield);
            if last.has(Mark::Shield(seat)) {
                glow_circle(svg, 0.0, 1.0, 18.0);
            }
        });
        svg.label(278.0, 26.0, 12.0).class("f-faint").text(say!(says, "shield"));
    })
}

fn counter(svg: &mut Svg, x: f64, count: u16, label: &str) {
    let text = count.to_string();
    svg.label(x, 28.0, 18.0).class("f-ink b count").text(&text);
    let right = x + width(&text, 18.0) * 1.12 + 5.0;
    svg.label(right, 26.0, 12.0).class("f-faint").text(label);
}

//! The panel of a seat: everything of it lies open.

use canvas::Scene;
use canvas::block::{Block, flow};
use canvas::card::{glow_circle, glow_rect};
use canvas::measure::width;
use canvas::panel::{INSIDE, SeatHead, seat_panel};
use canvas::svg::{Element, Svg};
use delphi::seen::View;

use crate::chip::chips;
use crate::event::{Last, Mark};
use crate::hand::cards;
use crate::map::title;
use crate::piece::{Paint, count};
use crate::play::{coin, die, shield};
use crate::progress::progress;
use crate::view::{is_active, rank};

pub(crate) fn panel(scene: &Scene<'_>, view: &View, last: &Last, seat: usize) -> Block {
    let player = &view.players[seat];
    let active = is_active(view, seat);
    let done = usize::from(player.fulfilled.count());
    let mut note = format!("{} pieces", player.color);
    if player.home {
        note.push_str(", home");
    }
    match player.god_choices.len() {
        0 => {}
        1 => note.push_str(", a god waits to advance"),
        waiting => note.push_str(&format!(", {waiting} gods wait to advance")),
    }
    let head = SeatHead {
        seat,
        active,
        score: &done.to_string(),
        unit: &format!("of {} tasks", done + count(&player.tasks)),
        rank: rank(view, seat),
        note: &note,
    };
    let mut content = vec![dice(view, last, seat)];
    content.extend(cards(player, last, seat, active));
    content.push(progress(player, last, seat, active));
    let chips = chips(player, last, seat);
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
fn dice(view: &View, last: &Last, seat: usize) -> Block {
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
                title(svg, format_args!("{} die", color.name()));
                die(svg, *color);
            });
        }
        if last.has(Mark::Dice(seat)) {
            glow_rect(svg, -2.0, 2.0, 120.0, 38.0, 9.0);
        }
        svg.moved(160.0, 21.0).with(|svg| {
            title(svg, format_args!("{} favor", player.favor));
            coin(svg);
            if last.has(Mark::Favor(seat)) {
                glow_circle(svg, 0.0, 0.0, 15.0);
            }
        });
        counter(svg, 181.0, player.favor, "favor");
        svg.moved(257.0, 19.0).with(|svg| {
            title(svg, format_args!("shield {}", player.shield));
            shield(svg, player.shield);
            if last.has(Mark::Shield(seat)) {
                glow_circle(svg, 0.0, 1.0, 18.0);
            }
        });
        svg.label(278.0, 26.0, 12.0).class("f-faint").text("shield");
    })
}

fn counter(svg: &mut Svg, x: f64, count: u16, label: &str) {
    let text = count.to_string();
    svg.label(x, 28.0, 18.0).class("f-ink b count").text(&text);
    let right = x + width(&text, 18.0) * 1.12 + 5.0;
    svg.label(right, 26.0, 12.0).class("f-faint").text(label);
}

//! How far a seat has come: the gods on their track, the tasks, the storage of the ship.

use canvas::block::Block;
use canvas::card::{glow_circle, glow_rect};
use canvas::panel::INSIDE;
use canvas::svg::Svg;
use canvas::{Says, say};
use delphi::seen::{Color, God, Player, TaskKind, ZeusTile};

use crate::event::{Last, Mark};
use crate::map::title;
use crate::piece::{Paint, done, god_name, left};
use crate::play::{check, disc, hollow, piece, shape};
use crate::seat::spot;

/// The gods on their track, the tasks, the storage.
pub(crate) fn progress(
    says: Says<'_>,
    player: &Player,
    last: &Last,
    seat: usize,
    active: bool,
) -> Block {
    Block::new(INSIDE, 124.0, |svg| {
        track(svg, says, player, last, seat, active);
        for (row, kind) in TASKS.into_iter().enumerate() {
            svg.moved(176.0, 15.0 + row as f64 * 31.0)
                .with(|svg| tasks(svg, says, player, last, (seat, active), kind));
        }
        storage(svg, says, player, last, seat);
    })
}

const TASKS: [TaskKind; 4] =
    [TaskKind::Shrine, TaskKind::Statue, TaskKind::Offering, TaskKind::Monster];

fn track(svg: &mut Svg, says: Says<'_>, player: &Player, last: &Last, seat: usize, active: bool) {
    let (step, row, left) = (22.5, 17.0, 17.0);
    let wide = left + 6.0 * step + 2.0;
    let height = |at: u8| 112.0 - f64::from(at) * row;
    svg.rect(0.0, 0.0, wide, 124.0, 7.0).class("f-board").end();
    // Row 6, where a god may act. Its number stands beside it: on gold it could hardly be read.
    svg.rect(left, 0.0, wide - left, 20.0, 7.0).class("f-gold dim").end();
    let lines: Vec<String> =
        (0..7).map(|at| format!("M{left} {}H{}", height(at), wide - 5.0)).collect();
    svg.path(&lines.concat()).class("f0 s-line w1").end();
    let rows = svg.group().class("f-faint m").n("font-size", 11.0);
    rows.with(|svg| {
        for at in 0..7 {
            let row = svg.element("text").n("x", 9.0);
            row.n("y", height(at) + 4.0).text(at);
        }
    });
    for (place, god) in God::ALL.into_iter().enumerate() {
        let (at, x) = (player.gods.row(god), left + (place as f64 + 0.5) * step);
        let name = god.to_string().to_lowercase();
        let place = format_args!("track:{seat}-{name}-{at}");
        let group = svg.moved(x, height(at)).class("piece");
        let group = group.piece(format_args!("god-{seat}-{name}"), place);
        let group = group.a("id", format_args!("piece-god-{seat}-{name}"));
        spot(group, active, "god", &name).with(|svg| {
            title(svg, say!(says, "{god}, row {row} of 6", god = god_name(says, god), row = at));
            disc(svg, god.color(), 0.0, 0.0);
            if last.has(Mark::God(seat, god)) {
                glow_circle(svg, 0.0, 0.0, 9.0);
            }
        });
    }
}

/// A kind of task: those left hollow, those fulfilled with a check.
fn tasks(
    svg: &mut Svg,
    says: Says<'_>,
    player: &Player,
    last: &Last,
    (seat, active): (usize, bool),
    kind: TaskKind,
) {
    let (done, left) = (done(&player.fulfilled, kind), left(&player.tasks, kind));
    let (fulfilled, count) = (done.len(), done.len() + left.len());
    let all =
        done.iter().map(|color| (*color, true)).chain(left.iter().map(|color| (*color, false)));
    // Five lie beside one another; a loaded position may have six.
    let step = if count > 5 { 116.0 / (count - 1) as f64 } else { 29.0 };
    for (place, (color, done)) in all.enumerate() {
        let group = svg.moved(place as f64 * step, 0.0);
        let value = match kind {
            TaskKind::Shrine => kind.to_string(),
            TaskKind::Statue | TaskKind::Offering | TaskKind::Monster => {
                format!("{kind}-{}", color.name())
            }
        };
        let state = if done { say!(says, "fulfilled") } else { say!(says, "left") };
        let task = match (kind, color) {
            (TaskKind::Shrine, _) => say!(says, "a shrine"),
            (TaskKind::Statue, ZeusTile::White) => say!(says, "any statue"),
            (TaskKind::Offering, ZeusTile::White) => say!(says, "any offering"),
            (TaskKind::Monster, ZeusTile::White) => say!(says, "any monster"),
            (_, color) => of_color(says, kind, color),
        };
        spot(group, active && !done, "task", &value).with(|svg| {
            title(svg, say!(says, "{task}, {state}", task = task, state = state));
            match (kind, done) {
                (TaskKind::Shrine, true) => {
                    shape(svg, kind, &format!("f-seat{} p", seat % 5));
                }
                (_, true) => piece(svg, kind, color, 0.0, 0.0).end(),
                (_, false) => hollow(says, svg, kind, color),
            }
            if done {
                check(svg);
                // Shrines have no colour: the last one is the one that was built last.
                let (of, new) = match kind {
                    TaskKind::Shrine => (None, place + 1 == fulfilled),
                    TaskKind::Statue | TaskKind::Offering | TaskKind::Monster => {
                        (Some(color), true)
                    }
                };
                if new && last.has(Mark::Task(seat, kind, of)) {
                    glow_circle(svg, 0.0, 0.0, 16.0);
                }
            }
        });
    }
}

/// A red statue.
fn of_color(says: Says<'_>, kind: TaskKind, color: impl Paint) -> String {
    let color = says.word(color.name());
    match kind {
        TaskKind::Shrine => say!(says, "{color} shrine", color = color),
        TaskKind::Statue => say!(says, "{color} statue", color = color),
        TaskKind::Offering => say!(says, "{color} offering", color = color),
        TaskKind::Monster => say!(says, "{color} monster", color = color),
    }
}

/// The places of the ship, in two columns, and what lies there.
fn storage(svg: &mut Svg, says: Says<'_>, player: &Player, last: &Last, seat: usize) {
    let statues = player.cargo.statue.iter().map(|color| (TaskKind::Statue, color));
    let offerings = player.cargo.offering.iter().map(|color| (TaskKind::Offering, color));
    let cargo: Vec<(TaskKind, Color)> = statues.chain(offerings).collect();
    let left = 262.0;
    svg.label(left + 2.0, 10.0, 11.0).class("f-faint").text(say!(says, "storage"));
    let places = player.storage().max(cargo.len());
    // Three rows have room; a loaded ship may have more on board.
    let rows = places.div_ceil(2);
    let step = if rows > 3 { 64.0 / (rows - 1) as f64 } else { 32.0 };
    for place in 0..places {
        let x = left + 17.0 + (place % 2) as f64 * 33.0;
        let y = 31.0 + (place / 2) as f64 * step;
        svg.rect(x - 15.0, y - 15.0, 30.0, 30.0, 5.0).class("f-board s-line w1").end();
        let Some((kind, color)) = cargo.get(place) else { continue };
        let drawn = piece(svg, *kind, *color, x, y);
        let hold = format_args!("hold:{seat}");
        let drawn = drawn.piece(format_args!("{kind}-{}", color.name()), hold);
        drawn.with(|svg| {
            title(svg, say!(says, "{piece} on board", piece = of_color(says, *kind, *color)));
        });
        let mark = match kind {
            TaskKind::Offering => Mark::Offering(seat, *color),
            TaskKind::Shrine | TaskKind::Statue | TaskKind::Monster => Mark::Statue(seat, *color),
        };
        if last.has(mark) {
            glow_rect(svg, x - 14.0, y - 14.0, 28.0, 28.0, 5.0);
        }
    }
}

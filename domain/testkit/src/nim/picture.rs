//! The picture of Nim: the smallest complete one.

use canvas::block::Block;
use canvas::card::badge;
use canvas::frame::Frame;
use canvas::panel::{SeatHead, seat_panel};
use canvas::plain::Plain;
use canvas::{Picture, Says, Scene, Style, Unreadable, known, say};

use super::View;

/// The picture of Nim.
pub const NIM_PICTURE: Picture = Picture { game: "nim", svg, text };

fn svg(scene: &Scene<'_>, style: Style) -> Result<String, Unreadable> {
    let view = read(scene)?;
    let panels: Vec<Block> = (0..view.lucky.len()).map(|seat| panel(scene, &view, seat)).collect();
    let frame = Frame {
        scene,
        style,
        game: "nim",
        active: view.active_seat,
        phase: String::new(),
        description: format!(
            "{}. {}",
            scene.status(view.active_seat, ""),
            say!(scene.says, "Heaps: {heaps}.", heaps = listed(&view.heaps))
        ),
    };
    frame.finish(heaps(scene.says, &view.heaps), &panels)
}

fn text(scene: &Scene<'_>) -> Result<String, Unreadable> {
    let view = read(scene)?;
    let mut plain = Plain::new(scene, view.active_seat, "");
    plain.line(say!(scene.says, "heaps {heaps}", heaps = listed(&view.heaps)));
    for seat in 0..view.lucky.len() {
        plain.seat(scene, seat, view.active_seat, lucky(scene.says, &view, seat));
    }
    Ok(plain.into_string())
}

fn read(scene: &Scene<'_>) -> Result<View, Unreadable> {
    let mut view: View = scene.view()?;
    let (seats, heaps) = (view.lucky.len(), view.heaps.len());
    if !(2..=4).contains(&seats) || !(1..=5).contains(&heaps) {
        return Err(Unreadable("two to four seats play with one to five heaps".to_owned()));
    }
    view.active_seat = scene.acting(view.active_seat, seats)?;
    known(view.winner, seats)?;
    Ok(view)
}

/// The number of a seat, as far as the view has it.
fn lucky(says: Says<'_>, view: &View, seat: usize) -> String {
    match view.lucky[seat] {
        None => say!(says, "a number"),
        Some(number) => say!(says, "number {number}", number = number),
    }
}

fn listed(heaps: &[u8]) -> String {
    format!("{heaps:?}")
}

fn heaps(says: Says<'_>, heaps: &[u8]) -> Block {
    Block::new(120.0 * heaps.len() as f64, 120.0, |svg| {
        for (heap, stones) in heaps.iter().enumerate() {
            let group = svg.moved(120.0 * heap as f64 + 60.0, 60.0).spot("heap", heap);
            let group = group.piece("stone", format_args!("heap:{heap}"));
            group.with(|svg| {
                let title =
                    say!(says, "heap {heap}, {stones} stones", heap = heap, stones = stones);
                svg.element("title").text(title);
                svg.circle(0.0, 0.0, 40.0).class("f-grey").end();
                badge(svg, 0.0, 0.0, usize::from(*stones));
            });
        }
    })
}

fn panel(scene: &Scene<'_>, view: &View, seat: usize) -> Block {
    let is = |other: Option<kernel::Seat>| other.is_some_and(|other| other.index() == seat);
    let head = SeatHead {
        seat,
        active: is(view.active_seat),
        score: if is(view.winner) { "1" } else { "0" },
        unit: &say!(scene.says, "points"),
        rank: view.winner.map(|_| if is(view.winner) { 1 } else { 2 }),
        note: &lucky(scene.says, view, seat),
    };
    seat_panel(scene, &head, &[])
}

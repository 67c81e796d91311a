//! The whole table as SVG.

use canvas::block::Block;
use canvas::frame::Frame;
use canvas::{Scene, Style, Unreadable, say};
use delphi::seen::View;

use crate::event::Last;
use crate::piece::{Paint, count};
use crate::view::{fulfilled, read, task};
use crate::{hex, map, seat, supply};

/// How wide the map is on the wide sheet: there is much on it.
const WIDTH: f64 = 880.0;

pub(crate) fn svg(scene: &Scene<'_>, style: Style) -> Result<String, Unreadable> {
    let view = read(scene)?;
    let last = Last::new(scene);
    let mut panels: Vec<Block> =
        (0..view.players.len()).map(|seat| seat::panel(scene, &view, &last, seat)).collect();
    panels.push(supply::panel(scene.says, &view, &last));
    let frame = Frame {
        scene,
        style,
        game: "delphi",
        active: view.active_seat,
        phase: task(scene.says, &view),
        description: describe(scene, &view),
    };
    frame.finish_at(WIDTH, map::map(scene, &view, &last), &panels)
}

fn describe(scene: &Scene<'_>, view: &View) -> String {
    let says = scene.says;
    let waits = scene.status(view.active_seat, &task(says, view));
    let mut words = say!(says, "Round {round}, {waits}. ", round = view.round, waits = waits);
    for (seat, player) in view.players.iter().enumerate() {
        let dice = says.words(player.dice.iter().map(Paint::name));
        let dice = match &*dice {
            [] => say!(says, "no dice"),
            [color] => say!(says, "{color} die", color = color),
            several => say!(says, "{colors} dice", colors = several.join(", ")),
        };
        words.push_str(&say!(
            says,
            "{name}: {done}, {left} left, ship at ({at}), {dice}, {favor} favor, shield {shield}, {cards}, {injuries}. ",
            name = scene.name(seat),
            done = fulfilled(says, player),
            left = count(&player.tasks),
            at = hex::name(player.at),
            dice = dice,
            favor = player.favor,
            shield = player.shield,
            cards = says.counted(player.cards.len(), "{n} oracle card", "{n} oracle cards"),
            injuries = says.counted(player.injuries.len(), "{n} injury card", "{n} injury cards"),
        ));
    }
    words.truncate(words.trim_end().len());
    words
}

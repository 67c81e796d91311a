//! The whole table as SVG.

use canvas::block::Block;
use canvas::frame::Frame;
use canvas::{Scene, Style, Unreadable};
use delphi::seen::View;

use crate::event::Last;
use crate::piece::{Paint, count};
use crate::view::{read, task};
use crate::{hex, map, seat, supply};

/// How wide the map is on the wide sheet: there is much on it.
const WIDTH: f64 = 880.0;

pub(crate) fn svg(scene: &Scene<'_>, style: Style) -> Result<String, Unreadable> {
    let view = read(scene)?;
    let last = Last::new(scene);
    let mut panels: Vec<Block> =
        (0..view.players.len()).map(|seat| seat::panel(scene, &view, &last, seat)).collect();
    panels.push(supply::panel(&view, &last));
    let frame = Frame {
        scene,
        style,
        game: "delphi",
        active: view.active_seat,
        phase: task(&view),
        description: describe(scene, &view),
    };
    frame.finish_at(WIDTH, map::map(scene, &view, &last), &panels)
}

fn describe(scene: &Scene<'_>, view: &View) -> String {
    let mut words = format!("Round {}, {}. ", view.round, scene.waits_for(view.active_seat));
    for (seat, player) in view.players.iter().enumerate() {
        let dice: Vec<&str> = player.dice.iter().map(|die| die.name()).collect();
        let dice = if dice.is_empty() { "no".to_owned() } else { dice.join(", ") };
        words.push_str(&format!(
            "{}: {} tasks fulfilled, {} left, ship at ({}), {dice} dice, {} favor, shield {}, {} oracle cards, {} injuries. ",
            scene.name(seat),
            player.fulfilled.count(),
            count(&player.tasks),
            hex::name(player.at),
            player.favor,
            player.shield,
            player.cards.len(),
            player.injuries.len(),
        ));
    }
    words.truncate(words.trim_end().len());
    words
}

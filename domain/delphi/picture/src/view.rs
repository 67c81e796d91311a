//! What is drawn of a view.

use canvas::{Scene, Unreadable, known};
use delphi::seen::{Decision, MapHex, PlayerColor, SourceKind, Stage, View};

use crate::hex::column;
use crate::piece::{Paint, Told};

/// The most hexes of a map, and the most in a row or column of the picture.
const HEXES: usize = 255;
const EXTENT: i64 = 96;

/// Reads the view.
pub(crate) fn read(scene: &Scene<'_>) -> Result<View, Unreadable> {
    let view: View = scene.view()?;
    let seats = view.players.len();
    if !(2..=4).contains(&seats) {
        return Err(Unreadable("there are two to four players".to_owned()));
    }
    known(view.active_seat, seats)?;
    known(Some(view.start_seat), seats)?;
    for seat in view.sites.iter().map(|site| site.seat) {
        known(seat, seats)?;
    }
    for island in &view.islands {
        known(island.shrine, seats)?;
        for seat in &island.seen_by {
            known(Some(*seat), seats)?;
        }
    }
    let hexes = &view.map.hexes;
    if hexes.is_empty() || hexes.len() > HEXES {
        return Err(Unreadable(format!("a map has 1 to {HEXES} hexes")));
    }
    let spread = |along: &dyn Fn(&MapHex) -> i64| {
        let (low, high) = hexes
            .iter()
            .map(along)
            .fold((i64::MAX, i64::MIN), |(low, high), at| (low.min(at), high.max(at)));
        high - low
    };
    let rows = spread(&|hex| i64::from(hex.r));
    if rows > EXTENT || spread(&|hex| column(hex.at())) > 2 * EXTENT {
        return Err(Unreadable("the map is too wide for a picture".to_owned()));
    }
    check_counts(&view)?;
    Ok(view)
}

/// Far more of anything than the box has makes no picture.
fn check_counts(view: &View) -> Result<(), Unreadable> {
    let on_map = view.offerings.iter().chain(&view.monsters);
    let mut most = on_map.map(|stock| stock.colors.len()).max().unwrap_or(0);
    for player in &view.players {
        let (left, done, cargo) = (&player.tasks, &player.fulfilled, &player.cargo);
        let tiles = [left.statue, left.offering, left.monster].map(|tiles| tiles.len());
        let colors = [
            player.dice,
            player.cards,
            player.injuries,
            done.statue,
            done.offering,
            done.monster,
            cargo.statue,
            cargo.offering,
        ];
        let colors = colors.map(|colors| colors.len());
        most = tiles.into_iter().chain(colors).fold(most, usize::max);
    }
    let lists = [view.oracle_deck, view.oracle_discard, view.injury_deck, view.injury_discard];
    let piles = lists.into_iter().map(|list| list.len()).max().unwrap_or(0);
    let lists = [view.temples.len(), view.sites.len(), view.islands.len(), view.cities.len()];
    let places = lists.into_iter().max().unwrap_or(0);
    if most > 42 || piles > 42 || places > HEXES {
        return Err(Unreadable("there is more than the box has".to_owned()));
    }
    Ok(())
}

pub(crate) fn is_active(view: &View, seat: usize) -> bool {
    view.active_seat.is_some_and(|active| active.index() == seat)
}

pub(crate) fn rank(view: &View, seat: usize) -> Option<u32> {
    let standing = view.standing.as_ref()?;
    let place = standing.iter().find(|place| place.seat.index() == seat)?;
    Some(u32::from(place.rank))
}

/// The seat with these player pieces.
pub(crate) fn seat_of(view: &View, color: PlayerColor) -> Option<usize> {
    view.players.iter().position(|player| player.color == color)
}

/// What is to be done.
pub(crate) fn task(view: &View) -> String {
    match view.stage {
        Stage::Ships => return "choose a ship".to_owned(),
        Stage::Over => return String::new(),
        Stage::Start | Stage::Upkeep | Stage::Main => {}
    }
    if let Some(decision) = view.pending.first() {
        return due(decision);
    }
    if let Some(source) = &view.turn.source {
        let kind = match source.kind {
            SourceKind::Die => "die",
            SourceKind::Card => "card",
            SourceKind::Bonus => "bonus action",
        };
        return format!("an action with the {kind}, used as {}", source.r#as.name());
    }
    if let Some(god) = view.turn.acting_god {
        return format!("with {}", god.name());
    }
    let dice = view.active_seat.map_or(0, |seat| view.players[seat.index()].dice.len());
    match dice {
        0 => "end the turn, or more".to_owned(),
        _ => "use a die, a card or a god".to_owned(),
    }
}

fn due(decision: &Decision) -> String {
    match decision {
        Decision::AdvanceGod { steps: 1, .. } => "advance a god".to_owned(),
        Decision::AdvanceGod { steps, .. } => format!("advance gods by {steps} rows"),
        Decision::ReturnTask {} => "return a task".to_owned(),
        Decision::TakeEquipment { .. } => "take an equipment card".to_owned(),
        Decision::Recover { count } => format!("recover: discard {count} injuries"),
        Decision::InjuryReward {} => "no injuries: take favor or advance a god".to_owned(),
        Decision::Battle { color, strength, .. } => {
            format!("the {} monster of strength {strength} won: go on?", color.name())
        }
        Decision::HealColor {} => "heal the injuries of one colour".to_owned(),
        Decision::TakeCompanion { color } => format!("take a {} companion", color.name()),
        Decision::LoadAny { .. } => "load a piece from anywhere".to_owned(),
        Decision::GodToTop { .. } => "raise a god to the top".to_owned(),
        Decision::Look { left, .. } => format!("look at an island, {left} to go"),
        Decision::RevealOne { .. } => "explore one of the two islands".to_owned(),
    }
}

//! What is drawn of a view.

use canvas::{Says, Scene, Unreadable, known, say};
use delphi::seen::{Decision, MapHex, Player, PlayerColor, SourceKind, Stage, View};
use kernel::require;

use crate::hex::column;
use crate::piece::{Paint, god_name};

/// The most hexes of a map, and the most in a row or column of the picture.
const HEXES: usize = 255;
const EXTENT: i64 = 96;

/// The most of anything in one place: twice the injury cards, of which the box has most. A position may be loaded with all of them
/// at the seats and all of them on the table, and play may bring them together (D-131).
const MOST: usize = 84;

/// Reads the view.
pub(crate) fn read(scene: &Scene<'_>) -> Result<View, Unreadable> {
    let mut view: View = scene.view()?;
    let seats = view.players.len();
    require((2..=4).contains(&seats), || Unreadable("there are two to four players".to_owned()))?;
    view.active_seat = scene.acting(view.active_seat, seats)?;
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
    let some = (1..=HEXES).contains(&hexes.len());
    require(some, || Unreadable(format!("a map has 1 to {HEXES} hexes")))?;
    let spread = |along: &dyn Fn(&MapHex) -> i64| {
        let places = || hexes.iter().map(along);
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    };
    let rows = spread(&|hex| i64::from(hex.r));
    let fits = rows <= EXTENT && spread(&|hex| column(hex.at())) <= 2 * EXTENT;
    require(fits, || Unreadable("the map is too wide for a picture".to_owned()))?;
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
    let fits = most <= MOST && piles <= MOST && places <= HEXES;
    require(fits, || Unreadable("there is more than the box has".to_owned()))
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
pub(crate) fn task(says: Says<'_>, view: &View) -> String {
    match view.stage {
        Stage::Ships => return say!(says, "choose a ship"),
        Stage::Over => return String::new(),
        Stage::Start | Stage::Upkeep | Stage::Main => {}
    }
    if let Some(decision) = view.pending.first() {
        return due(says, decision);
    }
    if let Some(source) = &view.turn.source {
        let color = says.word(source.r#as.name());
        return match source.kind {
            SourceKind::Die => say!(says, "an action with the die, used as {color}", color = color),
            SourceKind::Card => {
                say!(says, "an action with the card, used as {color}", color = color)
            }
            SourceKind::Bonus => {
                say!(says, "an action with the bonus action, used as {color}", color = color)
            }
        };
    }
    if let Some(god) = view.turn.acting_god {
        return say!(says, "with {god}", god = god_name(says, god));
    }
    let dice = view.active_seat.map_or(0, |seat| view.players[seat.index()].dice.len());
    match dice {
        0 => say!(says, "end the turn, or more"),
        _ => say!(says, "use a die, a card or a god"),
    }
}

fn due(says: Says<'_>, decision: &Decision) -> String {
    let words = match decision {
        Decision::AdvanceGod { steps: 1, .. } => "advance a god",
        Decision::AdvanceGod { steps, .. } => {
            return say!(says, "advance gods by {n} rows", n = steps);
        }
        Decision::ReturnTask {} => "return a task",
        Decision::TakeEquipment { .. } => "take an equipment card",
        Decision::Recover { count } => {
            return says.counted(
                count,
                "recover: discard {n} injury",
                "recover: discard {n} injuries",
            );
        }
        Decision::InjuryReward {} => "no injuries: take favor or advance a god",
        Decision::Battle { color, strength, .. } => {
            return say!(
                says,
                "the {color} monster of strength {n} won: go on, or not",
                color = says.word(color.name()),
                n = strength
            );
        }
        Decision::HealColor {} => "heal the injuries of one colour",
        Decision::TakeCompanion { color } => {
            return say!(says, "take a {color} companion", color = says.word(color.name()));
        }
        Decision::LoadAny { .. } => "load a piece from anywhere",
        Decision::GodToTop { .. } => "raise a god to the top",
        Decision::Look { left, .. } => {
            return say!(says, "look at an island, {n} to go", n = left);
        }
        Decision::RevealOne { .. } => "explore one of the two islands",
    };
    says.word(words)
}

/// That Apollon has freed the colours, if he has.
pub(crate) fn freed(says: Says<'_>, view: &View) -> Option<String> {
    view.turn.wild.then(|| say!(says, "Apollon has freed the colours of this turn"))
}

/// That the bonus action is used, if it is.
pub(crate) fn bonus_used(says: Says<'_>, view: &View) -> Option<String> {
    view.turn.bonus_used.then(|| say!(says, "the bonus action of this turn is used"))
}

/// Advances of gods that wait for the turn of their seat, behind what else is said of it.
pub(crate) fn waiting_gods(says: Says<'_>, player: &Player) -> String {
    match player.god_choices.len() {
        0 => String::new(),
        1 => say!(says, ", an advance of a god waits"),
        waiting => say!(says, ", {n} advances of gods wait", n = waiting),
    }
}

/// How many tasks a seat has fulfilled, in words.
pub(crate) fn fulfilled(says: Says<'_>, player: &Player) -> String {
    says.counted(player.fulfilled.count(), "{n} task fulfilled", "{n} tasks fulfilled")
}

//! A loaded position comes out of one box (D-131): of each piece the seats together, and the table, hold at most as many as are
//! printed, and where nothing is printed there is a bound.
//!
//! Asked before anything else is done with a position. A position that a match began with is not asked: earlier releases let in more.

use std::collections::BTreeSet;

use kernel::Seat;

use crate::board::HexKind;
use crate::board::random::SEEDS;
use crate::board::tile::{Ground, Tile};
use crate::pieces::{Color, Colors, God, Piece, PlayerColor, Set, Ship};
use crate::position::{Decision, MOST_SEATS, Player, PositionForm, Site, TOP_ROW};
use crate::printed::FACTS;
use crate::printed::map::{TILES, spaces};

/// Oracle cards of each colour.
const ORACLE_CARDS: usize = FACTS.oracle_cards as usize;

/// Injury cards of each colour.
const INJURY_CARDS: usize = FACTS.injury_cards as usize;

/// Tasks of each kind and shrines of a seat.
const TASKS: usize = FACTS.tasks as usize;

/// The most decisions that may wait. Play opens three at most, and those of a card stand before what waited.
const DECISIONS: usize = 12;

/// The most steps of a decision: all six gods from the lowest row to the topmost.
const STEPS: u8 = God::ALL.len() as u8 * TOP_ROW;

/// # Errors
/// What there is more of than the box or its bound allows.
pub(crate) fn check(form: &PositionForm) -> Result<(), String> {
    form.check_lengths()?;
    if form.round == 0 {
        return Err("rounds are counted from 1".to_owned());
    }
    lists(form)?;
    map(form)?;
    places(form)?;
    cards(form)?;
    pieces(form)?;
    unique(form)?;
    (0..).map(Seat).zip(&form.players).try_for_each(|(named, player)| seat(form, named, player))
}

/// At most so many of what the box has.
fn most(what: &str, here: usize, box_has: usize) -> Result<(), String> {
    if here <= box_has {
        return Ok(());
    }
    Err(format!("there are {here} {what}, but at most {box_has}"))
}

/// So many cells of the tiles are of this ground.
fn printed(ground: Ground) -> usize {
    TILES.iter().flat_map(Tile::cells).filter(|cell| cell.ground == ground).count()
}

/// The lists that no printed number bounds. First, so that no later question is asked of a long list.
fn lists(form: &PositionForm) -> Result<(), String> {
    let seats = usize::from(form.seats);
    most("players", form.players.len(), seats)?;
    most("seats in start_queue", form.start_queue.len(), seats)?;
    most("places in standing", form.standing.as_ref().map_or(0, Vec::len), seats)?;
    most("decisions in pending", form.pending.len(), DECISIONS)?;
    for decision in &form.pending {
        if let Decision::AdvanceGod { steps, gods: _, reason: _ } = decision {
            most("steps in a decision", usize::from(*steps), usize::from(STEPS))?;
        }
    }
    for island in &form.islands {
        most("seats in seen_by", island.seen_by.len(), seats)?;
    }
    if let Some(seat) = form.options.start_seat.filter(|seat| seat.0 >= form.seats) {
        return Err(format!("options.start_seat: there is no seat {seat} among {seats}"));
    }
    let colors = form.options.colors.as_deref().unwrap_or_default();
    let mut before = BTreeSet::new();
    if let Some(color) = colors.iter().find(|color| !before.insert(**color)) {
        return Err(format!("options.colors: {color} is there twice"));
    }
    let ranks = form.standing.iter().flatten().map(|place| place.rank);
    if let Some(rank) = ranks.into_iter().find(|rank| !(1..=form.seats).contains(rank)) {
        return Err(format!("standing: there is no rank {rank} among {seats} seats"));
    }
    for player in &form.players {
        most("entries in god_choices", player.god_choices.len(), MOST_SEATS - 1)?;
    }
    Ok(())
}

/// The hexes: of each kind what the tiles show.
fn map(form: &PositionForm) -> Result<(), String> {
    let hexes = &form.map.hexes;
    let kinds = [
        ("hexes of Zeus", HexKind::Zeus),
        ("offering islands", HexKind::Offering),
        ("temples on the map", HexKind::Temple),
        ("statue islands", HexKind::Statue),
        ("cities on the map", HexKind::City),
        ("monster islands", HexKind::Monster),
        ("islands on the map", HexKind::Island),
        ("water spaces", HexKind::Water),
    ];
    for (what, kind) in kinds {
        let here = hexes.iter().filter(|hex| hex.kind == kind).count();
        most(what, here, spaces(kind))?;
    }
    if hexes.iter().any(|hex| hex.color.is_some() != (hex.kind == HexKind::Water)) {
        return Err("a hex of the map has a color if it is water, and only then".to_owned());
    }
    for color in Color::ALL {
        let colored = hexes.iter().filter(|hex| hex.color == Some(color)).count();
        most(&format!("{color} water spaces"), colored, printed(Ground::Water(color)))?;
    }
    if form.map.seed.is_some_and(|seed| seed >= SEEDS) {
        return Err(format!("map.seed is less than {SEEDS}"));
    }
    Ok(())
}

/// What lies fixed on the map: temples, cities, building sites, islands with their frames and faces.
fn places(form: &PositionForm) -> Result<(), String> {
    for color in Color::ALL {
        let temples = form.temples.iter().filter(|temple| temple.color == color).count();
        most(&format!("{color} temples"), temples, 1)?;
        let cities = form.cities.iter().filter(|city| city.color == color).count();
        most(&format!("{color} cities"), cities, printed(Ground::City(color)))?;
        let sites = form.sites.iter().filter(|site| site.color == color).count();
        most(&format!("{color} building sites"), sites, usize::from(FACTS.statues))?;
        let frames = form.islands.iter().filter(|island| island.color == color).count();
        most(&format!("islands with a {color} frame"), frames, printed(Ground::Island(color)))?;
    }
    let mut faces: Vec<_> = form.islands.iter().map(|island| island.face).collect();
    while let Some(face) = faces.pop() {
        if faces.contains(&face) {
            return Err("an island tile is there twice".to_owned());
        }
    }
    Ok(())
}

/// Oracle cards and injury cards: those of the seats, and those of the table.
fn cards(form: &PositionForm) -> Result<(), String> {
    let players = || form.players.iter();
    let oracle = [&form.oracle_deck, &form.oracle_discard];
    let injuries = [&form.injury_deck, &form.injury_discard];
    for color in Color::ALL {
        let aside = usize::from(form.turn.card_played == Some(color));
        let hands = total(players().map(|player| &player.cards), color) + aside;
        most(&format!("{color} oracle cards with the seats"), hands, ORACLE_CARDS)?;
        most(&format!("{color} oracle cards on the table"), total(oracle, color), ORACLE_CARDS)?;
        let injured = total(players().map(|player| &player.injuries), color);
        most(&format!("{color} injury cards with the seats"), injured, INJURY_CARDS)?;
        most(&format!("{color} injury cards on the table"), total(injuries, color), INJURY_CARDS)?;
    }
    Ok(())
}

/// Offerings, monsters and statues: those of the seats, and those of the table.
fn pieces(form: &PositionForm) -> Result<(), String> {
    let players = || form.players.iter();
    let seats = usize::from(form.seats);
    for color in Color::ALL {
        let lying = total(form.offerings.iter().map(|stock| &stock.colors), color);
        most(&format!("{color} offerings on islands"), lying, seats)?;
        let taken = players().flat_map(|p| [&p.cargo.offering, &p.fulfilled.offering]);
        most(&format!("{color} offerings with the seats"), total(taken, color), seats)?;
        let monsters = total(form.monsters.iter().map(|stock| &stock.colors), color);
        most(&format!("{color} monsters on islands"), monsters, seats)?;
        let beaten = total(players().map(|player| &player.fulfilled.monster), color);
        most(&format!("{color} monsters with the seats"), beaten, seats)?;
        let aboard = total(players().map(|player| &player.cargo.statue), color);
        let own = |site: &&Site| site.color == color && site.seat.is_some();
        let raised = form.sites.iter().filter(own).count();
        let statues = usize::from(FACTS.statues);
        most(&format!("{color} statues in cargo and on sites"), raised + aboard, statues)?;
    }
    Ok(())
}

fn total<'a>(bags: impl IntoIterator<Item = &'a Colors>, color: Color) -> usize {
    bags.into_iter().map(|bag| usize::from(bag.count(color))).sum()
}

/// What there is one of: equipment, companions, ships, player colours.
fn unique(form: &PositionForm) -> Result<(), String> {
    let players = || form.players.iter();
    once("equipment card", players().map(|player| player.equipment))?;
    once("equipment card", [form.equipment_deck, form.equipment_display].into_iter())?;
    once("companion", players().map(|player| player.companions))?;
    let ships = players().filter_map(|player| player.ship).map(|ship| Set::EMPTY.with(ship));
    once::<Ship>("ship tile", ships)?;
    let colors: BTreeSet<PlayerColor> = players().map(|player| player.color).collect();
    if colors.len() < form.players.len() {
        return Err("a player colour is there twice".to_owned());
    }
    Ok(())
}

fn once<T: Piece>(what: &str, places: impl Iterator<Item = Set<T>>) -> Result<(), String> {
    let mut seen = Set::EMPTY;
    for place in places {
        if !seen.and(place).is_empty() {
            return Err(format!("there is one {what} of each kind, and one is there twice"));
        }
        seen = place.iter().fold(seen, Set::with);
    }
    Ok(())
}

/// What belongs to one seat: dice, Zeus tiles, shrines.
fn seat(form: &PositionForm, seat: Seat, player: &Player) -> Result<(), String> {
    let (color, tasks, fulfilled) = (player.color, &player.tasks, &player.fulfilled);
    most(&format!("dice of {color}"), player.dice.len(), usize::from(FACTS.dice))?;
    let tiles = [
        ("shrine", usize::from(tasks.shrine), usize::from(fulfilled.shrine)),
        ("statue", tasks.statue.len(), fulfilled.statue.len()),
        ("offering", tasks.offering.len(), fulfilled.offering.len()),
        ("monster", tasks.monster.len(), fulfilled.monster.len()),
    ];
    for (kind, left, done) in tiles {
        most(&format!("{kind} tiles of {color} to fulfil"), left, TASKS)?;
        most(&format!("{kind} tiles of {color} fulfilled"), done, TASKS)?;
    }
    let built = form.islands.iter().filter(|island| island.shrine == Some(seat)).count();
    most(&format!("shrines of {color} on islands"), built, TASKS)?;
    most(&format!("shrines of {color} left"), usize::from(player.shrines), TASKS)
}

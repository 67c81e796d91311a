//! The setup (section 5), in the order of its steps.

pub(crate) mod areas;
pub(crate) mod spread;

use std::borrow::Cow;
use std::sync::Arc;

use kernel::{Chance, Draft, Edition, Fixed, Refusal, Seat};

use crate::Delphi;
use crate::board::random::{SEEDS, random_map};
use crate::board::tile::{Ground, LANDS, Land};
use crate::board::{Chart, MapForm, MapName, Spot};
use crate::decide::turn;
use crate::event::Event;
use crate::options::{Options, ShipsOption, Terms};
use crate::pieces::{Bag, Color, Colors, Face, PlayerColor, Set, Ship};
use crate::position::{Player, Position, Stage, Turn, islands, players};
use crate::printed::FACTS;

/// Sets up a match: one event with the position in which the first choice is made.
///
/// # Errors
/// A refusal by D-120 for a value of an option that is not allowed.
pub(crate) fn setup(
    options: Options,
    seats: u8,
    edition: Edition,
    chance: &mut dyn Chance,
) -> Result<Vec<Event>, Refusal> {
    let mut terms = options.complete(seats)?;
    if terms.map == MapName::Random {
        let seeds: Vec<u16> = (0..SEEDS).collect();
        terms.map_seed = Some(terms.map_seed.unwrap_or_else(|| chance.pick("map_seed", &seeds)));
    }
    let land = land(&terms);
    let all: Vec<Seat> = (0..seats).map(Seat).collect();
    let start_seat = terms.start_seat.unwrap_or_else(|| chance.pick("start_seat", &all));
    let mut position = lay_out(terms, &land, (seats, edition), start_seat, chance);
    let mut events = Vec::new();
    if position.terms.ships == ShipsOption::Choice {
        return Ok(vec![Event::MatchStarted { position: Box::new(position) }]);
    }
    let mut draft = Draft::<Delphi>::new(&mut position, &mut events, chance);
    areas::prepare(&mut draft);
    turn::go_on(&mut draft);
    Ok(vec![Event::MatchStarted { position: Box::new(position) }])
}

fn land(terms: &Terms) -> Cow<'static, Land> {
    match LANDS.iter().find(|(name, _)| *name == terms.map) {
        Some((_, land)) => Cow::Borrowed(land),
        None => Cow::Owned(Land::lay(&random_map(terms.map_seed.unwrap_or(0)).0)),
    }
}

/// Steps 3 to 9: all that lies on the map, the display, the ships.
fn lay_out(
    terms: Terms,
    land: &Land,
    (seats, edition): (u8, Edition),
    start_seat: Seat,
    chance: &mut dyn Chance,
) -> Position {
    let mut chart = chart(&terms, land);
    let offerings = spread::offerings(chart.offerings.len(), seats, chance);
    paint_temples(&mut chart, chance);
    let monsters = spread::monsters(&marked_islands(land), seats, chance);
    let faces = faces(chart.islands.len(), chance);
    let (equipment_display, equipment_deck) = draw_some("equipment", FACTS.display, chance);
    let mut position = Position {
        edition,
        chart: Arc::new(chart),
        seats,
        stage: Stage::Start,
        round: 1,
        start_seat,
        active_seat: Some(start_seat),
        offerings,
        monsters,
        statues: [FACTS.statues; _],
        sites: [None; _],
        islands: islands(faces.into_iter()),
        oracle_deck: Bag::of_each(FACTS.oracle_cards),
        oracle_discard: Colors::EMPTY,
        injury_deck: Bag::of_each(FACTS.injury_cards),
        injury_discard: Colors::EMPTY,
        equipment_deck,
        equipment_display,
        companions: Set::all(),
        ship_offer: Set::EMPTY,
        start_queue: Vec::new(),
        players: players(new_players(&terms, seats)),
        turn: Turn::default(),
        pending: Vec::new(),
        standing: None,
        terms: Arc::new(terms),
    };
    let order = position.in_turn_order(start_seat);
    for (favor, seat) in (FACTS.first_favor..).zip(order) {
        position.players[seat.index()].favor = favor;
    }
    give_out_ships(&mut position, chance);
    position
}

/// For each monster island in map order: is it marked?
fn marked_islands(land: &Land) -> Vec<bool> {
    let marked = |(_, ground): &(_, Ground)| match *ground {
        Ground::Monster { marked } => Some(marked),
        Ground::Water(_)
        | Ground::Shallow
        | Ground::Zeus
        | Ground::Offering
        | Ground::Temple
        | Ground::Statue(_)
        | Ground::Island(_)
        | Ground::City(_) => None,
    };
    land.cells.iter().filter_map(marked).collect()
}

/// The chart of some land. All temples are red until they are painted.
fn chart(terms: &Terms, land: &Land) -> Chart {
    let mut chart = Chart::new(Fixed::new(MapForm {
        name: terms.map,
        seed: terms.map_seed,
        hexes: land.hexes(),
    }));
    for (at, ground) in &land.cells {
        let at = *at;
        match *ground {
            Ground::Water(_) | Ground::Shallow | Ground::Zeus => {}
            Ground::Offering => chart.offerings.push(at),
            Ground::Temple => chart.temples.push(Spot { at, color: Color::Red }),
            Ground::Monster { marked: _ } => chart.monsters.push(at),
            Ground::Statue(colors) => chart.sites.extend(colors.map(|color| Spot { at, color })),
            Ground::Island(color) => chart.islands.push(Spot { at, color }),
            Ground::City(color) => chart.cities.push(Spot { at, color }),
        }
    }
    chart
}

fn paint_temples(chart: &mut Chart, chance: &mut dyn Chance) {
    let mut left: Vec<Color> = Color::ALL.to_vec();
    for temple in &mut chart.temples {
        temple.color = chance.pick("temple", &left);
        left.retain(|color| *color != temple.color);
    }
}

fn faces(islands: usize, chance: &mut dyn Chance) -> Vec<Face> {
    let mut left = FACTS.island_tiles.to_vec();
    let draw = |_| {
        let candidates = left.clone();
        left.remove(chance.pick_index("face", candidates.len(), |place| candidates[place]))
    };
    (0..islands).map(draw).collect()
}

/// Draws `count` of all pieces of a kind: those drawn, and those left.
fn draw_some<T: crate::pieces::Piece + serde::Serialize>(
    kind: &'static str,
    count: usize,
    chance: &mut dyn Chance,
) -> (Set<T>, Set<T>) {
    let (mut drawn, mut left) = (Set::EMPTY, Set::<T>::all());
    for _ in 0..count {
        let piece = left.nth(chance.pick_index(kind, left.len(), |place| left.nth(place)));
        (drawn, left) = (drawn.with(piece), left.without(piece));
    }
    (drawn, left)
}

fn new_players(terms: &Terms, seats: u8) -> Vec<Player> {
    let colors = terms.colors.clone().unwrap_or_else(|| PlayerColor::ALL.to_vec());
    colors.into_iter().take(usize::from(seats)).map(Player::new).collect()
}

/// Step 9 (D-141): a ship for each seat, or the offer from which the last seat chooses first.
fn give_out_ships(position: &mut Position, chance: &mut dyn Chance) {
    let seats = usize::from(position.seats);
    match position.terms.ships {
        ShipsOption::Lot => {
            let mut left = Set::<Ship>::all();
            for seat in position.in_turn_order(position.start_seat) {
                let ship = left.nth(chance.pick_index("ship", left.len(), |place| left.nth(place)));
                left = left.without(ship);
                position.players[seat.index()].ship = Some(ship);
            }
        }
        ShipsOption::Choice => {
            position.ship_offer = draw_some("ship", seats + 1, chance).0;
            position.stage = Stage::Ships;
            position.active_seat = Some(position.last_seat());
        }
    }
}

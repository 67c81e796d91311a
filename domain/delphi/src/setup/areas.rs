//! The play areas (D-142) and the short game (D-143), and the choice of ships that comes before (D-141).

use kernel::{Draft, Seat};

use crate::Delphi;
use crate::decide::turn;
use crate::event::{Area, Event};
use crate::pieces::{Bag, Color, Colors, Ship, Tiles, ZeusTile};
use crate::position::{GodRows, MOST_SEATS, Position, Tasks};
use crate::printed::FACTS;

/// A seat chooses its ship (D-141). After the start seat, the last one to choose, the play areas are prepared.
pub(crate) fn choose_ship(draft: &mut Draft<'_, Delphi>, seat: Seat, ship: Ship) {
    let position = draft.position();
    let last = seat == position.start_seat;
    let next_seat = if last { seat } else { Seat((seat.0 + position.seats - 1) % position.seats) };
    draft.emit(Event::ShipChosen { seat, ship, next_seat });
    if last {
        prepare(draft);
        turn::go_on(draft);
    }
}

/// Prepares the play areas of all seats, in the order of the draws of D-142 and D-143.
pub(crate) fn prepare(draft: &mut Draft<'_, Delphi>) {
    let order: Vec<Seat> = draft.position().in_turn_order(draft.position().start_seat).collect();
    let mut dice = [Colors::EMPTY; MOST_SEATS];
    let mut injuries = [Color::Red; MOST_SEATS];
    for seat in &order {
        dice[seat.index()] =
            (0..FACTS.dice).map(|_| draft.pick("oracle_die", &FACTS.oracle_die)).collect();
    }
    let mut deck = draft.position().injury_deck;
    for seat in &order {
        if deck.is_empty() {
            // Only a loaded position can lack the cards: then every colour is as likely.
            deck = Bag::of_each(1);
        }
        let injury = deck.nth(draft.pick_index("injury_card", deck.len(), |place| deck.nth(place)));
        deck.remove(injury);
        injuries[seat.index()] = injury;
    }
    let tasks = deal_tasks(draft);
    let position = draft.position();
    let ships = ships(position);
    let area = |seat: Seat| {
        let place = seat.index();
        area(position, seat, ships[place], dice[place], injuries[place], tasks)
    };
    let areas = position.in_turn_order(Seat(0)).map(area).collect();
    let chooses = |seat: &Seat| matches!(ships[seat.index()], Ship::Tasks11 | Ship::Equipped);
    let start_queue = order.into_iter().filter(chooses).collect();
    draft.emit(Event::PlayAreasPrepared { seat: None, areas, start_queue });
}

/// The Zeus tiles of every seat: which two-sided tiles show their monster, and what the short game takes out.
fn deal_tasks(draft: &mut Draft<'_, Delphi>) -> Tasks {
    let mut left: Vec<usize> = (0..FACTS.two_sided.len()).collect();
    let mut monsters = Colors::EMPTY;
    for _ in 0..FACTS.turned {
        let tile = draft.pick("turned_tile", &left);
        left.retain(|other| *other != tile);
        monsters.add(FACTS.two_sided[tile].1);
    }
    let mut offerings: Colors = left.into_iter().map(|tile| FACTS.two_sided[tile].0).collect();
    let fewer = draft.position().terms.fewer_tasks;
    if fewer >= FACTS.removed_from[2] {
        remove_one(draft, "removed_monster", &mut monsters);
    }
    if fewer >= FACTS.removed_from[3] {
        remove_one(draft, "removed_offering", &mut offerings);
    }
    Tasks {
        shrine: FACTS.tasks - u8::from(fewer >= FACTS.removed_from[1]),
        statue: with_white(
            &Colors::EMPTY,
            FACTS.white[0] - u8::from(fewer >= FACTS.removed_from[0]),
        ),
        offering: with_white(&offerings, FACTS.white[1]),
        monster: with_white(&monsters, FACTS.white[2]),
    }
}

fn remove_one(draft: &mut Draft<'_, Delphi>, kind: &'static str, colors: &mut Colors) {
    let candidates = *colors;
    colors.remove(
        candidates.nth(draft.pick_index(kind, candidates.len(), |place| candidates.nth(place))),
    );
}

fn with_white(colors: &Colors, white: u8) -> Tiles {
    colors.iter().map(Color::tile).chain((0..white).map(|_| ZeusTile::White)).collect()
}

/// The ship of each seat. Only a loaded position can lack some: each of these seats gets the first tile that no seat has, of the offer, then of all.
fn ships(position: &Position) -> Vec<Ship> {
    let seats = || position.in_turn_order(Seat(0)).map(|seat| position.player(seat).ship);
    let mut taken: Vec<Ship> = seats().flatten().collect();
    let mut next = || {
        let mut tiles = position.ship_offer.iter().chain(Ship::ALL.iter().copied());
        let free =
            tiles.find(|ship| !taken.contains(ship)).expect("there are more ships than seats");
        taken.push(free);
        free
    };
    seats().map(|ship| ship.unwrap_or_else(&mut next)).collect()
}

fn area(
    position: &Position,
    seat: Seat,
    ship: Ship,
    dice: Colors,
    injury: Color,
    tasks: Tasks,
) -> Area {
    let first_row = position.first_row();
    let mut gods = GodRows::all_in(if ship == Ship::GodsUp { first_row } else { 0 });
    gods.put(injury.god(), first_row);
    let favor = if ship == Ship::Favor1 { FACTS.ship_favor } else { 0 };
    Area {
        seat,
        ship,
        dice,
        injury,
        favor: position.player(seat).favor.saturating_add(favor),
        shield: FACTS.first_shield + if ship == Ship::Shield2 { FACTS.ship_shield } else { 0 },
        gods,
        tasks,
        shrines: tasks.shrine,
    }
}

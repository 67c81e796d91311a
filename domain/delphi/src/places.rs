//! What lies where, for everybody: ships, gods, offerings, statues, monsters, shrines, cards and tiles. All of it is open.

use kernel::{Placed, Seat};

use crate::board::Hex;
use crate::pieces::{CargoKind, Color, God};
use crate::position::{Player, View};

pub(crate) fn places(view: &View) -> Vec<Placed> {
    let mut places = on_map(view);
    places.extend(on_offer(view));
    for (seat, player) in view.players.iter().enumerate() {
        of_seat(seat, player, &mut places);
    }
    places
}

/// On the islands and in the cities.
fn on_map(view: &View) -> Vec<Placed> {
    let lying = |kind: &str, Hex { q, r }: Hex, color: Color| {
        Placed::new(format_args!("{kind}-{color}"), format_args!("{kind}:{q},{r},{color}"))
    };
    let mut places = Vec::new();
    for stock in &view.offerings {
        places.extend(stock.colors.iter().map(|color| lying("offering", stock.at, color)));
    }
    for stock in &view.monsters {
        places.extend(stock.colors.iter().map(|color| lying("monster", stock.at, color)));
    }
    for city in &view.cities {
        let (count, color) = (city.statues.into(), city.color);
        let (kind, place) = (format_args!("statue-{color}"), format_args!("statue:{color}"));
        places.push(Placed::many(count, kind, place));
    }
    for site in view.sites.iter().filter(|site| site.seat.is_some()) {
        let (Hex { q, r }, color) = (site.at, site.color);
        let place = format_args!("site:{q},{r},{color}");
        places.push(Placed::new(format_args!("statue-{color}"), place));
    }
    for island in &view.islands {
        let Hex { q, r } = island.at;
        let shrine =
            |seat: Seat| Placed::new(format_args!("shrine-{seat}"), format_args!("hex:{q},{r}"));
        places.extend(island.shrine.map(shrine));
    }
    places
}

/// Beside the map.
fn on_offer(view: &View) -> Vec<Placed> {
    let mut places = Vec::new();
    for card in view.equipment_display.iter() {
        let place = format_args!("equipment:{card}");
        places.push(Placed::new(format_args!("equipment-{card}"), place));
    }
    for companion in view.companions.iter() {
        let (kind, color) = (companion.kind, companion.color);
        let place = format_args!("companion:{kind}-{color}");
        places.push(Placed::new(format_args!("companion-{kind}-{color}"), place));
    }
    for ship in view.ship_offer.iter() {
        places.push(Placed::new(format_args!("ship_tile-{ship}"), format_args!("ship:{ship}")));
    }
    places
}

/// What a seat has.
fn of_seat(seat: usize, player: &Player, places: &mut Vec<Placed>) {
    let Hex { q, r } = player.at;
    places.push(Placed::new(format_args!("ship-{seat}"), format_args!("hex:{q},{r}")));
    for god in God::ALL {
        let (name, row) = (god.to_string().to_lowercase(), player.gods.row(god));
        let place = format_args!("track:{seat}-{name}-{row}");
        places.push(Placed::new(format_args!("god-{seat}-{name}"), place));
    }
    let (left, kind) = (player.shrines.into(), format_args!("shrine-{seat}"));
    places.push(Placed::many(left, kind, format_args!("shrines:{seat}")));
    let piles = [
        ("statue", "hold", player.cargo.of(CargoKind::Statue)),
        ("offering", "hold", player.cargo.of(CargoKind::Offering)),
        ("card", "cards", &player.cards),
        ("injury", "injuries", &player.injuries),
    ];
    for (kind, place, colors) in piles {
        let lying =
            |color| Placed::new(format_args!("{kind}-{color}"), format_args!("{place}:{seat}"));
        places.extend(colors.iter().map(lying));
    }
    let area = format!("area:{seat}");
    let ship = player.ship.iter().map(|ship| format!("ship_tile-{ship}"));
    let equipment = player.equipment.iter().map(|card| format!("equipment-{card}"));
    let joined = player.companions.iter();
    let companions =
        joined.map(|companion| format!("companion-{}-{}", companion.kind, companion.color));
    let all = ship.chain(equipment).chain(companions);
    places.extend(all.map(|kind| Placed::new(kind, &area)));
}

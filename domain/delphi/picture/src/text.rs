//! The table for a terminal: the map in letters, then what lies where, then the seats.

use canvas::plain::Plain;
use canvas::{Says, Scene, Unreadable, say};
use delphi::seen::{
    Color, Colors, CompanionKind, Face, God, Hex, HexKind, MapHex, Player, Stock, View,
};

use crate::event::{Last, Mark};
use crate::hex::{column, name};
use crate::piece::{Paint, companion_name, count, god_name};
use crate::supply::counted;
use crate::view::{bonus_used, freed, fulfilled, rank, read, task, waiting_gods};

/// The longest line of a list.
const WIDE: usize = 100;

pub(crate) fn text(scene: &Scene<'_>) -> Result<String, Unreadable> {
    let view = read(scene)?;
    let last = Last::new(scene);
    let mut plain = Plain::new(scene, view.active_seat, &task(scene.says, &view));
    let says = scene.says;
    plain.line(say!(says, "round {round}", round = view.round));
    map(&mut plain, says, &view, &last);
    places(&mut plain, says, &view);
    for (seat, player) in view.players.iter().enumerate() {
        let rank = rank(&view, seat);
        let rank = rank.map_or_else(String::new, |rank| say!(says, ", rank {rank}", rank = rank));
        let rest = say!(
            says,
            "{color} pieces, {done}, {left} left",
            color = says.word(&player.color.to_string()),
            done = fulfilled(says, player),
            left = count(&player.tasks)
        );
        let rest = rest + &rank + &waiting_gods(says, player);
        plain.seat(scene, seat, view.active_seat, rest);
        seat_lines(&mut plain, says, player);
    }
    plain.line("");
    supply(&mut plain, says, &view, &last);
    Ok(plain.into_string())
}

/// Each hex is a letter with up to two ships behind it; hexes of a row stand four characters apart.
fn map(plain: &mut Plain, says: Says<'_>, view: &View, last: &Last) {
    let hexes = &view.map.hexes;
    let left = hexes.iter().map(|hex| column(hex.at())).min().unwrap_or(0);
    let mut rows: Vec<i32> = hexes.iter().map(|hex| hex.at().r).collect();
    rows.sort_unstable();
    rows.dedup();
    let wide = rows.iter().map(|r| r.to_string().len()).fold(3, usize::max);
    for r in rows {
        let mut row: Vec<&MapHex> = hexes.iter().filter(|hex| hex.at().r == r).collect();
        row.sort_unstable_by_key(|hex| hex.at().q);
        let mut line = format!("r ={r:wide$}  ");
        let start = line.len();
        for hex in row {
            let column = usize::try_from(2 * (column(hex.at()) - left)).unwrap_or(0);
            while line.chars().count() < start + column {
                line.push(' ');
            }
            line.push(if last.has(Mark::Hex(hex.at())) { '(' } else { ' ' });
            line.push_str(&letter(says, hex));
            line.extend(ships(view, hex.at()));
            if last.has(Mark::Hex(hex.at())) {
                line.push(')');
            }
        }
        plain.line(line);
    }
    let letters = Color::ALL.map(|color| color.letter(says).to_lowercase()).join(" ");
    plain.line(say!(says, "water {letters} (red black pink blue yellow green); Z Zeus, # shallow, C city, O offering, T temple,", letters = letters));
    plain.line(say!(
        says,
        "M monster, S statue, I island; a digit is a ship, ( ) what was done last"
    ));
    plain.line("");
}

fn letter(says: Says<'_>, hex: &MapHex) -> String {
    let kind = match hex.kind {
        HexKind::Water => {
            let letter = hex.color.map(|color| color.letter(says).to_lowercase());
            return letter.unwrap_or_else(|| "~".to_owned());
        }
        HexKind::Shallow => '#',
        HexKind::Zeus => 'Z',
        HexKind::Offering => 'O',
        HexKind::Temple => 'T',
        HexKind::Monster => 'M',
        HexKind::Statue => 'S',
        HexKind::Island => 'I',
        HexKind::City => 'C',
    };
    kind.to_string()
}

/// One ship as its seat, several as a star: the seats' lines say where their ships are.
fn ships(view: &View, at: Hex) -> Option<char> {
    let here = |(_, player): &(usize, &Player)| player.at == at;
    let mut here = view.players.iter().enumerate().filter(here);
    let (first, _) = here.next()?;
    match here.next() {
        Some(_) => Some('*'),
        None => char::from_digit(u32::try_from(first).ok()?, 10),
    }
}

/// What lies on the islands.
fn places(plain: &mut Plain, says: Says<'_>, view: &View) {
    let temples = view.temples.iter();
    let temples: Vec<String> = temples
        .map(|temple| format!("({}) {}", name(temple.at), says.word(temple.color.name())))
        .collect();
    list(plain, says, "temples", &temples);
    let cities = view.cities.iter();
    let cities: Vec<String> = cities
        .map(|city| {
            format!("({}) {} {}", name(city.at), city.statues, says.word(city.color.name()))
        })
        .collect();
    list(plain, says, "statues", &cities);
    list(plain, says, "offerings", &stocks(says, &view.offerings));
    list(plain, says, "monsters", &stocks(says, &view.monsters));
    let mut sites: Vec<(Hex, String)> = Vec::new();
    for site in &view.sites {
        let raised = site.seat.map_or_else(String::new, |seat| format!("={seat}"));
        let told = format!(" {}{raised}", says.word(site.color.name()));
        match sites.iter_mut().find(|(at, _)| *at == site.at) {
            Some((_, line)) => line.push_str(&told),
            None => sites.push((site.at, told)),
        }
    }
    let sites: Vec<String> =
        sites.iter().map(|(at, told)| format!("({}){told}", name(*at))).collect();
    list(plain, says, "sites", &sites);
    let islands = view.islands.iter().map(|island| {
        let face = match (island.shrine, island.face) {
            (Some(seat), _) => say!(says, "shrine of {seat}", seat = seat),
            (None, Some(face)) if island.revealed => face_of(says, face),
            (None, Some(face)) => format!("({})", face_of(says, face)),
            (None, None) => "?".to_owned(),
        };
        let seen: String = island.seen_by.iter().map(|seat| seat.to_string()).collect();
        let seen = if seen.is_empty() || island.revealed {
            String::new()
        } else {
            say!(says, " seen by {seats}", seats = seen)
        };
        format!("({}) {}: {face}{seen}", name(island.at), says.word(island.color.name()))
    });
    let islands: Vec<String> = islands.collect();
    list(plain, says, "islands", &islands);
    plain.line("");
}

fn face_of(says: Says<'_>, face: Face) -> String {
    let letter = format!("{:?}", face.letter).to_lowercase();
    format!("{} {letter}", says.word(&face.color.to_string()))
}

fn stocks(says: Says<'_>, stocks: &[Stock]) -> Vec<String> {
    let lying = stocks.iter().filter(|stock| !stock.colors.is_empty());
    lying
        .map(|stock| format!("({}) {}", name(stock.at), names(says, stock.colors.iter())))
        .collect()
}

/// A label and its parts, in as many lines as need be.
fn list(plain: &mut Plain, says: Says<'_>, label: &str, parts: &[String]) {
    let label = &says.word(label);
    let mut line = format!("{label:<11}");
    for (at, part) in parts.iter().enumerate() {
        let part = part.clone() + if at + 1 < parts.len() { "; " } else { "" };
        if line.len() + part.len() > WIDE && line.trim().len() > label.len() {
            plain.line(&line);
            line = " ".repeat(11);
        }
        line.push_str(&part);
    }
    if parts.is_empty() {
        line.push_str(&say!(says, "none"));
    }
    plain.line(line);
}

fn names(says: Says<'_>, colors: impl Iterator<Item = impl Paint>) -> String {
    let names = says.words(colors.map(Paint::name));
    if names.is_empty() { say!(says, "none") } else { names.join(" ") }
}

fn seat_lines(plain: &mut Plain, says: Says<'_>, player: &Player) {
    let colors = |colors: &Colors| names(says, colors.iter());
    let home = if player.home { say!(says, ", home") } else { String::new() };
    plain.line(say!(
        says,
        "      dice {dice}; ship at ({at}){home}; favor {favor}, shield {shield}",
        dice = colors(&player.dice),
        at = name(player.at),
        home = home,
        favor = player.favor,
        shield = player.shield
    ));
    plain.line(say!(
        says,
        "      oracle cards {cards}; injuries {injuries}",
        cards = counted(says, &player.cards),
        injuries = counted(says, &player.injuries)
    ));
    let row = |god: God| format!("{} {}", god_name(says, god), player.gods.row(god));
    plain.line(say!(says, "      gods: {gods}", gods = God::ALL.map(row).join(", ")));
    let (left, done) = (&player.tasks, &player.fulfilled);
    plain.line(say!(
        says,
        "      left: shrines {shrines}; statues {statues}; offerings {offerings}; monsters {monsters}",
        shrines = left.shrine,
        statues = names(says, left.statue.iter()),
        offerings = names(says, left.offering.iter()),
        monsters = names(says, left.monster.iter())
    ));
    plain.line(say!(
        says,
        "      done: shrines {shrines}; statues {statues}; offerings {offerings}; monsters {monsters}",
        shrines = done.shrine,
        statues = colors(&done.statue),
        offerings = colors(&done.offering),
        monsters = colors(&done.monster)
    ));
    plain.line(say!(
        says,
        "      storage of {n}: statues {statues}; offerings {offerings}",
        n = player.storage(),
        statues = colors(&player.cargo.statue),
        offerings = colors(&player.cargo.offering)
    ));
    let mut owned: Vec<String> = Vec::new();
    let ship = player.ship.map(|ship| says.named("ship", &ship.to_string()));
    owned.extend(ship.map(|ship| say!(says, "ship {ship}", ship = ship)));
    owned.extend(player.companions.iter().map(|companion| companion_name(says, companion)));
    owned.extend(player.equipment.iter().map(|card| says.named("equipment", &card.to_string())));
    if !owned.is_empty() {
        list(plain, says, "      has", &owned);
    }
}

fn supply(plain: &mut Plain, says: Says<'_>, view: &View, last: &Last) {
    if let Some(strength) = last.titan {
        plain.line(say!(says, "the titan rolled {n}", n = strength));
    }
    if let Some(color) = view.turn.card_played {
        let color = says.word(color.name());
        plain.line(say!(says, "oracle card laid aside: {color}", color = color));
    }
    for told in freed(says, view).into_iter().chain(bonus_used(says, view)) {
        plain.line(told);
    }
    for (label, deck, discard) in [
        ("oracle", &view.oracle_deck, &view.oracle_discard),
        ("injuries", &view.injury_deck, &view.injury_discard),
    ] {
        let deck = say!(says, "deck {cards}", cards = counted(says, deck));
        let discard = say!(says, "discard {cards}", cards = counted(says, discard));
        list(plain, says, label, &[deck, discard]);
    }
    let display = view.equipment_display.iter();
    let mut display: Vec<String> =
        display.map(|card| says.named("equipment", &card.to_string())).collect();
    display.push(say!(says, "{n} more in the deck", n = view.equipment_deck.len()));
    list(plain, says, "equipment", &display);
    let companions = CompanionKind::ALL.map(|kind| {
        let left = view.companions.iter().filter(|companion| companion.kind == kind);
        let left = names(says, left.map(|companion| companion.color));
        format!("{}: {left}", says.word(&kind.to_string()))
    });
    list(plain, says, "companions", &companions);
    if !view.ship_offer.is_empty() {
        let ships = view.ship_offer.iter();
        let ships: Vec<String> = ships.map(|ship| says.named("ship", &ship.to_string())).collect();
        list(plain, says, "ships", &ships);
    }
}

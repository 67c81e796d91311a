//! The table for a terminal: the map in letters, then what lies where, then the seats.

use canvas::plain::Plain;
use canvas::{Scene, Unreadable};
use delphi::seen::{Companion, CompanionKind, God, Hex, HexKind, MapHex, Player, Stock, View};

use crate::event::{Last, Mark};
use crate::hex::{column, name};
use crate::piece::{Paint, Told, count, told};
use crate::supply::counted;
use crate::view::{rank, read, task};

/// The longest line of a list.
const WIDE: usize = 100;

pub(crate) fn text(scene: &Scene<'_>) -> Result<String, Unreadable> {
    let view = read(scene)?;
    let last = Last::new(scene);
    let mut plain = Plain::new(scene, view.active_seat, &task(&view));
    plain.line(format!("round {}", view.round));
    map(&mut plain, &view, &last);
    places(&mut plain, &view);
    for (seat, player) in view.players.iter().enumerate() {
        let rank = rank(&view, seat).map_or_else(String::new, |rank| format!(", rank {rank}"));
        let (done, left) = (player.fulfilled.count(), count(&player.tasks));
        let color = player.color;
        let rest = format!("{color} pieces, {done} tasks fulfilled, {left} left{rank}");
        plain.seat(scene, seat, view.active_seat, rest);
        seat_lines(&mut plain, player);
    }
    plain.line("");
    supply(&mut plain, &view, &last);
    Ok(plain.into_string())
}

/// Each hex is a letter with up to two ships behind it; hexes of a row stand four characters apart.
fn map(plain: &mut Plain, view: &View, last: &Last) {
    let hexes = &view.map.hexes;
    let left = hexes.iter().map(|hex| column(hex.at())).min().unwrap_or(0);
    let mut rows: Vec<i32> = hexes.iter().map(|hex| hex.at().r).collect();
    rows.sort_unstable();
    rows.dedup();
    for r in rows {
        let mut row: Vec<&MapHex> = hexes.iter().filter(|hex| hex.at().r == r).collect();
        row.sort_unstable_by_key(|hex| hex.at().q);
        let mut line = format!("r ={r:3}  ");
        let start = line.len();
        for hex in row {
            let column = usize::try_from(2 * (column(hex.at()) - left)).unwrap_or(0);
            while line.chars().count() < start + column {
                line.push(' ');
            }
            line.push(if last.has(Mark::Hex(hex.at())) { '(' } else { ' ' });
            line.push(letter(hex));
            line.extend(ships(view, hex.at()));
            if last.has(Mark::Hex(hex.at())) {
                line.push(')');
            }
        }
        plain.line(line);
    }
    plain.line("water r k p b y g (red black pink blue yellow green); Z Zeus, # shallow, C city, O offering, T temple,");
    plain.line("M monster, S statue, I island; a digit is a ship, ( ) what was done last");
    plain.line("");
}

fn letter(hex: &MapHex) -> char {
    match hex.kind {
        HexKind::Water => hex.color.map_or('~', |color| color.letter().to_ascii_lowercase()),
        HexKind::Shallow => '#',
        HexKind::Zeus => 'Z',
        HexKind::Offering => 'O',
        HexKind::Temple => 'T',
        HexKind::Monster => 'M',
        HexKind::Statue => 'S',
        HexKind::Island => 'I',
        HexKind::City => 'C',
    }
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
fn places(plain: &mut Plain, view: &View) {
    let temples = view.temples.iter();
    let temples: Vec<String> =
        temples.map(|temple| format!("({}) {}", name(temple.at), temple.color.name())).collect();
    list(plain, "temples", &temples);
    let cities = view.cities.iter();
    let cities: Vec<String> = cities
        .map(|city| format!("({}) {} {}", name(city.at), city.statues, city.color.name()))
        .collect();
    list(plain, "statues", &cities);
    list(plain, "offerings", &stocks(&view.offerings));
    list(plain, "monsters", &stocks(&view.monsters));
    let mut sites: Vec<(Hex, String)> = Vec::new();
    for site in &view.sites {
        let raised = site.seat.map_or_else(String::new, |seat| format!("={seat}"));
        let told = format!(" {}{raised}", site.color.name());
        match sites.iter_mut().find(|(at, _)| *at == site.at) {
            Some((_, line)) => line.push_str(&told),
            None => sites.push((site.at, told)),
        }
    }
    let sites: Vec<String> =
        sites.iter().map(|(at, told)| format!("({}){told}", name(*at))).collect();
    list(plain, "sites", &sites);
    let islands = view.islands.iter().map(|island| {
        let face = match (island.shrine, island.face) {
            (Some(seat), _) => format!("shrine of {seat}"),
            (None, Some(face)) if island.revealed => {
                format!("{} {:?}", face.color, face.letter).to_lowercase()
            }
            (None, Some(face)) => format!("({} {:?})", face.color, face.letter).to_lowercase(),
            (None, None) => "?".to_owned(),
        };
        let seen: String = island.seen_by.iter().map(|seat| seat.to_string()).collect();
        let seen = if seen.is_empty() || island.revealed {
            String::new()
        } else {
            format!(" seen by {seen}")
        };
        format!("({}) {}: {face}{seen}", name(island.at), island.color.name())
    });
    let islands: Vec<String> = islands.collect();
    list(plain, "islands", &islands);
    plain.line("");
}

fn stocks(stocks: &[Stock]) -> Vec<String> {
    let lying = stocks.iter().filter(|stock| !stock.colors.is_empty());
    lying.map(|stock| format!("({}) {}", name(stock.at), names(stock.colors.iter()))).collect()
}

/// A label and its parts, in as many lines as need be.
fn list(plain: &mut Plain, label: &str, parts: &[String]) {
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
        line.push_str("none");
    }
    plain.line(line);
}

fn names(colors: impl Iterator<Item = impl Paint>) -> String {
    let names: Vec<&str> = colors.map(Paint::name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(" ") }
}

fn seat_lines(plain: &mut Plain, player: &Player) {
    let home = if player.home { ", home" } else { "" };
    plain.line(format!(
        "      dice {}; ship at ({}){home}; favor {}, shield {}",
        names(player.dice.iter()),
        name(player.at),
        player.favor,
        player.shield
    ));
    plain.line(format!(
        "      oracle cards {}; injuries {}",
        counted(&player.cards),
        counted(&player.injuries)
    ));
    let gods = God::ALL.map(|god| format!("{} {}", god.name(), player.gods.row(god)));
    plain.line(format!("      gods: {}", gods.join(", ")));
    let (left, done) = (&player.tasks, &player.fulfilled);
    plain.line(format!(
        "      left: shrines {}; statues {}; offerings {}; monsters {}",
        left.shrine,
        names(left.statue.iter()),
        names(left.offering.iter()),
        names(left.monster.iter())
    ));
    plain.line(format!(
        "      done: shrines {}; statues {}; offerings {}; monsters {}",
        done.shrine,
        names(done.statue.iter()),
        names(done.offering.iter()),
        names(done.monster.iter())
    ));
    plain.line(format!(
        "      storage of {}: statues {}; offerings {}",
        player.storage(),
        names(player.cargo.statue.iter()),
        names(player.cargo.offering.iter())
    ));
    let mut owned: Vec<String> = Vec::new();
    owned.extend(player.ship.map(|ship| format!("ship {}", told(ship).0)));
    let companion =
        |companion: Companion| format!("{} {}", companion.color.name(), companion.kind.name());
    owned.extend(player.companions.iter().map(companion));
    owned.extend(player.equipment.iter().map(|card| card.to_string()));
    if !owned.is_empty() {
        list(plain, "      has", &owned);
    }
}

fn supply(plain: &mut Plain, view: &View, last: &Last) {
    if let Some(strength) = last.titan {
        plain.line(format!("the titan rolled {strength}"));
    }
    if let Some(color) = view.turn.card_played {
        plain.line(format!("oracle card laid aside: {}", color.name()));
    }
    list(
        plain,
        "oracle",
        &[
            format!("deck {}", counted(&view.oracle_deck)),
            format!("discard {}", counted(&view.oracle_discard)),
        ],
    );
    list(
        plain,
        "injuries",
        &[
            format!("deck {}", counted(&view.injury_deck)),
            format!("discard {}", counted(&view.injury_discard)),
        ],
    );
    let display: Vec<String> = view.equipment_display.iter().map(|card| card.to_string()).collect();
    list(plain, "equipment", &display);
    let companions = CompanionKind::ALL.map(|kind| {
        let left = view.companions.iter().filter(|companion| companion.kind == kind);
        format!("{}: {}", kind.name(), names(left.map(|companion| companion.color)))
    });
    list(plain, "companions", &companions);
    if !view.ship_offer.is_empty() {
        let ships: Vec<String> =
            view.ship_offer.iter().map(|ship| told(ship).0.to_owned()).collect();
        list(plain, "ships", &ships);
    }
}

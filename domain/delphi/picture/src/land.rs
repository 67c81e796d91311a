//! What lies on the islands.

use std::fmt::Display;

use kernel::Seat;

use canvas::panel::seat_mark;
use canvas::svg::Svg;
use canvas::{Says, Scene, say};
use delphi::seen::{
    Colors, Face, Hex, HexKind, IslandView, MapHex, Site, Stock, TaskKind, View, ZeusTile,
};

use crate::hex::{self, RADIUS, outline};
use crate::map::title;
use crate::piece::{Paint, gain, glyph};
use crate::play::{self, disc, large_disc, letter, piece, shape, shrine};
use crate::view::seat_of;

fn ground(svg: &mut Svg) {
    play::hex(svg, "f-land");
}

/// An island with offerings or monsters.
pub(crate) fn stock(svg: &mut Svg, says: Says<'_>, stocks: &[Stock], at: Hex, task: TaskKind) {
    let colors = lying(stocks, at);
    let names = says.words(colors.iter().map(Paint::name));
    let list = if names.is_empty() { say!(says, "none left") } else { names.join(", ") };
    let island = match task {
        TaskKind::Offering => "({at}) offering island: {list}",
        TaskKind::Monster | TaskKind::Shrine | TaskKind::Statue => "({at}) monster island: {list}",
    };
    title(svg, says.text(island, &[("at", &hex::name(at)), ("list", &list)]));
    ground(svg);
    if colors.is_empty() {
        shape(svg, task, "f0 s-faint w2 dash");
    }
    pieces(svg, says, stocks, at, task);
}

fn lying(stocks: &[Stock], at: Hex) -> Colors {
    let stock = stocks.iter().find(|stock| stock.at == at);
    stock.map_or(Colors::EMPTY, |stock| stock.colors)
}

/// The offerings or monsters: equal ones lie on one another, with their number.
fn pieces(svg: &mut Svg, says: Says<'_>, stocks: &[Stock], at: Hex, task: TaskKind) {
    let colors = lying(stocks, at);
    let (kind, one) = match task {
        TaskKind::Offering => ("offering", "{color} offering"),
        TaskKind::Monster | TaskKind::Shrine | TaskKind::Statue => ("monster", "{color} monster"),
    };
    let kinds = colors.kinds().count();
    for (place, color) in colors.kinds().enumerate() {
        let (x, y) = scattered(kinds, place);
        let place = format!("{kind}:{},{}", hex::name(at), color.name());
        let told = says.text(one, &[("color", &says.word(color.name()))]);
        let count = colors.count(color);
        let told = if count > 1 { format!("{told} ×{count}") } else { told };
        piece(svg, task, color, x, y)
            .a("data-spot", &place)
            .piece(format_args!("{kind}-{}", color.name()), &place)
            .with(|svg| title(svg, told));
        if count > 1 {
            let label = svg.label(x + 9.0, y + 17.0, 13.0).class("f-ink b m");
            label.a("pointer-events", "none").text(format_args!("×{count}"));
        }
    }
}

/// What a loaded position has on a hex of another kind.
pub(crate) fn strays(svg: &mut Svg, says: Says<'_>, view: &View, hex: &MapHex) {
    let at = hex.at();
    if hex.kind != HexKind::Offering {
        pieces(svg, says, &view.offerings, at, TaskKind::Offering);
    }
    if hex.kind != HexKind::Monster {
        pieces(svg, says, &view.monsters, at, TaskKind::Monster);
    }
    if hex.kind != HexKind::Statue {
        plinths(svg, says, view, at);
    }
    if hex.kind != HexKind::City {
        for city in view.cities.iter().filter(|city| city.at == at) {
            statues(svg, says, city.color.tile(), city.statues);
        }
    }
}

/// Where one of `count` pieces lies.
fn scattered(count: usize, place: usize) -> (f64, f64) {
    let side = if place.is_multiple_of(2) { -15.0 } else { 15.0 };
    match (count, place) {
        (1, _) => (0.0, 0.0),
        (2, _) => (side, 0.0),
        (3, 2) => (0.0, 16.0),
        (3 | 4, 0 | 1) => (side, -13.0),
        (3 | 4, _) => (side, 15.0),
        // Only a loaded position has more than four on one island.
        (_, _) => ((place % 3) as f64 * 20.0 - 20.0, if place < 3 { -13.0 } else { 15.0 }),
    }
}

pub(crate) fn temple(svg: &mut Svg, says: Says<'_>, view: &View, at: Hex) {
    let color = view.temples.iter().find(|temple| temple.at == at);
    let color = color.map_or(ZeusTile::White, |temple| temple.color.tile());
    let told = says.word(color.name());
    title(svg, say!(says, "({at}) {color} temple", at = hex::name(at), color = told));
    ground(svg);
    let paint = format!("f-{} p", color.name());
    svg.path("M-25-9L0-27L25-9ZM-21-9H-12V17H-21ZM12-9H21V17H12ZM-26 17H26V24H-26Z")
        .class(&paint)
        .end();
    large_disc(svg, color, 0.0, 4.0, 11.0);
}

pub(crate) fn sites(svg: &mut Svg, says: Says<'_>, view: &View, at: Hex) {
    let all = view.sites.iter().filter(|site| site.at == at);
    let all: Vec<String> = all.map(|site| site_told(says, site)).collect();
    let at_name = hex::name(at);
    title(svg, say!(says, "({at}) statue island: {sites}", at = at_name, sites = all.join(", ")));
    ground(svg);
    plinths(svg, says, view, at);
}

fn site_told(says: Says<'_>, site: &Site) -> String {
    let color = says.word(site.color.name());
    match site.seat {
        Some(seat) => say!(says, "{color} statue of seat {seat}", color = color, seat = seat),
        None => say!(says, "{color} site", color = color),
    }
}

/// The building sites of an island, with their statues.
fn plinths(svg: &mut Svg, says: Says<'_>, view: &View, at: Hex) {
    let sites: Vec<&Site> = view.sites.iter().filter(|site| site.at == at).collect();
    let at = hex::name(at);
    for (place, site) in sites.iter().enumerate() {
        let (x, y) = match (sites.len(), place) {
            (4.., _) => scattered(sites.len(), place),
            (_, 2) => (0.0, 17.0),
            (_, 1) => (17.0, -9.0),
            (_, _) => (-17.0, -9.0),
        };
        let name = site.color.name();
        svg.moved(x, y).spot("site", format_args!("{at},{name}")).with(|svg| {
            title(svg, site_told(says, site));
            match site.seat {
                None => {
                    // A plinth that waits for its statue.
                    svg.path("M-11 10V5H-8V-7H8V5H11V10Z")
                        .class(&format!("f-{name} s-print w1 c"))
                        .end();
                    letter(says, svg, site.color, 6.0, 14.0);
                }
                Some(seat) => {
                    piece(svg, TaskKind::Statue, site.color, -3.0, 0.0)
                        .piece(format_args!("statue-{name}"), format_args!("site:{at},{name}"))
                        .end();
                    seat_mark(svg, seat.index(), 9.0, 7.0, 7.5);
                }
            }
        });
    }
}

pub(crate) fn city(svg: &mut Svg, says: Says<'_>, view: &View, at: Hex) {
    let city = view.cities.iter().find(|city| city.at == at);
    let (color, count) =
        city.map_or((ZeusTile::White, 0), |city| (city.color.tile(), city.statues));
    let name = color.name();
    title(
        svg,
        say!(
            says,
            "({at}) {color} city, {statues} left",
            at = hex::name(at),
            color = says.word(name),
            statues = says.counted(count, "{n} statue", "{n} statues")
        ),
    );
    ground(svg);
    svg.path(
        "M-26-2V-18H-20V-13H-14V-18H-8V-12H-7V-30H-2V-25H2V-30H7V-12H8V-18H14V-13H20V-18H26V-2Z",
    )
    .class(&format!("f-{name} p"))
    .end();
    svg.moved(0.0, -10.0).with(|svg| letter(says, svg, color, 5.0, 16.0));
    statues(svg, says, color, count);
}

/// The statues that are left in a city.
fn statues(svg: &mut Svg, says: Says<'_>, color: ZeusTile, count: u8) {
    let name = color.name();
    let group = svg.group().placed(0.0, 16.0, 0.0, 0.9);
    group.spot("statue", name).with(|svg| {
        title(svg, say!(says, "{color} statues: {n}", n = count, color = says.word(name)));
        for place in 0..count.min(3) {
            let x = f64::from(place) * 21.0 - 21.0;
            piece(svg, TaskKind::Statue, color, x, 0.0)
                .piece(format_args!("statue-{name}"), format_args!("statue:{name}"))
                .end();
        }
    });
}

pub(crate) fn island(svg: &mut Svg, scene: &Scene<'_>, view: &View, at: Hex) {
    let Some(island) = view.islands.iter().find(|island| island.at == at) else {
        title(svg, say!(scene.says, "({at}) island", at = hex::name(at)));
        return ground(svg);
    };
    title(svg, format_args!("({}) {}", hex::name(at), told(scene, view, island)));
    let name = island.color.name();
    play::hex(svg, &format!("f-{name} s-print w1"));
    svg.path(&outline(RADIUS - 9.0)).class("f-land s-print w1").end();
    match (island.shrine, island.face) {
        (Some(seat), _) => {
            let place = format_args!("hex:{}", hex::name(at));
            let group = svg.group().class("piece").piece(format_args!("shrine-{seat}"), place);
            group.with(|svg| shrine(svg, seat.index()));
        }
        (None, Some(face)) => {
            let class = if island.revealed { "face" } else { "face peek" };
            svg.group().class(class).with(|svg| open(svg, view, face));
        }
        (None, None) => svg.label(0.0, 8.0, 28.0).class("f-ink b m").text("?"),
    }
    if !island.revealed && !island.seen_by.is_empty() {
        looked_at(svg, &island.seen_by);
    }
    // The colour of the frame, as a letter.
    disc(svg, island.color, 0.0, -29.0);
}

/// An eye, and the seats that know the face.
fn looked_at(svg: &mut Svg, seats: &[Seat]) {
    let seats: String = seats.iter().take(4).map(Seat::to_string).collect();
    let left = -8.0 - seats.len() as f64 * 3.5;
    svg.path(&format!("M{left} 18q6-7 12 0q-6 7-12 0zm5 0h2")).class("f0 s-ink w2 c").end();
    let text = svg.element("text").n("x", left + 15.0).n("y", 22.0);
    text.n("font-size", 11.0).a("style", "text-anchor:start").text(seats);
}

/// The face: the letter, and whose shrine may stand here.
fn open(svg: &mut Svg, view: &View, face: Face) {
    svg.label(-11.0, 4.0, 24.0).class("f-ink b m").text(glyph(face.letter));
    svg.group().placed(13.0, -4.0, 0.0, 0.8).with(|svg| match seat_of(view, face.color) {
        Some(seat) => {
            svg.path("M-15 14V-3L0-17L15-3V14Z")
                .class(&format!("f-field w3 c s-seat{}", seat % 5))
                .end();
            svg.label(0.0, 9.0, 18.0).class("f-ink b m").text(seat);
        }
        // Nobody plays these pieces.
        None => svg.path("M-15 14V-3L0-17L15-3V14Z").class("f0 s-faint w2 dash").end(),
    });
}

fn told(scene: &Scene<'_>, view: &View, island: &IslandView) -> String {
    let says = scene.says;
    let frame = says.word(island.color.name());
    let mut told = match island.face {
        None => say!(says, "island in a {frame} frame, face down", frame = frame),
        Some(face) => {
            let whose = match seat_of(view, face.color) {
                Some(seat) => scene.name(seat),
                None => say!(says, "nobody"),
            };
            let sentence = if island.revealed {
                "island in a {frame} frame, {color} for {name}, {gain}"
            } else {
                "island in a {frame} frame, face down, {color} for {name}, {gain}"
            };
            let color = says.word(&face.color.to_string());
            let gain = says.word(gain(face.letter));
            let parts: [(&str, &dyn Display); 4] =
                [("frame", &frame), ("color", &color), ("name", &whose), ("gain", &gain)];
            says.text(sentence, &parts)
        }
    };
    if let Some(seat) = island.shrine {
        told.push_str(&say!(says, ", shrine of {name}", name = scene.name(seat.index())));
    }
    if island.revealed {
        return told;
    }
    match island.seen_by.as_slice() {
        [] => {}
        [seat] => told.push_str(&say!(says, ", looked at by seat {seat}", seat = seat)),
        seats => {
            let seats: Vec<String> = seats.iter().map(Seat::to_string).collect();
            told.push_str(&say!(says, ", looked at by seats {seats}", seats = seats.join(", ")));
        }
    }
    told
}

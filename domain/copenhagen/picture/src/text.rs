//! The table for a terminal: the facades side by side.

use canvas::measure::fit;
use canvas::plain::{Plain, isolated, seen};
use canvas::{Says, Scene, Unreadable, say};

use copenhagen::seen::{
    Ability, AbilityState, COAT_ROWS, Cards, Color, EndCard, PlayerView, Tile, View,
};

use crate::ability;
use crate::event::Last;
use crate::view::{
    COLUMNS, ROWS, Spaces, column_value, empty, has_coat, letter, rank, read, row_value, spaces,
    squares, task,
};

/// Characters from one facade to the next.
const STEP: usize = 19;

pub(crate) fn text(scene: &Scene<'_>) -> Result<String, Unreadable> {
    let (view, says) = (read(scene)?, scene.says);
    let last = Last::new(scene);
    let mut plain = Plain::new(scene, view.active_seat, &task(says, &view));
    let slots: Vec<String> = view
        .harbor
        .iter()
        .enumerate()
        .map(|(slot, color)| {
            format!("{slot} {}", color.map_or("-".to_owned(), |color| says.word(color.name())))
        })
        .collect();
    plain.line(say!(says, "harbor   {slots}", slots = slots.join("   ")));
    let end = match view.end_card {
        EndCard::Aside => "the end card lies aside",
        EndCard::Deck => "the end card is among the last ten",
        EndCard::Revealed => "the end card came up",
    };
    plain.line(say!(
        says,
        "deck     {deck}, {end}; discard {n}: {cards}",
        deck = view.deck_size,
        end = says.word(end),
        n = view.discard.len(),
        cards = cards(says, &view.discard)
    ));
    if let Some(deck) = &view.deck {
        plain.line(say!(says, "         in the deck: {cards}", cards = cards(says, deck)));
    }
    plain.line("");
    facades(&mut plain, scene, &view, &last);
    for (seat, player) in view.players.iter().enumerate() {
        let rank = rank(&view, seat);
        let rank = rank.map_or_else(String::new, |rank| say!(says, ", rank {rank}", rank = rank));
        let empty = says.counted(empty(player), "{n} space empty", "{n} spaces empty");
        let points = says.counted(player.score, "{n} point", "{n} points");
        let rest = format!("{points}{rank}, {empty}");
        plain.seat(scene, seat, view.active_seat, rest);
        let hand = match &player.hand {
            Some(hand) => cards(says, hand),
            None => say!(says, "face down"),
        };
        plain.line(say!(says, "      hand {n}: {hand}", n = player.hand_size, hand = hand));
        let abilities = abilities(says, player);
        plain.line(say!(says, "      abilities: {abilities}", abilities = abilities));
    }
    plain.line("");
    plain.line(say!(says, "tiles left, sizes 2 3 4 5"));
    let of_color = |color: Color| {
        let tiles = Tile::all().filter(|tile| tile.color() == Some(color));
        let counts: Vec<String> = tiles.map(|tile| view.supply.count(tile).to_string()).collect();
        format!("{} {}", says.word(color.name()), counts.join(" "))
    };
    let mut rows: Vec<String> = Color::ALL.into_iter().map(of_color).collect();
    rows.push(say!(says, "special {n}", n = view.supply.count(Tile::SPECIAL)));
    plain.line(format!("  {}", rows.join(", ")));
    Ok(plain.into_string())
}

/// `2 red, 1 blue`, `none`.
fn cards(says: Says<'_>, cards: &Cards) -> String {
    let mut parts = Vec::new();
    for color in Color::ALL {
        match cards.count(color) {
            0 => {}
            count => parts.push(format!("{count} {}", says.word(color.name()))),
        }
    }
    if parts.is_empty() {
        return say!(says, "none");
    }
    parts.join(", ")
}

fn abilities(says: Says<'_>, player: &PlayerView) -> String {
    let owned = Ability::ALL.into_iter().filter_map(|ability| {
        let used = match player.abilities.state(ability)? {
            AbilityState::Active => String::new(),
            AbilityState::Used => say!(says, " (used)"),
        };
        Some(format!("{}{used}", ability::name(says, ability)))
    });
    let owned: Vec<String> = owned.collect();
    if owned.is_empty() { say!(says, "none") } else { owned.join(", ") }
}

fn facades(plain: &mut Plain, scene: &Scene<'_>, view: &View, last: &Last) {
    let boards: Vec<Spaces> = view.players.iter().map(spaces).collect();
    let beside = |part: &dyn Fn(usize) -> String| -> String {
        let padded = |part: String| {
            let room = STEP.saturating_sub(seen(&part));
            part + &" ".repeat(room)
        };
        (0..boards.len()).map(|seat| padded(part(seat))).collect()
    };
    plain.named(&beside(&|seat| {
        // Names in widths of a terminal are not known; about this many letters fit.
        let name = fit(&scene.name(seat), 1.0, 9.0);
        let name: String = name.chars().take(STEP - 6).collect();
        format!("  {seat} {}", isolated(&name))
    }));
    for y in 0..ROWS {
        plain.line(beside(&|seat| {
            row(scene.says, &boards[seat], &view.players[seat], last, seat, y)
        }));
    }
    plain.line(beside(&|_| "    0 1 2 3 4".to_owned()));
    plain.line(beside(&|seat| {
        let worth = |x: usize| match column_value(&boards[seat], x) {
            Some(value) => format!(" {value}"),
            None => "  ".to_owned(),
        };
        let values: String = (0..COLUMNS).map(worth).collect();
        format!("   {values}")
    }));
    let letters = "R a brick, r a window of a red tile, s a special tile, * a coat of arms;";
    plain.line(scene.says.word(letters));
    let signs = "numbers: points of complete rows and columns; < the tile that was placed last";
    plain.line(scene.says.word(signs));
    plain.line("");
}

fn row(
    says: Says<'_>,
    spaces: &Spaces,
    player: &PlayerView,
    last: &Last,
    seat: usize,
    y: usize,
) -> String {
    let mut row = format!(" {y} ");
    for (x, space) in spaces[y].iter().enumerate() {
        let c = match space {
            None if has_coat(x, y) => "*".to_owned(),
            None => ".".to_owned(),
            Some(cover) => match cover.color {
                None => "s".to_owned(),
                Some(color) if cover.brick => letter(says, color),
                Some(color) => letter(says, color).to_lowercase(),
            },
        };
        row.push(' ');
        row.push_str(&c);
    }
    match row_value(spaces, y) {
        Some(value) => row.push_str(&format!(" {value}")),
        None if COAT_ROWS.iter().any(|row| usize::from(*row) == y) => row.push_str(" *"),
        None => {}
    }
    let new = player.tiles.iter().filter(|placed| last.tile(seat, placed));
    let placed = new.flat_map(squares).any(|square| square.y.index() == y);
    if placed {
        row.push_str(" <");
    }
    row
}

//! Rosenkönig as a client needs it that knows the rules: what is legal, from what a view shows (domain/rosenkoenig/RULES.md, section 7).

use serde::{Deserialize, Serialize};

const SIDE: i64 = 9;
const HAND: usize = 5;

/// The part of a view that a player looks at.
#[derive(Deserialize)]
pub(crate) struct View {
    pub(crate) active_seat: Option<usize>,
    pub(crate) board: Vec<String>,
    pub(crate) scores: [Score; 2],
    pub(crate) stones_left: u32,
    crown: Field,
    hands: [Vec<String>; 2],
    heroes: [u32; 2],
    options: Options,
}

#[derive(Deserialize)]
pub(crate) struct Score {
    pub(crate) points: u32,
}

#[derive(Deserialize)]
struct Field {
    x: i64,
    y: i64,
}

#[derive(Deserialize)]
struct Options {
    colors: [String; 2],
}

#[derive(Serialize)]
#[serde(tag = "type")]
enum Command<'a> {
    PlayCard { card: &'a str, hero: bool },
    DrawCard {},
}

impl View {
    /// The legal commands of the seat to act, as the server lists them: plays in card order, then the draw.
    pub(crate) fn legal(&self) -> Vec<String> {
        let Some(seat) = self.active_seat else { return Vec::new() };
        let own = &self.options.colors[seat][..1];
        let plays = self.hands[seat].iter().filter_map(|card| {
            let hero = match self.target(card)? {
                "." => false,
                color if color == own || self.heroes[seat] == 0 => return None,
                _ => true,
            };
            Some(Command::PlayCard { card, hero })
        });
        let draw = (self.hands[seat].len() < HAND).then_some(Command::DrawCard {});
        let text = |command| serde_json::to_string(&command).expect("a command is JSON");
        plays.chain(draw).map(text).collect()
    }

    /// What lies on the field that the crown reaches with a card, if that is on the board.
    fn target(&self, card: &str) -> Option<&str> {
        let (direction, distance) = card.split_at(card.len() - 1);
        let distance: i64 = distance.parse().expect("a card ends with its distance");
        let step = |one: char, other: char| {
            i64::from(direction.contains(one)) - i64::from(direction.contains(other))
        };
        let x = self.crown.x + distance * step('e', 'w');
        let y = self.crown.y + distance * step('s', 'n');
        let on_board = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
        on_board.then(|| &self.board[y as usize][x as usize..=x as usize])
    }
}

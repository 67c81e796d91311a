//! Random full matches with all options.

use kernel::{Game, Rule, Seat, Viewer};
use rosenkoenig::{Card, Cards, Color, Command, Position, Rosenkoenig};
use serde_json::{Value, json};
use testkit::leaky::{self, Hides};
use testkit::{Conformance, Dice, conform};

fn all_options() -> Vec<(Value, u8)> {
    let mut all = Vec::new();
    for colors in [json!(["red", "white"]), json!(["white", "red"])] {
        for start in ["random", "red"] {
            for show_draw_pile in [false, true] {
                for light in [false, true] {
                    all.push((
                        json!({"colors": colors, "start": start, "show_draw_pile": show_draw_pile, "light": light}),
                        2,
                    ));
                }
            }
        }
    }
    all
}

/// The order of the draw pile is all that nobody sees.
fn exchange_hidden(position: &Position, _viewer: Viewer, dice: &mut Dice) -> Position {
    let mut json = serde_json::to_value(position).unwrap();
    dice.shuffle(json["draw_pile"].as_array_mut().unwrap());
    Rosenkoenig::admit(serde_json::from_value(json).unwrap()).unwrap()
}

/// Every card is in one place, every stone too.
pub(crate) fn invariant(position: &Position) {
    let (draw, discard) = (position.draw_pile(), position.discard_pile());
    let [first, second] = [Seat(0), Seat(1)].map(|seat| position.hand(seat));
    let places = [first, second, draw.set(), discard.set()];
    assert_eq!(first.len() + second.len() + draw.len() + discard.len(), Card::COUNT);
    assert_eq!(places.iter().flat_map(|cards| cards.iter()).collect::<Cards>(), Cards::all());
    let [red, white] = [Color::Red, Color::White].map(|color| position.stones(color));
    assert!(red.iter().all(|field| !white.contains(field)), "a field with two stones");
    assert_eq!(red.len() + white.len() + usize::from(position.stones_left()), 52);
    assert!(first.len() <= 5 && second.len() <= 5);
}

#[test]
fn random_matches_conform_with_all_options() {
    conform::<Rosenkoenig>(&random_matches());
}

fn random_matches() -> Conformance<'static, Rosenkoenig> {
    Conformance {
        matches: 6,
        options: all_options(),
        longest: 120,
        choose: &|_, commands, dice| dice.below(commands.len()),
        exchange_hidden: &exchange_hidden,
        invariant: &invariant,
    }
}

struct NextCard;

impl Hides for NextCard {
    type Game = Rosenkoenig;
    const HIDDEN: &str = "/draw_pile/0";
    const RULE: Rule = Rule("R-24");
}

#[test]
fn leaks_are_found() {
    leaky::are_found::<NextCard>(&random_matches());
}

#[test]
fn matches_that_spend_heroes_and_fill_hands_conform() {
    // Full hands and no heroes are what leads to passes and to a blocked match.
    let choose = |_: &Position, commands: &[Command], dice: &mut Dice| {
        let eager = commands.iter().position(|command| match command {
            Command::PlayCard { hero, .. } => *hero,
            Command::DrawCard {} => true,
        });
        eager.unwrap_or_else(|| dice.below(commands.len()))
    };
    conform::<Rosenkoenig>(&Conformance {
        matches: 20,
        options: vec![(json!({}), 2)],
        longest: 120,
        choose: &choose,
        exchange_hidden: &exchange_hidden,
        invariant: &invariant,
    });
}

//! What every game must pass, and what must hold in every position of this one.

use copenhagen::{Cards, Copenhagen, Position, PositionForm};
use kernel::{Game, Rule, Seat, Viewer};
use serde_json::json;
use testkit::leaky::{self, Hides};
use testkit::{Conformance, Dice, conform};

use crate::strategy;

fn form(position: &Position) -> PositionForm {
    PositionForm::from(position.clone())
}

#[test]
fn copenhagen_conforms_at_random() {
    conform(&matches_of(&strategy::uniform));
}

#[test]
fn copenhagen_conforms_for_builders() {
    conform(&matches_of(&strategy::builder));
}

struct FirstHand;

impl Hides for FirstHand {
    type Game = Copenhagen;
    const HIDDEN: &str = "/players/0/hand";
    const RULE: Rule = Rule("C-301");
}

#[test]
fn leaks_are_found() {
    leaky::are_found::<FirstHand>(&matches_of(&strategy::builder));
}

fn matches_of(choose: &strategy::Choose) -> Conformance<'_, Copenhagen> {
    Conformance {
        matches: 20,
        options: vec![(json!({}), 2), (json!({}), 3), (json!({}), 4)],
        longest: 1_000,
        choose,
        exchange_hidden: &exchange_hidden,
        invariant: &|position| {
            assert!(form(position).turn <= 110, "turn {}", form(position).turn);
            pieces_are_conserved(position);
        },
    }
}

/// Exchanges the cards of the other hands and of the deck at random, if the viewer cannot see them.
fn exchange_hidden(position: &Position, viewer: Viewer, dice: &mut Dice) -> Position {
    let mut form = form(position);
    if form.result.is_some() {
        return position.clone();
    }
    let hidden = |seat: Seat| !viewer.is(seat);
    let others = form.players.iter().filter(|player| hidden(player.seat));
    let hands = others.flat_map(|player| player.hand.iter());
    let mut cards: Vec<_> = hands.chain(form.deck.iter()).collect();
    dice.shuffle(&mut cards);
    let mut deal = |count: usize| {
        let mut hand = Cards::EMPTY;
        cards.split_off(cards.len() - count).into_iter().for_each(|color| hand.add(color));
        hand
    };
    for player in form.players.iter_mut().filter(|player| hidden(player.seat)) {
        player.hand = deal(player.hand.len());
    }
    form.deck = deal(form.deck.len());
    Copenhagen::admit(form).expect("what is hidden may be any cards")
}

/// 70 or 60 cards, all tiles, every score the worth of its board (C-103, C-104, C-105, C-804).
pub(crate) fn pieces_are_conserved(position: &Position) {
    let form = form(position);
    let seats = form.players.len();
    let hands = form.players.iter().map(|player| player.hand.len());
    let harbor = form.harbor.iter().flatten().count();
    let cards = hands.sum::<usize>() + harbor + form.deck.len() + form.discard.len();
    assert_eq!(cards, if seats == 3 { 60 } else { 70 });
    let placed: usize = form.players.iter().map(|player| player.tiles.len()).sum();
    let supply: usize =
        copenhagen::Tile::all().map(|tile| usize::from(form.supply.count(tile))).sum();
    assert_eq!(placed + supply, 12 + [35, 40, 50][seats - 2]);
    for player in position.players() {
        assert_eq!(player.score, player.board.score());
        assert_eq!(usize::from(player.board.empty_spaces()), 45 - covered(player.board.tiles()));
    }
}

fn covered(tiles: &[copenhagen::PlacedTile]) -> usize {
    tiles.iter().map(|placed| usize::from(placed.tile.size())).sum()
}

//! The program agrees with the oracle: complete lists of legal commands, the rule of every refusal, points and their parts.

use std::collections::BTreeSet;

use kernel::{Draft, Game};
use serde_json::{Value, json};
use testkit::{Dice, Walk};
use voluspa::{
    Cell, Command, Direction, Event, Mode, Part, Position, PositionForm, ScoreReason, Tile, Voluspa,
};

use crate::conformance::{all_options, choose};
use crate::oracle::{self, Table};

#[test]
fn random_matches_agree_with_the_oracle() {
    let mut steps = 0;
    for (number, options) in (0..).zip(all_options()) {
        for seed in 0..2 {
            let seats = 2 + u8::try_from((number + seed) % 4).unwrap();
            let dice = Dice::new(7_000 + number * 10 + seed);
            let asked = serde_json::from_value(options.clone()).unwrap();
            let Walk { mut position, mut dice, .. } = Walk::<Voluspa>::new(asked, seats, dice);
            while Voluspa::active_seat(&position).is_some() {
                step(&mut position, &mut dice);
                steps += 1;
            }
        }
    }
    assert!(steps > 0, "nothing was compared");
}

#[test]
fn scattered_positions_agree_with_the_oracle() {
    let mut loaded = 0;
    for seed in 0..1_500 {
        let mut dice = Dice::new(seed);
        let form = serde_json::from_value::<PositionForm>(scattered(&mut dice)).unwrap();
        let active = form.clone();
        // Larger than the box and out to the ends of all numbers: earlier releases admitted it, so it must be played as ever.
        match Voluspa::restore(form) {
            Ok(mut position) => {
                loaded += 1;
                for _ in 0..3 {
                    if Voluspa::active_seat(&position).is_some() {
                        step(&mut position, &mut dice);
                    }
                }
            }
            Err(refusal) => assert!(oracle::legal(&active).is_empty(), "{refusal}: {active:?}"),
        }
    }
    assert!(loaded > 1_000, "{loaded} of 1500 positions could be played");
}

/// Compares everything that can be asked in a position and what some of its commands score, then plays one.
fn step(position: &mut Position, dice: &mut Dice) {
    let form = form(position);
    let mut legal = Vec::new();
    Voluspa::legal_commands(position, &mut legal);
    let listed: BTreeSet<String> = legal.iter().map(text).collect();
    assert_eq!(listed, oracle::legal(&form), "the legal commands in {}", text(&form));
    for _ in 0..30 {
        let command = some_command(&form, &legal, dice);
        let expected = oracle::check(&form, &command);
        let found = decide(&mut position.clone(), &mut Vec::new(), &mut dice.clone(), &command);
        assert_eq!(found, expected, "{} in {}", text(&command), text(&form));
    }
    for _ in 0..20 {
        let command = *dice.of(&legal);
        let (mut after, mut events) = (position.clone(), Vec::new());
        decide(&mut after, &mut events, &mut dice.clone(), &command).unwrap();
        check_scores(position.clone(), &events);
    }
    let mut events = Vec::new();
    let command = legal[choose(position, &legal, dice)];
    decide(position, &mut events, dice, &command).unwrap();
}

/// After each placement and flight comes exactly the award that the oracle finds.
fn check_scores(mut position: Position, events: &[Event]) {
    for (index, event) in events.iter().enumerate() {
        Voluspa::apply(&mut position, event);
        let Some((cell, killed)) = placed(event) else { continue };
        let form = form(&position);
        let expected = Table::of(&form).score((i64::from(cell.x), i64::from(cell.y)), killed);
        // Between a placement and its award there is at most the return of Freya.
        let award = events[index + 1..].iter().take(2).find_map(award);
        assert_eq!(award, expected, "after {} in {}", text(event), text(&form));
    }
}

/// Where a tile was placed, and whether it covers a Niohoggr.
fn placed(event: &Event) -> Option<(Cell, bool)> {
    if let Event::TilePlaced { at, mode, under, .. } = event {
        Some((*at, *mode == Mode::Cover && *under == Some(Tile::Niohoggr)))
    } else if let Event::RavenMoved { at, under, .. } = event {
        Some((*at, *under == Some(Tile::Niohoggr)))
    } else {
        None
    }
}

fn award(event: &Event) -> Option<(ScoreReason, Vec<Part>)> {
    let Event::ScoreAwarded { reason, parts, points, .. } = event else { return None };
    assert_eq!(*points, parts.points(), "the parts are the points");
    Some((*reason, parts.iter().copied().collect()))
}

fn decide(
    position: &mut Position,
    events: &mut Vec<Event>,
    dice: &mut Dice,
    command: &Command,
) -> Result<(), &'static str> {
    Voluspa::decide(&mut Draft::new(position, events, dice), command)
        .map_err(|refusal| refusal.rule.0)
}

/// A command that may be legal or not: near the tiles, or a legal one with a field changed.
fn some_command(form: &PositionForm, legal: &[Command], dice: &mut Dice) -> Command {
    let near = dice.of(&form.board);
    let shift = |number: i32, dice: &mut Dice| {
        number.saturating_add(i32::try_from(dice.below(5)).unwrap() - 2)
    };
    let at = Cell { x: shift(near.x, dice), y: shift(near.y, dice) };
    let mode = *dice.of(&[Mode::Lay, Mode::Cover, Mode::Exchange, Mode::Bump]);
    let bump = (mode == Mode::Bump).then(|| *dice.of(&Direction::ALL));
    let hand = form.active_seat.map(|seat| form.players[seat.index()].hand).unwrap_or_default();
    let held: Vec<Tile> = Tile::ALL.into_iter().filter(|tile| hand.count(*tile) > 0).collect();
    let tile =
        if held.is_empty() || dice.below(4) == 0 { *dice.of(&Tile::ALL) } else { *dice.of(&held) };
    match dice.below(12) {
        0 => Command::DiscardFreya {},
        1 => Command::DiscardTile { tile },
        2 => Command::SkipExtra {},
        3 => Command::KeepRaven {},
        4 | 5 => Command::MoveRaven { at, mode },
        6 if !legal.is_empty() => *dice.of(legal),
        7 => Command::PlaceTile {
            tile,
            at,
            mode,
            bump: dice.of(&[None, Some(Direction::Left)]).to_owned(),
        },
        _ => Command::PlaceTile { tile, at, mode, bump },
    }
}

/// A position nobody would come to: a few crowds of tiles, anywhere on the grid, with any hands and phase.
fn scattered(dice: &mut Dice) -> Value {
    let names: Vec<Value> = Tile::ALL.iter().map(|tile| json!(tile)).collect();
    let mut board = std::collections::BTreeMap::new();
    for _ in 0..=dice.below(3) {
        let far = [0, 0, 3, -6, 90, i32::MAX - 2, i32::MIN + 2, i32::MAX, i32::MIN];
        let (x, y) = (*dice.of(&far), *dice.of(&far));
        for _ in 0..=dice.below(30) {
            let side = 2 + dice.below(6);
            let near = |dice: &mut Dice| i32::try_from(dice.below(side)).unwrap() - 2;
            let cell = (y.saturating_add(near(dice)), x.saturating_add(near(dice)));
            let tile = *dice.of(&Tile::ALL);
            let boosted = tile != Tile::Hel && dice.below(6) == 0;
            let boost = if boosted { 1 + dice.below(usize::from(12 - tile.printed())) } else { 0 };
            board.insert(cell, json!({"x": cell.1, "y": cell.0, "tile": tile, "boost": boost}));
        }
    }
    let tiles = |most: usize, dice: &mut Dice| {
        let mut tiles: Vec<Tile> =
            (0..dice.below(most + 1)).map(|_| *dice.of(&Tile::ALL)).collect();
        tiles.sort_unstable();
        json!(tiles)
    };
    let mut form = json!({
        "game": "voluspa",
        "options": {"set": "base", "custom_types": null, "lightning_bolt": false, "no_late_hel": dice.below(2) == 0},
        "seats": 2, "tile_types": names, "start_seat": 0, "active_seat": dice.below(2), "phase": "play", "boost": 0,
        "hermod": null, "raven": null, "board": [],
        "players": [
            {"hand": tiles(7, dice), "score": dice.below(90), "reached": 3},
            {"hand": tiles(7, dice), "score": dice.below(90), "reached": 1},
        ],
        "pile": tiles(5, dice), "boosters": [], "discard": tiles(3, dice), "ranking": null,
    });
    let mut tokens: Vec<usize> = (0..dice.below(9)).map(|_| 2 + dice.below(11)).collect();
    tokens.sort_unstable();
    form["boosters"] = json!(tokens);
    let place = *dice.of(&board.keys().copied().collect::<Vec<_>>());
    let cell = json!({"x": place.1, "y": place.0});
    match dice.below(6) {
        0 => {
            form["phase"] = json!("hermod");
            form["hermod"] = cell;
            board.get_mut(&place).unwrap()["tile"] = json!("hermod");
            board.get_mut(&place).unwrap()["boost"] = json!(0);
        }
        1 => {
            form["phase"] = json!("raven");
            let under = dice
                .of(&[json!(null), json!("loki"), json!("troll"), json!("hel"), json!("fenrir")])
                .clone();
            form["raven"] = json!({"at": cell, "under": under});
            board.get_mut(&place).unwrap()["tile"] = json!("raven");
            board.get_mut(&place).unwrap()["boost"] = json!(dice.below(3));
        }
        2 => form["phase"] = json!("surplus"),
        3 => form["boost"] = json!(dice.below(4)),
        _ => {}
    }
    form["board"] = board.into_values().collect();
    form
}

fn form(position: &Position) -> PositionForm {
    PositionForm::from(position.clone())
}

fn text<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap()
}

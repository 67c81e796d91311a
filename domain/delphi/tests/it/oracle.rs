//! Independent, naive answers to compare the game with: by brute force, from the JSON alone.

use std::collections::{BTreeMap, BTreeSet};

use delphi::Delphi;
use delphi::board::{HexKind, MapHex};
use delphi::command::Command;
use delphi::options::Options;
use delphi::pieces::{Companion, Equipment, Piece, Set, Ship};
use delphi::position::{Position, PositionForm, Stage};
use kernel::{Draft, Game};
use serde_json::{Value, json};
use testkit::{Dice, Walk, leaning};

use crate::conservation::{colors, items};

const COLORS: [&str; 6] = ["red", "black", "pink", "blue", "yellow", "green"];

/// All ways to fulfil the tiles left of a kind with different colours, none of which was fulfilled before: each as its colours.
pub(crate) fn completions(tiles: &Value, fulfilled: &Value) -> Vec<Vec<&'static str>> {
    let mut ways: Vec<Vec<&'static str>> = vec![Vec::new()];
    for tile in tiles.as_array().unwrap() {
        let fits = |color: &&&str| tile == "white" || tile == **color;
        let mut longer = Vec::new();
        for way in &ways {
            for color in COLORS.iter().filter(fits) {
                let done = fulfilled.as_array().unwrap().iter().any(|other| other == color);
                if !done && !way.contains(color) {
                    longer.push(way.iter().copied().chain([*color]).collect());
                }
            }
        }
        ways = longer;
    }
    ways
}

/// D-701 by its purpose: all cargo and this piece can be delivered, and all tiles be fulfilled, with different colours.
fn may_commit(player: &Value, kind: &str, color: &str) -> bool {
    let aboard = player["cargo"].get(kind).map_or(vec![], colors);
    let ways = completions(&player["tasks"][kind], &player["fulfilled"][kind]);
    !aboard.contains(&color)
        && ways.iter().any(|way| way.contains(&color) && aboard.iter().all(|c| way.contains(c)))
}

fn has(player: &Value, equipment: &str) -> bool {
    player["equipment"].as_array().unwrap().iter().any(|card| card == equipment)
}

fn joined(player: &Value, kind: &str, color: &str) -> bool {
    player["companions"].as_array().unwrap().contains(&json!({"kind": kind, "color": color}))
}

fn at(value: &Value) -> (i64, i64) {
    (value["q"].as_i64().unwrap(), value["r"].as_i64().unwrap())
}

/// Least steps to every hex, by relaxing all pairs of neighbours until nothing changes.
fn steps(p: &Value, from: (i64, i64), shallows: bool) -> BTreeMap<(i64, i64), i64> {
    let hexes = items(&p["map"]["hexes"]).iter();
    let kinds: BTreeMap<(i64, i64), &str> =
        hexes.map(|hex| (at(hex), hex["kind"].as_str().unwrap())).collect();
    let mut through = BTreeMap::from([(from, 0)]);
    loop {
        let mut changed = false;
        for (hex, kind) in &kinds {
            let cost = match *kind {
                "water" => 1,
                "shallow" | "zeus" if shallows => 0,
                _ => continue,
            };
            let near = through.iter().filter(|(other, _)| neighbour(**other, *hex));
            let best = near.map(|(_, steps)| steps + cost).min();
            if let Some(best) = best
                && through.get(hex).is_none_or(|known| best < *known)
            {
                through.insert(*hex, best);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let zeus = kinds.iter().find(|(_, kind)| **kind == "zeus").map(|(hex, _)| *hex).unwrap();
    let mut all = through.clone();
    all.retain(|hex, _| kinds.get(hex) == Some(&"water"));
    if let Some(best) =
        through.iter().filter(|(hex, _)| neighbour(**hex, zeus)).map(|(_, steps)| steps + 1).min()
    {
        all.insert(zeus, best);
    }
    all
}

fn neighbour((q, r): (i64, i64), (x, y): (i64, i64)) -> bool {
    [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)].contains(&(x - q, y - r))
}

/// D-410, D-701 and D-704 together: where the seat may fight, and load.
fn takings(p: &Value, player: &Value, color: &str) -> Vec<(&'static str, BTreeSet<(i64, i64)>)> {
    let ship = at(&player["at"]);
    let water = items(&p["map"]["hexes"]).iter().filter(|hex| hex["kind"] == "water");
    let water: Vec<(i64, i64)> = water.map(at).collect();
    let length = |kind: &str| items(&player["cargo"][kind]).len();
    let storage =
        if player["ship"] == "reverse_4" { 4 } else { 2 } + usize::from(has(player, "hold"));
    let room = length("statue") + length("offering") < storage;
    let holds = |place: &Value, list: &str| match list {
        "cities" => place["color"] == color && place["statues"] != 0,
        _ => place["colors"].as_array().unwrap().iter().any(|other| other == color),
    };
    let kinds = [
        ("FightMonster", "monsters", "monster", "far_islands"),
        ("LoadOffering", "offerings", "offering", "far_offerings"),
        ("LoadStatue", "cities", "statue", "far_statues"),
    ];
    let allowed = |(command, list, kind, far): (&'static str, &str, &str, &str)| {
        let fits = may_commit(player, kind, color) && (room || kind == "monster");
        let reached = |place: &&Value| {
            let across = || {
                water.iter().any(|hex| neighbour(*hex, ship) && neighbour(*hex, at(&place["at"])))
            };
            neighbour(ship, at(&place["at"])) || has(player, far) && across()
        };
        let places = p[list].as_array().unwrap().iter().filter(|place| fits && holds(place, list));
        (command, places.filter(reached).map(|place| at(&place["at"])).collect())
    };
    kinds.into_iter().map(allowed).collect()
}

/// The destinations of an action of a colour, and the favor that each costs.
fn voyages(p: &Value, player: &Value, color: &str) -> BTreeMap<(i64, i64), i64> {
    let from = at(&player["at"]);
    let creature = joined(player, "creature", color);
    let range = 3
        + if player["ship"] == "range_2" { 2 } else { 0 }
        + if has(player, "range_1") { 1 } else { 0 }
        + if creature { 3 } else { 0 };
    let tasks = &player["tasks"];
    let left = ["statue", "offering", "monster"].iter().any(|kind| tasks[*kind] != json!([]))
        || tasks["shrine"] != 0;
    let mut found = BTreeMap::new();
    for (hex, steps) in steps(p, from, has(player, "shallows")) {
        let shown = p["map"]["hexes"].as_array().unwrap().iter().find(|h| at(h) == hex).unwrap();
        let zeus = shown["kind"] == "zeus";
        let allowed = if zeus { !left } else { creature || shown["color"] == color };
        let favor = (steps - range).max(0);
        if player["home"] == false
            && hex != from
            && allowed
            && favor <= player["favor"].as_i64().unwrap()
        {
            found.insert(hex, favor);
        }
    }
    found
}

/// D-311 by search: the cheapest way from colour to colour over single steps and demigods' leaps.
fn recolouring(player: &Value, wild: bool, from: &str, to: &str) -> i64 {
    let place = |color: &str| COLORS.iter().position(|other| *other == color).unwrap();
    let mut cost = [i64::MAX / 2; 6];
    cost[place(from)] = 0;
    for _ in 0..6 {
        for here in 0..6 {
            let mut relax =
                |there: usize, more: i64| cost[there] = cost[there].min(cost[here] + more);
            relax((here + 1) % 6, 1);
            if player["ship"] == "reverse_4" {
                relax((here + 5) % 6, 1);
            }
            if joined(player, "demigod", COLORS[here]) {
                (0..6).for_each(|there| relax(there, 0));
            }
        }
    }
    let least = if wild { 0 } else { cost[place(to)] };
    if player["ship"] == "recolor_1" { (least - 1).max(0) } else { least }
}

/// The position with a ship, equipment, companions and favor at random for the active seat.
fn enriched(position: &Position, dice: &mut Dice) -> Position {
    let mut form = PositionForm::from(position.clone());
    let Some(seat) = form.active_seat else { return position.clone() };
    let player = &mut form.players[seat.index()];
    let water: Vec<MapHex> =
        form.map.hexes.iter().filter(|hex| hex.kind == HexKind::Water).copied().collect();
    if dice.below(2) == 0 {
        player.at = dice.of(&water).at();
    }
    player.ship = Some(*dice.of(&Ship::ALL));
    player.favor = u16::try_from(dice.below(9)).unwrap();
    player.equipment =
        Equipment::ALL.into_iter().filter(|_| dice.below(3) == 0).collect::<Set<_>>();
    player.companions =
        (0..18).map(Companion::at).filter(|_| dice.below(5) == 0).collect::<Set<_>>();
    form.turn.wild = dice.below(10) == 0;
    // What the seat got is still where it lay: more than the box has, which only a stored match may begin with.
    Delphi::restore(form).unwrap()
}

fn listed(position: &Position) -> Vec<Value> {
    let mut legal = Vec::new();
    Delphi::legal_commands(position, &mut legal);
    legal.iter().map(|command| serde_json::to_value(command).unwrap()).collect()
}

fn of_type<'a>(legal: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    legal.iter().filter(move |command| command["type"] == kind)
}

fn compare_action(position: &Position, dice: &mut Dice) -> usize {
    let Some(source) = position.turn.source else { return 0 };
    let p = serde_json::to_value(position).unwrap();
    let player = &p["players"][position.active().index()];
    let color = serde_json::to_value(source.r#as).unwrap();
    let color = color.as_str().unwrap();
    let legal = listed(position);
    let voyages = voyages(&p, player, color);
    let sailed: BTreeSet<_> =
        of_type(&legal, "MoveShip").map(|command| at(&command["to"])).collect();
    assert_eq!(
        sailed,
        voyages.keys().copied().collect::<BTreeSet<_>>(),
        "destinations of {color} in {p}"
    );
    for (hex, favor) in voyages {
        let command: Command =
            serde_json::from_value(json!({"type": "MoveShip", "to": {"q": hex.0, "r": hex.1}}))
                .unwrap();
        let (mut after, mut events) = (position.clone(), Vec::new());
        Delphi::decide(&mut Draft::new(&mut after, &mut events, dice), &command).unwrap();
        let event = serde_json::to_value(&events[1]).unwrap();
        assert_eq!(event["favor"], favor, "the way to {hex:?} in {p}");
    }
    for (command, expected) in takings(&p, player, color) {
        let found: BTreeSet<_> =
            of_type(&legal, command).map(|command| at(&command["at"])).collect();
        assert_eq!(found, expected, "{command} of {color} in {p}");
    }
    legal.len()
}

fn compare_choice(position: &Position) -> usize {
    let p = serde_json::to_value(position).unwrap();
    let player = &p["players"][position.active().index()];
    let favor = player["favor"].as_i64().unwrap();
    let legal = listed(position);
    for (list, command, free) in
        [("dice", "UseDie", true), ("cards", "PlayOracleCard", p["turn"]["card_played"].is_null())]
    {
        let mut expected = BTreeSet::new();
        for color in colors(&player[list]).into_iter().filter(|_| free) {
            for to in COLORS {
                if recolouring(player, position.turn.wild, color, to) <= favor {
                    expected.insert((color.to_owned(), to.to_owned()));
                }
            }
        }
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let found: BTreeSet<_> =
            of_type(&legal, command).map(|c| (text(&c["color"]), text(&c["as"]))).collect();
        assert_eq!(found, expected, "{command} in {p}");
    }
    legal.len()
}

#[test]
fn random_matches_list_what_naive_oracles_allow() {
    let (mut actions, mut choices) = (0, 0);
    for seed in 0..6 {
        let seats = 2 + u8::try_from(seed % 3).unwrap();
        let options =
            if seed % 2 == 0 { json!({"map": "random"}) } else { json!({"map": "sporades"}) };
        let options: Options = serde_json::from_value(options).unwrap();
        let mut walk = Walk::<Delphi>::new(options, seats, Dice::new(900 + seed));
        loop {
            let Walk { position, dice, .. } = &mut walk;
            if position.stage == Stage::Main && position.pending.is_empty() {
                let other =
                    if dice.below(3) == 0 { position.clone() } else { enriched(position, dice) };
                match position.turn.source {
                    Some(_) if dice.below(3) == 0 => actions += compare_action(&other, dice),
                    Some(_) => {}
                    None => choices += compare_choice(&other),
                }
            }
            if walk.next(leaning::<Delphi>).is_none() {
                break;
            }
        }
    }
    assert!(actions > 1_000 && choices > 1_000, "{actions} and {choices} commands were compared");
}

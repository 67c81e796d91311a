//! Random matches, step by step beside the oracle: legal commands, refusals, events, positions, views.

use kernel::{AnyMatch, Viewer};
use rosenkoenig::{GAME, Rosenkoenig};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use testkit::Dice;

use crate::oracle::{Oracle, every_command};

/// What the matches of a test came across, so that it cannot hold by never meeting the hard cases.
#[derive(Debug, Default)]
struct Met {
    passes: u32,
    reshuffles: u32,
    heroes: u32,
    blocked: u32,
    last_stone: u32,
    shared_rank: u32,
    longest: u32,
}

pub(crate) fn raw(value: &Value) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).unwrap()
}

fn parse(json: &RawValue) -> Value {
    serde_json::from_str(json.get()).unwrap()
}

/// Chooses a command: uniformly, or with a liking for heroes and draws, or for plays.
fn choose(legal: &[Value], policy: u64, dice: &mut Dice) -> Value {
    let liked: Vec<Value> = match policy {
        0 => Vec::new(),
        1 => {
            legal.iter().filter(|c| c["type"] == "DrawCard" || c["hero"] == true).cloned().collect()
        }
        _ => legal.iter().filter(|c| c["type"] == "PlayCard").cloned().collect(),
    };
    let from = if liked.is_empty() || dice.below(10) == 0 { legal } else { &liked };
    dice.of(from).clone()
}

fn check_state(state: &dyn AnyMatch, oracle: &Oracle) {
    assert_eq!(state.active_seat().map(|seat| seat.index()), oracle.active());
    assert_eq!(parse(&state.position()), oracle.position());
    let mut view = oracle.view();
    view["viewer"] = json!("spectator");
    assert_eq!(parse(&state.view(Viewer::Spectator)), view);
    assert_eq!(state.points(), [0, 1].map(|seat| oracle.score(seat).0 as i64));
}

fn check_refusals(state: &dyn AnyMatch, oracle: &Oracle, seat: usize, dice: &mut Dice) {
    for command in every_command() {
        let refused =
            state.decide(&raw(&command), &mut dice.clone()).err().map(|refusal| refusal.rule.0);
        assert_eq!(refused, oracle.broken(seat, &command), "{command} in {}", state.position());
    }
}

fn play(seed: u64, policy: u64, met: &mut Met) {
    let mut dice = Dice::new(seed);
    let colors = *dice.of(&[["red", "white"], ["white", "red"]]);
    let start = *dice.of(&["red", "random"]);
    let options =
        json!({"colors": colors, "start": start, "show_draw_pile": seed.is_multiple_of(2)});
    let started =
        GAME.setup(&raw(&options), 2, kernel::newest::<Rosenkoenig>(), &mut dice).unwrap();
    let mut state = started.state;
    let mut oracle = Oracle::new(&parse(&started.events[0].full));
    let mut commands = 0;
    while let Some(seat) = oracle.active() {
        check_state(state.as_ref(), &oracle);
        let legal = oracle.legal(seat);
        assert_eq!(parse(&state.legal_commands()), json!(legal), "in {}", state.position());
        if dice.below(6) == 0 {
            check_refusals(state.as_ref(), &oracle, seat, &mut dice);
        }
        let command = choose(&legal, policy, &mut dice);
        let decided = state.decide(&raw(&command), &mut dice).unwrap();
        assert_eq!(parse(&decided.command), command);
        let events: Vec<Value> = decided.events.iter().map(|event| parse(&event.full)).collect();
        let shuffled = events.iter().find(|event| event["type"] == "DrawPileReshuffled");
        let shuffled =
            shuffled.map(|event| serde_json::from_value(event["draw_pile"].clone()).unwrap());
        met.reshuffles += u32::from(shuffled.is_some());
        met.heroes += u32::from(command["hero"] == true);
        met.passes += u32::from(events.iter().any(|event| event["type"] == "TurnPassed"));
        assert_eq!(events, oracle.play(&command, shuffled), "seed {seed}: {command}");
        state = decided.state;
        commands += 1;
        if let Some(finished) = events.iter().find(|event| event["type"] == "MatchFinished") {
            met.blocked += u32::from(finished["reason"] == "blocked");
            met.last_stone += u32::from(finished["reason"] == "last_stone");
            met.shared_rank += u32::from(finished["standing"][1]["rank"] == 1);
            let drew = command["type"] == "DrawCard";
            assert!(drew || finished["reason"] == "last_stone", "R-51 after a play, seed {seed}");
            assert_eq!(parse(&state.standing().unwrap()), finished["standing"]);
        }
    }
    check_state(state.as_ref(), &oracle);
    check_refusals(state.as_ref(), &oracle, 0, &mut dice);
    met.longest = met.longest.max(commands);
    assert!(commands <= 120, "seed {seed}: {commands} commands");
}

#[test]
fn random_matches_agree_with_the_oracle() {
    let mut met = Met::default();
    for seed in 0..150 {
        play(seed, seed % 3, &mut met);
    }
    let Met { passes, reshuffles, heroes, blocked, last_stone, .. } = met;
    assert!([passes, reshuffles, heroes, blocked, last_stone].iter().all(|n| *n > 5), "{met:?}");
}

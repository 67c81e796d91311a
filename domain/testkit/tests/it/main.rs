//! The toy game passes what every game must pass.

use kernel::{Erased, Game, Rule, Seat, Viewer};
use serde_json::{Value, json};
use testkit::leaky::{self, Hides};
use testkit::{Cases, Conformance, Dice, Nim, conform};

type Position = <Nim as Game>::Position;

/// Exchanges the numbers that the viewer cannot see.
fn exchange_hidden(position: &Position, viewer: Viewer, dice: &mut Dice) -> Position {
    let mut json = serde_json::to_value(position).expect("a position has JSON");
    for (seat, lucky) in (0..).zip(json["lucky"].as_array_mut().expect("a list")) {
        if !viewer.is(Seat(seat)) {
            *lucky = json!(dice.below(10));
        }
    }
    serde_json::from_value(json).expect("a position")
}

fn random_matches() -> Conformance<'static, Nim> {
    Conformance {
        matches: 50,
        options: vec![(json!({}), 2), (json!({"heaps": 5}), 4), (json!({"heaps": 1}), 3)],
        longest: 100,
        choose: &|_, commands, dice| dice.below(commands.len()),
        exchange_hidden: &exchange_hidden,
        invariant: &|position| {
            assert!(Nim::active_seat(position).is_some() != Nim::standing(position).is_some())
        },
    }
}

#[test]
fn nim_conforms() {
    conform::<Nim>(&random_matches());
}

struct Luck;

impl Hides for Luck {
    type Game = Nim;
    const HIDDEN: &str = "/lucky/0";
    const RULE: Rule = Rule("N-11");

    /// Seat 0 takes one stone; the others take four, while they can.
    fn lists(position: &Position, command: &Value) -> bool {
        let json = serde_json::to_value(position).expect("a position has JSON");
        let heaps = json["heaps"].as_array().expect("a list");
        let four = heaps.iter().any(|stones| stones.as_u64() >= Some(4));
        let may = if four && Nim::active_seat(position) != Some(Seat(0)) { 4 } else { 1 };
        command["count"] == may
    }

    fn takes(command: &Value) -> bool {
        command["count"] == 1 || command["count"] == 4
    }
}

#[test]
fn an_event_that_shows_more_when_the_match_is_over_is_found() {
    let complaint = "differently when the match is over";
    leaky::is_found::<Luck, { leaky::IN_THE_END }>(&random_matches(), complaint);
}

/// The seat that acts knows its own number: what it is awarded tells the others.
#[test]
fn awards_that_tell_others_what_is_hidden_are_found() {
    let complaint = "tell what is hidden from";
    leaky::is_found::<Luck, { leaky::IN_AWARDS }>(&random_matches(), complaint);
}

/// Whatever number of a listed command is changed, it is refused: only what was listed before tells.
#[test]
fn a_command_of_another_turn_that_is_taken_but_not_listed_is_found() {
    let complaint = "is not listed, but accepted";
    leaky::is_found::<Luck, { leaky::OFF_THE_LIST }>(&random_matches(), complaint);
}

#[test]
fn nim_follows_its_rules_edition_by_edition() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");
    assert!(Cases::load(folder).run(&Erased::<Nim>::NEW) >= 9);
}

#[test]
fn a_playthrough_is_the_same_every_time() {
    let play = || {
        testkit::playthrough(&Erased::<Nim>::NEW, "{}", 2, 7, &|_, legal, dice| {
            dice.below(legal.len())
        })
    };
    assert_eq!(play(), play());
    assert!(play().contains("\"spectator\" sees"), "{}", play());
}

/// At most five heaps of at most 20 stones.
fn fits(position: &<Nim as Game>::Position) {
    let position = serde_json::to_value(position).expect("a position is plain data");
    let heaps = position["heaps"].as_array().expect("a list");
    let small = heaps.iter().all(|heap| heap.as_u64().is_some_and(|stones| stones <= 20));
    assert!(heaps.len() <= 5 && small, "{position}");
}

#[test]
fn nim_survives_the_fuzzer() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/nim");
    let found = testkit::fuzz::<Nim>(&corpus, 4_000, 1, &|_, position| fits(position));
    assert!(found.admitted > found.rounds / 10, "{found:?}");
    assert!(
        ["N-10", "N-11", "N-13", "N-30"].iter().all(|rule| found.refused.contains_key(*rule)),
        "{found:?}"
    );
}

#[test]
fn fixtures_of_nim_are_of_real_play() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/nim/fixtures.json");
    testkit::fixtures(
        &kernel::Erased::<testkit::Nim>::NEW,
        &["{}"],
        &[&testkit::uniform, &testkit::greedy],
        path,
    );
}

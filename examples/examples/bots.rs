//! How do I let programs play, without HTTP?
//!
//! A greedy player, which asks the analysis what each command is worth, plays whole matches against one that chooses at random:
//! `cargo run -p examples --example bots`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use actix_web::rt::System;
use engine::{
    AnalysisRequest, Caller, Config, Engine, OpenRequest, RandomPlay, SeatRequest, Submission,
};
use kernel::{Driver, Seat};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

type Failure = Box<dyn Error>;

const GAME: &str = "rosenkoenig";
const GREEDY: Seat = Seat(0);

fn main() -> Result<(), Failure> {
    run().map(drop)
}

/// Returns the standing of each match.
fn run() -> Result<Vec<Box<RawValue>>, Failure> {
    let folder = tempfile::tempdir()?;
    let engine = Engine::start(folder.path(), catalog::games(), &Config::default())?;
    System::new().block_on(async {
        let mut standings = Vec::new();
        for number in 1..=5 {
            standings.push(play(&engine, number).await?);
        }
        Ok(standings)
    })
}

async fn play(engine: &Engine, number: u64) -> Result<Box<RawValue>, Failure> {
    let seat = |name: &str| SeatRequest { name: Some(name.to_owned()), ..SeatRequest::default() };
    let request = OpenRequest {
        game: GAME.to_owned(),
        seats: vec![seat("Looks ahead"), seat("Rolls dice")],
        ..OpenRequest::default()
    };
    let opened = engine.open(request, None, None).await?;
    let slot = engine.load(opened.r#match)?;
    let mut dice = RandomPlay::new(7, number);
    let mut turns = 0;
    while let Some(seat) = engine.info(&slot)?.active_seat {
        let caller = Caller::Seat(seat);
        let legal = engine.legal_commands(&slot, caller, None, None, false)?.seen.json;
        let legal: Vec<&RawValue> = serde_json::from_str(legal.get())?;
        let command = if seat == GREEDY {
            let view = engine.view(&slot, caller, None, None)?.json;
            best(engine, &imagine(serde_json::from_str(view.get())?)?, &legal)?
        } else {
            legal[dice.choose(legal.len())]
        };
        let submission = Submission { command, expected: None, key: None };
        engine.submit(&slot, caller, submission).await?;
        turns += 1;
    }
    let standing = engine.info(&slot)?.standing;
    let standing = standing.ok_or("a finished match has a standing")?;
    println!("match {number}, {turns} turns: {standing}");
    Ok(standing)
}

/// The command after which the greedy seat leads by most.
fn best<'a>(
    engine: &Engine,
    position: &RawValue,
    legal: &[&'a RawValue],
) -> Result<&'a RawValue, Failure> {
    let mut best = (legal[0], i64::MIN);
    for command in legal {
        let request = AnalysisRequest {
            position: position.to_owned(),
            edition: None,
            commands: vec![(*command).to_owned()],
            chance: None,
            include: Vec::new(),
        };
        let points = engine.analyse(GAME, request)?.points;
        let lead = points[0] - points[1];
        if lead > best.1 {
            best = (*command, lead);
        }
    }
    Ok(best.0)
}

/// A position that looks like this view: only the order of the draw pile is unknown, so any order will do.
fn imagine(mut view: Value) -> Result<Box<RawValue>, Failure> {
    let names = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
    let cards = names.map(|name| [1, 2, 3].map(|distance| format!("{name}{distance}")));
    let open = json!([view["hands"], view["discard_pile"]]).to_string();
    let hidden = |card: &String| !open.contains(&format!("\"{card}\""));
    let pile: Vec<String> = cards.into_iter().flatten().filter(hidden).collect();
    view["draw_pile"] = json!(pile);
    if let Some(fields) = view.as_object_mut() {
        fields.retain(|name, _| !["scores", "version", "viewer"].contains(&name.as_str()));
    }
    Ok(to_raw_value(&view)?)
}

#[test]
fn it_runs() {
    let standings = run().expect("it runs");
    assert_eq!(standings.len(), 5);
    // Who looks ahead wins about two matches of three, so who won is not asked.
    for standing in standings {
        let places: Vec<Value> = serde_json::from_str(standing.get()).expect("JSON");
        let mut seats: Vec<u64> =
            places.iter().filter_map(|place| place["seat"].as_u64()).collect();
        seats.sort_unstable();
        assert_eq!(seats, [0, 1], "{standing}");
        assert!(places[0]["points"].as_i64() >= places[1]["points"].as_i64(), "{standing}");
    }
}

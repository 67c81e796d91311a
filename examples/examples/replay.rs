//! How do I look back at a match, and prove that nothing was changed?
//!
//! Plays a random match into a store, prints its board at some versions, and recomputes the hash chain of its commits, first from what
//! a spectator saw, then with the seed from everything: `cargo run -p examples --example replay`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use actix_web::rt::System;
use engine::{Caller, Config, Engine, Simulation, Slot};
use journal::{Bytes32, canonical};
use kernel::Viewer;
use serde_json::Value;

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let commits = run()?;
    println!("{commits} commits: every hash is what it must be");
    Ok(())
}

/// Returns how many commits were verified.
fn run() -> Result<u64, Failure> {
    let folder = tempfile::tempdir()?;
    let engine = Engine::start(folder.path(), catalog::games(), &Config::default())?;
    let simulation = Simulation {
        game: "rosenkoenig".to_owned(),
        seats: 2,
        deals: 1,
        deal_seed: 4,
        bot_seed: 4,
        ..Simulation::default()
    };
    let played = System::new().block_on(engine.play_kept(&simulation, 0))?;
    let slot = engine.load(played.id.ok_or("it was kept")?)?;
    for at in [1, slot.version() / 2, slot.version()] {
        show(&engine, &slot, at)?;
    }
    verify(&engine, &slot)
}

fn show(engine: &Engine, slot: &Slot, at: u64) -> Result<(), Failure> {
    let view = engine.view(slot, Caller::Stranger, Some(at), None)?.json;
    let view: Value = serde_json::from_str(view.get())?;
    println!("version {at}, scores {}", view["scores"]);
    let rows = view["board"].as_array().into_iter().flatten();
    rows.filter_map(Value::as_str).for_each(|row| println!("  {row}"));
    Ok(())
}

/// Recomputes the chain; returns the number of its commits.
fn verify(engine: &Engine, slot: &Slot) -> Result<u64, Failure> {
    let log = |viewer| engine.commits(slot, Caller::Stranger, viewer, 0, usize::MAX);
    let (public, _) = log(Some(Viewer::Spectator))?;
    let (full, _) = log(None)?;
    let seed = engine.info(slot)?.seed.ok_or("a finished match shows its seed")?;
    let mut prev_hash = Bytes32::default();
    for (number, (public, full)) in (1_u64..).zip(public.iter().zip(&full)) {
        let (public, told) = split(serde_json::from_str(public.get())?);
        let (full, _) = split(serde_json::from_str(full.get())?);
        let salt = Bytes32::hash(&[&seed.0, &number.to_be_bytes(), b"salt"]);
        let sealed = Bytes32::hash(&[&salt.0, canonical(&full).as_bytes()]);
        let public = Bytes32::hash(&[canonical(&public).as_bytes()]);
        let hash = Bytes32::hash(&[&prev_hash.0, &public.0, &sealed.0]);
        if told != [Some(sealed), Some(prev_hash), Some(hash)] {
            return Err(format!("commit {number} was changed").into());
        }
        prev_hash = hash;
    }
    if prev_hash != engine.info(slot)?.head_hash {
        return Err("commits are missing at the end".into());
    }
    Ok(full.len() as u64)
}

/// What the hashes are made of, and the hashes `sealed`, `prev_hash` and `hash` of an entry of the log.
fn split(mut entry: Value) -> (String, [Option<Bytes32>; 3]) {
    let hashes = ["sealed", "prev_hash", "hash"].map(|name| {
        let hash = entry[name].as_str().and_then(Bytes32::from_hex);
        entry.as_object_mut().and_then(|fields| fields.remove(name));
        hash
    });
    (entry.to_string(), hashes)
}

#[test]
fn it_runs() {
    // The setup, and a commit for each command of a whole match.
    assert!(run().expect("it runs") > 20);
}

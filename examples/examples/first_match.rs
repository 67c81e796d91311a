//! How do I play a match over HTTP?
//!
//! Starts a server on a free port, opens a match, and follows the legal commands of whoever is to act:
//! `cargo run -p examples --example first_match`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::sync::mpsc;
use std::thread;

use actix_web::rt::System;
use clap::Parser;
use muninn::{Cli, Command, Muninn};
use serde_json::{Value, json};

type Failure = Box<dyn Error + Send + Sync>;

const MOVES: usize = 8;

fn main() -> Result<(), Failure> {
    run().map(drop)
}

/// Returns how many commands were accepted.
fn run() -> Result<usize, Failure> {
    let folder = tempfile::tempdir()?;
    let (sender, receiver) = mpsc::channel();
    let data = folder.path().to_owned();
    let server = thread::spawn(move || -> Result<(), Failure> {
        let flags = ["muninn", "serve", "--listen", "127.0.0.1:0", "--data"];
        let flags = flags.map(Into::into).into_iter().chain([data.into_os_string()]);
        let Command::Serve(args) = Cli::try_parse_from(flags)?.command else {
            return Err("the command is `serve`".into());
        };
        System::new().block_on(async {
            let muninn = Muninn::build(&args, catalog::games(), catalog::PICTURES)?;
            sender.send((muninn.address, muninn.stop()))?;
            Ok(muninn.run().await?)
        })
    });
    let (address, stop) = receiver.recv()?;
    let accepted = play(&format!("http://{address}"))?;
    System::new().block_on(stop.gracefully());
    server.join().map_err(|_| "the server panicked")??;
    Ok(accepted)
}

fn play(base: &str) -> Result<usize, Failure> {
    let open = json!({"game": "rosenkoenig", "seats": [{"name": "Ada"}, {"name": "Grace"}]});
    let mut answer = ureq::post(format!("{base}/v1/matches")).send_json(&open)?;
    let opened: Value = answer.body_mut().read_json()?;
    let id = opened["match"].as_str().ok_or("a match has an id")?;
    let url = format!("{base}/v1/matches/{id}");
    let bearer = |seat: usize| {
        let token = opened["seat_tokens"][seat].as_str().unwrap_or_default();
        format!("Bearer {token}")
    };
    println!("{url}");
    for accepted in 0..MOVES {
        let view: Value = ureq::get(format!("{url}/view")).call()?.body_mut().read_json()?;
        let Some(seat) = view["active_seat"].as_u64() else {
            return Ok(accepted);
        };
        let bearer = bearer(usize::try_from(seat)?);
        let legal = ureq::get(format!("{url}/legal-commands")).header("Authorization", &bearer);
        let legal: Value = legal.call()?.body_mut().read_json()?;
        let command = &legal["items"][0];
        let act = ureq::post(format!("{url}/commands")).header("Authorization", &bearer);
        let done: Value = act.send_json(json!({"command": command}))?.body_mut().read_json()?;
        println!("\nseat {seat}: {command}, then the match is at version {}", done["version"]);
        let rows = done["view"]["board"].as_array().into_iter().flatten();
        rows.filter_map(Value::as_str).for_each(|row| println!("  {row}"));
    }
    Ok(MOVES)
}

#[test]
fn it_runs() {
    assert_eq!(run().expect("it runs"), MOVES);
}

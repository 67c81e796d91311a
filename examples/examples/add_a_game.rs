//! How do I add a game?
//!
//! With one row of the catalogue. Here Nim, the toy game of the test kit, gets a row: its rules, its picture, and options worth playing.
//! A real server plays it over HTTP to its end and shows the table: `cargo run -p examples --example add_a_game`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::sync::{LazyLock, mpsc};
use std::thread;

use actix_web::rt::System;
use canvas::Picture;
use catalog::Row;
use clap::Parser;
use kernel::{AnyGame, Erased};
use muninn::{Cli, Command, Muninn};
use serde_json::{Value, json};
use testkit::{NIM_PICTURE, Nim};

type Failure = Box<dyn Error + Send + Sync>;

/// The row of Nim.
static GAME: &dyn AnyGame = &Erased::<Nim>::NEW;
const NIM: Row = Row { game: &GAME, picture: &NIM_PICTURE, options: &[r#"{"heaps": 2}"#] };

/// The catalogue with it: the rules, and the pictures.
static GAMES: LazyLock<Vec<&dyn AnyGame>> =
    LazyLock::new(|| [catalog::games(), &[*NIM.game]].concat());
static PICTURES: LazyLock<Vec<&Picture>> =
    LazyLock::new(|| [catalog::PICTURES, &[NIM.picture]].concat());

fn main() -> Result<(), Failure> {
    run().map(drop)
}

/// Returns the standing.
fn run() -> Result<Value, Failure> {
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
            let muninn = Muninn::build(&args, &GAMES, &PICTURES)?;
            sender.send((muninn.address, muninn.stop()))?;
            Ok(muninn.run().await?)
        })
    });
    let (address, stop) = receiver.recv()?;
    let standing = play(&format!("http://{address}"))?;
    System::new().block_on(stop.gracefully());
    server.join().map_err(|_| "the server panicked")??;
    Ok(standing)
}

fn play(base: &str) -> Result<Value, Failure> {
    let nim: Value = ureq::get(format!("{base}/v1/games/nim")).call()?.body_mut().read_json()?;
    println!("{}: {}", nim["title"], nim["text"]);
    let options: Value = serde_json::from_str(NIM.options[0])?;
    let open = json!({"game": "nim", "seats": [{}, {}, {}], "options": options});
    let mut answer = ureq::post(format!("{base}/v1/matches")).send_json(&open)?;
    let opened: Value = answer.body_mut().read_json()?;
    let id = opened["match"].as_str().ok_or("a match has an id")?;
    let url = format!("{base}/v1/matches/{id}");
    loop {
        let info: Value = ureq::get(&url).call()?.body_mut().read_json()?;
        let Some(seat) = info["active_seat"].as_u64() else {
            println!("standing: {}", info["standing"]);
            print!(
                "{}",
                ureq::get(format!("{url}/board.txt")).call()?.body_mut().read_to_string()?
            );
            return Ok(info["standing"].clone());
        };
        let token = opened["seat_tokens"][usize::try_from(seat)?].as_str();
        let bearer = format!("Bearer {}", token.unwrap_or_default());
        let legal = ureq::get(format!("{url}/legal-commands")).header("Authorization", &bearer);
        let legal: Value = legal.call()?.body_mut().read_json()?;
        let command = legal["items"].as_array().and_then(|items| items.last());
        let act = ureq::post(format!("{url}/commands")).header("Authorization", &bearer);
        let done = act.send_json(json!({"command": command}))?.body_mut().read_json::<Value>()?;
        println!("seat {seat}: {}, heaps {}", json!(command), done["view"]["heaps"]);
    }
}

#[test]
fn it_runs() {
    let standing = run().expect("it runs");
    assert_eq!(standing.as_array().map(Vec::len), Some(3), "{standing}");
}

//! How fast the server is, beside what it stands on.
//!
//! `cargo bench -p acceptance --bench http`. Everything runs as it does in use: the real program in a process of its own, durable, on a real disk, with
//! 64 connections from this process. Each figure is the median of three rounds, alternating with what it is compared to.
//!
//! 1. `POST /commands` against the store alone, to which as many writers hand the commits that the server wrote.
//! 2. `GET /view` of a match in memory against a bare actix handler that answers a ready body of the same size.
//! 3. `POST /commands` beside somebody who takes all events of the store as Parquet.
//! 4. Memory with 10,000 running matches, 2,500 of each game, two commands in each.
//! 5. One writer alone: `POST /commands` against the disk, to which the same bytes are written and synced.

#![expect(clippy::print_stdout, reason = "a bench says what it measured")]

mod exporting;
mod memory;
mod one;
mod store_alone;

use std::cell::Cell;
use std::net::SocketAddr;
use std::process::Command;
use std::rc::Rc;
use std::time::{Duration, Instant};

use actix_web::{App, HttpResponse, HttpServer, rt, web};
use kernel::AnyGame;
use serde_json::json;
use serde_json::value::RawValue;
use store::{Config, Store};
use testkit::{Dice, figure};

use acceptance::disk::refuse_memory;
use acceptance::frugal::{Client, muninn, request};
use acceptance::process::Process;

const CONNECTIONS: usize = 64;
const ROUNDS: usize = 3;
/// How long one round of reading lasts.
const LENGTH: Duration = Duration::from_secs(3);
/// Commands of one round in each connection.
const COMMANDS: usize = 600;

fn main() {
    if std::env::args().nth(1).as_deref() == Some("bare") {
        return bare(std::env::args().nth(2).expect("the body's size").parse().expect("a number"));
    }
    refuse_memory(&std::env::temp_dir());
    commands();
    views();
    exporting::measure();
    memory::measure();
    one::measure();
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn show(name: &str, unit: &str, rates: &[f64]) -> f64 {
    let middle = median(rates.to_vec());
    let (least, most) =
        (rates.iter().copied().fold(f64::MAX, f64::min), rates.iter().copied().fold(0.0, f64::max));
    println!("{name:<44} {middle:>10.0} {unit}/s   ({least:.0} to {most:.0})");
    middle
}

// --- POST /commands --------------------------------------------------------------------------------------------------

fn commands() {
    let games: Vec<Game> = (0..CONNECTIONS as u64 * 3).map(game).collect();
    let matches = store_alone::recorded(&games);
    let [folder, own] = [(); 2].map(|()| tempfile::tempdir().expect("a temporary folder"));
    let (server, address) = muninn(folder.path());
    let store = Store::open(own.path(), Config::default()).expect("an empty folder");
    let (mut http, mut alone, mut times) = (Vec::new(), Vec::new(), Vec::new());
    let (mut http_cpu, mut alone_cpu) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let (rate, used) = store_alone::write(&store, &matches);
        alone.push(rate);
        alone_cpu.push(used);
        let (rate, latencies, used) =
            rt::System::new().block_on(play(address, &games, round, &server));
        http.push(rate);
        http_cpu.push(used / latencies.len() as f64);
        times.extend(latencies);
    }
    server.stop();
    drop(store);
    let alone = show("store alone, 64 writers, the same commits", "commits", &alone);
    let http = show("POST /commands, 64 matches at once", "commands", &http);
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!("{:<44} p50 {:.2?}, p99 {:.2?}", "", at(50), at(99));
    println!("{:<44} {:>9.0} %", "POST /commands / store", 100.0 * http / alone);
    figure("POST /commands / store", http / alone);
    let (alone, http) = (1e6 * median(alone_cpu), 1e6 * median(http_cpu));
    figure("CPU time of the store / POST /commands", alone / http);
    println!(
        "CPU time: store {alone:.0} us a commit, server {http:.0} us a command, the store's among them"
    );
    let alone = store_alone::log_bytes(own.path());
    let http = store_alone::log_bytes(&folder.path().join("data"));
    println!("{:<44} {alone:>9.0} and {http:.0} bytes", "a commit in the log, alone and over HTTP");
    assert!((alone / http - 1.0).abs() < 0.2, "the store alone writes something else");
}

/// A start position and commands that lead on from it without any chance: the draw pile is not used up.
struct Game {
    position: Box<RawValue>,
    commands: Vec<Box<RawValue>>,
}

fn game(seed: u64) -> Game {
    let game = catalog::games().iter().find(|game| game.info().id == "rosenkoenig");
    let game: &dyn AnyGame = *game.expect("it is in the catalogue");
    let options = RawValue::from_string(r#"{"start":"red"}"#.to_owned()).expect("an object");
    let mut dice = Dice::new(seed);
    let mut state =
        game.setup(&options, 2, game.info().newest(), &mut dice).expect("valid options").state;
    let position = state.position();
    let mut commands = Vec::new();
    while state.active_seat().is_some() {
        let legal = state.legal_commands();
        let legal: Vec<&RawValue> = serde_json::from_str(legal.get()).expect("a list");
        let command = (*dice.of(&legal)).to_owned();
        let draws = dice.draws();
        let decided = state.decide(&command, &mut dice).expect("listed");
        if dice.draws() > draws {
            break;
        }
        commands.push(command);
        state = decided.state;
    }
    Game { position, commands }
}

/// Plays matches in all connections.
async fn play(
    address: SocketAddr,
    games: &[Game],
    round: usize,
    server: &Process,
) -> (f64, Vec<Duration>, f64) {
    play_with(CONNECTIONS, address, games, round, server).await
}

/// Plays matches in so many connections, and returns commands per second, the time of each, and what they took of the server's processor.
async fn play_with(
    connections: usize,
    address: SocketAddr,
    games: &[Game],
    round: usize,
    server: &Process,
) -> (f64, Vec<Duration>, f64) {
    let mut plans: Vec<Plan> = Vec::new();
    for number in 0..connections {
        let mut client = Client::connect(address).await;
        let mut plan = Vec::new();
        let mut count = 0;
        for game in games.iter().cycle().skip(number * 7 + round * 13) {
            let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "position": game.position})
                .to_string();
            let opened = client.post("/v1/matches", None, &body).await;
            let tokens: Vec<String> = opened["seat_tokens"]
                .as_array()
                .expect("tokens")
                .iter()
                .map(|t| t.as_str().expect("text").to_owned())
                .collect();
            let path = format!("/v1/matches/{}/commands", opened["match"].as_str().expect("an id"));
            let bodies: Vec<String> =
                game.commands.iter().map(|command| format!("{{\"command\":{command}}}")).collect();
            count += bodies.len();
            plan.push((path, tokens, bodies));
            if count >= COMMANDS {
                break;
            }
        }
        plans.push(plan);
    }
    // The server closes connections that are idle for some seconds: those of the opening may be closed by now.
    let mut players = Vec::new();
    for plan in plans {
        players.push((Client::connect(address).await, plan));
    }
    let (start, before) = (Instant::now(), server.cpu());
    let done = Rc::new(Cell::new(0_u64));
    let tasks: Vec<_> = players
        .into_iter()
        .map(|(client, plan)| rt::spawn(play_one(client, plan, Rc::clone(&done))))
        .collect();
    let mut latencies = Vec::new();
    for task in tasks {
        latencies.extend(task.await.expect("a player does not panic"));
    }
    (done.get() as f64 / start.elapsed().as_secs_f64(), latencies, server.cpu() - before)
}

type Plan = Vec<(String, Vec<String>, Vec<String>)>;

async fn play_one(mut client: Client, plan: Plan, done: Rc<Cell<u64>>) -> Vec<Duration> {
    let mut latencies = Vec::new();
    for (path, tokens, bodies) in plan {
        let mut seat = 0;
        for body in bodies {
            let start = Instant::now();
            let accepted = client.send(&request("POST", &path, Some(&tokens[seat]), &body)).await;
            assert_eq!(accepted.0, 201, "{}", String::from_utf8_lossy(&accepted.1));
            latencies.push(start.elapsed());
            done.set(done.get() + 1);
            seat = active_seat(&accepted.1);
        }
    }
    latencies
}

/// Who is to act after a command, without reading all of its answer.
fn active_seat(answer: &[u8]) -> usize {
    const KEY: &[u8] = b"\"active_seat\":";
    let at = answer
        .windows(KEY.len())
        .position(|window| window == KEY)
        .expect("a view names the active seat");
    usize::from(answer[at + KEY.len()] == b'1')
}

/// The size of a commit's record: its canonical JSON, three hashes and two bytes.
fn record_size(address: SocketAddr) -> usize {
    rt::System::new().block_on(async {
        let mut client = Client::connect(address).await;
        let game = game(1);
        let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "position": game.position})
            .to_string();
        let opened = client.post("/v1/matches", None, &body).await;
        let path = format!("/v1/matches/{}", opened["match"].as_str().expect("an id"));
        let token = opened["seat_tokens"][0].as_str();
        let command = format!("{{\"command\":{}}}", game.commands[0]);
        client.post(&format!("{path}/commands"), token, &command).await;
        let (_, page) =
            client.send(&request("GET", &format!("{path}/commits?after=1"), None, "")).await;
        page.len() - "{\"game\":\"rosenkoenig\",\"items\":[,],\"next\":null}".len() - 3 * (64 - 32)
    })
}

// --- GET /view -------------------------------------------------------------------------------------------------------

fn views() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (server, address) = muninn(folder.path());
    let (path, size) = rt::System::new().block_on(async {
        let mut client = Client::connect(address).await;
        let body = json!({"game": "rosenkoenig", "seats": [{}, {}]}).to_string();
        let opened = client.post("/v1/matches", None, &body).await;
        let path = format!("/v1/matches/{}/view", opened["match"].as_str().expect("an id"));
        let (_, view) = client.send(&request("GET", &path, None, "")).await;
        (path, view.len())
    });
    let own = std::env::current_exe().expect("a path");
    let bare = Process::spawn(Command::new(own).args(["bare", &size.to_string()]));
    let (mut rates, mut bare_rates) = (Vec::new(), Vec::new());
    let (mut used, mut bare_used) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let before = bare.cpu();
        bare_rates.push(rt::System::new().block_on(get(bare.address, "/")));
        bare_used.push(
            (bare.cpu() - before) / (bare_rates[bare_rates.len() - 1] * LENGTH.as_secs_f64()),
        );
        let before = server.cpu();
        rates.push(rt::System::new().block_on(get(address, &path)));
        used.push((server.cpu() - before) / (rates[rates.len() - 1] * LENGTH.as_secs_f64()));
    }
    drop((server, bare));
    let bare = show(&format!("bare actix handler, {size} bytes"), "answers", &bare_rates);
    let view = show("GET /view of a match in memory", "answers", &rates);
    let rates = 100.0 * view / bare;
    let (bare, view) = (1e6 * median(bare_used), 1e6 * median(used));
    figure("CPU time of a bare handler / GET /view", bare / view);
    // The rates depend on what the readers, on the same cores, leave to each server.
    println!(
        "{:<44} {:>9.0} %: {bare:.1} and {view:.1} us an answer; of the rates {rates:.0} %",
        "CPU time of a bare handler / GET /view",
        100.0 * bare / view
    );
}

async fn get(address: SocketAddr, path: &str) -> f64 {
    let done = Rc::new(Cell::new(0_u64));
    let start = Instant::now();
    let mut tasks = Vec::new();
    for _ in 0..CONNECTIONS {
        let (request, done) = (request("GET", path, None, ""), Rc::clone(&done));
        tasks.push(rt::spawn(async move {
            let mut client = Client::connect(address).await;
            while start.elapsed() < LENGTH {
                assert_eq!(client.send(&request).await.0, 200);
                done.set(done.get() + 1);
            }
        }));
    }
    for task in tasks {
        task.await.expect("a reader does not panic");
    }
    done.get() as f64 / start.elapsed().as_secs_f64()
}

/// A server with one handler that answers a ready body.
fn bare(size: usize) {
    rt::System::new().block_on(async {
        let body = "x".repeat(size);
        let server = HttpServer::new(move || {
            let body = body.clone();
            let answer = move || {
                let body = body.clone();
                async move { HttpResponse::Ok().content_type("application/json").body(body) }
            };
            App::new().route("/", web::get().to(answer))
        });
        let server = server.bind("127.0.0.1:0").expect("a free port");
        println!("listening on http://{}", server.addrs()[0]);
        server.run().await.expect("it serves");
    });
}

//! `muninn simulate`: full matches without people, on several threads.

mod deals;
mod tally;

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use actix_web::rt;
use clap::{Args, ValueEnum};
use engine::{Config, Engine, Error, Ready, Simulated, Simulation, Start};
use indicatif::ProgressBar;
use journal::{Address, Alone, Bot, Home, MatchId, Scratch, has_store};
use kernel::AnyGame;
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::failure::{Failure, print, tell_done, usage, write};
use crate::games::{Games, known};
use crate::place::{is_at, stored};
use crate::progress::bar;
use crate::simulate::deals::Deals;
use crate::simulate::tally::{Begins, Tally};
use crate::threads::threads;

/// Examples for the command line.
pub(crate) const HELP: &str = "\
A deal is a match's seed, on which all its draws depend. The same deal with the same bots, the same bot seed and the same start gives the
same match on every machine.

Examples:
  muninn simulate --game rosenkoenig --matches 100000
  muninn simulate --game voluspa --seats 3 --bot greedy,random        seat 0 is greedy, seat 1 random, seat 2 greedy
  muninn simulate --game voluspa --bot greedy,random --mirror         each deal from every seat, so that luck cancels out
  muninn simulate --game delphi --deal-seed 7 --bot-seed 1 --format ndjson    another --bot-seed: the same deals with other choices
  muninn simulate --game rosenkoenig --options '{\"light\": true}'
  muninn simulate --game copenhagen --position position.json          all matches continue from one position
  muninn simulate --game rosenkoenig --from ID@57 --data ./data       all matches continue from a version of a finished match
  muninn simulate --game rosenkoenig --matches 1000 --keep ./data     keep the matches in a store";

/// How many deals are under way at a time where they are kept: they share the waiting for the disk.
const AT_A_TIME: usize = 64;

/// The longest position or options, in bytes: that of a request.
const MOST_BYTES: u64 = 1 << 20;

/// Arguments of `muninn simulate`.
#[derive(Clone, Debug, Args)]
pub struct SimulateArgs {
    /// The id of the game
    #[arg(long, env = "MUNINN_GAME")]
    pub game: String,
    /// Number of seats; by default that of the position, otherwise the minimum of the game
    #[arg(long, env = "MUNINN_SEATS")]
    pub seats: Option<usize>,
    /// Number of matches; with --mirror, of deals
    #[arg(long, env = "MUNINN_MATCHES", default_value_t = 1000)]
    pub matches: u64,
    /// Seed of both the deals and the bots; the same seed gives the same matches
    #[arg(long, env = "MUNINN_SEED", default_value_t = 1)]
    pub seed: u64,
    /// Seed of the deals only, and so of all draws
    #[arg(long, env = "MUNINN_DEAL_SEED", value_name = "SEED")]
    pub deal_seed: Option<u64>,
    /// Seed of the bots' choices only
    #[arg(long, env = "MUNINN_BOT_SEED", value_name = "SEED")]
    pub bot_seed: Option<u64>,
    /// Play each deal once per seat: in each further match of a deal, all players move one seat further
    #[arg(long)]
    pub mirror: bool,
    /// The options of the game as JSON, such as {"light": true}
    // Not from the environment, nor are --edition and --keep: a variable that is meant for another command would conflict with --from or --position.
    #[arg(long, value_name = "JSON")]
    pub options: Option<String>,
    /// The edition of the rules; by default that of the position, otherwise the newest
    #[arg(long, value_name = "NUMBER")]
    pub edition: Option<u32>,
    /// A file with a position, as JSON, that every match begins with
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub position: Option<PathBuf>,
    /// The position that every match begins with: that of a version of a finished match in --data, or in --keep or --store, where the new
    /// matches are branches of it
    #[arg(long, value_name = "MATCH@VERSION", conflicts_with_all = ["options", "edition"])]
    pub from: Option<At>,
    /// The folder of the store with the match of --from, if the new matches are not kept
    #[arg(long, value_name = "DIR", requires = "from", conflicts_with_all = ["keep", "store", "position"])]
    pub data: Option<PathBuf>,
    /// Keep the matches in a store in this folder
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Keep the matches in the store in this database
    // Not from the environment: that is a server's, and this fills a store.
    #[arg(long, value_name = "POSTGRES-URL", conflicts_with = "keep")]
    pub store: Option<Address>,
    /// Number of threads, at most 512; 0 means one per core. It does not change the matches
    #[arg(long, env = "MUNINN_THREADS", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// The bots by seat, random or greedy: at most one per seat; with fewer, they are repeated from the first
    #[arg(long, env = "MUNINN_BOT", default_value = "random", value_delimiter = ',')]
    pub bot: Vec<Bot>,
    /// The format: a summary for people, or a line of JSON for each match, by number, and a last line with the summary
    #[arg(long, default_value = "text")]
    pub format: SimulateFormat,
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SimulateFormat {
    /// A summary for people.
    Text,
    /// Lines of JSON.
    Ndjson,
}

/// A version of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The match.
    pub id: MatchId,
    /// The version.
    pub version: u64,
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('@');
        let parts = parts.and_then(|(id, at)| Some((id.parse().ok()?, at.parse().ok()?)));
        let (id, version) = parts.ok_or("expected the id of a match, @ and a version")?;
        Ok(At { id, version })
    }
}

/// Simulates, and prints what came of it.
pub(crate) fn simulate(args: &SimulateArgs, games: Games) -> Result<ExitCode, Failure> {
    let game = known(games, &args.game)?;
    let open = |home: &Home, derived: &Path| {
        Engine::start_at(home, derived, games, &Config::default()).map(Arc::new)
    };
    // What is derived from a database is needed no longer than this.
    let database = match &args.store {
        Some(address) => Some((Home::Database(address.clone()), Scratch::new(&env::temp_dir())?)),
        None => None,
    };
    let kept = || match (&args.keep, &database) {
        (Some(folder), _) => Ok::<_, Failure>(Some(open(&Home::from(folder), folder)?)),
        (None, Some((home, scratch))) => Ok(Some(open(home, scratch.path())?)),
        (None, None) => Ok(None),
    };
    // What cannot be played is told before a store is made.
    let (simulation, kept) = match args.from {
        None => (simulation(args, game, read_position(args)?)?, kept()?),
        Some(At { id, version }) => {
            // The match is in the store that is played into: where there is none, none is made.
            if let Some(folder) = &args.keep {
                let missing = "there is no match of --from, as it is not a store";
                is_at("--keep", folder, missing, has_store)?;
            }
            let kept = kept()?;
            let source = match (&kept, &args.data) {
                (Some(engine), _) => Arc::clone(engine),
                (None, Some(data)) => {
                    stored(data)?;
                    open(&Home::from(data), data)?
                }
                (None, None) => {
                    let message = "--from needs the store of the match: --data, --keep or --store";
                    return Err(usage(message));
                }
            };
            let slot = source.load(id);
            let position = slot.and_then(|slot| source.position_at(&slot, Some(version)));
            let position = position.map_err(|error| not_from(id, version, error))?;
            let mut simulation = simulation(args, game, Some(position.json))?;
            simulation.start.from = kept.as_ref().map(|_| (id, version));
            (simulation, kept)
        }
    };
    // From here on no server begins to play for the bots.
    let alone = if let (Some(engine), Some(address)) = (&kept, &args.store) {
        Some(alone(engine, address)?)
    } else {
        None
    };
    let ready = simulation.ready(game)?;
    let begins = Begins {
        edition: ready.edition_played.number(),
        options: ready.options_played,
        from: args.from.map(|At { id, version }| format!("{id}@{version}")),
        loaded: args.position.is_some(),
    };
    let deals = simulation.deals;
    let threads = match args.threads {
        0 => thread::available_parallelism().map_or(1, NonZeroUsize::get),
        threads => threads,
    };
    let progress = bar(deals, if args.mirror { "deals" } else { "matches" });
    progress.enable_steady_tick(Duration::from_millis(200));
    let lines = Lines::new(args.format, kept.is_some());
    let start = Instant::now();
    let tally = match &kept {
        None => in_process(&simulation, game, threads, &progress, &lines)?,
        Some(engine) => in_store(engine, &simulation, threads, &progress, &lines)
            .map_err(|failure| explained(failure, alone.as_ref()))?,
    };
    progress.finish_and_clear();
    let summary = tally.summary(&simulation, begins, start.elapsed());
    match args.format {
        SimulateFormat::Text if kept.is_some() => Ok(tell_done(&summary.told())),
        SimulateFormat::Text => print(&summary.told()),
        SimulateFormat::Ndjson => print(&line(&summary)),
    }
}

/// Why a match cannot be continued: that there is no such position is wrong usage, that it cannot be read is not.
fn not_from(id: MatchId, version: u64, error: Error) -> Failure {
    let is_usage =
        matches!(error, Error::NotFound(_) | Error::VersionUnknown { .. } | Error::Hidden(_));
    let Failure { message, code } = Failure::from(error);
    let message = format!("--from {id}@{version}: {message}");
    if is_usage { usage(message) } else { Failure { message, code } }
}

/// Takes the store for this simulation: a server would play for its bots.
fn alone(engine: &Engine, address: &Address) -> Result<Alone, Failure> {
    let journal = engine.journal();
    if let Some(alone) = journal.store().alone()? {
        return Ok(alone);
    }
    let message = match journal.store().is_served()? {
        true => format!("{address}: a server uses it, and would play for the bots"),
        false => format!("{address}: another simulation plays there"),
    };
    Err(Failure { message, code: 1 })
}

/// Why a simulation failed, if it was not alone to its end.
fn explained(failure: Failure, alone: Option<&Alone>) -> Failure {
    if failure.is_enough() || alone.is_none_or(Alone::is_held) {
        return failure;
    }
    let why = "the database ended the session that kept servers from playing for the bots";
    Failure { message: format!("{}; {why}", failure.message), ..failure }
}

fn json(text: String, flag: &str) -> Result<Box<RawValue>, Failure> {
    RawValue::from_string(text).map_err(|error| usage(format!("{flag}: not JSON: {error}")))
}

/// The position of `--position`.
fn read_position(args: &SimulateArgs) -> Result<Option<Box<RawValue>>, Failure> {
    let Some(file) = &args.position else { return Ok(None) };
    let flag = format!("--position {}", file.display());
    let failed = |error: io::Error| {
        let is_usage = matches!(
            error.kind(),
            ErrorKind::NotFound
                | ErrorKind::NotADirectory
                | ErrorKind::IsADirectory
                | ErrorKind::InvalidData
        );
        let message = format!("{flag}: {error}");
        if is_usage { usage(message) } else { Failure { message, code: 1 } }
    };
    if fs::metadata(file).map_err(failed)?.len() > MOST_BYTES {
        return Err(usage(format!("{flag}: longer than {MOST_BYTES} bytes")));
    }
    json(fs::read_to_string(file).map_err(failed)?, &flag).map(Some)
}

/// What the arguments ask for, from this position if there is one.
///
/// # Errors
/// What the game refuses.
fn simulation(
    args: &SimulateArgs,
    game: &'static dyn AnyGame,
    position: Option<Box<RawValue>>,
) -> Result<Simulation, Failure> {
    let options = args.options.clone().map(|text| json(text, "--options")).transpose()?;
    let range = &game.info().seats;
    let own = position.as_deref().map(|position| seats_of(game, position)).transpose()?;
    let seats = args.seats.or(own).unwrap_or_else(|| usize::from(*range.start()));
    if !u8::try_from(seats).is_ok_and(|seats| range.contains(&seats)) {
        let (id, least, most) = (&args.game, range.start(), range.end());
        return Err(usage(format!("--seats {seats}: {id} is played with {least} to {most} seats")));
    }
    if args.bot.len() > seats {
        let bots: Vec<&str> = args.bot.iter().map(|bot| bot.name()).collect();
        return Err(usage(format!("--bot {}: there are only {seats} seats", bots.join(","))));
    }
    let simulation = Simulation {
        game: args.game.clone(),
        seats,
        deals: args.matches,
        deal_seed: args.deal_seed.unwrap_or(args.seed),
        bot_seed: args.bot_seed.unwrap_or(args.seed),
        bots: args.bot.clone(),
        mirror: args.mirror,
        start: Start { options, edition: args.edition, position, from: None },
    };
    simulation.ready(game).map_err(|error| usage(error.to_string()))?;
    Ok(simulation)
}

/// How many seats a position has.
fn seats_of(game: &dyn AnyGame, position: &RawValue) -> Result<usize, Failure> {
    let state = game.load(position, game.info().newest());
    state.map(|state| state.seats()).map_err(|refusal| usage(refusal.to_string()))
}

/// Plays all deals inside the process. The result does not depend on the number of threads.
fn in_process(
    simulation: &Simulation,
    game: &'static dyn AnyGame,
    threads: usize,
    progress: &ProgressBar,
    lines: &Lines,
) -> Result<Tally, Failure> {
    const TELL: Duration = Duration::from_millis(100);
    let ready = simulation.ready(game)?;
    let each = simulation.matches_of_deal();
    let deals = Deals::new(simulation.deals);
    let play = || {
        let mut tally = Tally::default();
        let (mut done, mut at) = (0, Instant::now());
        while let Some(deal) = deals.take() {
            let played = dealt(&ready, deal * each..(deal + 1) * each, simulation, lines);
            tally.add(&played.inspect_err(|_| deals.end())?);
            done += 1;
            if at.elapsed() > TELL {
                progress.inc(done);
                (done, at) = (0, Instant::now());
            }
        }
        progress.inc(done);
        Ok(tally)
    };
    together(threads, play)
}

/// Plays one deal.
fn dealt(
    ready: &Ready<'_>,
    numbers: std::ops::Range<u64>,
    simulation: &Simulation,
    lines: &Lines,
) -> Result<Tally, Failure> {
    let played: Result<Vec<_>, _> = numbers.map(|number| ready.run(number)).collect();
    let played = played?;
    lines.put(simulation, &played)?;
    Ok(Tally::of(&played))
}

/// Plays one deal in a store.
async fn dealt_in(
    engine: &Engine,
    numbers: std::ops::Range<u64>,
    simulation: &Simulation,
    lines: &Lines,
) -> Result<Tally, Failure> {
    let mut played = Vec::new();
    for number in numbers {
        played.push(engine.play_kept(simulation, number).await?);
    }
    lines.put(simulation, &played)?;
    Ok(Tally::of(&played))
}

/// Plays all deals in a store.
fn in_store(
    engine: &Arc<Engine>,
    simulation: &Simulation,
    threads: usize,
    progress: &ProgressBar,
    lines: &Lines,
) -> Result<Tally, Failure> {
    let deals = Deals::new(simulation.deals);
    let each = simulation.matches_of_deal();
    let deal = async || {
        let mut tally = Tally::default();
        while let Some(deal) = deals.take() {
            let numbers = deal * each..(deal + 1) * each;
            let played = dealt_in(engine, numbers, simulation, lines).await;
            tally.add(&played.inspect_err(|_| deals.end())?);
            progress.inc(1);
        }
        Ok::<_, Failure>(tally)
    };
    let play = || {
        rt::System::new().block_on(async {
            let players = (0..AT_A_TIME.div_ceil(threads)).map(|_| deal());
            let mut sum = Tally::default();
            for tally in futures_util::future::join_all(players).await {
                sum.add(&tally?);
            }
            Ok(sum)
        })
    };
    together(threads, play)
}

/// Does the same work on each thread, and adds what they report.
fn together(
    threads: usize,
    play: impl Fn() -> Result<Tally, Failure> + Sync,
) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(&play)).collect();
        for thread in threads {
            tally.add(&thread.join().expect("a player does not panic")?);
        }
        Ok(tally)
    })
}

/// The lines of matches, which are written in the order of their numbers.
struct Lines {
    /// Are all matches wanted, even if nobody reads what came of them?
    is_kept: bool,
    waiting: Option<Mutex<Waiting>>,
}

/// Those that wait for earlier ones, by deal.
#[derive(Default)]
struct Waiting {
    next: u64,
    lines: BTreeMap<u64, String>,
    is_unread: bool,
}

impl Lines {
    fn new(format: SimulateFormat, is_kept: bool) -> Self {
        Lines { is_kept, waiting: (format == SimulateFormat::Ndjson).then(Mutex::default) }
    }

    fn put(&self, simulation: &Simulation, deal: &[Simulated]) -> Result<(), Failure> {
        let (Some(waiting), Some(first)) = (&self.waiting, deal.first()) else { return Ok(()) };
        let text: String = deal.iter().map(|played| told(simulation, played)).collect();
        // Whoever panicked has written whole lines.
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.is_unread {
            return Ok(());
        }
        waiting.lines.insert(first.deal, text);
        while let Some(text) = waiting.next_text() {
            match write(text.as_bytes()) {
                Err(failure) if failure.is_enough() && self.is_kept => {
                    *waiting = Waiting { is_unread: true, ..Waiting::default() };
                }
                written => written?,
            }
        }
        Ok(())
    }
}

impl Waiting {
    fn next_text(&mut self) -> Option<String> {
        let text = self.lines.remove(&self.next)?;
        self.next += 1;
        Some(text)
    }
}

/// The line of a match.
fn told(simulation: &Simulation, played: &Simulated) -> String {
    let Simulated { number, deal, seed, players, points, ranks, commands, events, id } = played;
    let seat = |(seat, player): (usize, &usize)| json!({"player": player, "bot": simulation.bot(*player).name(), "points": points[seat], "rank": ranks[seat]});
    let seats: Vec<_> = players.iter().enumerate().map(seat).collect();
    line(
        &json!({"type": "match", "number": number, "deal": deal, "seed": seed, "seats": seats, "commands": commands,
        "events": events, "match": id}),
    )
}

fn line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value);
    text.expect("a line is JSON") + "\n"
}

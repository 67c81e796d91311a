//! The command line. Every flag is an environment variable too.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use journal::Bot;
use server::Rates;
use tables::Limits;

use crate::draw::PictureArgs;
use crate::export::{self, ExportArgs};
use crate::query::{self, QueryArgs};

/// How many bytes an answer to SQL over HTTP may have before it is written, whatever it consists of.
const SQL_BYTES: usize = 32 << 20;

/// Muninn: an event-sourced engine for board games
///
/// Exit codes: 0 done, 1 something was found or failed, 2 wrong usage.
#[derive(Debug, Parser)]
#[command(name = "muninn", version, propagate_version = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve matches over HTTP
    #[command(after_help = "\
Examples:
  muninn serve                              on http://127.0.0.1:8080, matches in ./data
  muninn serve --listen 127.0.0.1:0         on a free port; the first line on standard output tells which
  MUNINN_LOG=debug muninn serve --data /var/lib/muninn --log-format json")]
    Serve(ServeArgs),
    /// Let bots play full matches and measure the rate
    #[command(after_help = "\
Examples:
  muninn simulate --game rosenkoenig --matches 100000
  muninn simulate --game voluspa --seats 3 --bot greedy,random        who wins: seat 0 is greedy, seat 1 random, seat 2 greedy
  muninn simulate --game rosenkoenig --matches 1000 --keep ./data     keep them as matches of a store")]
    Simulate(SimulateArgs),
    /// Verify that nothing in a store was changed
    ///
    /// Recomputes every hash, folds every stream, decides every command again, and compares the events. Lists all that is damaged. The store
    /// is copied first and stays as it is, to the last byte: it may be a backup, and lie where nothing can be written. No server may use it
    /// while it is copied.
    #[command(after_help = "\
Examples:
  muninn verify --data ./data               exit code 1 and a list if anything differs
  muninn verify --data /mnt/backup --scratch /var/tmp    the copy takes the space of the store")]
    Verify(VerifyArgs),
    /// Export finished matches as tables: Parquet, CSV or JSON lines
    #[command(after_help = export::HELP)]
    Export(ExportArgs),
    /// Draw a match of a store
    ///
    /// As an image, as text, or as an image that plays the whole match.
    #[command(after_help = "\
Examples:
  muninn picture --data ./data --match ID > board.svg
  muninn picture --data ./data --match ID --at 57 --viewer 1 --format text
  muninn picture --data ./data --match ID --format replay --output replay.svg")]
    Picture(PictureArgs),
    /// Ask the finished matches by SQL
    #[command(after_help = query::HELP)]
    Query(QueryArgs),
    /// Statistics of all finished matches, brought up to date or made anew
    ///
    /// No server may use the store meanwhile. A server keeps the same file up to date by itself.
    #[command(after_help = "\
Examples:
  muninn stats --data ./data                one JSON line for each game
  muninn stats --data ./data --rebuild      forget what was counted, and count again from the first commit")]
    Stats(StatsArgs),
    /// Print the OpenAPI document
    #[command(after_help = "\
Examples:
  muninn openapi > openapi.json")]
    Openapi,
    /// Print the AsyncAPI document of the streams
    #[command(after_help = "\
Examples:
  muninn asyncapi > asyncapi.json")]
    Asyncapi,
}

/// Settings of the server.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// Address and port; port 0 takes a free one
    #[arg(long, env = "MUNINN_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// The folder of the store; it is made if it does not exist
    #[arg(long, env = "MUNINN_DATA", default_value = "./data")]
    pub data: PathBuf,
    /// What to log: error, warn, info, debug, trace, or directives such as `info,engine=debug`
    #[arg(long, env = "MUNINN_LOG", default_value = "info")]
    pub log: String,
    /// How log lines look on standard error
    #[arg(long, env = "MUNINN_LOG_FORMAT", default_value = "human")]
    pub log_format: LogFormat,
    /// How many threads serve requests; 0 takes one for each core
    #[arg(long, env = "MUNINN_WORKERS", default_value_t = 0)]
    pub workers: usize,
    /// How many matches are kept in memory
    #[arg(long, env = "MUNINN_MATCHES_IN_MEMORY", default_value_t = 20_000)]
    pub matches_in_memory: usize,
    /// The store's cache, in MiB
    #[arg(long, env = "MUNINN_CACHE_MIB", default_value_t = 64)]
    pub cache_mib: u64,
    /// Seconds between the comments that keep an event stream alive
    #[arg(long, env = "MUNINN_HEARTBEAT", default_value = "15", value_parser = seconds)]
    pub heartbeat: Duration,
    /// Milliseconds that a bot waits before it acts
    #[arg(long, env = "MUNINN_BOT_PAUSE", default_value = "500", value_parser = milliseconds)]
    pub bot_pause: Duration,
    /// How often one may ask.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The pages for people at /watch and /play
    #[arg(long, env = "MUNINN_PAGES", default_value = "on")]
    pub pages: OnOff,
    /// What SQL may take.
    #[command(flatten)]
    pub sql: SqlArgs,
}

/// How often one may ask.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Rate limits")]
pub struct LimitArgs {
    /// Requests a second for each address, 5 seconds' worth at once; 0: no limit [default: 200, but no limit on a loopback address]
    #[arg(long, env = "MUNINN_RATE_LIMIT_ADDRESS", value_name = "N")]
    pub rate_limit_address: Option<u32>,
    /// Requests a second for each token, 5 seconds' worth at once; 0: no limit [default: 50, but no limit on a loopback address]
    #[arg(long, env = "MUNINN_RATE_LIMIT_TOKEN", value_name = "N")]
    pub rate_limit_token: Option<u32>,
    /// Event streams that an address may hold open; 0: no limit [default: 100, but no limit on a loopback address]
    #[arg(long, env = "MUNINN_STREAMS_PER_ADDRESS", value_name = "N")]
    pub streams_per_address: Option<u32>,
    /// How many reverse proxies stand in front, each adding to X-Forwarded-For; 0: the header is not believed
    #[arg(long, env = "MUNINN_TRUSTED_PROXIES", value_name = "N", default_value_t = 0)]
    pub trusted_proxies: usize,
}

impl LimitArgs {
    /// The rates of a server that listens there: none by default where only this machine, and no proxy on it, can ask.
    #[must_use]
    pub fn rates(&self, listen: SocketAddr) -> Rates {
        let trusted_proxies = self.trusted_proxies;
        let local = listen.ip().is_loopback() && trusted_proxies == 0;
        let number = |given: Option<u32>, default| given.unwrap_or(if local { 0 } else { default });
        Rates {
            address: number(self.rate_limit_address, 200),
            token: number(self.rate_limit_token, 50),
            streams: number(self.streams_per_address, 100),
            trusted_proxies,
        }
    }
}

/// SQL over HTTP.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "SQL over HTTP")]
pub struct SqlArgs {
    /// Answer SQL from anybody at POST /v1/query
    #[arg(long, env = "MUNINN_QUERY", default_value = "off")]
    pub query: OnOff,
    /// Seconds that a query may take
    #[arg(long, env = "MUNINN_QUERY_SECONDS", value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub query_seconds: u64,
    /// Rows that an answer may have
    #[arg(long, env = "MUNINN_QUERY_ROWS", value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub query_rows: u32,
    /// Memory that a query may take, in MiB
    #[arg(long, env = "MUNINN_QUERY_MIB", value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(16..=65_536))]
    pub query_mib: u32,
}

impl SqlArgs {
    /// What an answer may take; none where SQL is not answered.
    #[must_use]
    pub fn limits(&self) -> Option<Limits> {
        (self.query == OnOff::On).then(|| Limits {
            time: Duration::from_secs(self.query_seconds),
            rows: self.query_rows as usize,
            bytes: SQL_BYTES,
            memory: (self.query_mib as usize) << 20,
            files: false,
        })
    }
}

/// What to simulate.
#[derive(Clone, Debug, Args)]
pub struct SimulateArgs {
    /// The id of the game
    #[arg(long, env = "MUNINN_GAME")]
    pub game: String,
    /// How many seats; the least number of the game if it is left out
    #[arg(long, env = "MUNINN_SEATS")]
    pub seats: Option<usize>,
    /// How many matches
    #[arg(long, env = "MUNINN_MATCHES", default_value_t = 1000)]
    pub matches: u64,
    /// The same seed gives the same matches
    #[arg(long, env = "MUNINN_SEED", default_value_t = 1)]
    pub seed: u64,
    /// Keep the matches in the store of this folder
    #[arg(long, env = "MUNINN_KEEP")]
    pub keep: Option<PathBuf>,
    /// On how many threads; 0 takes one for each core. The matches are the same whatever it is
    #[arg(long, env = "MUNINN_THREADS", default_value_t = 0)]
    pub threads: usize,
    /// Who plays, by seat, from the first one again if there are more seats: random, greedy
    #[arg(long, env = "MUNINN_BOT", default_value = "random", value_delimiter = ',')]
    pub bot: Vec<Bot>,
}

/// Which statistics.
#[derive(Clone, Debug, Args)]
pub struct StatsArgs {
    /// The folder of the store
    #[arg(long, env = "MUNINN_DATA")]
    pub data: PathBuf,
    /// Count from the first commit again
    #[arg(long, env = "MUNINN_REBUILD")]
    pub rebuild: bool,
}

/// What to verify.
#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    /// The folder of the store; it is only read
    #[arg(long, env = "MUNINN_DATA")]
    pub data: PathBuf,
    /// Where the copy is made that is verified; the system's folder for temporary files if it is left out
    #[arg(long, env = "MUNINN_SCRATCH")]
    pub scratch: Option<PathBuf>,
}

/// Whether something is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnOff {
    /// It is.
    On,
    /// It is not.
    Off,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(milliseconds @ 0..=3_600_000) => Ok(Duration::from_millis(milliseconds)),
        Ok(_) | Err(_) => Err("expected 0 to 3600000 milliseconds".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds @ 1..=3600) => Ok(Duration::from_secs(seconds)),
        Ok(_) | Err(_) => Err("expected 1 to 3600 seconds".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_flags_only_loopback_is_free() {
        let limited = |listen: &str, trusted_proxies| {
            let args = LimitArgs { trusted_proxies, ..LimitArgs::default() };
            let Rates { address, token, streams, trusted_proxies: _ } =
                args.rates(listen.parse().unwrap());
            assert_eq!(address > 0, token > 0);
            assert_eq!(address > 0, streams > 0);
            address > 0
        };
        assert!(!limited("127.0.0.1:0", 0) && !limited("[::1]:0", 0));
        assert!(limited("0.0.0.0:0", 0) && limited("[::]:0", 0));
        assert!(limited("127.0.0.1:0", 1), "a proxy brings others");
    }
}

//! The command line. Every flag is an environment variable too.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use engine::{IdleEnds, Quotas};
use journal::{Address, Home};
use server::{Connections, Listen, Rates};
use tables::Limits;

use crate::audit::{self, AuditArgs};
use crate::backup::{self, BackupArgs, RepairArgs, RestoreArgs};
use crate::draw::PictureArgs;
use crate::export::{self, ExportArgs};
use crate::health::HealthArgs;
use crate::import::{self, ImportArgs};
use crate::log::LogFormat;
use crate::place::{StoreArgs, at};
use crate::query::{self, QueryArgs};
use crate::report::{self, ReportArgs};
use crate::simulate::{self, SimulateArgs};
use crate::span::Span;
use crate::stats::{self, StatsArgs};
use crate::threads::threads;

/// How many bytes the rows of an answer to SQL over HTTP may take, whatever they consist of.
const SQL_BYTES: usize = 4 << 20;

/// Muninn, an event-sourced engine for board games
///
/// Exit codes: 0 success, 1 something was found or failed, 2 wrong usage, 3 (`verify`) intact, but the rules of this program would decide otherwise.
#[derive(Debug, Parser)]
#[command(name = "muninn", version, propagate_version = true)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands of the program.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve matches over HTTP
    #[command(after_help = "\
Examples:
  muninn serve                              on http://127.0.0.1:8080, matches in ./data
  muninn serve --listen 127.0.0.1:0         on a free port; the first line on standard output says which
  muninn serve --config /etc/muninn.toml    with the settings of a file, such as listen = \"0.0.0.0:8080\"
  muninn serve --store postgres://muninn@db/muninn    matches in PostgreSQL; the password from PGPASSWORD or PGPASSFILE
  MUNINN_LOG=debug muninn serve --data /var/lib/muninn --log-format json")]
    Serve(ServeArgs),
    /// Create the store in a PostgreSQL database, or migrate it to the schema of this program
    ///
    /// Each migration is applied completely or not at all. A server never migrates by itself.
    #[command(after_help = "\
Examples:
  muninn migrate --store postgres://muninn@db/muninn")]
    Migrate(MigrateArgs),
    /// Let bots play full matches, and measure how fast they play
    #[command(after_help = simulate::HELP)]
    Simulate(SimulateArgs),
    /// Verify that nothing in a store was changed
    ///
    /// Recomputes every hash, folds every stream, decides every command again, and compares the events. Lists everything that is damaged.
    /// A folder is copied first, and not a byte of it changes, so it may be a backup on read-only media. No server may use it while it is copied. A
    /// database is only read, and servers may use it meanwhile.
    #[command(after_help = "\
Examples:
  muninn verify --data ./data               exits with 1 if something is damaged, with 3 if matches would go otherwise under
                                            the rules of this program; lists both
  muninn verify --data /mnt/backup --scratch /var/tmp    the copy takes as much space as the store")]
    Verify(VerifyArgs),
    /// Decide finished matches again under another edition of the rules
    ///
    /// Shows what a change of the rules would have done to the matches of a store. A folder is copied first, and not a byte of it changes.
    /// No server may use it while it is copied. A database is only read, and servers may use it meanwhile.
    #[command(after_help = audit::HELP)]
    Audit(AuditArgs),
    /// Write a whole store into a portable archive, or verify archives
    ///
    /// The archive has everything: commits, seeds, names, hashes of tokens, idempotency keys. Keep it as secret as the store.
    #[command(after_help = backup::BACKUP_HELP)]
    Backup(BackupArgs),
    /// Create a store from portable archives
    ///
    /// Everything is checked, and read back from disk. The folder gets its name only when the store is complete.
    #[command(after_help = backup::RESTORE_HELP)]
    Restore(RestoreArgs),
    /// Import a finished match from what another server publishes about it
    ///
    /// Everything is checked before anything is written: hashes, seals, draws and every decision, names and hashes of tokens. The match is
    /// stored completely or not at all, byte for byte as it was played, with a note of where it comes from.
    #[command(after_help = import::HELP)]
    Import(ImportArgs),
    /// Create a new store from what can be read of a damaged one
    ///
    /// Damaged matches are left out of the new store; what can be read of each is written to a file. The damaged store is copied first, and not
    /// a byte of it changes.
    #[command(after_help = backup::REPAIR_HELP)]
    Repair(RepairArgs),
    /// Export finished matches as tables: Parquet, CSV or JSON lines
    #[command(after_help = export::HELP)]
    Export(ExportArgs),
    /// Draw a match from a store
    ///
    /// The result is an image, text, or an animated image of the whole match.
    #[command(after_help = "\
Examples:
  muninn picture --data ./data --match ID > board.svg
  muninn picture --data ./data --match ID --at 57 --viewer 1 --format text
  muninn picture --data ./data --match ID --format replay --output replay.svg")]
    Picture(PictureArgs),
    /// Query finished matches with SQL
    #[command(after_help = query::HELP)]
    Query(QueryArgs),
    /// Print statistics of finished public matches
    ///
    /// By default, only matches that people alone played from the game's own setup are counted. The filters are those of GET /v1/stats/{game}.
    /// docs/statistics.md has the formulas.
    ///
    /// The file of the statistics is updated first. No server may use the folder meanwhile; a running server keeps the same file up to date by
    /// itself. Servers may use a database meanwhile.
    #[command(after_help = stats::HELP)]
    Stats(StatsArgs),
    /// Write a report on the finished public matches of a game: a page of charts in one file
    ///
    /// By default, only matches that people alone played from the game's own setup are included. The filters are those of GET /v1/stats/{game}.
    #[command(after_help = report::HELP)]
    Report(ReportArgs),
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
    /// Write the conformance kit, with which a client proves offline that it follows the contract
    ///
    /// The kit has recorded answers as files, and a runner, in JavaScript and in Python, that plays the server for a client in any language. Two
    /// kits of the same program are identical.
    #[command(after_help = "\
Examples:
  muninn kit --out kit
  node kit/runner.mjs -- python3 kit/client.py       a client that passes, to copy from; kit/README.md says what a client must do")]
    Kit(KitArgs),
    /// Ask a server whether it is ready
    ///
    /// Prints the response of /readyz. Exits with 1 if the server is not ready or does not respond: a health check for containers.
    #[command(after_help = "\
Examples:
  muninn health                             asks a server on this machine, on port 8080
  muninn health --listen 0.0.0.0:9000       asks one that was started with the same flag")]
    Health(HealthArgs),
    /// Print the completion script for a shell
    #[command(after_help = "\
Examples:
  muninn completions bash > /usr/share/bash-completion/completions/muninn
  muninn completions zsh > /usr/local/share/zsh/site-functions/_muninn
  muninn completions fish > ~/.config/fish/completions/muninn.fish")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual pages
    #[command(after_help = "\
Examples:
  muninn man --out /usr/local/share/man/man1     muninn(1), and a page for each command")]
    Man {
        /// The folder for the pages; it is created if it does not exist
        #[arg(long, env = "MUNINN_OUT")]
        out: PathBuf,
    },
}

/// Settings of the server.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// A file of settings in TOML: its keys are the flags of this command. Flags and variables take precedence over the file
    #[arg(long, env = "MUNINN_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Address and port; with port 0 the system chooses a free one
    #[arg(long, env = "MUNINN_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Where the operator's door listens: a loopback address and port, or unix:PATH for a socket that only this user may open; several separated by commas; none by default
    #[arg(long, env = "MUNINN_OPERATOR_LISTEN", value_name = "ADDRESS", value_delimiter = ',')]
    pub operator_listen: Vec<Listen>,
    /// The folder of the store; it is created if it does not exist. With --store, the folder for the data that this server derives from the database
    #[arg(long, env = "MUNINN_DATA", default_value = "./data")]
    pub data: PathBuf,
    /// The database of the store, if the store is not a folder. If the URL has no password, PGPASSWORD or a password file is used
    #[arg(long, env = "MUNINN_STORE", value_name = "POSTGRES-URL", hide_env_values = true)]
    pub store: Option<Address>,
    /// What to log: error, warn, info, debug, trace, or directives such as `info,engine=debug`
    #[arg(long, env = "MUNINN_LOG", default_value = "info", value_parser = crate::log::directives)]
    pub log: String,
    /// The format of the log on standard error
    #[arg(long, env = "MUNINN_LOG_FORMAT", default_value = "human")]
    pub log_format: LogFormat,
    /// Send OpenTelemetry traces to a collector: its address for OTLP over HTTP, such as http://127.0.0.1:4318. By default traces go where
    /// the variables `OTEL_EXPORTER_OTLP_...` say, or nowhere
    #[cfg(feature = "otel")]
    #[arg(long, env = "MUNINN_OTLP", value_name = "ENDPOINT", value_parser = crate::traces::endpoint)]
    pub otlp: Option<String>,
    /// Number of threads that serve requests, at most 512; 0 means one per core
    #[arg(long, env = "MUNINN_WORKERS", default_value_t = 0, value_parser = threads())]
    pub workers: usize,
    /// Memory for matches in MiB; the least recently used are dropped first
    #[arg(long, env = "MUNINN_MATCHES_MIB", default_value_t = 96)]
    pub matches_mib: u32,
    /// Size of the store's cache in MiB, at least 1
    #[arg(long, env = "MUNINN_CACHE_MIB", default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=u64::MAX >> 20))]
    pub cache_mib: u64,
    /// Seconds between the comments that keep an event stream open, at most 40: clients give up a stream after 50 s of silence
    #[arg(long, env = "MUNINN_HEARTBEAT", default_value = "15", value_parser = heartbeat)]
    pub heartbeat: Duration,
    /// Milliseconds a bot waits before it acts
    #[arg(long, env = "MUNINN_BOT_PAUSE", default_value = "500", value_parser = milliseconds)]
    pub bot_pause: Duration,
    /// Always keep one match of each game that bots play, for visitors to watch; these are sandboxes, which count in no statistics
    #[arg(long, env = "MUNINN_DEMO", value_parser = BoolishValueParser::new())]
    pub demo: bool,
    /// Do not listen before the list of matches, the statistics and the tables for SQL have every commit
    #[arg(long, env = "MUNINN_WAIT_FOR_PROJECTIONS", value_parser = BoolishValueParser::new())]
    pub wait_for_projections: bool,
    /// The rate limits.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// A folder with words in more languages: LANGUAGE/GAME.toml, LANGUAGE/platform.toml for every game, LANGUAGE/page.toml for the pages
    #[arg(long, env = "MUNINN_WORDS", value_name = "DIR")]
    pub words: Option<PathBuf>,
    /// Whether the web pages at /, /watch, /play, /developers and /embed are served
    #[arg(long, env = "MUNINN_PAGES", default_value = "on")]
    pub pages: OnOff,
    /// The limits of SQL queries.
    #[command(flatten)]
    pub sql: SqlArgs,
}

impl ServeArgs {
    /// Where the store is.
    #[must_use]
    pub fn home(&self) -> Home {
        at(&self.data, self.store.as_ref())
    }
}

/// Arguments of `muninn migrate`.
#[derive(Clone, Debug, Args)]
pub struct MigrateArgs {
    /// The database
    #[arg(long, env = "MUNINN_STORE", value_name = "POSTGRES-URL", hide_env_values = true)]
    pub store: Address,
}

/// The rate limits.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Units per second for each address, at most 5 seconds' worth at once; a request costs at least one, and more for processor time, bytes and what is kept (docs/contract.md, "Limits"); 0: no limit
    #[arg(long, env = "MUNINN_RATE_LIMIT_ADDRESS", value_name = "N", default_value_t = 200)]
    pub rate_limit_address: u32,
    /// Units per second for each token, at most 5 seconds' worth at once; 0: no limit
    #[arg(long, env = "MUNINN_RATE_LIMIT_TOKEN", value_name = "N", default_value_t = 50)]
    pub rate_limit_token: u32,
    /// Event streams that an address may hold open; 0: no limit
    #[arg(long, env = "MUNINN_STREAMS_PER_ADDRESS", value_name = "N", default_value_t = 100)]
    pub streams_per_address: u32,
    /// Connections that an address may hold open, if no proxy is trusted; 0: no limit
    #[arg(long, env = "MUNINN_CONNECTIONS_PER_ADDRESS", value_name = "N", default_value_t = 256)]
    pub connections_per_address: u32,
    /// Connections in all; 0: no limit
    #[arg(long, env = "MUNINN_CONNECTIONS", value_name = "N", default_value_t = 10_000)]
    pub connections: u32,
    /// Open and running matches that an address may have opened or taken a seat in; 0: no limit
    #[arg(long, env = "MUNINN_MATCHES_PER_ADDRESS", value_name = "N", default_value_t = 100)]
    pub matches_per_address: u32,
    /// Among these, matches that only bots play; 0: no limit
    #[arg(long, env = "MUNINN_BOT_MATCHES_PER_ADDRESS", value_name = "N", default_value_t = 10)]
    pub bot_matches_per_address: u32,
    /// Open and running matches in all; 0: no limit
    #[arg(long, env = "MUNINN_LIVE_MATCHES", value_name = "N", default_value_t = 100_000)]
    pub live_matches: u32,
    /// Events after which a match is closed; a commit counts as at least three; 0: never
    #[arg(long, env = "MUNINN_MATCH_EVENTS", value_name = "N", default_value_t = 80_000)]
    pub match_events: u64,
    /// How long a match with an open seat may be idle before it is closed, such as 7d, 12h or 30m; 0: for ever
    #[arg(long, env = "MUNINN_IDLE_OPEN", value_name = "TIME", default_value = "7d")]
    pub idle_open: Span,
    /// How long a running match may be idle before it is closed; 0: for ever
    #[arg(long, env = "MUNINN_IDLE_RUNNING", value_name = "TIME", default_value = "90d")]
    pub idle_running: Span,
    /// Seconds after which a client that reads nothing of its response is disconnected
    #[arg(long, env = "MUNINN_SEND_TIMEOUT", value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub send_timeout: Duration,
    /// Number of reverse proxies in front of the server, each of which adds to X-Forwarded-For; 0: the header is ignored
    #[arg(long, env = "MUNINN_TRUSTED_PROXIES", value_name = "N", default_value_t = 0)]
    pub trusted_proxies: usize,
}

impl Default for LimitArgs {
    /// No limits: for who measures, and for tests.
    fn default() -> Self {
        let Rates { address, token, streams, trusted_proxies } = Rates::default();
        let Connections { most, of_address, patience } = Connections::default();
        let Quotas { matches, bot_matches, live, events } = Quotas::default();
        LimitArgs {
            rate_limit_address: address,
            rate_limit_token: token,
            streams_per_address: streams,
            connections_per_address: of_address,
            connections: most,
            matches_per_address: matches,
            bot_matches_per_address: bot_matches,
            live_matches: live,
            match_events: events,
            idle_open: Span::EVER,
            idle_running: Span::EVER,
            send_timeout: patience,
            trusted_proxies,
        }
    }
}

impl LimitArgs {
    /// The rates, the same on every address: behind a proxy everybody comes from this machine.
    #[must_use]
    pub fn rates(&self) -> Rates {
        Rates {
            address: self.rate_limit_address,
            token: self.rate_limit_token,
            streams: self.streams_per_address,
            trusted_proxies: self.trusted_proxies,
        }
    }

    /// How many matches may go on at once, and how long each may be.
    #[must_use]
    pub fn quotas(&self) -> Quotas {
        Quotas {
            matches: self.matches_per_address,
            bot_matches: self.bot_matches_per_address,
            live: self.live_matches,
            events: self.match_events,
        }
    }

    /// When matches that nobody touches are closed.
    #[must_use]
    pub fn idle(&self) -> IdleEnds {
        IdleEnds { open: self.idle_open.duration(), running: self.idle_running.duration() }
    }

    /// The limits of connections. A proxy that is trusted connects for many.
    #[must_use]
    pub fn connections(&self) -> Connections {
        let of_address = if self.trusted_proxies == 0 { self.connections_per_address } else { 0 };
        Connections { most: self.connections, of_address, patience: self.send_timeout }
    }
}

/// SQL over HTTP.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "SQL over HTTP")]
pub struct SqlArgs {
    /// Answer SQL queries from anybody at POST /v1/query
    #[arg(long, env = "MUNINN_QUERY", default_value = "off")]
    pub query: OnOff,
    /// Maximum number of seconds for a query
    #[arg(long, env = "MUNINN_QUERY_SECONDS", value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub query_seconds: u64,
    /// Maximum number of rows of an answer
    #[arg(long, env = "MUNINN_QUERY_ROWS", value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub query_rows: u32,
    /// Maximum memory of the database for a query, in MiB
    #[arg(long, env = "MUNINN_QUERY_MIB", value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(16..=65_536))]
    pub query_mib: u32,
    /// The program that queries run in; this one unless somebody else starts a server
    #[arg(skip)]
    pub query_program: Option<PathBuf>,
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
            gives_way: true,
        })
    }
}

/// Arguments of `muninn kit`.
#[derive(Clone, Debug, Args)]
pub struct KitArgs {
    /// The folder of the kit; it is created if it does not exist. It must be empty or have an older kit, which is replaced
    #[arg(long, env = "MUNINN_OUT", value_name = "DIR")]
    pub out: PathBuf,
}

/// Arguments of `muninn verify`.
#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    /// The store, which is only read.
    #[command(flatten)]
    pub store: StoreArgs,
    /// The folder for the copy that is verified, if the store is a folder; by default the system's folder for temporary files
    #[arg(long, env = "MUNINN_SCRATCH")]
    pub scratch: Option<PathBuf>,
}

/// Whether something is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnOff {
    /// Enabled.
    On,
    /// Disabled.
    Off,
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(milliseconds @ 0..=3_600_000) => Ok(Duration::from_millis(milliseconds)),
        Ok(_) | Err(_) => Err("expected 0 to 3600000 milliseconds".to_owned()),
    }
}

fn heartbeat(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds @ 1..=40) => Ok(Duration::from_secs(seconds)),
        Ok(_) | Err(_) => {
            Err("expected 1 to 40 seconds: clients give up a stream after 50 s of silence"
                .to_owned())
        }
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
    use clap::{Arg, ArgAction, CommandFactory};

    use super::*;

    /// A variable is read as a default is.
    #[test]
    fn a_variable_turns_a_flag_on_or_off_in_the_usual_words() {
        let cli = Cli::command();
        let args: Vec<&Arg> =
            cli.get_subcommands().flat_map(clap::Command::get_arguments).collect();
        let flags: Vec<&Arg> = args
            .into_iter()
            .filter(|arg| matches!(arg.get_action(), ArgAction::SetTrue) && arg.get_env().is_some())
            .collect();
        assert!(flags.len() > 4);
        for flag in flags {
            let words = [("on", true), ("1", true), ("true", true), ("off", false), ("0", false)];
            for (word, is_on) in words {
                let alone = clap::Command::new("muninn").arg(flag.clone().default_value(word));
                let matches = alone.get_matches_from(["muninn"]);
                let id = flag.get_id().as_str();
                assert_eq!(matches.get_flag(id), is_on, "{id} from {word}");
            }
        }
    }
}

//! Counters for Prometheus.

mod process;
mod text;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use engine::{Engine, seconds_ahead};
use journal::{Bot, Figures};
use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounterVec, Opts, Registry, TextEncoder,
};
use serde::Serialize;

use self::text::{Kind, Text, label, real};

/// A limit that refuses requests.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    /// The budget of an address,
    Address,
    /// and that of a token.
    Token,
    /// The streams of an address,
    Streams,
    /// its connections, or all of them,
    Connections,
    /// its matches,
    Matches,
    /// and those that bots play alone.
    BotMatches,
    /// All matches.
    LiveMatches,
    /// The bytes of bodies in transit.
    Bodies,
    /// The tables that are being sent.
    Downloads,
}

impl Limit {
    const ALL: [Limit; 9] = [
        Limit::Address,
        Limit::Token,
        Limit::Streams,
        Limit::Connections,
        Limit::Matches,
        Limit::BotMatches,
        Limit::LiveMatches,
        Limit::Bodies,
        Limit::Downloads,
    ];

    fn name(self) -> &'static str {
        match self {
            Limit::Address => "address",
            Limit::Token => "token",
            Limit::Streams => "streams",
            Limit::Connections => "connections",
            Limit::Matches => "matches",
            Limit::BotMatches => "bot_matches",
            Limit::LiveMatches => "live_matches",
            Limit::Bodies => "bodies",
            Limit::Downloads => "downloads",
        }
    }
}

/// What is derived from the store beside the engine, and can be made anew.
#[derive(Clone, Copy, Debug)]
pub enum Rebuilt {
    /// The file of the statistics.
    Statistics,
    /// The file of the tables for SQL.
    Tables,
}

/// A projection of the feed as it stands now.
#[derive(Serialize)]
pub(crate) struct Standing {
    pub(crate) name: &'static str,
    /// The feed position that it has reached.
    pub(crate) position: u64,
    /// How many commits it has not taken in yet.
    pub(crate) behind: u64,
    /// How long ago the oldest of those was recorded, in seconds; 0 if there are none.
    pub(crate) behind_seconds: u64,
    /// The file that it is kept in, if it is kept.
    #[serde(skip)]
    pub(crate) file: Option<PathBuf>,
}

/// What the server counts.
pub struct Metrics {
    started: SystemTime,
    registry: Registry,
    requests: IntCounterVec,
    duration: HistogramVec,
    problems: IntCounterVec,
    limits: IntCounterVec,
    bots: IntCounterVec,
    /// How often each of those was made anew.
    rebuilt: [AtomicU64; 2],
    open: Arc<AtomicI64>,
    tables: AtomicU64,
    left_alone: AtomicU64,
    lost: Mutex<BTreeSet<&'static str>>,
}

/// Counts one open stream while it lives.
pub(crate) struct OpenStream(Arc<AtomicI64>);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for Metrics {
    /// Counters that stand at zero.
    fn default() -> Self {
        const VALID: &str = "the names of our metrics are valid and different";
        let registry = Registry::new();
        let counter = |name: &str, help: &str, labels: &[&str]| {
            let counter = IntCounterVec::new(Opts::new(name, help), labels).expect(VALID);
            registry.register(Box::new(counter.clone())).expect(VALID);
            counter
        };
        let requests = counter(
            "muninn_http_requests_total",
            "HTTP requests by method, route and status",
            &["method", "route", "status"],
        );
        let problems =
            counter("muninn_http_problems_total", "Problems in responses, by code", &["code"]);
        let limits = counter(
            "muninn_limits_hit_total",
            "Requests that were refused by a rate limit or a quota",
            &["limit"],
        );
        let bots = counter(
            "muninn_bot_commands_total",
            "Accepted commands of bots by game and bot",
            &["game", "bot"],
        );
        let buckets = vec![0.000_25, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];
        let duration = HistogramOpts::new(
            "muninn_http_request_duration_seconds",
            "Time to the head of the response",
        );
        let duration = HistogramVec::new(duration.buckets(buckets), &["route"]).expect(VALID);
        registry.register(Box::new(duration.clone())).expect(VALID);
        for limit in Limit::ALL {
            limits.with_label_values(&[limit.name()]);
        }
        let started = SystemTime::now();
        Metrics {
            started,
            registry,
            requests,
            duration,
            problems,
            limits,
            bots,
            rebuilt: Default::default(),
            open: Arc::default(),
            tables: AtomicU64::new(0),
            left_alone: AtomicU64::new(0),
            lost: Mutex::default(),
        }
    }
}

impl Metrics {
    pub(crate) fn request(&self, method: &str, route: &str, status: u16, time: Duration) {
        // Anything may stand in a request as its method; each would be a series of its own.
        const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
        let method = METHODS.into_iter().find(|known| *known == method);
        let method = method.unwrap_or("other");
        self.requests.with_label_values(&[method, route, &status.to_string()]).inc();
        self.duration.with_label_values(&[route]).observe(time.as_secs_f64());
    }

    /// A problem was answered.
    pub(crate) fn problem(&self, code: &str) {
        self.problems.with_label_values(&[code]).inc();
    }

    /// A limit was reached.
    pub(crate) fn limit_hit(&self, limit: Limit) {
        self.limits.with_label_values(&[limit.name()]).inc();
    }

    /// A bot's command was accepted.
    pub fn bot_command(&self, game: &str, bot: Bot) {
        self.bots.with_label_values(&[game, bot.name()]).inc();
    }

    /// In so many matches no bot acts until a restart.
    pub fn left_alone(&self, matches: usize) {
        self.left_alone.store(matches as u64, Ordering::Relaxed);
    }

    /// Something derived was thrown away and made anew.
    pub fn rebuilt(&self, what: Rebuilt) {
        self.rebuilt[what as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// The tables for SQL have reached a feed position.
    pub fn filled(&self, position: u64) {
        self.tables.store(position, Ordering::Relaxed);
    }

    pub(crate) fn tables_position(&self) -> u64 {
        self.tables.load(Ordering::Relaxed)
    }

    /// A thread beside the requests has ended by a panic.
    pub fn thread_lost(&self, name: &'static str) {
        self.lost().insert(name);
    }

    fn lost(&self) -> MutexGuard<'_, BTreeSet<&'static str>> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The threads beside the requests that have ended by a panic, those of the engine among them.
    pub(crate) fn lost_threads(&self, engine: &Engine) -> Vec<&'static str> {
        let mut lost = engine.lost_threads();
        lost.extend(self.lost().iter().copied());
        lost
    }

    pub(crate) fn open_stream(&self) -> OpenStream {
        self.open.fetch_add(1, Ordering::Relaxed);
        OpenStream(Arc::clone(&self.open))
    }

    /// All families, in the text format. Looks at files: it may wait for a disk.
    pub(crate) fn text(&self, engine: &Engine, projections: &[Standing]) -> String {
        let mut counted = Vec::new();
        let written = TextEncoder::new().encode(&self.registry.gather(), &mut counted);
        written.expect("metrics are written into memory");
        let mut text = Text::default();
        let build = label("version", env!("CARGO_PKG_VERSION"));
        let build = [(build, 1.0)];
        text.values(Kind::Gauge, "muninn_build_info", "The version of the program", build);
        self.write_matches(&mut text, engine);
        write_store(&mut text, &engine.journal().store().figures());
        let free = engine.derived_free_bytes().map(real);
        let help = "Free space on the disk of what is derived from the store";
        text.value(Kind::Gauge, "muninn_derived_disk_free_bytes", help, free);
        let writable = f64::from(u8::from(engine.trouble().is_none()));
        text.value(Kind::Gauge, "muninn_store_writable", "1 if the store takes writes", writable);
        let lost = real(self.lost_threads(engine).len() as u64);
        let help = "Threads in the background that have ended by a panic";
        text.value(Kind::Gauge, "muninn_threads_lost", help, lost);
        let left_alone = real(self.left_alone.load(Ordering::Relaxed));
        let help = "Matches in which no bot acts until a restart, for one panicked there";
        text.value(Kind::Gauge, "muninn_matches_left_alone", help, left_alone);
        let help =
            "How far the clock was set ahead while the server runs; 0 if that is an hour at most";
        let ahead = real(seconds_ahead());
        text.value(Kind::Gauge, "muninn_clock_ahead_seconds", help, ahead);
        self.write_rebuilt(&mut text, engine);
        write_projections(&mut text, projections);
        process::write(&mut text, self.started);
        String::from_utf8_lossy(&counted).into_owned() + &text.into_string()
    }

    fn write_rebuilt(&self, text: &mut Text, engine: &Engine) {
        let of = |what: Rebuilt| self.rebuilt[what as usize].load(Ordering::Relaxed);
        let rebuilt = [
            ("list", engine.lists_begun_anew()),
            ("statistics", of(Rebuilt::Statistics)),
            ("tables", of(Rebuilt::Tables)),
        ];
        let rebuilt = rebuilt.map(|(name, count)| (label("projection", name), real(count)));
        let help = "Derived files that were discarded and rebuilt because they were damaged, edited, or of another store or version";
        text.values(Kind::Counter, "muninn_projections_rebuilt_total", help, rebuilt);
    }

    fn write_matches(&self, text: &mut Text, engine: &Engine) {
        let by_status = engine.count_by_status();
        let matches = by_status.map(|counts| real(counts.iter().map(|(_, count)| count).sum()));
        text.value(Kind::Gauge, "muninn_matches", "Matches in the store", matches);
        let (resident, bytes) = engine.in_memory();
        let gauges = [
            ("muninn_matches_in_memory", "Matches in memory", real(resident as u64)),
            (
                "muninn_matches_in_memory_bytes",
                "Memory that the matches in memory take, at most",
                real(bytes as u64),
            ),
            (
                "muninn_damaged_matches",
                "Matches that are damaged and set aside, and feed positions whose match is not known",
                real(engine.damaged_count()),
            ),
            (
                "muninn_feed_position",
                "Feed position of the last durable commit",
                real(engine.position()),
            ),
            (
                "muninn_streams_open",
                "Open event streams",
                real(u64::try_from(self.open.load(Ordering::Relaxed)).unwrap_or(0)),
            ),
        ];
        for (name, help, value) in gauges {
            text.value(Kind::Gauge, name, help, value);
        }
        let by_status = by_status.into_iter().flatten();
        let by_status = by_status.map(|(status, count)| (label("status", status), real(count)));
        let help = "Matches in the list by status";
        text.values(Kind::Gauge, "muninn_matches_by_status", help, by_status);
        let (hits, misses) = engine.cache_hits();
        let help = "Lookups of matches that were in memory";
        text.value(Kind::Counter, "muninn_match_cache_hits_total", help, real(hits));
        let help = "Lookups of matches that had to be read from the store";
        text.value(Kind::Counter, "muninn_match_cache_misses_total", help, real(misses));
        let refusals = engine.games().iter().flat_map(|game| {
            let game = game.info().id;
            let rules = engine.refusals(game).map(|stats| stats.rules).unwrap_or_default();
            rules.into_iter().map(move |broken| {
                let labels = format!("{{game=\"{game}\",rule=\"{}\"}}", broken.rule);
                (labels, real(broken.count))
            })
        });
        let help = "Refused commands by game and rule";
        text.values(Kind::Counter, "muninn_refusals_total", help, refusals);
    }
}

fn write_store(text: &mut Text, figures: &Figures) {
    const MICROS: f64 = 1e6;
    let Figures {
        commits,
        sync,
        queue,
        batch,
        waiting_writes,
        waiting_bytes,
        writing,
        refused,
        log_bytes,
        free_bytes,
    } = figures;
    let help = "Commits that became durable since the start";
    text.value(Kind::Counter, "muninn_store_commits_total", help, real(*commits));
    let help = "Writes that were refused because too many waited";
    text.value(Kind::Counter, "muninn_store_writes_refused_total", help, real(*refused));
    let help = "Duration of the syncs to disk";
    text.histogram("muninn_store_sync_seconds", help, sync, MICROS);
    let help = "How long writes waited until their batch began";
    text.histogram("muninn_store_queue_seconds", help, queue, MICROS);
    let help = "Writes in a batch, which is synced once";
    text.histogram("muninn_store_batch_writes", help, batch, 1.0);
    let help = "How long the batch that is being written has taken so far";
    text.value(Kind::Gauge, "muninn_store_writing_seconds", help, real(*writing) / MICROS);
    for (name, help, value) in [
        ("muninn_store_waiting_writes", "Writes that wait now", Some(*waiting_writes)),
        ("muninn_store_waiting_bytes", "Bytes of the writes that wait now", Some(*waiting_bytes)),
        ("muninn_store_log_bytes", "Size of the log", Some(*log_bytes)),
        ("muninn_store_disk_free_bytes", "Free space on the disk of the log", *free_bytes),
    ] {
        text.value(Kind::Gauge, name, help, value.map(real));
    }
}

fn write_projections(text: &mut Text, projections: &[Standing]) {
    type Of = fn(&Standing) -> u64;
    let families: [(&str, &str, Of); 3] = [
        (
            "muninn_projection_position",
            "Feed position up to which the derived data goes",
            |standing| standing.position,
        ),
        (
            "muninn_projection_behind_commits",
            "Commits that are not in the derived data yet",
            |standing| standing.behind,
        ),
        (
            "muninn_projection_behind_seconds",
            "Age of the oldest commit that is not in the derived data yet",
            |standing| standing.behind_seconds,
        ),
    ];
    for (name, help, of) in families {
        let values = projections
            .iter()
            .map(|standing| (label("projection", standing.name), real(of(standing))));
        text.values(Kind::Gauge, name, help, values);
    }
    let files = projections.iter().filter_map(|standing| {
        let bytes = bytes_of(standing.file.as_ref()?);
        Some((label("projection", standing.name), real(bytes)))
    });
    text.values(Kind::Gauge, "muninn_derived_bytes", "Size of derived files", files);
}

/// The size of a file together with those that lie beside it under longer names.
fn bytes_of(file: &Path) -> u64 {
    let (folder, name) = (file.parent(), file.file_name().map(OsStr::as_encoded_bytes));
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let own = entries.flatten().filter(|entry| {
        name.is_some_and(|name| entry.file_name().as_encoded_bytes().starts_with(name))
    });
    own.filter_map(|entry| entry.metadata().ok()).map(|found| found.len()).sum()
}

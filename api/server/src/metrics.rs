//! Counters for Prometheus.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use archive::Shown;
use engine::Engine;
use journal::Bot;
use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
};

/// What is derived from the store and can be made anew.
#[derive(Clone, Copy, Debug)]
pub enum Rebuilt {
    /// The file of the statistics.
    Statistics,
    /// The file of the tables for SQL.
    Tables,
}

impl Rebuilt {
    const ALL: [Rebuilt; 2] = [Rebuilt::Statistics, Rebuilt::Tables];

    fn name(self) -> &'static str {
        match self {
            Rebuilt::Statistics => "statistics",
            Rebuilt::Tables => "tables",
        }
    }
}

/// What the server counts.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    duration: HistogramVec,
    matches: IntGauge,
    resident: IntGauge,
    position: IntGauge,
    statistics: IntGauge,
    damaged: IntGauge,
    streams: IntGauge,
    bots: IntCounterVec,
    rebuilt: IntCounterVec,
    open: Arc<AtomicI64>,
    tables: AtomicU64,
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
        let requests =
            Opts::new("muninn_http_requests_total", "HTTP requests by method, route and status");
        let requests = IntCounterVec::new(requests, &["method", "route", "status"]).expect(VALID);
        let buckets = vec![0.000_25, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];
        let duration = HistogramOpts::new(
            "muninn_http_request_duration_seconds",
            "Time to the head of the response",
        );
        let duration = HistogramVec::new(duration.buckets(buckets), &["route"]).expect(VALID);
        let bots =
            Opts::new("muninn_bot_commands_total", "Accepted commands of bots by game and bot");
        let bots = IntCounterVec::new(bots, &["game", "bot"]).expect(VALID);
        let rebuilt = Opts::new(
            "muninn_projections_rebuilt_total",
            "Derived files that were discarded and made anew because they were damaged, edited, or of another store or version",
        );
        let rebuilt = IntCounterVec::new(rebuilt, &["projection"]).expect(VALID);
        for projection in Rebuilt::ALL {
            rebuilt.with_label_values(&[projection.name()]);
        }
        let gauge = |name: &str, help: &str| IntGauge::new(name, help).expect(VALID);
        let metrics = Metrics {
            matches: gauge("muninn_matches", "Matches in the store"),
            resident: gauge("muninn_matches_in_memory", "Matches in memory"),
            position: gauge("muninn_feed_position", "Feed position of the last durable commit"),
            statistics: gauge(
                "muninn_statistics_position",
                "Feed position up to which the statistics count",
            ),
            damaged: gauge("muninn_damaged_matches", "Matches that are damaged and set aside"),
            streams: gauge("muninn_streams_open", "Open event streams"),
            registry,
            requests,
            duration,
            bots,
            rebuilt,
            open: Arc::default(),
            tables: AtomicU64::new(0),
        };
        let Metrics {
            registry,
            requests,
            duration,
            matches,
            resident,
            position,
            statistics,
            damaged,
            streams,
            bots,
            rebuilt,
            open: _,
            tables: _,
        } = &metrics;
        for counter in [requests, bots, rebuilt] {
            registry.register(Box::new(counter.clone())).expect(VALID);
        }
        registry.register(Box::new(duration.clone())).expect(VALID);
        for gauge in [matches, resident, position, statistics, damaged, streams] {
            registry.register(Box::new(gauge.clone())).expect(VALID);
        }
        metrics
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

    /// A bot's command was accepted.
    pub fn bot_command(&self, game: &str, bot: Bot) {
        self.bots.with_label_values(&[game, bot.name()]).inc();
    }

    /// Something derived was thrown away and made anew.
    pub fn rebuilt(&self, what: Rebuilt) {
        self.rebuilt.with_label_values(&[what.name()]).inc();
    }

    /// The tables for SQL have reached a feed position.
    pub fn filled(&self, position: u64) {
        self.tables.store(position, Ordering::Relaxed);
    }

    pub(crate) fn tables_position(&self) -> u64 {
        self.tables.load(Ordering::Relaxed)
    }

    pub(crate) fn open_stream(&self) -> OpenStream {
        self.open.fetch_add(1, Ordering::Relaxed);
        OpenStream(Arc::clone(&self.open))
    }

    pub(crate) fn text(&self, engine: &Engine, shown: &Shown) -> String {
        let (matches, resident) = engine.counts();
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        self.matches.set(number(matches));
        self.resident.set(number(resident));
        let position = |position: u64| i64::try_from(position).unwrap_or(i64::MAX);
        self.position.set(position(engine.position()));
        self.statistics.set(position(shown.get().position()));
        self.damaged.set(position(engine.damaged_count()));
        self.streams.set(self.open.load(Ordering::Relaxed));
        let mut text = Vec::new();
        let written = TextEncoder::new().encode(&self.registry.gather(), &mut text);
        written.expect("metrics are written into memory");
        String::from_utf8_lossy(&text).into_owned()
    }
}

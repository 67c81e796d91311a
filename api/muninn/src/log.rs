//! The log on standard error, and how to change while it runs what is logged.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use server::SetLog;
use tracing_subscriber::filter::LevelFilter;
#[cfg(feature = "otel")]
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::reload::{self, Handle};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Human,
    /// One JSON object per line.
    Json,
}

/// There is one log in a process.
static FILTER: OnceLock<Handle<EnvFilter, Registry>> = OnceLock::new();

/// Does a collector take spans? They are no part of the log, and where nobody takes them there are none.
static IS_TRACED: AtomicBool = AtomicBool::new(false);

/// What is logged of all for which the directives say nothing.
const USUAL: &str = "info";

/// Bytes that are no HTTP are the client's mistake: anybody could fill the log with errors.
fn filter(log: &str) -> Result<EnvFilter, String> {
    // A word alone that is no level would be a target, and the log of all others would be off.
    let words = || log.split(',').map(str::trim).filter(|word| !word.is_empty());
    let mut alone = words().filter(|word| !word.contains(['=', '[']));
    let expected = "expected off, error, warn, info, debug or trace, or TARGET=LEVEL";
    if let Some(word) = alone.clone().find(|word| word.parse::<LevelFilter>().is_err()) {
        return Err(format!("`{word}` is not a level: {expected}"));
    }
    // Nothing at all would mean that nothing is logged.
    words().next().ok_or_else(|| format!("nothing is named: {expected}"))?;
    let of_all = if alone.next().is_none() { USUAL } else { "" };
    let spans = if IS_TRACED.load(Ordering::Relaxed) { "otel=info" } else { "otel=off" };
    EnvFilter::try_new(format!("actix_http::h1::dispatcher=off,{spans},{of_all},{log}"))
        .map_err(|error| error.to_string())
}

/// What to log, if it can be read.
pub(crate) fn directives(log: &str) -> Result<String, String> {
    filter(log).map(|_| log.to_owned())
}

/// Begins to log.
///
/// # Errors
/// If the directives are none.
pub(crate) fn start(
    log: &str,
    format: LogFormat,
    #[cfg(feature = "otel")] traces: &crate::traces::Traces,
) -> Result<(), String> {
    #[cfg(feature = "otel")]
    IS_TRACED.store(traces.are_taken(), Ordering::Relaxed);
    let (filter, handle) = reload::Layer::new(filter(log)?);
    let lines = fmt::layer().with_writer(io::stderr);
    let lines = match format {
        LogFormat::Human => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let log = tracing_subscriber::registry().with(filter);
    #[cfg(not(feature = "otel"))]
    log.with(lines).init();
    #[cfg(feature = "otel")]
    match traces.layer() {
        Some(spans) => {
            let lines = lines.with_filter(filter_fn(|metadata| metadata.target() != "otel"));
            log.with(lines).with(spans).init();
        }
        None => log.with(lines).init(),
    }
    FILTER.get_or_init(|| handle);
    Ok(())
}

/// Changes what is logged.
pub(crate) fn set() -> SetLog {
    Box::new(|log| {
        let filter = filter(log)?;
        let handle = FILTER.get().ok_or("this process has no log")?;
        handle.reload(filter).map_err(|error| error.to_string())
    })
}

//! `muninn import`: a finished match of another server.

use std::path::PathBuf;
use std::process::ExitCode;

use archive::portable::{Imported, import as store, published};
use chrono::{SecondsFormat, Utc};
use clap::Args;
use journal::{Journal, Origin, is_formula};

use crate::failure::{Failure, tell_done, usage};
use crate::games::Games;
use crate::place::StoreArgs;

pub(crate) const HELP: &str = "\
The file is one JSON document made of public responses: {\"match\": GET /v1/matches/ID, \"commits\": [all items of GET
/v1/matches/ID/commits], \"origin\": its address}. docs/operating.md has the commands that make it. If the store already has the
match, it is left as it is, with exit code 0.

Examples:
  muninn import --data ./data --match match.json
  muninn import --data ./data --match match.json --origin https://other.example.org/v1/matches/ID";

/// Bytes of cache that the store gets.
const CACHE: u64 = 16 << 20;
/// The longest origin, in characters.
const ORIGIN: usize = 1_000;

/// Arguments of `muninn import`.
#[derive(Clone, Debug, Args)]
pub struct ImportArgs {
    /// The store that takes it.
    #[command(flatten)]
    pub store: StoreArgs,
    /// The file with the match and its commits
    #[arg(long = "match", env = "MUNINN_MATCH", value_name = "FILE")]
    pub file: PathBuf,
    /// Where the match comes from; by default the origin in the file, otherwise the name of the file
    #[arg(long, env = "MUNINN_ORIGIN", value_name = "URL")]
    pub origin: Option<String>,
}

pub(crate) fn import(args: &ImportArgs, games: Games) -> Result<ExitCode, Failure> {
    let ImportArgs { store: into, file, origin } = args;
    let home = into.home()?;
    if let Some(origin) = origin {
        checked(origin).map_err(|why| usage(format!("--origin: {why}")))?;
    }
    let read = published(file, games)?;
    let from = origin.clone().or_else(|| read.origin.clone());
    // Everybody reads it: not the folder too.
    let name = || file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let from = from.unwrap_or_else(name);
    checked(&from)
        .map_err(|why| Failure { message: format!("{}: {why}", file.display()), code: 1 })?;
    let imported_at = Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true);
    let journal = Journal::open(&home, games, CACHE)?;
    let Imported { r#match, game, commits, position } =
        store(&journal, &read, &Origin { from, imported_at })?;
    let what = match position {
        Some(position) => format!(
            "imported match {match} of {game}, {commits} commits, up to feed position {position}"
        ),
        None => format!("has match {match} already; nothing was changed"),
    };
    Ok(tell_done(&format!("{}: {what}\n", home)))
}

/// Refuses what is not to be shown as an origin.
fn checked(from: &str) -> Result<(), String> {
    let is_odd = from.chars().any(is_unseen) || is_formula(from);
    if from.is_empty() || from.chars().count() > ORIGIN || is_odd {
        return Err(format!(
            "an origin has 1 to {ORIGIN} characters, no control or invisible characters, and does not begin with =, +, - or @"
        ));
    }
    Ok(())
}

/// What shows nothing, or turns what follows around.
fn is_unseen(c: char) -> bool {
    let turns = ['\u{61c}', '\u{200e}', '\u{200f}', '\u{feff}'];
    let several = ['\u{200b}'..='\u{200d}', '\u{202a}'..='\u{202e}', '\u{2060}'..='\u{2069}'];
    c.is_control() || turns.contains(&c) || several.iter().any(|range| range.contains(&c))
}

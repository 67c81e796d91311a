//! `muninn audit`: what another edition of the rules would have done to the matches of a store.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

use archive::{Audited, Difference, Finding};
use clap::{Args, ValueEnum};
use kernel::{Edition, Rule};
use serde::Serialize;

use crate::backup::scratch_folder;
use crate::failure::{Failure, tell_found, usage};
use crate::games::{Games, known};
use crate::place::StoreArgs;
use crate::progress::spinner;

/// Examples for the command line.
pub(crate) const HELP: &str = "\
Lists each match that would have gone otherwise, with the first commit that differs, and counts them by rule. If a command is refused,
it counts under the rule that refuses it; if an event differs, under the rules that changed between the two editions. The exit code is 0,
whether or not anything differs, and 1 if a match is damaged; such a match is named, but not counted. A match that this program would decide
otherwise under its own edition already is named too: of it no other edition tells anything.

Examples:
  muninn audit --data ./data --game voluspa --edition 2
  muninn audit --data /mnt/backup --scratch /var/tmp --game voluspa --edition 2 --format ndjson > differing.ndjson";

/// Arguments of `muninn audit`.
#[derive(Clone, Debug, Args)]
pub struct AuditArgs {
    /// The store, which is only read.
    #[command(flatten)]
    pub store: StoreArgs,
    /// The id of the game
    #[arg(long, env = "MUNINN_GAME")]
    pub game: String,
    /// The edition of its rules under which the matches are decided again
    #[arg(long, env = "MUNINN_EDITION", value_name = "N")]
    pub edition: u32,
    /// Text for people, or a line of JSON for each match that differs and a last line with the totals
    #[arg(long, env = "MUNINN_FORMAT", default_value = "text")]
    pub format: AuditFormat,
    /// The folder for the copy that is read, if the store is a folder; by default the system's folder for temporary files
    #[arg(long, env = "MUNINN_SCRATCH")]
    pub scratch: Option<PathBuf>,
}

/// How an audit is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// For people.
    Text,
    /// For machines: a JSON object a line.
    Ndjson,
}

/// The last line for machines.
#[derive(Serialize)]
struct Sums<'a> {
    game: &'a str,
    edition: Edition,
    matches: u64,
    differing: usize,
    by_rules: Vec<BTreeMap<&'static str, serde_json::Value>>,
    otherwise: &'a [Finding],
    damaged: &'a [Finding],
}

pub(crate) fn audit(args: &AuditArgs, games: Games) -> Result<ExitCode, Failure> {
    let AuditArgs { store, game: id, edition, format, scratch } = args.clone();
    let home = store.known()?;
    let scratch = scratch_folder(scratch.as_ref())?;
    let game = known(games, &id)?;
    let edition = game.info().edition(edition).map_err(|why| usage(format!("--edition: {why}")))?;
    let bar = spinner();
    let threads = available_parallelism().map_or(1, NonZeroUsize::get);
    let progress = |matches| bar.set_message(format!("{matches} matches"));
    let audited = Audited::run((&home, &scratch), games, (game, edition), threads, &progress)?;
    bar.finish_and_clear();
    let text = match format {
        AuditFormat::Text => for_people(&audited, game.info().title, edition),
        AuditFormat::Ndjson => for_machines(&audited, &id, edition)?,
    };
    tell_found(&text, ExitCode::from(u8::from(!audited.damaged.is_empty())))
}

fn names(rules: &[Rule]) -> String {
    rules.iter().map(Rule::to_string).collect::<Vec<_>>().join(" or ")
}

fn for_people(audited: &Audited, title: &str, edition: Edition) -> String {
    let Audited { matches, differing, otherwise, damaged } = audited;
    let mut text = String::new();
    for Difference { r#match, edition, commit, rules, event: _, what } in differing {
        let rules = names(rules);
        text.push_str(&format!(
            "match {match} of edition {edition}, commit {commit}, {rules}: {what}\n"
        ));
    }
    let found = |Finding { r#match, commit, what }: &Finding| {
        let place = r#match.map_or_else(|| "store".to_owned(), |id| format!("match {id}"));
        let commit = commit.map_or_else(String::new, |commit| format!(", commit {commit}"));
        format!("{place}{commit}: {what}\n")
    };
    text.extend(otherwise.iter().map(found));
    text.extend(damaged.iter().map(|finding| format!("damaged: {}", found(finding))));
    for (rules, count) in audited.by_rules() {
        text.push_str(&format!("{count} by {}\n", names(rules)));
    }
    if !otherwise.is_empty() {
        text.push_str(&format!("{} otherwise under their own edition\n", otherwise.len()));
    }
    text.push_str(&format!(
        "{} of {matches} finished matches of {title} would have gone otherwise under edition {edition}\n",
        differing.len()
    ));
    text
}

fn for_machines(audited: &Audited, game: &str, edition: Edition) -> Result<String, Failure> {
    let Audited { matches, differing, otherwise, damaged } = audited;
    let count = |(rules, count): (&[Rule], usize)| {
        BTreeMap::from([("rules", serde_json::json!(rules)), ("matches", count.into())])
    };
    let by_rules = audited.by_rules().into_iter().map(count).collect();
    let sums = Sums {
        game,
        edition,
        matches: *matches,
        differing: differing.len(),
        by_rules,
        otherwise,
        damaged,
    };
    let mut text = String::new();
    for difference in differing {
        text.push_str(&serde_json::to_string(difference)?);
        text.push('\n');
    }
    text.push_str(&serde_json::to_string(&sums)?);
    text.push('\n');
    Ok(text)
}

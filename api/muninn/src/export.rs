//! `muninn export`: a store that no server has open, as tables in a folder.

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Instant;

use archive::Archive;
use clap::Args;
use clap::builder::{BoolishValueParser, PossibleValuesParser};
use indicatif::{ProgressBar, ProgressStyle};
use journal::Journal;
use tables::{Catalogue, Export, Exported, Format, Wanted};

use server::day;

use crate::backup::scratch_folder;
use crate::failure::{Failure, note, tell_done, usage};
use crate::games::{Games, known};
use crate::place::StoreArgs;

/// Examples for the command line.
pub(crate) const HELP: &str = "\
Writes <table>/game=<game>/month=<year>-<month>/part-<match_no>.<format> into the folder, and _export.json, which says how far the
feed was exported. Running the same command later adds the matches that have ended since. Only finished matches are exported, and
private ones only with --private. Damaged matches are left out, and named on standard error and in _export.json; the exit code is
then 1. The next export tries them again.

Examples:
  muninn export --data ./data --out ./tables
  muninn export --data ./data --out ./audit --hashes
  muninn export --data ./data --out ./csv --format csv --game rosenkoenig --from 2026-11-01 --to 2026-11-30";

/// Bytes of cache that the store gets: it is read once, in order.
const CACHE: u64 = 32 << 20;

/// Arguments of `muninn export`.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// The store, which is only read.
    #[command(flatten)]
    pub store: StoreArgs,
    /// The folder of the tables: empty, or with an earlier export, which is continued
    #[arg(long, env = "MUNINN_OUT")]
    pub out: PathBuf,
    /// The format of the tables
    #[arg(long, env = "MUNINN_FORMAT", default_value = "parquet", value_parser = format())]
    pub format: String,
    /// Only matches of this game
    #[arg(long, env = "MUNINN_GAME")]
    pub game: Option<String>,
    /// Only matches that ended on this day (UTC) or later: 2026-11-01
    #[arg(long, env = "MUNINN_FROM", value_parser = day)]
    pub from: Option<String>,
    /// Only matches that ended on this day (UTC) or before
    #[arg(long, env = "MUNINN_TO", value_parser = day)]
    pub to: Option<String>,
    /// Only matches that ended after this feed position; by default after the end of the export in the folder
    #[arg(long, env = "MUNINN_SINCE")]
    pub since: Option<u64>,
    /// Include private matches
    #[arg(long, env = "MUNINN_PRIVATE", value_parser = BoolishValueParser::new())]
    pub private: bool,
    /// Include the columns of hashes: of commits, of positions, and of the last commit of each match
    #[arg(long, env = "MUNINN_HASHES", value_parser = BoolishValueParser::new())]
    pub hashes: bool,
    /// Exit with 0 even if damaged matches were left out
    #[arg(long, env = "MUNINN_SKIP_DAMAGED", value_parser = BoolishValueParser::new())]
    pub skip_damaged: bool,
    /// The folder for the copy of the store that is read; by default the system's folder for temporary files
    #[arg(long, env = "MUNINN_SCRATCH")]
    pub scratch: Option<PathBuf>,
}

fn format() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
}

/// The format of this name, which the command line has checked.
fn named(name: &str) -> Format {
    let found = Format::ALL.into_iter().find(|format| format.name() == name);
    found.expect("the command line takes no other name")
}

pub(crate) fn export(args: &ExportArgs, games: Games) -> Result<ExitCode, Failure> {
    let ExportArgs {
        store,
        out,
        format,
        game,
        from,
        to,
        since,
        private,
        hashes,
        skip_damaged,
        scratch,
    } = args.clone();
    let home = store.known()?;
    if let Some(id) = &game {
        known(games, id)?;
    }
    if let (Some(from), Some(to)) = (&from, &to)
        && from > to
    {
        return Err(usage(format!("--to {to} is before --from {from}")));
    }
    let export = Export {
        format: named(&format),
        wanted: Wanted { game, from, to, private },
        since,
        threads: available_parallelism().map_or(1, usize::from),
    };
    let start = Instant::now();
    let scratch = scratch_folder(scratch.as_ref())?;
    let archive = Archive::new(Journal::open_copy(&home, &scratch, games, CACHE)?);
    let style = "{bar:40} {human_pos}/{human_len} commits, {msg}, {eta} left";
    let style = ProgressStyle::with_template(style).expect("the template is valid");
    let bar = ProgressBar::new(archive.position()).with_style(style);
    let all = Catalogue::new(games);
    let catalogue = if hashes { all } else { all.without_hashes() };
    let exported = export.run(&archive, &catalogue, &out, &mut |position, matches| {
        if matches % 64 == 0 {
            bar.set_position(position);
            bar.set_message(format!("{matches} matches"));
        }
    });
    bar.finish_and_clear();
    let Exported { matches, events, files, bytes, position, damaged } = exported?;
    for damaged in &damaged {
        note(&format!("left out as damaged: {damaged}"));
    }
    let (time, mib) = (start.elapsed().as_secs_f64(), bytes as f64 / f64::from(1 << 20));
    let done = tell_done(&format!(
        "{matches} matches, {events} events in {files} files, {mib:.1} MiB, up to feed position {position}, in {time:.2} s\n"
    ));
    Ok(if damaged.is_empty() || skip_damaged { done } else { ExitCode::from(1) })
}

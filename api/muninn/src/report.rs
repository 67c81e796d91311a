//! `muninn report`: a page of charts about a game's finished matches, in one file.

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

use archive::portable::replace_file;
use archive::{Archive, Reach, Unasked};
use clap::Args;
use journal::Journal;
use report::Report;

use crate::backup::scratch_folder;
use crate::failure::{Failure, note, tell_done, usage};
use crate::games::{Games, known};
use crate::place::StoreArgs;
use crate::progress::bar;
use crate::stats::FilterArgs;
use crate::words::words;

/// Examples for the command line.
pub(crate) const HELP: &str = "\
The page opens in any browser, without a network and without scripts: lengths, points, what the seat, options and bots change, where points
come from, the strongest first moves, and draws compared with their expected frequencies. docs/statistics.md has the formulas.

Examples:
  muninn report --data ./data --game voluspa --out report.html
  muninn simulate --game rosenkoenig --matches 1000 --bot greedy --keep ./trial
  muninn report --data ./trial --game rosenkoenig --players bots --out report.html";

/// Bytes of cache that the store gets: it is read once, in order.
const CACHE: u64 = 32 << 20;

/// Arguments of `muninn report`.
#[derive(Clone, Debug, Args)]
pub struct ReportArgs {
    /// The store, which is only read.
    #[command(flatten)]
    pub store: StoreArgs,
    /// The game
    #[arg(long, env = "MUNINN_GAME")]
    pub game: String,
    /// The file to write, made beside and then renamed
    #[arg(long, env = "MUNINN_OUT", value_name = "FILE")]
    pub out: PathBuf,
    /// Which matches, and how they are grouped.
    #[command(flatten)]
    pub filters: FilterArgs,
    /// The folder for the copy of the store that is read; by default the system's folder for temporary files
    #[arg(long, env = "MUNINN_SCRATCH")]
    pub scratch: Option<PathBuf>,
}

/// Reads the matches, and writes the page.
pub(crate) fn report(args: &ReportArgs, games: Games) -> Result<ExitCode, Failure> {
    let ReportArgs { store, game: id, out, filters, scratch } = args;
    let home = store.known()?;
    let game = known(games, id)?;
    let words = words(&[game], None)?;
    let english = words.values().next().map(|lexicon| lexicon.of(&["en"]).clone());
    let english = english.ok_or_else(|| usage(format!("{id} has no words")))?;
    let wrong = |wrong: Unasked| usage(wrong.of_flag());
    let mut report = Report::new(game, &filters.parameters()?, english).map_err(wrong)?;
    let scratch = scratch_folder(scratch.as_ref())?;
    let archive = Archive::new(Journal::open_copy(&home, &scratch, games, CACHE)?);
    let until = archive.position();
    let progress = bar(until, "commits");
    let threads = available_parallelism().map_or(1, usize::from);
    let finishes = archive.finishes(0..until);
    let read = report.read(&archive, finishes, threads, &|at| progress.set_position(until - at));
    progress.finish_and_clear();
    let damaged = read?;
    let page = report.html(Reach::new(until, until), damaged.len() as u64, None);
    replace_file(out, page?.as_bytes())?;
    for damage in &damaged {
        note(&format!("left out of the report: {damage}"));
    }
    let done = tell_done(&format!(
        "{} matches, up to feed position {until}: {}\n",
        report.matches(),
        out.display()
    ));
    Ok(if damaged.is_empty() { done } else { ExitCode::from(1) })
}

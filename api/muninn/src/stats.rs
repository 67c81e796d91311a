//! `muninn stats`: the statistics of a store that no server uses.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use archive::{Archive, Asked, Unasked};
use clap::Args;
use clap::builder::BoolishValueParser;
use engine::Config;
use journal::Address;

use crate::failure::{Failure, note, tell_found, usage};
use crate::games::{Games, known};
use crate::place::{at, stored};
use crate::progress::bar;
use crate::statistics::{Updated, update};

/// Examples for the command line.
pub(crate) const HELP: &str = "\
Examples:
  muninn stats --data ./data                one line of JSON per game
  muninn stats --data ./data --rebuild      discard the counts and count again from the first commit
  muninn stats --data ./data --players bots --group-by bot,seats
  muninn stats --data ./data --game rosenkoenig --seats 2 --option light=true";

/// Arguments of `muninn stats`.
#[derive(Clone, Debug, Args)]
pub struct StatsArgs {
    /// The folder of the store. With --store, a folder for the counts, which the next run continues
    #[arg(long, env = "MUNINN_DATA")]
    pub data: PathBuf,
    /// The database of the store, if the store is not a folder; servers may use it meanwhile
    #[arg(long, env = "MUNINN_STORE", value_name = "POSTGRES-URL", hide_env_values = true)]
    pub store: Option<Address>,
    /// Count again from the first commit
    #[arg(long, env = "MUNINN_REBUILD", value_parser = BoolishValueParser::new())]
    pub rebuild: bool,
    /// Only this game
    #[arg(long, env = "MUNINN_GAME")]
    pub game: Option<String>,
    /// Which matches, and how they are grouped.
    #[command(flatten)]
    pub filters: FilterArgs,
}

/// Which matches, and how they are grouped. Not from the environment: what a command prints would not be what it says.
#[derive(Clone, Debug, Args)]
pub struct FilterArgs {
    /// Matches of people only (people), of bots only (bots), of both (mixed), or all [default: people; all with --bot, --group-by bot and --group-by players]
    #[arg(long, value_name = "WHO")]
    pub players: Option<String>,
    /// Matches with this number of seats
    #[arg(long, value_name = "N")]
    pub seats: Option<String>,
    /// Matches under this edition of the rules
    #[arg(long, value_name = "N")]
    pub edition: Option<String>,
    /// Matches in which this bot plays; points and wins are those of its seats: greedy, greedy@1
    #[arg(long, value_name = "BOT")]
    pub bot: Option<String>,
    /// Matches in which this person plays; points and wins are those of this person's seats
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Matches that ended at this time or later: a day, or a time in UTC
    #[arg(long, value_name = "TIME")]
    pub from: Option<String>,
    /// Matches that ended before this time
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
    /// Matches that began from a position: true, false or all [default: false; all with --branched, --group-by loaded and --group-by branched]
    #[arg(long, value_name = "WHICH")]
    pub loaded: Option<String>,
    /// Matches that branched off from another one: true, false or all
    #[arg(long, value_name = "WHICH")]
    pub branched: Option<String>,
    /// Matches with this value of an option; may be repeated. Needs --game
    #[arg(long, value_name = "NAME=VALUE", requires = "game")]
    pub option: Vec<String>,
    /// Up to three of players, seats, edition, bot, player, loaded, branched, day, month, year, option.NAME
    #[arg(long, value_name = "NAMES")]
    pub group_by: Option<String>,
    /// The maximum number of groups: the ones with the most matches are printed [default: 100]
    #[arg(long, value_name = "N")]
    pub limit: Option<String>,
}

impl FilterArgs {
    /// The parameters by the names that they have over HTTP.
    pub(crate) fn parameters(&self) -> Result<Vec<(String, String)>, Failure> {
        let FilterArgs {
            players,
            seats,
            edition,
            bot,
            player,
            from,
            until,
            loaded,
            branched,
            option,
            group_by,
            limit,
        } = self;
        let plain = [
            ("players", players),
            ("seats", seats),
            ("edition", edition),
            ("bot", bot),
            ("player", player),
            ("from", from),
            ("until", until),
            ("loaded", loaded),
            ("branched", branched),
            ("group_by", group_by),
            ("limit", limit),
        ];
        let given = plain
            .into_iter()
            .filter_map(|(name, value)| value.clone().map(|value| (name.to_owned(), value)));
        let mut parameters: Vec<_> = given.collect();
        for option in option {
            let Some((name, value)) = option.split_once('=') else {
                return Err(usage(format!("--option {option}: expected NAME=VALUE")));
            };
            parameters.push((format!("option.{name}"), value.to_owned()));
        }
        Ok(parameters)
    }
}

/// Brings the statistics up to date, and prints those that are asked for.
pub(crate) fn stats(args: &StatsArgs, games: Games) -> Result<ExitCode, Failure> {
    let StatsArgs { data, store, rebuild, game, filters } = args;
    let wanted = match game {
        Some(id) => vec![known(games, id)?],
        None => games.to_vec(),
    };
    let parameters = filters.parameters()?;
    if let (None, Some(names)) = (game, &filters.group_by)
        && let Some(name) = names.split(',').find(|name| name.starts_with("option."))
    {
        let what = "the options are those of one game, so it needs --game";
        return Err(usage(format!("--group-by {name}: {what}")));
    }
    let wrong = |wrong: Unasked| usage(wrong.of_flag());
    let asked = wanted.iter().map(|game| Asked::of(*game, parameters.clone()));
    let asked = asked.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    let home = at(data, store.as_ref());
    if store.is_none() {
        stored(data)?;
    }
    let _lock = home.beside(data)?;
    let archive = Archive::open(&home, games, Config::default().cache_bytes)?;
    let progress = bar(archive.position(), "commits");
    progress.enable_steady_tick(Duration::from_millis(200));
    let Updated { projection, damaged, unfit } = update(&archive, data, *rebuild, &progress)?;
    progress.finish_and_clear();
    if let Some(why) = unfit {
        note(&format!("note: statistics.json was counted anew: {why}"));
    }
    for damage in &damaged {
        note(&format!("left out of the statistics: {damage}"));
    }
    let mut text = String::new();
    for (game, asked) in wanted.iter().zip(&asked) {
        let stats = projection.game(game.info().id, asked, archive.position());
        text.push_str(&format!("{}\n", serde_json::to_string(&stats)?));
    }
    tell_found(&text, if damaged.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

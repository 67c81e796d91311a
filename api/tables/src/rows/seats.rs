//! The table `seats`.

use archive::{FinishedCommit, FinishedMatch};
use journal::Bot;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::batch::Misfit;
use crate::in_commit::counts;
use crate::key::{Key, int};
use crate::row::{Defined, Get, Row, defined};

/// What `seat` says.
pub(super) const SEAT: &str = "The seat that the row describes, from 0";

/// What `command_count` says.
pub(super) const COMMANDS: &str = "The number of commands that were not taken back";

/// One entry of a standing.
#[derive(Deserialize)]
pub(super) struct Place<'a> {
    pub(super) rank: i64,
    pub(super) seat: i64,
    #[serde(skip)]
    json: &'a str,
}

/// The entries of a standing.
pub(super) fn places(standing: &RawValue) -> Result<Vec<Place<'_>>, Misfit> {
    let misfit = |error| format!("the standing: {error}");
    let entries: Vec<&RawValue> = serde_json::from_str(standing.get()).map_err(misfit)?;
    let read = |entry: &'_ RawValue| serde_json::from_str::<Place<'_>>(entry.get());
    entries
        .into_iter()
        .map(|entry| {
            let place = read(entry).map_err(misfit)?;
            Ok(Place { json: entry.get(), rank: place.rank, seat: place.seat })
        })
        .collect()
}

/// A seat of a match.
pub(super) struct SeatRow<'m> {
    key: &'m Key,
    m: &'m FinishedMatch,
    seat: i64,
    name: Option<&'m str>,
    bot: Option<(Bot, u32)>,
    points: i64,
    place: &'m Place<'m>,
    commands: usize,
}

impl<'m> SeatRow<'m> {
    /// The seats of a match in order.
    pub(super) fn all(
        m: &'m FinishedMatch,
        key: &'m Key,
        places: &'m [Place<'m>],
    ) -> Result<Vec<Self>, Misfit> {
        let row = |((seat, name), points): ((i64, &'m Option<String>), &i64)| {
            let place = places.iter().find(|place| place.seat == seat);
            let place = place.ok_or_else(|| format!("the standing has no seat {seat}"))?;
            let own = |commit: &&FinishedCommit| commit.seat.map(|s| i64::from(s.0)) == Some(seat);
            let commands = m.commits.iter().filter(counts).filter(own).count();
            let bot = usize::try_from(seat).ok().and_then(|seat| m.bots.get(seat).copied()?);
            let name = name.as_deref().or(bot.map(|(bot, _)| bot.name()));
            Ok(SeatRow { key, m, seat, name, bot, points: *points, place, commands })
        };
        if m.points.len() != m.names.len() {
            return Err(format!("{} seats have {} scores", m.names.len(), m.points.len()));
        }
        (0..).zip(&m.names).zip(&m.points).map(row).collect()
    }
}

impl Row for SeatRow<'_> {
    const NAME: &'static str = "seats";
    const ABOUT: &'static str = "A seat of a match.";
    const AT: usize = 1;

    fn key(&self) -> &Key {
        self.key
    }

    fn columns() -> Vec<Defined<Self>> {
        use Get::{Bool, Int, IntOrNone, Json, Text, TextOrNone};
        vec![
            defined("seat", Int(|row| row.seat), SEAT),
            defined(
                "name",
                TextOrNone(|row| row.name),
                "The player's name; for a bot without a name, that of its kind",
            ),
            defined("played_by", Text(played_by), "`player` for a person, `bot` for a bot"),
            defined(
                "bot",
                TextOrNone(|row| row.bot.map(|(bot, _)| bot.name())),
                "Which bot it is: `greedy`, `random`",
            ),
            defined(
                "bot_version",
                IntOrNone(|row| row.bot.map(|(_, version)| i64::from(version))),
                "The version of the bot's play",
            ),
            defined(
                "final_points",
                Int(|row| row.points),
                "The final score; in some games the number of tasks",
            ),
            defined(
                "rank",
                Int(|row| row.place.rank),
                "The final rank, from 1; seats may share one",
            ),
            defined("won", Bool(|row| row.place.rank == 1), "Whether the rank is 1"),
            defined(
                "started",
                Bool(|row| row.m.start_seat.map(|seat| i64::from(seat.0)) == Some(row.seat)),
                "Whether it had the first turn",
            ),
            defined("command_count", Int(|row| int(row.commands as u64)), COMMANDS),
            defined("place", Json(|row| row.place.json), "Its entry in the final ranking"),
        ]
    }
}

fn played_by<'a>(row: &'a SeatRow<'_>) -> &'a str {
    if row.bot.is_some() { "bot" } else { "player" }
}

//! What is counted of the matches of one game.

use std::collections::BTreeMap;

use journal::ranks_of;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::numbers::{Mean, Moments, Rate, Share};
use super::reach::Reach;

use crate::finished::FinishedMatch;

/// How many values of one option are told apart; what comes later is counted together.
const VALUES: usize = 64;

/// Counts of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    matches: u64,
    loaded: u64,
    commands: Moments,
    events: Moments,
    points: Moments,
    start_seat: Share,
    tables: BTreeMap<usize, Table>,
    options: BTreeMap<String, BTreeMap<String, Choice>>,
    awards: BTreeMap<String, BTreeMap<String, Sum>>,
    pieces: BTreeMap<String, BTreeMap<String, Sum>>,
}

/// Matches with so many seats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Table {
    commands: Moments,
    start_seat: Share,
    seats: Vec<SeatCounts>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct SeatCounts {
    points: Moments,
    first: Share,
    started: u64,
}

/// Matches with one value of an option.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Choice {
    commands: Moments,
    points: Moments,
    start_seat: Share,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sum {
    awards: u64,
    points: i64,
}

/// Statistics of a game's finished public matches.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameStats {
    /// The game.
    pub game: String,
    /// The feed position up to which matches are counted.
    pub position: u64,
    /// The number of matches in the store, of any game, that are damaged and left out; `GET /v1/damaged` names them.
    pub damaged: u64,
    /// The end of the feed at the time of the request.
    pub feed_end: u64,
    /// Whether all matches that had ended by then are counted. If not, retry later: the rest is being counted.
    pub complete: bool,
    /// The number of finished matches that began with the game's own setup. Everything below counts only these.
    pub matches: u64,
    /// The number of finished matches that began from a given position.
    pub loaded: u64,
    /// The number of commands of a match, without those that were taken back.
    pub commands: Mean,
    /// The number of events of a match.
    pub events: Mean,
    /// The final points of a seat.
    pub points: Mean,
    /// How often the seat that acted first ended on rank 1, alone or with others.
    pub start_seat: Rate,
    /// The matches by number of seats.
    pub tables: Vec<TableStats>,
    /// The matches by option and value.
    pub options: Vec<OptionStats>,
    /// Points by reason and rule, as in the ledger.
    pub awards: Vec<AwardStats>,
    /// Points by what was counted: the words in the pieces of the ledger.
    pub pieces: Vec<PieceStats>,
}

/// Matches with a given number of seats.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableStats {
    /// How many seats.
    pub seats: u64,
    /// The number of matches, and their commands.
    pub commands: Mean,
    /// How often the seat that acted first ended on rank 1, alone or with others.
    pub start_seat: Rate,
    /// The seats.
    pub by_seat: Vec<SeatStats>,
}

/// A seat in matches with a given number of seats.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeatStats {
    /// The number of the seat.
    pub seat: u64,
    /// Its final points.
    pub points: Mean,
    /// How often it ended on rank 1, alone or with others.
    pub first: Rate,
    /// The number of matches in which it acted first.
    pub started: u64,
}

/// Matches with one value of an option.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OptionStats {
    /// The option.
    pub option: String,
    /// Its value as JSON text; `other` for all values after the first 64.
    pub value: String,
    /// The number of matches, and their commands.
    pub commands: Mean,
    /// The final points of a seat.
    pub points: Mean,
    /// How often the seat that acted first ended on rank 1.
    pub start_seat: Rate,
}

/// Points for one reason.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AwardStats {
    /// The reason.
    pub reason: String,
    /// The rule.
    pub rule: String,
    /// The number of awards.
    pub awards: u64,
    /// The sum of their points.
    pub points: i64,
}

/// Points by what was counted.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PieceStats {
    /// A field of the pieces.
    pub field: String,
    /// The value of the field.
    pub value: String,
    /// The number of awards.
    pub awards: u64,
    /// The sum of their points.
    pub points: i64,
}

impl Counts {
    pub(crate) fn add(&mut self, finished: &FinishedMatch) {
        if finished.loaded {
            self.loaded += 1;
            return;
        }
        let played = || finished.commits.iter().filter(|commit| !commit.taken_back);
        let commands = played().filter(|commit| commit.command().is_some()).count();
        let commands = i64::try_from(commands).unwrap_or(i64::MAX);
        let ranks = ranks_of(&finished.standing, finished.points.len());
        let start = finished.start_seat.map(|seat| seat.index());
        let started_first = start.map(|seat| ranks[seat] == 1);
        self.matches += 1;
        self.commands.add(commands);
        self.events.add(i64::try_from(finished.version).unwrap_or(i64::MAX));
        let table = self.tables.entry(ranks.len()).or_default();
        table.commands.add(commands);
        if let Some(first) = started_first {
            self.start_seat.add(first);
            table.start_seat.add(first);
        }
        table.seats.resize(ranks.len(), SeatCounts::default());
        for (seat, (points, rank)) in finished.points.iter().zip(&ranks).enumerate() {
            self.points.add(*points);
            table.seats[seat].points.add(*points);
            table.seats[seat].first.add(*rank == 1);
            table.seats[seat].started += u64::from(start == Some(seat));
        }
        self.options(finished, commands, started_first);
        for (_, award) in played().flat_map(|commit| &commit.awards) {
            let rules = self.awards.entry(award.reason.to_owned()).or_default();
            let sum = rules.entry(award.rule.0.to_owned()).or_default();
            sum.add(award.points);
            for (field, word) in words(&award.pieces) {
                let sum = self.pieces.entry(field).or_default().entry(word);
                sum.or_default().add(award.points);
            }
        }
    }

    fn options(&mut self, finished: &FinishedMatch, commands: i64, started_first: Option<bool>) {
        let options: BTreeMap<String, Box<RawValue>> =
            serde_json::from_str(finished.options.get()).unwrap_or_default();
        for (option, value) in options {
            let values = self.options.entry(option).or_default();
            let value = value.get().to_owned();
            let value = if values.len() < VALUES || values.contains_key(&value) {
                value
            } else {
                "other".to_owned()
            };
            let choice = values.entry(value).or_default();
            choice.commands.add(commands);
            finished.points.iter().for_each(|points| choice.points.add(*points));
            if let Some(first) = started_first {
                choice.start_seat.add(first);
            }
        }
    }

    pub(crate) fn shown(&self, game: &str, reach: Reach, damaged: u64) -> GameStats {
        let Reach { position, feed_end, complete } = reach;
        let tables = self.tables.iter().map(|(seats, table)| TableStats {
            seats: *seats as u64,
            commands: table.commands.mean(),
            start_seat: table.start_seat.rate(),
            by_seat: (0..)
                .zip(&table.seats)
                .map(|(number, seat)| SeatStats {
                    seat: number,
                    points: seat.points.mean(),
                    first: seat.first.rate(),
                    started: seat.started,
                })
                .collect(),
        });
        let options = self.options.iter().flat_map(|(option, values)| {
            values.iter().map(|(value, choice)| OptionStats {
                option: option.clone(),
                value: value.clone(),
                commands: choice.commands.mean(),
                points: choice.points.mean(),
                start_seat: choice.start_seat.rate(),
            })
        });
        let awards = self.awards.iter().flat_map(|(reason, rules)| {
            rules.iter().map(|(rule, sum)| AwardStats {
                reason: reason.clone(),
                rule: rule.clone(),
                awards: sum.awards,
                points: sum.points,
            })
        });
        let pieces = self.pieces.iter().flat_map(|(field, values)| {
            values.iter().map(|(value, sum)| PieceStats {
                field: field.clone(),
                value: value.clone(),
                awards: sum.awards,
                points: sum.points,
            })
        });
        GameStats {
            game: game.to_owned(),
            position,
            damaged,
            feed_end,
            complete,
            matches: self.matches,
            loaded: self.loaded,
            commands: self.commands.mean(),
            events: self.events.mean(),
            points: self.points.mean(),
            start_seat: self.start_seat.rate(),
            tables: tables.collect(),
            options: options.collect(),
            awards: awards.collect(),
            pieces: pieces.collect(),
        }
    }
}

impl Sum {
    fn add(&mut self, points: i64) {
        self.awards += 1;
        self.points += points;
    }
}

/// The fields of pieces that say a word: which tile, which kind of line, which colour.
fn words(pieces: &RawValue) -> Vec<(String, String)> {
    let fields: BTreeMap<String, Value> = serde_json::from_str(pieces.get()).unwrap_or_default();
    let word = |(field, value)| match value {
        Value::String(word) => Some((field, word)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    };
    fields.into_iter().filter_map(word).collect()
}

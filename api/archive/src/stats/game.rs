//! What is told of the matches of one game.

use std::collections::BTreeMap;

use journal::Visibility;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::chosen::{Chosen, Fit, Keys, Seats};
use super::largest::Largest;
use super::numbers::{Mean, Rate, Share, Values};
use super::reach::Reach;
use super::record::{Record, Records, Sum, Words};
use crate::finished::FinishedMatch;

/// How many values of one option are told apart, those with most matches; all others are told together.
const VALUES: usize = 64;

/// Statistics of a game's finished public matches. docs/statistics.md has the formulas.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameStats {
    /// The game.
    pub game: String,
    /// The feed position up to which matches are counted.
    pub position: u64,
    /// The number of damaged matches of any game, and of feed positions whose match is not known, that are left out. `GET /v1/damaged` names them.
    pub damaged: u64,
    /// The end of the feed at the time of the request.
    pub feed_end: u64,
    /// Whether all matches that had ended by then are counted. If not, retry later: the rest is being counted.
    pub complete: bool,
    /// Which matches are counted: those of `people` alone, of `bots` alone, of both (`mixed`), or `all`.
    #[schema(value_type = String, pattern = "^(people|bots|mixed|all)$")]
    pub players: &'static str,
    /// The request as the server understood it, by parameter, with defaults filled in.
    pub asked: BTreeMap<String, String>,
    /// The number of matches. Everything below counts only these.
    pub matches: u64,
    /// The number of seeds from which they were dealt. If it is less than `matches`, some matches had the same deal (`muninn simulate --mirror`, or
    /// the same seed twice). They are then not independent of each other, and the intervals, which assume that all matches are, do not hold.
    pub deals: u64,
    /// The number of matches that also fit the request, but are left out because of how they began: from a position, or from the setup if `loaded` or
    /// `branched` asks for others.
    pub left_out: u64,
    /// The number of commands of a match, without those that were taken back.
    pub commands: Mean,
    /// The number of events of a match.
    pub events: Mean,
    /// The final points of the seats: of all seats, or of those of the requested player or bot.
    pub points: Mean,
    /// How often these seats won.
    pub wins: Rate,
    /// How often the seat that had the first turn won.
    pub start_seat: Rate,
    /// The matches by number of seats.
    pub tables: Vec<TableStats>,
    /// The matches by option and value.
    pub options: Vec<OptionStats>,
    /// Points by reason and rule, as in the ledger.
    pub awards: Vec<AwardStats>,
    /// Points by what was counted: the words in the pieces of the ledger.
    pub pieces: Vec<PieceStats>,
    /// The matches, grouped by what `group_by` names; empty without it.
    pub groups: Vec<GroupStats>,
    /// The number of groups that are left out because they have the fewest matches.
    pub groups_left_out: u64,
}

/// Matches with a given number of seats.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableStats {
    /// How many seats.
    pub seats: u64,
    /// The number of commands of a match; `n` is the number of matches.
    pub commands: Mean,
    /// How often the seat that had the first turn won.
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
    /// How often it won.
    pub first: Rate,
    /// The number of matches in which it had the first turn.
    pub started: u64,
}

/// Matches with one value of an option.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OptionStats {
    /// The option.
    pub option: String,
    /// Its value as JSON text; `other` for all values except the 64 with the most matches.
    pub value: String,
    /// The number of commands of a match; `n` is the number of matches.
    pub commands: Mean,
    /// The final points of the seats.
    pub points: Mean,
    /// How often the seat that had the first turn won.
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

/// The matches of a group.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GroupStats {
    /// What they have in common, in the order of `group_by`.
    pub by: Vec<GroupValue>,
    /// The number of matches.
    pub matches: u64,
    /// The number of commands of a match.
    pub commands: Mean,
    /// The number of events of a match.
    pub events: Mean,
    /// The final points of the seats; in the group of a player or a bot, of their seats, unless the request names another one.
    pub points: Mean,
    /// How often these seats won.
    pub wins: Rate,
    /// How often the seat that had the first turn won.
    pub start_seat: Rate,
}

/// What the matches of a group have in common.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GroupValue {
    /// A name of `group_by`.
    pub name: String,
    /// Its value; null for people in a grouping by bot, for bots in a grouping by player, and if there is no value.
    pub value: Option<String>,
}

/// Values of some matches.
#[derive(Default)]
struct Sample {
    commands: Values,
    events: Values,
    points: Values,
    wins: Share,
    start: Share,
}

impl Sample {
    /// Adds a match with the seats whose points and wins count.
    fn add(&mut self, record: &Record, seats: Seats) {
        self.commands.add([record.commands]);
        self.events.add([record.events]);
        self.points.add(seats.iter().filter_map(|seat| Some(record.seats.get(seat)?.0)));
        if seats.count() > 0 {
            let won: f64 = seats.iter().map(|seat| record.won(seat)).sum();
            self.wins.add(won / f64::from(seats.count()), record.seats.len());
        }
        if let Some(start) = record.start {
            self.start.add(record.won(start), record.seats.len());
        }
    }

    fn matches(&self) -> u64 {
        self.commands.matches()
    }
}

/// Values of matches with so many seats.
#[derive(Default)]
struct Table {
    commands: Values,
    start: Share,
    seats: Vec<(Values, Share, u64)>,
}

impl Table {
    fn add(&mut self, record: &Record, selected: Seats) {
        self.commands.add([record.commands]);
        self.seats.resize_with(record.seats.len(), Default::default);
        if let Some(start) = record.start {
            self.start.add(record.won(start), record.seats.len());
        }
        for seat in selected.iter() {
            let Some((points, first, started)) = self.seats.get_mut(seat) else { continue };
            points.add([record.seats[seat].0]);
            first.add(record.won(seat), record.seats.len());
            *started += u64::from(record.start == Some(seat));
        }
    }

    fn shown(&self, seats: usize) -> TableStats {
        let by_seat = (0..).zip(&self.seats).map(|(seat, (points, first, started))| SeatStats {
            seat,
            points: points.mean(),
            first: first.rate(),
            started: *started,
        });
        TableStats {
            seats: seats as u64,
            commands: self.commands.mean(),
            start_seat: self.start.rate(),
            by_seat: by_seat.collect(),
        }
    }
}

/// Everything of the matches that are asked about. Its size hangs on how many values there are, not on how many matches.
#[derive(Default)]
struct Collected {
    all: Sample,
    left_out: u64,
    /// Where those that count stand among the records.
    counted: Vec<u32>,
    tables: BTreeMap<usize, Table>,
    /// The options with the number of matches for each of their values.
    options: BTreeMap<u32, BTreeMap<u32, u64>>,
    awards: BTreeMap<u32, (u64, i64)>,
    pieces: BTreeMap<u32, (u64, i64)>,
}

impl Collected {
    fn of(records: &Records, chosen: &Chosen<'_>) -> Self {
        let mut collected = Collected::default();
        for (at, record) in (0..).zip(records.matches.iter()) {
            match chosen.fit(record) {
                Fit::Not => continue,
                Fit::ByStart => {
                    collected.left_out += 1;
                    continue;
                }
                Fit::Counted => collected.counted.push(at),
            }
            let selected = chosen.selected(record);
            collected.all.add(record, selected);
            collected.tables.entry(record.seats.len()).or_default().add(record, selected);
            for (option, value) in &record.options {
                let values = collected.options.entry(*option).or_default();
                *values.entry(*value).or_default() += 1;
            }
            record.awards.iter().for_each(|sum| put(&mut collected.awards, sum));
            record.pieces.iter().for_each(|sum| put(&mut collected.pieces, sum));
        }
        collected
    }

    /// The matches that count.
    fn records<'a>(&self, records: &'a Records) -> impl Iterator<Item = &'a Record> + Clone {
        let all = &records.matches;
        self.counted.iter().filter_map(move |at| all.get(usize::try_from(*at).ok()?))
    }
}

/// Does a match count at all? What is private or a sandbox could be found from two requests.
pub(crate) fn counts(finished: &FinishedMatch) -> bool {
    finished.visibility == Visibility::Public && !finished.sandbox
}

/// The statistics that are asked for.
pub(crate) fn told(
    game: &str,
    records: &Records,
    asked: &Asked,
    reach: Reach,
    damaged: u64,
) -> GameStats {
    let chosen = Chosen::new(asked, records);
    let collected = Collected::of(records, &chosen);
    let Reach { position, feed_end, complete } = reach;
    let (groups, groups_left_out) = groups(&chosen, collected.records(records));
    let options = collected.options.iter().flat_map(|(option, values)| {
        let name = records.options.word(*option).cloned().unwrap_or_default();
        of_option((*option, &name), values, records, (&chosen, collected.records(records)))
    });
    let awards = sums(&collected.awards, &records.rules)
        .map(|((reason, rule), awards, points)| AwardStats { reason, rule, awards, points });
    let pieces = sums(&collected.pieces, &records.pieces)
        .map(|((field, value), awards, points)| PieceStats { field, value, awards, points });
    let mut deals: Vec<u64> = collected.records(records).map(|record| record.deal).collect();
    deals.sort_unstable();
    deals.dedup();
    let all = &collected.all;
    GameStats {
        game: game.to_owned(),
        position,
        damaged,
        feed_end,
        complete,
        players: asked.players.name(),
        asked: asked.told.clone(),
        matches: all.matches(),
        deals: deals.len() as u64,
        left_out: collected.left_out,
        commands: all.commands.mean(),
        events: all.events.mean(),
        points: all.points.mean(),
        wins: all.wins.rate(),
        start_seat: all.start.rate(),
        tables: collected.tables.iter().map(|(seats, table)| table.shown(*seats)).collect(),
        options: options.collect(),
        awards: awards.collect(),
        pieces: pieces.collect(),
        groups,
        groups_left_out,
    }
}

/// The groups with most matches, in the order of their values; and how many others there are.
fn groups<'a>(
    chosen: &'a Chosen<'_>,
    records: impl Iterator<Item = &'a Record> + Clone,
) -> (Vec<GroupStats>, u64) {
    if chosen.asked.group_by.is_empty() {
        return (Vec::new(), 0);
    }
    let Largest { keys, left_out } = Largest::of(chosen, records.clone());
    let mut samples: BTreeMap<Keys<'_>, Sample> =
        keys.into_iter().map(|key| (key, Sample::default())).collect();
    let mut of_match = Vec::new();
    for record in records {
        chosen.groups(record, &mut of_match);
        for (keys, seats) in &of_match {
            if let Some(sample) = samples.get_mut(keys) {
                sample.add(record, *seats);
            }
        }
    }
    let shown = samples.iter().map(|(keys, sample)| GroupStats {
        by: chosen
            .asked
            .group_by
            .iter()
            .zip(keys)
            .map(|(dimension, key)| GroupValue { name: dimension.name(), value: key.shown() })
            .collect(),
        matches: sample.matches(),
        commands: sample.commands.mean(),
        events: sample.events.mean(),
        points: sample.points.mean(),
        wins: sample.wins.rate(),
        start_seat: sample.start.rate(),
    });
    (shown.collect(), left_out)
}

/// The values of an option with most matches, in the order of their texts; all others at the end.
fn of_option<'a>(
    (option, name): (u32, &str),
    values: &BTreeMap<u32, u64>,
    records: &Records,
    (chosen, counted): (&Chosen<'_>, impl Iterator<Item = &'a Record>),
) -> Vec<OptionStats> {
    let mut by_size: Vec<(&str, u32, u64)> = values
        .iter()
        .filter_map(|(value, matches)| {
            Some((records.values.word(*value)?.as_str(), *value, *matches))
        })
        .collect();
    by_size.sort_by_key(|(text, _, matches)| (std::cmp::Reverse(*matches), *text));
    let has_others = by_size.len() > VALUES;
    by_size.truncate(VALUES);
    by_size.sort_unstable_by_key(|(text, _, _)| *text);
    let mut samples: BTreeMap<u32, Sample> =
        by_size.iter().map(|(_, value, _)| (*value, Sample::default())).collect();
    let mut others = Sample::default();
    for record in counted {
        let Some((_, value)) = record.options.iter().find(|(known, _)| *known == option) else {
            continue;
        };
        samples.get_mut(value).unwrap_or(&mut others).add(record, chosen.selected(record));
    }
    let stats = |value: &str, sample: &Sample| OptionStats {
        option: name.to_owned(),
        value: value.to_owned(),
        commands: sample.commands.mean(),
        points: sample.points.mean(),
        start_seat: sample.start.rate(),
    };
    let told = by_size.iter().filter_map(|(text, value, _)| Some(stats(text, samples.get(value)?)));
    told.chain(has_others.then(|| stats("other", &others))).collect()
}

fn put(sums: &mut BTreeMap<u32, (u64, i64)>, Sum(number, awards, points): &Sum) {
    let sum = sums.entry(*number).or_default();
    *sum = (sum.0 + awards, sum.1.saturating_add(*points));
}

/// Sums by their words, in the order of these.
fn sums(
    sums: &BTreeMap<u32, (u64, i64)>,
    words: &Words<(String, String)>,
) -> impl Iterator<Item = ((String, String), u64, i64)> {
    let mut told: Vec<_> = sums
        .iter()
        .filter_map(|(number, (awards, points))| {
            Some((words.word(*number)?.clone(), *awards, *points))
        })
        .collect();
    told.sort();
    told.into_iter()
}

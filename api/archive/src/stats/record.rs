//! What is kept of a finished match: little, and enough for any filter and any grouping.

use std::collections::BTreeMap;
use std::sync::Arc;

use journal::{Bot, ranks_of};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::shared::{PIECE, Shared};
use crate::finished::FinishedMatch;

/// The longest value of an option that is told apart, in bytes of JSON. All longer ones, which no game has today, are one value.
const VALUE_BYTES: usize = 200;

/// What stands for them, JSON.
const LONG: &str = r#""(long)""#;

/// Who sits at a seat, as statistics tell players apart: a person by the name, a bot by what it is. One never is the other, whatever a person
/// is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Identity {
    /// A person with this name.
    Player(String),
    /// A bot with the version of its play.
    Bot(Bot, u32),
}

/// The public finished matches of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Records {
    pub(crate) identities: Words<Identity>,
    /// The names of options,
    pub(crate) options: Words<String>,
    /// and their values, JSON.
    pub(crate) values: Words<String>,
    /// Reasons with their rules.
    pub(crate) rules: Words<(String, String)>,
    /// Fields of pieces with their values.
    pub(crate) pieces: Words<(String, String)>,
    pub(crate) matches: Matches,
}

/// A match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// RFC 3339 in UTC with milliseconds, so its order is that of the text.
    pub(crate) finished_at: String,
    pub(crate) edition: u32,
    /// How many commands, without those that were taken back.
    pub(crate) commands: i64,
    pub(crate) events: i64,
    /// The seat that had the first turn.
    pub(crate) start: Option<usize>,
    /// Those that are dealt alike have the same: the beginning of the seed.
    pub(crate) deal: u64,
    /// It began from a position.
    pub(crate) loaded: bool,
    /// It branched off from another match.
    pub(crate) branched: bool,
    pub(crate) seats: Vec<SeatRecord>,
    /// Options with values, both by number.
    pub(crate) options: Vec<(u32, u32)>,
    /// Points by rule, and by piece.
    pub(crate) awards: Vec<Sum>,
    pub(crate) pieces: Vec<Sum>,
}

/// A seat: its points, its rank, and who had it, by number; `None` for a person without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeatRecord(pub(crate) i64, pub(crate) u64, pub(crate) Option<u32>);

/// What was awarded for something, by its number: how often, and how many points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sum(pub(crate) u32, pub(crate) u64, pub(crate) i64);

impl Record {
    /// The part of the win that a seat has: 1/k of k winners.
    pub(crate) fn won(&self, seat: usize) -> f64 {
        let winners = self.seats.iter().filter(|SeatRecord(_, rank, _)| *rank == 1).count();
        let won = self.seats.get(seat).is_some_and(|SeatRecord(_, rank, _)| *rank == 1);
        if won { 1.0 / winners as f64 } else { 0.0 }
    }
}

/// Matches in the order in which they ended. A copy that goes on copies no more than the last piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matches(Shared<Arc<Record>>);

impl Matches {
    fn push(&mut self, record: Arc<Record>) {
        self.0.push(record);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Record> {
        self.0.iter().map(|record| &**record)
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Record> {
        self.0.get(at).map(|record| &**record)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Serialize for Matches {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Matches {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let records = Vec::<Arc<Record>>::deserialize(deserializer)?;
        Ok(Matches(records.into_iter().collect()))
    }
}

/// Words that are kept once, each with a number from 0. A copy that goes on copies no more than the pieces in which a new word has its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words<T> {
    known: Shared<T>,
    /// The numbers in the order of their words, in pieces, none of them empty.
    sorted: Vec<Arc<Vec<u32>>>,
}

impl<T> Default for Words<T> {
    fn default() -> Self {
        Words { known: Shared::default(), sorted: Vec::new() }
    }
}

impl<T: Ord + Clone> Words<T> {
    /// The number of a word, which may be new.
    pub(crate) fn number(&mut self, word: T) -> u32 {
        let (piece, at) = match self.place(&word) {
            Ok(number) => return number,
            Err(place) => place,
        };
        let number = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        self.known.push(word);
        let Some(numbers) = self.sorted.get_mut(piece) else {
            self.sorted.push(Arc::new(vec![number]));
            return number;
        };
        let numbers = Arc::make_mut(numbers);
        numbers.insert(at, number);
        if numbers.len() > PIECE {
            let rest = numbers.split_off(PIECE / 2);
            self.sorted.insert(piece + 1, Arc::new(rest));
        }
        number
    }

    /// The number of a word that is known, or the piece and the place there that a new one has among the sorted.
    fn place(&self, word: &T) -> Result<u32, (usize, usize)> {
        let begins_after = |numbers: &Arc<Vec<u32>>| {
            let first = numbers.first().and_then(|number| self.word(*number));
            first.is_some_and(|first| first > word)
        };
        let piece = self.sorted.partition_point(|numbers| !begins_after(numbers)).saturating_sub(1);
        let numbers = self.sorted.get(piece).map(|numbers| numbers.as_slice()).unwrap_or_default();
        match numbers.binary_search_by(|number| self.word(*number).cmp(&Some(word))) {
            Ok(at) => Ok(numbers[at]),
            Err(at) => Err((piece, at)),
        }
    }

    /// The number of a word that is known.
    pub(crate) fn find(&self, word: &T) -> Option<u32> {
        self.place(word).ok()
    }

    /// The word with a number.
    pub(crate) fn word(&self, number: u32) -> Option<&T> {
        self.known.get(usize::try_from(number).ok()?)
    }

    /// All words with their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&T, u32)> {
        self.known.iter().zip(0..)
    }
}

impl<T: Serialize> Serialize for Words<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.known.iter())
    }
}

impl<'de, T: Deserialize<'de> + Ord + Clone> Deserialize<'de> for Words<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut words = Words::default();
        for word in Vec::<T>::deserialize(deserializer)? {
            words.number(word);
        }
        Ok(words)
    }
}

impl Records {
    /// Adds a match, and returns who sat there.
    pub(crate) fn add(&mut self, finished: &FinishedMatch) -> Arc<Record> {
        let played = || finished.commits.iter().filter(|commit| !commit.taken_back);
        let commands = played().filter(|commit| commit.command().is_some()).count();
        let ranks = ranks_of(&finished.standing, finished.points.len());
        let results = finished.points.iter().zip(ranks).enumerate();
        let seats = results.map(|(seat, (points, rank))| {
            let bot = finished.bots.get(seat).copied().flatten();
            let name = finished.names.get(seat).cloned().flatten();
            let identity = bot
                .map(|(bot, version)| Identity::Bot(bot, version))
                .or_else(|| name.map(Identity::Player));
            SeatRecord(*points, rank, identity.map(|identity| self.identities.number(identity)))
        });
        let seats = seats.collect();
        let (mut awards, mut pieces) = (BTreeMap::new(), BTreeMap::new());
        for (_, award) in played().flat_map(|commit| &commit.awards) {
            let rule = (award.reason.to_owned(), award.rule.0.to_owned());
            put(&mut awards, self.rules.number(rule), award.points);
            for piece in words(&award.pieces) {
                put(&mut pieces, self.pieces.number(piece), award.points);
            }
        }
        let record = Arc::new(Record {
            finished_at: finished.finish.finished_at.clone(),
            edition: finished.edition.number(),
            commands: i64::try_from(commands).unwrap_or(i64::MAX),
            events: i64::try_from(finished.version).unwrap_or(i64::MAX),
            start: finished.start_seat.map(|seat| seat.index()),
            deal: finished.seed.0.iter().take(8).fold(0, |deal, byte| deal << 8 | u64::from(*byte)),
            loaded: finished.loaded,
            branched: finished.branched_from.is_some(),
            seats,
            options: self.options(&finished.options),
            awards: awards.into_values().collect(),
            pieces: pieces.into_values().collect(),
        });
        self.matches.push(Arc::clone(&record));
        record
    }

    fn options(&mut self, options: &RawValue) -> Vec<(u32, u32)> {
        let options: BTreeMap<String, Box<RawValue>> =
            serde_json::from_str(options.get()).unwrap_or_default();
        let number = |(option, value): (String, Box<RawValue>)| {
            let value = if value.get().len() > VALUE_BYTES { LONG } else { value.get() };
            (self.options.number(option), self.values.number(value.to_owned()))
        };
        options.into_iter().map(number).collect()
    }

    /// Who had a seat.
    pub(crate) fn who(&self, SeatRecord(_, _, who): &SeatRecord) -> Option<&Identity> {
        self.identities.word((*who)?)
    }

    /// The value of an option in a match, JSON.
    pub(crate) fn value(&self, record: &Record, option: u32) -> Option<&str> {
        let (_, value) = record.options.iter().find(|(known, _)| *known == option)?;
        self.values.word(*value).map(String::as_str)
    }
}

fn put(sums: &mut BTreeMap<u32, Sum>, number: u32, points: i64) {
    let Sum(_, awards, sum) = sums.entry(number).or_insert(Sum(number, 0, 0));
    *awards += 1;
    *sum = sum.saturating_add(points);
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Matches, PIECE, Record, Records, VALUE_BYTES, Words};
    use serde_json::value::to_raw_value;

    fn record(events: i64) -> Arc<Record> {
        Arc::new(Record {
            finished_at: String::new(),
            edition: 1,
            commands: 0,
            events,
            start: None,
            deal: 0,
            loaded: false,
            branched: false,
            seats: Vec::new(),
            options: Vec::new(),
            awards: Vec::new(),
            pieces: Vec::new(),
        })
    }

    #[test]
    fn a_copy_that_goes_on_copies_the_last_piece_alone() {
        let mut matches = Matches::default();
        (0..=PIECE as i64).for_each(|events| matches.push(record(events)));
        let shown = matches.clone();
        matches.push(record(7));
        assert_eq!((shown.len(), matches.len()), (PIECE + 1, PIECE + 2));
        let is_shared = |piece: usize| Arc::ptr_eq(&shown.0.0[piece], &matches.0.0[piece]);
        assert!(is_shared(0) && !is_shared(1));
        let events = |at: usize| matches.get(at).map(|record| record.events);
        assert_eq!([events(PIECE), events(PIECE + 1)], [Some(PIECE as i64), Some(7)]);
        assert_eq!(events(PIECE + 2), None);
        assert!(matches.iter().eq((0..matches.len()).filter_map(|at| matches.get(at))));
        let text = serde_json::to_string(&matches).expect("JSON");
        assert_eq!(serde_json::from_str::<Matches>(&text).expect("the same"), matches);
    }

    #[test]
    fn a_copy_of_words_that_goes_on_copies_the_pieces_of_a_new_word_alone() {
        const WORDS: u32 = 4_000;
        // In no order.
        let word = |number: u32| format!("{:04}", number * 7 % 5_000);
        let mut words = Words::default();
        assert!((0..WORDS).all(|number| words.number(word(number)) == number));
        let shown = words.clone();
        assert_eq!(words.number("new".to_owned()), WORDS);
        assert_eq!(words.number(word(5)), 5);
        let is_shared = |piece: usize| Arc::ptr_eq(&shown.known.0[piece], &words.known.0[piece]);
        assert_eq!([0, 1, 2, 3].map(is_shared), [true, true, true, false]);
        let changed = shown.sorted.iter().zip(&words.sorted).filter(|(a, b)| !Arc::ptr_eq(a, b));
        assert_eq!(changed.count(), 1, "a piece at the end");
        assert!(words.sorted.len() > 3, "{} pieces", words.sorted.len());
        let new = "new".to_owned();
        assert_eq!((shown.find(&new), words.find(&new)), (None, Some(WORDS)));
        assert!((0..WORDS).all(|number| words.find(&word(number)) == Some(number)));
        assert_eq!(words.find(&word(WORDS)), None);
        assert!(shown.all().all(|(known, number)| *known == word(number)));
        let text = serde_json::to_string(&words).expect("JSON");
        assert_eq!(serde_json::from_str::<Words<String>>(&text).expect("the same"), words);
    }

    #[test]
    fn long_values_of_options_are_one() {
        let mut records = Records::default();
        let mut number = |length: usize| {
            let options = serde_json::json!({"name": "x".repeat(length - 2)});
            records.options(&to_raw_value(&options).expect("JSON"))[0].1
        };
        assert_eq!([number(VALUE_BYTES), number(VALUE_BYTES - 1)], [0, 1]);
        assert_eq!([number(VALUE_BYTES + 1), number(10 * VALUE_BYTES)], [2, 2]);
        assert_eq!(records.values.word(2).map(String::as_str), Some("\"(long)\""));
    }
}

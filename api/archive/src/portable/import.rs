//! A finished match of another server is taken over from what that server publishes: the match and its commits.
//!
//! Everything that `verify` checks of a match is checked before anything is written, so the match is stored as if it had been played here: byte
//! for byte the same chain, with its header, names and hashes of tokens. Only a note says where it comes from.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use journal::{
    Bytes32, Folded, Header, Journal, MatchId, Name, Origin, Record, canonical, name_of_person,
    nickname, raw, standing_told, stream_id, token_commitment, token_key, token_note,
};
use kernel::{AnyGame, Seat, StreamError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::{Commit, Stored, Write, WriteError};

use super::failed::{Failed, of_file};
use crate::verify::{Chain, same};

/// A finished match as its server publishes it, checked.
pub struct Published {
    id: MatchId,
    header: Header,
    names: Vec<Option<Name>>,
    tokens: Vec<Option<Bytes32>>,
    records: Vec<Record>,
    folded: Folded,
    /// What the file says of where it comes from.
    pub origin: Option<String>,
}

/// What was done with a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The match.
    pub r#match: MatchId,
    /// The game that was played.
    pub game: &'static str,
    /// How many commits it has.
    pub commits: u64,
    /// The feed position of its last commit; `None` if the store had the match already, to the last byte.
    pub position: Option<u64>,
}

/// The file, as whoever asked the other server has put it together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// What `GET /v1/matches/{id}` answered.
    r#match: Map<String, Value>,
    /// All items of `GET /v1/matches/{id}/commits`.
    commits: Vec<Map<String, Value>>,
    /// Where they come from.
    #[serde(default)]
    origin: Option<String>,
}

/// What of a match is not in its commits.
#[derive(Deserialize)]
struct Beside {
    r#match: MatchId,
    header: Header,
    token_hashes: Vec<Option<Bytes32>>,
    seats: Vec<SeatBeside>,
}

#[derive(Deserialize)]
struct SeatBeside {
    name: Option<String>,
    name_salt: Option<Bytes32>,
}

/// Reads a file with a finished match, and checks all of it.
///
/// # Errors
/// If it cannot be read, is not what a server publishes of a finished match, or anything in it differs from what it must be: with the place.
pub fn published(file: &Path, games: &'static [&'static dyn AnyGame]) -> Result<Published, Failed> {
    let text = fs::read_to_string(file).map_err(of_file(file))?;
    let named = |what: String| Failed::Unfit(format!("{}: {what}", file.display()));
    let document: Document =
        serde_json::from_str(&text).map_err(|error| named(error.to_string()))?;
    check(document, games).map_err(named)
}

fn check(document: Document, games: &'static [&'static dyn AnyGame]) -> Result<Published, String> {
    let Document { r#match: told, commits, origin } = document;
    if told.get("status") != Some(&json!("finished")) {
        return Err("match.status: only a match that is finished can be imported".to_owned());
    }
    if !told.get("header").is_some_and(Value::is_object) {
        return Err("match.header: its server does not publish what commit 1 commits to".to_owned());
    }
    let beside = Beside::deserialize(&told).map_err(|error| format!("match: {error}"))?;
    let Beside { r#match: id, header, token_hashes: tokens, seats } = beside;
    if id.get_version_num() != 7 {
        return Err("match.match: it is not the id of a match, a UUIDv7".to_owned());
    }
    if is_later(&id) {
        return Err("match.match: its time is in the future".to_owned());
    }
    if header.format != Header::FORMAT {
        return Err(format!("match.header: format {} is unknown", header.format));
    }
    let mut chain = Chain::new(games, header);
    let (mut records, mut before): (Vec<Record>, Option<Folded>) = (Vec::new(), None);
    let mut times = Vec::new();
    for (entry, number) in commits.into_iter().zip(1u64..) {
        let next = || {
            if before.as_ref().is_some_and(Folded::finished) {
                return Err("the match is finished before it".to_owned());
            }
            let record = recorded(entry)?;
            let body = record.body().map_err(said)?;
            times.push(time(&body.recorded_at)?);
            let folded = Folded::advance(before.take(), games, &body, usize::MAX).map_err(said)?;
            let engine = &folded.table.opened.engine;
            if number == 1 && !is_plain(engine) {
                return Err("engine: it is too long, has control or invisible characters, or begins like a formula".to_owned());
            }
            let (_, is_open) = record.expected_hash(folded.state.as_ref()).map_err(said)?;
            let record = record.clone().marked(is_open, folded.end());
            before = Some(folded);
            chain.check(&record)?;
            match &chain.otherwise {
                Some((_, what)) => {
                    Err(format!("the rules of this program decide otherwise: {what}"))
                }
                None => Ok(record),
            }
        };
        records.push(next().map_err(|what| format!("commit {number}: {what}"))?);
    }
    let folded = chain.opened().map_err(|what| format!("match.header: {what}"))?.clone();
    let last = records.last().filter(|record| record.finishes());
    let last = last.ok_or("commits: the match is not finished after the last of them")?;
    let expected = expected(id, &folded, last, &chain.header, &times);
    for (name, value) in expected.as_object().into_iter().flatten() {
        same(&format!("match.{name}"), told.get(name) == Some(value))?;
    }
    // Servers from before there were sandboxes say nothing of it.
    let sandbox = told.get("sandbox").unwrap_or(&Value::Null);
    same("match.sandbox", *sandbox == json!(folded.table.opened.sandbox))?;
    // Earlier servers do not say how a match began.
    if let Some(loaded) = told.get("loaded") {
        same("match.loaded", *loaded == json!(folded.table.loaded))?;
    }
    let names = names(&folded, seats, &told)?;
    token_hashes(&folded, &chain.header, &tokens)?;
    Ok(Published { id, header: chain.header, names, tokens, records, folded, origin })
}

/// Whether a text may be shown everywhere, also in a spreadsheet.
fn is_plain(text: &str) -> bool {
    nickname(text).is_ok_and(|kept| kept == text)
}

/// A day from now, in seconds since 1970: clocks may differ, but by no more.
fn latest() -> u64 {
    const DAY: u64 = 24 * 60 * 60;
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() + DAY
}

/// Whether an id says that it was given more than a day from now: lists begin with the latest ids.
fn is_later(id: &MatchId) -> bool {
    id.get_timestamp().is_none_or(|given| given.to_unix().0 > latest())
}

/// What is wrong with a commit.
fn said(StreamError(what): StreamError) -> String {
    what
}

/// A commit of the log as it was recorded, without its marks.
fn recorded(mut entry: Map<String, Value>) -> Result<Record, String> {
    let mut hash = |name: &str| {
        let found = entry.remove(name);
        let hash = found.as_ref().and_then(Value::as_str).and_then(Bytes32::from_hex);
        hash.ok_or_else(|| format!("{name} is no hash"))
    };
    let hashes = [hash("sealed")?, hash("prev_hash")?, hash("hash")?];
    Ok(Record::of(&canonical(raw(&entry).get()), hashes))
}

/// A time as it is recorded, of no more than a day from now: what is chosen by time would pass over the match.
fn time(text: &str) -> Result<String, String> {
    let digits = text.replace(|c: char| c.is_ascii_digit(), "0");
    let is_of_form = digits == "0000-00-00T00:00:00.000Z";
    let seconds = if is_of_form { seconds(text) } else { None };
    same("the form of recorded_at", seconds.is_some())?;
    if seconds > Some(latest()) {
        return Err("recorded_at: it is in the future".to_owned());
    }
    Ok(text.to_owned())
}

/// The seconds from 1970 to a time, 0 for one before; nothing if there is no such day, or no such time of it. The digits are where they have to
/// be.
fn seconds(text: &str) -> Option<u64> {
    let number = |at: std::ops::Range<usize>| text[at].parse::<u64>().unwrap_or(u64::MAX);
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let (hours, minutes, seconds) = (number(11..13), number(14..16), number(17..19));
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let is_day = (1..=12).contains(&month) && (1..=days).contains(&day);
    if !is_day || hours >= 24 || minutes >= 60 || seconds >= 60 {
        return None;
    }
    // Counted in years that begin in March: the leap day is their last one. The first of March of the year 0 is 719,468 days before 1970.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year.max(1) - 1, month + 9) };
    let leap_days = years / 4 - years / 100 + years / 400;
    let days = 365 * years + leap_days + (153 * months + 2) / 5 + day - 1;
    Some(((days.saturating_sub(719_468) * 24 + hours) * 60 + minutes) * 60 + seconds)
}

/// What the commits say of the match, as its server tells it.
fn expected(
    id: MatchId,
    folded: &Folded,
    last: &Record,
    header: &Header,
    times: &[String],
) -> Value {
    let (state, opened) = (folded.state.as_ref(), &folded.table.opened);
    json!({
        "match": id,
        "game": opened.game,
        "options": state.options(),
        "edition": opened.edition,
        "version": folded.version,
        "commit": folded.commit,
        "active_seat": null,
        "visibility": opened.visibility,
        "take_back": folded.take_back(),
        "branched_from": opened.branched_from,
        "created_at": times.first(),
        "updated_at": times.last(),
        "seed_commitment": opened.seed_commitment,
        "seed": header.seed,
        "standing": standing_told(last).or_else(|| state.standing()),
        "head_hash": last.hash(),
    })
}

/// The names of the players, which the chain commits to; `None` where there is none, or it was forgotten.
fn names(
    folded: &Folded,
    told: Vec<SeatBeside>,
    match_: &Map<String, Value>,
) -> Result<Vec<Option<Name>>, String> {
    let seats = &folded.table.seats;
    same("the number of match.seats", told.len() == seats.len())?;
    let mut names = Vec::new();
    for ((number, seat), SeatBeside { name, name_salt }) in (0..).map(Seat).zip(seats).zip(told) {
        let place = format!("match.seats.{number}");
        let told = &match_["seats"][number.index()];
        let facts = json!({"seat": number, "taken": seat.taken, "bot": seat.bot, "name_commitment": seat.name_commitment});
        for (fact, value) in facts.as_object().into_iter().flatten() {
            same(&format!("{place}.{fact}"), told.get(fact) == Some(value))?;
        }
        let name = match (name, name_salt) {
            (Some(name), Some(salt)) => Some(Name { name, salt }),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                return Err(format!("{place}: a name and its salt belong together"));
            }
        };
        // No name comes in that nobody here could have taken.
        let is_kept = |Name { name, .. }: &Name| {
            let kept = if seat.bot.is_some() { nickname(name) } else { name_of_person(name) };
            kept.is_ok_and(|kept| kept == *name)
        };
        if !name.as_ref().is_none_or(is_kept) {
            return Err(format!(
                "{place}.name: it is not a name that a person or a bot may have here; with `name` and `name_salt` null it is imported as one that was forgotten"
            ));
        }
        let known = name.as_ref().map(Name::commitment);
        same(&format!("{place}.name"), known.is_none() || known == seat.name_commitment)?;
        names.push(name);
    }
    Ok(names)
}

/// The hashes of tokens are those that the chain commits to.
fn token_hashes(
    folded: &Folded,
    header: &Header,
    tokens: &[Option<Bytes32>],
) -> Result<(), String> {
    let seats = &folded.table.seats;
    let lengths = [tokens.len(), header.seat_hashes.len()];
    same("the number of match.token_hashes", lengths == [seats.len(); 2])?;
    let opened = &header.seat_hashes;
    for ((number, seat), (hash, opened)) in (0..).zip(seats).zip(tokens.iter().zip(opened)) {
        let known = match seat.token_commitment {
            Some(commitment) => hash.map(token_commitment) == Some(commitment),
            None => hash == opened,
        };
        same(&format!("match.token_hashes.{number}"), known)?;
    }
    Ok(())
}

impl Published {
    /// The writes that store it: one for each commit, the first with all that stands beside the chain.
    fn writes(&self, origin: &Origin) -> Vec<Write> {
        let id = self.id;
        let commit = |(record, number): (&Record, u64)| Write {
            commit: Some(Commit {
                stream: stream_id(id),
                number,
                bytes: record.bytes().to_vec(),
                header: (number == 1).then(|| self.header.bytes()),
            }),
            notes: Vec::new(),
        };
        let mut writes: Vec<_> = self.records.iter().zip(1..).map(commit).collect();
        let mut notes = vec![origin.note(id)];
        notes.extend(self.names.iter().flatten().map(|name| name.note(id)));
        let (opened, seats) = (&self.header.seat_hashes, &self.folded.table.seats);
        let mut known: Vec<Bytes32> = opened.iter().flatten().copied().collect();
        known.push(self.header.owner_hash);
        for ((number, seat), hash) in (0..).map(Seat).zip(seats).zip(&self.tokens) {
            if let Some(hash) = hash.filter(|_| seat.token_commitment.is_some()) {
                notes.push(token_note(id, number, hash));
                known.push(hash);
            }
        }
        notes.extend(known.into_iter().map(|hash| (token_key(hash), id.as_bytes().to_vec())));
        if let Some(first) = writes.first_mut() {
            first.notes = notes;
        }
        writes
    }

    /// Whether the store has this match, to the last byte of its chain; an error if it has another one under its id.
    fn is_in(&self, journal: &Journal) -> Result<bool, Failed> {
        let (store, stream) = (journal.store(), stream_id(self.id));
        let read = |source| Failed::Read { position: store.position(), source };
        let Some(header) = store.header(stream).map_err(read)? else { return Ok(false) };
        let found = store.commits(stream, 0, self.records.len() + 1).map_err(read)?;
        // What a server publishes is without the tags of idempotency keys.
        let untagged = |stored: &Stored| Record::read(&stored.bytes).ok().map(|it| it.untagged());
        let chain = self.records.iter().map(|record| Some(record.untagged()));
        if header == self.header.bytes() && found.iter().map(untagged).eq(chain) {
            return Ok(true);
        }
        Err(Failed::Unfit(format!("match {}: the store has another match under this id", self.id)))
    }
}

/// Stores a match with all its commits, or nothing.
///
/// # Errors
/// If the store has another match with its id or one of its tokens, or cannot be read or written.
pub fn import(
    journal: &Journal,
    published: &Published,
    origin: &Origin,
) -> Result<Imported, Failed> {
    let game = published.folded.state.game().info().id;
    let (r#match, commits) = (published.id, published.records.len() as u64);
    if published.is_in(journal)? {
        return Ok(Imported { r#match, game, commits, position: None });
    }
    let mut position = journal.position();
    for ticket in journal.store().submit_together(published.writes(origin)) {
        let written = ticket.wait();
        position = written.map_err(|error| {
            let has_token = matches!(error, WriteError::NoteTaken { .. });
            let what =
                if has_token { "it has one of its tokens".to_owned() } else { error.to_string() };
            Failed::Unfit(format!("the store does not take the match: {what}"))
        })?;
    }
    if !published.is_in(journal)? {
        return Err(Failed::Unfit("what was written cannot be read back".to_owned()));
    }
    Ok(Imported { r#match, game, commits, position: Some(position) })
}

//! The tables that are the same for every game.

use chrono::DateTime;
use engine::{FinishedCommit, FinishedMatch};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::batch::{Batch, Cell};
use crate::column::{Column, Kind, Table};
use crate::members::Members;

/// How many there are.
pub(crate) const COUNT: usize = 7;

pub(crate) const MATCHES: usize = 0;
pub(crate) const SEATS: usize = 1;
pub(crate) const COMMITS: usize = 2;
pub(crate) const EVENTS: usize = 3;
pub(crate) const COMMANDS: usize = 4;
pub(crate) const DRAWS: usize = 5;
pub(crate) const AWARDS: usize = 6;

/// The key of a match, in every table.
pub(crate) const MATCH_NO: Column = Column::new(
    "match_no",
    Kind::Int,
    "The match: the feed position of its last commit. Joins all tables; greater for what ended later",
);
/// The match's id, in every table.
pub(crate) const MATCH_ID: Column =
    Column::new("match_id", Kind::Text, "The match: its id in the API");
pub(crate) const VERSION: Column =
    Column::new("version", Kind::Int, "The version of the match after the event");
pub(crate) const COMMIT_NO: Column =
    Column::new("commit_no", Kind::Int, "The commit, from 1: the setup");
pub(crate) const TAKEN_BACK: Column = Column::new(
    "taken_back",
    Kind::Bool,
    "Was the commit taken back later? Leave such rows out to count what stands",
);
const SEAT: Column = Column::nullable("seat", Kind::Int, "The seat that acted; none for the setup");
const RECORDED_AT: Column = Column::new("recorded_at", Kind::Time, "When the commit was recorded");

/// The tables, in the order of the constants.
pub(crate) fn tables() -> Vec<Table> {
    let table = |name: &'static str, about: &'static str, columns: Vec<Column>| Table {
        name: name.into(),
        about: about.into(),
        columns: [vec![MATCH_NO, MATCH_ID], columns].concat(),
    };
    vec![
        table("matches", "A finished match.", matches()),
        table("seats", "A seat of a match.", seats()),
        table("commits", "A commit: all events of one command.", commits()),
        table("events", "An event. Its fields are columns in the table `<game>_<type>`.", events()),
        table("commands", "An accepted command.", commands()),
        table("draws", "An outcome of chance.", draws()),
        table(
            "awards",
            "Points that an event gave a seat, or took from it, with the reason.",
            awards(),
        ),
    ]
}

fn matches() -> Vec<Column> {
    vec![
        Column::new("seats", Kind::Int, "How many seats"),
        Column::new("options", Kind::Json, "The options as they were asked for"),
        Column::nullable("start_seat", Kind::Int, "The seat that acted first"),
        Column::new("winners", Kind::Json, "The seats of rank 1, ascending: a JSON array"),
        Column::new("version", Kind::Int, "The number of events"),
        Column::new("commits", Kind::Int, "The number of commits"),
        Column::new("commands", Kind::Int, "The number of commands that were not taken back"),
        Column::new("created_at", Kind::Time, "When it was opened"),
        Column::new("finished_at", Kind::Time, "When its last commit was recorded"),
        Column::new("visibility", Kind::Text, "`public` or `private`"),
        Column::new("take_back", Kind::Bool, "Was it opened with taking back allowed?"),
        Column::new("loaded", Kind::Bool, "Did it begin from a given position?"),
        Column::nullable(
            "branched_from",
            Kind::Text,
            "The id of the match that it branched off from",
        ),
        Column::nullable("branched_at", Kind::Int, "The version where it branched off"),
        Column::new("seed", Kind::Text, "The seed of its chance, hexadecimal"),
        Column::new("hash", Kind::Text, "The hash of its last commit, hexadecimal"),
        Column::new("standing", Kind::Json, "The final ranking"),
    ]
}

fn seats() -> Vec<Column> {
    vec![
        Column::new("seat", Kind::Int, "Its number, from 0"),
        Column::nullable("name", Kind::Text, "The player's name"),
        Column::new("points", Kind::Int, "The final score; in some games the number of tasks"),
        Column::new("rank", Kind::Int, "The final rank, from 1; seats may share one"),
        Column::new("won", Kind::Bool, "Is the rank 1?"),
        Column::new("started", Kind::Bool, "Did it act first?"),
        Column::new("commands", Kind::Int, "The number of its commands that were not taken back"),
        Column::new("place", Kind::Json, "Its entry of the final ranking"),
    ]
}

fn commits() -> Vec<Column> {
    vec![
        COMMIT_NO,
        Column::new("position", Kind::Int, "Its place in the feed of the store"),
        SEAT,
        RECORDED_AT,
        Column::new("first_version", Kind::Int, "The version of its first event"),
        Column::new("events", Kind::Int, "The number of its events"),
        TAKEN_BACK,
        Column::new("hash", Kind::Text, "Its hash in the chain, hexadecimal"),
    ]
}

fn events() -> Vec<Column> {
    vec![
        VERSION,
        COMMIT_NO,
        SEAT,
        Column::new("type", Kind::Text, "What happened"),
        RECORDED_AT,
        TAKEN_BACK,
        Column::new("event", Kind::Json, "The whole event"),
    ]
}

fn commands() -> Vec<Column> {
    vec![
        COMMIT_NO,
        Column::new("seat", Kind::Int, "The seat that acted"),
        Column::new("type", Kind::Text, "What was asked for"),
        Column::new("legal", Kind::Int, "How many commands were legal then"),
        RECORDED_AT,
        Column::new("after_ms", Kind::Int, "Milliseconds since the commit before"),
        TAKEN_BACK,
        Column::new("command", Kind::Json, "The whole command"),
    ]
}

fn draws() -> Vec<Column> {
    vec![
        COMMIT_NO,
        Column::new("draw_no", Kind::Int, "Its number in the commit, from 1"),
        SEAT,
        Column::new("kind", Kind::Text, "The specification's name of the draw"),
        Column::new(
            "candidates",
            Kind::Int,
            "How many candidates there were, each equally likely; 1 is certain",
        ),
        Column::new("drawn", Kind::Int, "The index of the one that was drawn, from 0"),
        Column::new("outcome", Kind::Json, "The one that was drawn"),
        TAKEN_BACK,
    ]
}

fn awards() -> Vec<Column> {
    vec![
        VERSION,
        COMMIT_NO,
        Column::new("award_no", Kind::Int, "Its number in the event, from 1"),
        Column::new("seat", Kind::Int, "Whose points"),
        Column::new("points", Kind::Int, "How many; negative if they were taken"),
        Column::new("reason", Kind::Text, "What they are for, a word of the game's own"),
        Column::new("rule", Kind::Text, "The rule that gives them"),
        Column::new("arithmetic", Kind::Text, "How the points follow from the pieces"),
        Column::new("pieces", Kind::Json, "What was counted"),
        TAKEN_BACK,
    ]
}

/// What is the same in all rows of a match.
pub(crate) struct Key {
    pub(crate) number: i64,
    pub(crate) id: String,
}

impl Key {
    pub(crate) fn of(m: &FinishedMatch) -> Self {
        Key { number: int(m.finish.position), id: m.finish.r#match.to_string() }
    }

    pub(crate) fn cells(&self) -> [Cell<'_>; 2] {
        [Cell::Int(self.number), Cell::Text(&self.id)]
    }
}

/// One entry of a standing.
#[derive(Deserialize)]
struct Place<'a> {
    rank: i64,
    seat: i64,
    #[serde(skip)]
    json: &'a str,
}

/// What cannot be put into a row: text for the one who looks after the store.
pub(crate) type Misfit = String;

/// The rows of a match in `matches` and `seats`.
pub(crate) fn of_match(m: &FinishedMatch, key: &Key, batches: &mut [Batch]) -> Result<(), Misfit> {
    let places = places(&m.standing)?;
    let winners = places.iter().filter(|place| place.rank == 1);
    let mut winners: Vec<i64> = winners.map(|place| place.seat).collect();
    winners.sort_unstable();
    let winners = format!("{winners:?}").replace(' ', "");
    let visibility = serde_json::to_value(m.visibility).unwrap_or_default();
    let hash = m.commits.last().map(|commit| commit.hash.hex());
    let seed = m.seed.hex();
    let standing = m.standing.get();
    let from = m.branched_from.as_ref();
    let branched_from = from.map(|from| from.r#match.to_string());
    let counted = |commit: &&FinishedCommit| commit.command().is_some() && !commit.taken_back;
    let [number, id] = key.cells();
    batches[MATCHES].push(&[
        number,
        id,
        Cell::Int(int(m.names.len() as u64)),
        Cell::Json(m.options.get()),
        m.start_seat.map(|seat| i64::from(seat.0)).into(),
        Cell::Json(&winners),
        Cell::Int(int(m.version)),
        Cell::Int(int(m.commits.len() as u64)),
        Cell::Int(int(m.commits.iter().filter(counted).count() as u64)),
        Cell::Time(millis(&m.created_at)?),
        Cell::Time(millis(&m.finish.finished_at)?),
        Cell::Text(visibility.as_str().unwrap_or_default()),
        Cell::Bool(m.take_back),
        Cell::Bool(m.loaded),
        branched_from.as_deref().into(),
        from.map(|from| int(from.at)).into(),
        Cell::Text(&seed),
        Cell::Text(hash.as_deref().unwrap_or_default()),
        Cell::Json(standing),
    ]);
    for (seat, name) in (0_i64..).zip(&m.names) {
        let place = places.iter().find(|place| place.seat == seat);
        let place = place.ok_or_else(|| format!("the standing has no seat {seat}"))?;
        let own = |commit: &&FinishedCommit| commit.seat.map(|s| i64::from(s.0)) == Some(seat);
        let commands = m.commits.iter().filter(counted).filter(own).count();
        let index = usize::try_from(seat).unwrap_or_default();
        batches[SEATS].push(&[
            number,
            id,
            Cell::Int(seat),
            name.as_deref().into(),
            Cell::Int(m.points.get(index).copied().unwrap_or_default()),
            Cell::Int(place.rank),
            Cell::Bool(place.rank == 1),
            Cell::Bool(m.start_seat.map(|s| i64::from(s.0)) == Some(seat)),
            Cell::Int(int(commands as u64)),
            Cell::Json(place.json),
        ]);
    }
    Ok(())
}

/// A commit, ready for rows.
pub(crate) struct Row<'a> {
    pub(crate) number: i64,
    pub(crate) commit: &'a FinishedCommit,
    recorded_at: i64,
    /// Milliseconds since the commit before.
    after: i64,
}

impl<'a> Row<'a> {
    /// The commits of a match in order.
    pub(crate) fn all(m: &'a FinishedMatch) -> Result<Vec<Self>, Misfit> {
        let mut rows: Vec<Row<'_>> = Vec::with_capacity(m.commits.len());
        for (number, commit) in (1..).zip(&m.commits) {
            let recorded_at = millis(&commit.recorded_at)?;
            let before = rows.last().map_or(recorded_at, |row| row.recorded_at);
            rows.push(Row { number, commit, recorded_at, after: recorded_at - before });
        }
        Ok(rows)
    }

    fn seat(&self) -> Cell<'static> {
        self.commit.seat.map(|seat| i64::from(seat.0)).into()
    }

    /// The rows in `commits`, `commands` and `draws`.
    pub(crate) fn of_commit(&self, key: &Key, batches: &mut [Batch]) -> Result<(), Misfit> {
        let (Row { commit, .. }, [number, id]) = (self, key.cells());
        let taken_back = Cell::Bool(commit.taken_back);
        let hash = commit.hash.hex();
        batches[COMMITS].push(&[
            number,
            id,
            Cell::Int(self.number),
            Cell::Int(int(commit.position)),
            self.seat(),
            Cell::Time(self.recorded_at),
            Cell::Int(int(commit.first_version)),
            Cell::Int(int(commit.events().len() as u64)),
            taken_back,
            Cell::Text(&hash),
        ]);
        if let Some(command) = commit.command() {
            batches[COMMANDS].push(&[
                number,
                id,
                Cell::Int(self.number),
                self.seat(),
                Cell::Text(kind(Members::of(command))?),
                commit.legal.map(int).into(),
                Cell::Time(self.recorded_at),
                Cell::Int(self.after),
                taken_back,
                Cell::Json(command),
            ]);
        }
        for (draw, draw_no) in commit.draws.iter().zip(1..) {
            let outcome = draw.outcome.to_string();
            batches[DRAWS].push(&[
                number,
                id,
                Cell::Int(self.number),
                Cell::Int(draw_no),
                self.seat(),
                Cell::Text(draw.kind),
                Cell::Int(int(draw.candidates)),
                Cell::Int(int(draw.index)),
                Cell::Json(&outcome),
                taken_back,
            ]);
        }
        Ok(())
    }

    /// The rows in `awards`.
    pub(crate) fn of_awards(&self, key: &Key, batches: &mut [Batch]) {
        let [number, id] = key.cells();
        let (mut event, mut award_no) = (None, 0);
        for (at, award) in &self.commit.awards {
            award_no = if event == Some(at) { award_no + 1 } else { 1 };
            event = Some(at);
            let rule = award.rule.to_string();
            batches[AWARDS].push(&[
                number,
                id,
                Cell::Int(int(self.commit.first_version + *at as u64)),
                Cell::Int(self.number),
                Cell::Int(award_no),
                Cell::Int(i64::from(award.seat.0)),
                Cell::Int(award.points),
                Cell::Text(award.reason),
                Cell::Text(&rule),
                Cell::Text(&award.arithmetic),
                Cell::Json(award.pieces.get()),
                Cell::Bool(self.commit.taken_back),
            ]);
        }
    }

    /// The row in `events`.
    pub(crate) fn of_event(
        &self,
        key: &Key,
        version: i64,
        kind: &str,
        event: &str,
        batches: &mut [Batch],
    ) {
        let [number, id] = key.cells();
        batches[EVENTS].push(&[
            number,
            id,
            Cell::Int(version),
            Cell::Int(self.number),
            self.seat(),
            Cell::Text(kind),
            Cell::Time(self.recorded_at),
            Cell::Bool(self.commit.taken_back),
            Cell::Json(event),
        ]);
    }
}

fn places(standing: &RawValue) -> Result<Vec<Place<'_>>, Misfit> {
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

/// The type of a command or an event with these members.
pub(crate) fn kind<'a>(
    mut members: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<&'a str, Misfit> {
    members
        .find(|(name, _)| *name == "type")
        .and_then(|(_, kind)| kind.strip_prefix('"')?.strip_suffix('"'))
        .ok_or_else(|| "an event or a command without a type".to_owned())
}

fn millis(time: &str) -> Result<i64, Misfit> {
    DateTime::parse_from_rfc3339(time)
        .map(|time| time.timestamp_millis())
        .map_err(|error| format!("the time {time}: {error}"))
}

/// What counts something is far below 2^63.
pub(crate) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

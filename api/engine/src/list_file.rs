//! The file of the list: a row for each match, as it was at one feed position.

mod counted;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use derived::{Derived, FileError, Opened, Source, meta, open};
use flood::Flood;
use journal::{Journal, MatchId, Status, Visibility};
use kernel::AnyGame;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};

use crate::list_file::counted::{Counts, counts, counts_without};
use crate::listed::{Filter, MatchSummary};
use crate::live::lock;

/// Counts up when the layout changes.
const LAYOUT: u32 = 5;
/// How many connections for reading are kept.
const READERS: usize = 8;

/// How often it is opened while the store cannot say whether it is of it, and the pause between.
const TRIES: u32 = 60;
const AGAIN: Duration = Duration::from_secs(1);

/// The key of the last name that was forgotten.
const FORGOTTEN: &str = "forgotten";
const DAMAGED: &str = "a row is damaged";

/// A disk that does not read fails each request for the list.
static UNREAD: Flood = Flood::new();

const CREATE: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE counts (status INTEGER PRIMARY KEY, matches INTEGER NOT NULL);
CREATE TABLE matches (
    id BLOB PRIMARY KEY, game INTEGER NOT NULL, status INTEGER NOT NULL, public INTEGER NOT NULL, bots INTEGER NOT NULL, row BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX by_id ON matches (id) WHERE public = 1;
CREATE INDEX by_game ON matches (game, id) WHERE public = 1;
CREATE INDEX by_status ON matches (status, id) WHERE public = 1;
CREATE INDEX by_both ON matches (game, status, id) WHERE public = 1;
CREATE INDEX by_bots ON matches (bots) WHERE bots > 0;
CREATE TABLE names (
    name TEXT NOT NULL, public INTEGER NOT NULL, id BLOB NOT NULL, game INTEGER NOT NULL, status INTEGER NOT NULL, PRIMARY KEY (name, public, id)
) WITHOUT ROWID;
CREATE INDEX names_by_status ON names (name, public, status, id, game);
INSERT INTO counts VALUES (0, 0), (1, 0), (2, 0), (3, 0);
";

/// What is to be written of a match: as it is, or that it is not listed.
pub(crate) type Change = (MatchId, Option<Arc<MatchSummary>>);

/// Why nothing was read.
#[derive(Debug)]
pub(crate) struct Unread;

/// The file.
pub(crate) struct ListFile {
    file: Derived,
    layout: String,
    journal: Journal,
    /// Open for reading, each with the number of the file that it reads.
    readers: Mutex<Vec<(u64, Connection)>>,
    begun_anew: AtomicU64,
    /// Which of the files that were made one after the other the index knows: from another one nothing is read.
    known: AtomicU64,
    /// The last name that was forgotten at any server, and of which all know that is derived.
    pub(crate) forgotten: AtomicU64,
}

/// The file as it was found.
pub(crate) struct Found {
    pub(crate) position: u64,
    /// Where a bot may have to act, and whether people wait there.
    pub(crate) bots: Vec<(MatchId, bool)>,
    /// Why the file that was there has been thrown away, if it has.
    pub(crate) unfit: Option<String>,
}

impl ListFile {
    pub(crate) fn beside(folder: &Path, journal: Journal) -> Self {
        let games = journal.games().iter().map(|game| format!(".{}", game.info().id));
        let layout = format!("{LAYOUT}{}", games.collect::<String>());
        let file = Derived::new("list of matches", folder.join("list.sqlite"));
        let [begun_anew, known, forgotten] = [0; 3].map(AtomicU64::new);
        ListFile { file, layout, journal, readers: Mutex::default(), begun_anew, known, forgotten }
    }

    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// How often it was begun anew, though there was one.
    pub(crate) fn begun_anew(&self) -> u64 {
        self.begun_anew.load(Ordering::Relaxed)
    }

    /// Is it to be opened again although nothing has changed?
    pub(crate) fn is_suspect(&self) -> bool {
        self.file.is_suspect()
    }

    /// Nothing is read from the file until it was made anew.
    pub(crate) fn distrust(&self, why: &str) {
        self.file.begin_again(why);
    }

    fn open(&self) -> Result<(Opened<'_>, Option<String>), FileError> {
        let mark = |position| self.mark(position);
        let (opened, unfit) =
            self.file.open(&self.source(&mark), &|db| db.execute_batch(CREATE))?;
        // What is deleted is overwritten, for names are forgotten.
        let prepared = opened.db.execute_batch("PRAGMA secure_delete = ON");
        prepared.map_err(|error| self.file.failed(error))?;
        Ok((opened, unfit))
    }

    fn source<'a>(&'a self, mark: &'a dyn Fn(u64) -> Result<Option<String>, String>) -> Source<'a> {
        Source { layout: &self.layout, end: self.journal.position(), mark }
    }

    /// Tells the store up to this position from others.
    fn mark(&self, position: u64) -> Result<Option<String>, String> {
        let mark = self.journal.mark_of_derived(position).map_err(|error| error.to_string())?;
        Ok(mark.map(|hash| hash.hex()))
    }

    /// Compares the file with its checksums, or makes it anew, and says how far it goes. Where the store cannot say for the moment whether the
    /// file is of it, it is asked again; `wait` returns false when it is over.
    pub(crate) fn begin(&self, wait: &dyn Fn(Duration) -> bool) -> Result<Found, FileError> {
        let mut tries = 1;
        loop {
            match self.try_begin() {
                Err(FileError::Unread { .. }) if tries < TRIES && wait(AGAIN) => tries += 1,
                begun => return begun,
            }
        }
    }

    fn try_begin(&self) -> Result<Found, FileError> {
        let (opened, unfit) = self.open()?;
        self.take_over();
        let found = self.found(&opened, unfit).map_err(|error| self.file.failed(error));
        opened.close(&found);
        found
    }

    fn found(&self, opened: &Opened<'_>, unfit: Option<String>) -> rusqlite::Result<Found> {
        let mut select = opened.db.prepare("SELECT id, bots FROM matches WHERE bots > 0")?;
        let bots = select.query_map([], |row| Ok((id(row, 0)?, row.get::<_, i64>(1)? > 1)))?;
        let bots = bots.collect::<Result<_, _>>()?;
        let forgotten: Option<i64> = meta(&opened.db, FORGOTTEN)?;
        self.forgotten.store(forgotten.map_or(0, i64::unsigned_abs), Ordering::Release);
        Ok(Found { position: opened.position, bots, unfit })
    }

    /// Writes what has changed up to a feed position and up to the forgetting `forgotten`. `Err` without an error: the file had to be made anew,
    /// and nothing of it is there.
    pub(crate) fn write(
        &self,
        changes: &[Change],
        position: u64,
        forgotten: u64,
    ) -> Result<(), Option<FileError>> {
        let (mut opened, unfit) = self.open().map_err(Some)?;
        if self.file.state().anew != self.known() {
            opened.close(&Ok(()));
            self.told(&unfit.unwrap_or_else(|| "it was removed".to_owned()));
            return Err(None);
        }
        let position = position.max(opened.position);
        let mut write = || {
            opened.begin()?;
            let changed = self.change(&opened.db, changes, forgotten);
            changed.map_err(|error| self.file.failed(error))?;
            let mark = |position| self.mark(position);
            opened.commit(position, &self.source(&mark))
        };
        let written = write();
        opened.close(&written);
        written.map_err(Some)
    }

    /// Whoever reads opens the file again.
    pub(crate) fn close_readers(&self) {
        lock(&self.readers).clear();
    }

    /// Which of the files that were made one after the other the index knows.
    pub(crate) fn known(&self) -> u64 {
        self.known.load(Ordering::Acquire)
    }

    /// The index knows that the file was made anew, and may read it.
    pub(crate) fn take_over(&self) {
        self.known.store(self.file.state().anew, Ordering::Release);
    }

    /// Says in the log that the file is being made anew.
    pub(crate) fn told(&self, why: &str) {
        self.begun_anew.fetch_add(1, Ordering::Relaxed);
        tracing::warn!(file = %self.path().display(), why, "the list of matches is being made anew");
    }

    /// How many matches have each status, but for these. The caller holds `moving`: nothing is written meanwhile.
    pub(crate) fn counts_without(&self, ids: &[MatchId]) -> Result<Counts, Unread> {
        self.read(|db| counts_without(db, ids).map(Some))
    }

    fn change(&self, db: &Connection, changes: &[Change], forgotten: u64) -> rusqlite::Result<()> {
        let mut counts = counts(db)?;
        let mut known = db.prepare_cached("SELECT game, row FROM matches WHERE id = ?")?;
        let mut unlist = db.prepare_cached("DELETE FROM matches WHERE id = ?")?;
        let mut unname =
            db.prepare_cached("DELETE FROM names WHERE name = ? AND public IN (0, 1) AND id = ?")?;
        for (id, summary) in changes {
            let mut summary = summary.clone();
            let row =
                |row: &Row<'_>| Ok(self.summary(*id, row.get(0)?, row.get_ref(1)?.as_blob()?));
            let before = match known.query_row([id.as_bytes()], row).optional()? {
                Some(None) => {
                    self.file.begin_again(DAMAGED);
                    return Err(rusqlite::Error::InvalidQuery);
                }
                before => before.flatten(),
            };
            if let Some(before) = &before {
                if let Some(now) = summary.as_ref().filter(|now| now.commit < before.commit) {
                    if self.journal.aside().lasting(*id).is_none() {
                        continue;
                    }
                    // Its last commits are lost, as the file alone knows. It does not keep a name that was forgotten.
                    let seats = now.seats.clone();
                    summary = Some(Arc::new(MatchSummary { seats, ..before.clone() }));
                }
                counts[before.status as usize] -= 1;
                let is_now =
                    |name| summary.iter().any(|now| now.names().any(|known| known == name));
                for gone in before.names().filter(|name| !is_now(*name)) {
                    unname.execute(params![gone, id.as_bytes()])?;
                }
            }
            match &summary {
                Some(summary) => {
                    counts[summary.status as usize] += 1;
                    self.put(db, summary, before.as_ref())?;
                }
                None => drop(unlist.execute([id.as_bytes()])?),
            }
        }
        let mut count = db.prepare_cached("UPDATE counts SET matches = ? WHERE status = ?")?;
        for (status, matches) in Status::ALL.iter().zip(counts) {
            count.execute(params![i64::try_from(matches).unwrap_or(i64::MAX), *status as u8])?;
        }
        if forgotten > 0 {
            let forgotten = i64::try_from(forgotten).unwrap_or(i64::MAX);
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", params![FORGOTTEN, forgotten])?;
        }
        Ok(())
    }

    fn put(
        &self,
        db: &Connection,
        summary: &MatchSummary,
        before: Option<&MatchSummary>,
    ) -> rusqlite::Result<()> {
        let (key, row) = (summary.r#match.into_bytes(), summary.row());
        let same = |before: &MatchSummary| {
            before.status == summary.status && before.names().eq(summary.names())
        };
        if before.is_some_and(same) {
            // No index has to be touched.
            let mut update = db.prepare_cached("UPDATE matches SET row = ? WHERE id = ?")?;
            return update.execute(params![row, key]).map(drop);
        }
        let game = self.code(summary.game);
        let public = summary.visibility == Visibility::Public;
        let bots = summary.bots().map_or(0, |people| if people { 2 } else { 1 });
        let mut put =
            db.prepare_cached("INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?, ?)")?;
        put.execute(params![key, game, summary.status as u8, public, bots, row])?;
        let mut name = db.prepare_cached("INSERT OR REPLACE INTO names VALUES (?, ?, ?, ?, ?)")?;
        let status = summary.status as u8;
        summary
            .names()
            .try_for_each(|text| name.execute(params![text, public, key, game, status]).map(drop))
    }

    /// The number of a game in the file.
    fn code(&self, game: &str) -> Option<u8> {
        let games = (0..).zip(self.journal.games());
        games.into_iter().find(|(_, known)| known.info().id == game).map(|(code, _)| code)
    }

    fn summary(&self, id: MatchId, game: u8, row: &[u8]) -> Option<MatchSummary> {
        let game: &dyn AnyGame = *self.journal.games().get(usize::from(game))?;
        MatchSummary::of_row(id, game, row)
    }

    /// Calls `look` with a connection for reading. What cannot be read has the file made anew.
    fn read<T>(
        &self,
        look: impl FnOnce(&Connection) -> rusqlite::Result<Option<T>>,
    ) -> Result<T, Unread> {
        let anew = {
            let state = self.file.state();
            let other = state.anew != self.known();
            if state.damaged.is_some() || other || !self.path().exists() {
                return Err(Unread);
            }
            state.anew
        };
        let kept = lock(&self.readers).pop().filter(|(of, _)| *of == anew);
        let db = match kept {
            Some((_, db)) => db,
            None => open(self.path()).map_err(|error| self.unread(&error, anew))?,
        };
        let read = look(&db);
        match read {
            // It was replaced meanwhile.
            _ if self.file.state().anew != anew => Err(Unread),
            Ok(Some(read)) => {
                let mut readers = lock(&self.readers);
                if readers.len() < READERS {
                    readers.push((anew, db));
                }
                Ok(read)
            }
            Ok(None) => {
                self.file.state().found_damaged(&DAMAGED.to_owned(), anew);
                Err(Unread)
            }
            Err(error) => Err(self.unread(&error, anew)),
        }
    }

    fn unread(&self, error: &rusqlite::Error, anew: u64) -> Unread {
        match derived::Trouble::from_sqlite(error) {
            derived::Trouble::Damaged(why) => self.file.state().found_damaged(&why, anew),
            derived::Trouble::Unread(why) => {
                UNREAD.line(|more| tracing::warn!(%why, more, "the list cannot be read"));
            }
        }
        Unread
    }

    /// A match, if it has a row.
    pub(crate) fn get(&self, id: MatchId) -> Result<Option<MatchSummary>, Unread> {
        self.read(|db| {
            let mut select = db.prepare_cached("SELECT game, row FROM matches WHERE id = ?")?;
            let mut rows = select.query([id.as_bytes()])?;
            let Some(row) = rows.next()? else { return Ok(Some(None)) };
            Ok(self.summary(id, row.get(0)?, row.get_ref(1)?.as_blob()?).map(Some))
        })
    }

    /// The next matches after `after` in the order of their ids, at most `limit`: those of them that are open or running, and the last of
    /// them all, nothing at the end.
    pub(crate) fn page(
        &self,
        after: Option<MatchId>,
        limit: usize,
    ) -> Result<(Vec<MatchSummary>, Option<MatchId>), Unread> {
        const NEXT: &str =
            "SELECT id, status, game, row FROM matches WHERE id > ? ORDER BY id LIMIT ?";
        let after = after.unwrap_or(MatchId::nil());
        self.read(|db| {
            let mut select = db.prepare_cached(NEXT)?;
            let mut rows = select.query(params![after.as_bytes(), limit as i64])?;
            let (mut page, mut next) = (Vec::new(), None);
            while let Some(row) = rows.next()? {
                next = Some(id(row, 0)?);
                if ![Status::Open as u8, Status::Running as u8].contains(&row.get(1)?) {
                    continue;
                }
                let summary = self.summary(id(row, 0)?, row.get(2)?, row.get_ref(3)?.as_blob()?);
                let Some(summary) = summary else { return Ok(None) };
                page.push(summary);
            }
            Ok(Some((page, next)))
        })
    }

    /// The matches in which a player has this name, also those that are not listed.
    pub(crate) fn named(&self, name: &str) -> Result<Vec<MatchId>, Unread> {
        self.read(|db| {
            let mut select = db.prepare_cached("SELECT id FROM names WHERE name = ?")?;
            let found = select.query_map([name], |row| id(row, 0))?;
            found.collect::<Result<_, _>>().map(Some)
        })
    }

    /// Calls `take` with the matches that fit, the newest first, until it has enough.
    pub(crate) fn newest(
        &self,
        filter: &Filter,
        before: Option<MatchId>,
        take: &mut dyn FnMut(MatchSummary) -> bool,
    ) -> Result<(), Unread> {
        let Filter { game, status, player } = filter;
        let before = before.unwrap_or(MatchId::max());
        let before: &[u8] = before.as_bytes();
        let (game, status) = match game.as_deref().map(|game| self.code(game)) {
            Some(None) => return Ok(()),
            game => (game.flatten(), status.map(|status| status as u8)),
        };
        let mut wanted: Vec<&dyn ToSql> = vec![&before];
        let select = newest_of(player.is_some(), game.is_some(), status.is_some());
        wanted.extend(player.as_ref().map(|player| player as &dyn ToSql));
        wanted.extend(game.as_ref().map(|game| game as &dyn ToSql));
        wanted.extend(status.as_ref().map(|status| status as &dyn ToSql));
        self.read(|db| {
            let mut select = db.prepare_cached(&select)?;
            let mut rows = select.query(wanted.as_slice())?;
            while let Some(row) = rows.next()? {
                let summary = self.summary(id(row, 0)?, row.get(1)?, row.get_ref(2)?.as_blob()?);
                let Some(summary) = summary else { return Ok(None) };
                if !take(summary) {
                    break;
                }
            }
            Ok(Some(()))
        })
    }
}

/// What asks for the newest matches below an id: of a player, of a game and with a status, as far as these are given, in this order.
fn newest_of(player: bool, game: bool, status: bool) -> String {
    let of = if player { "names" } else { "matches" };
    let from = match (player, game, status) {
        (false, false, false) => "matches INDEXED BY by_id",
        (false, true, false) => "matches INDEXED BY by_game",
        (false, false, true) => "matches INDEXED BY by_status",
        (false, true, true) => "matches INDEXED BY by_both",
        // By name and id, as they lie there.
        (true, _, false) => "names CROSS JOIN matches ON matches.id = names.id",
        (true, _, true) => {
            "names INDEXED BY names_by_status CROSS JOIN matches ON matches.id = names.id"
        }
    };
    let mut select = format!(
        "SELECT matches.id, matches.game, row FROM {from} WHERE {of}.public = 1 AND {of}.id < ?"
    );
    let given = [(player, "name"), (game, "game"), (status, "status")];
    for (_, column) in given.iter().filter(|(is_given, _)| *is_given) {
        select.push_str(&format!(" AND {of}.{column} = ?"));
    }
    select + &format!(" ORDER BY {of}.id DESC")
}

fn id(row: &Row<'_>, column: usize) -> rusqlite::Result<MatchId> {
    let bytes: [u8; 16] = row.get(column)?;
    Ok(MatchId::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    /// Of a player with many matches that are over, one goes on: the oldest.
    #[test]
    fn the_running_matches_of_a_player_are_found_without_a_look_at_the_others() {
        let db = Connection::open_in_memory().expect("it opens");
        db.execute_batch(CREATE).expect("its tables are made");
        db.execute_batch("BEGIN").expect("a transaction");
        for nth in 0..5_000_u128 {
            let id = MatchId::from_u128(nth + 1).into_bytes();
            let status = if nth == 0 { Status::Running } else { Status::Finished };
            let put = "INSERT INTO matches VALUES (?, 0, ?, 1, 0, x'00')";
            db.execute(put, params![id, status as u8]).expect("a match");
            let put = "INSERT INTO names VALUES ('Ada', 1, ?, 0, ?)";
            db.execute(put, params![id, status as u8]).expect("a name");
        }
        for game in [false, true] {
            let mut select = db.prepare(&newest_of(true, game, true)).expect("it is SQL");
            let (most, code, running) = (MatchId::max().into_bytes(), 0_u8, Status::Running as u8);
            let mut wanted: Vec<&dyn ToSql> = vec![&most, &"Ada"];
            wanted.extend(game.then_some(&code as &dyn ToSql));
            wanted.push(&running);
            let found = select.query_map(wanted.as_slice(), |row| id(row, 0));
            let found = found.expect("it is asked");
            let found: Vec<MatchId> = found.collect::<Result<_, _>>().expect("they are read");
            assert_eq!(found, [MatchId::from_u128(1)]);
            let steps = select.get_status(StatementStatus::VmStep);
            assert!(steps < 100, "{steps} steps");
        }
    }
}

//! The engine itself: a store, the games, the matches in memory, and an index of all matches.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use journal::{
    Bytes32, DamageKind, Damaged, Folded, Journal, MatchId, Next, People, Record, Unread,
};
use kernel::AnyGame;
use store::{Beside, Home, Leases, OpenError, Trouble, WriteError};
use tracing::Instrument;

use crate::accounts::KeptAccounts;
use crate::answered::{Answered, Keyed, Keys};
use crate::clock::{believe, seconds_since};
use crate::error::Error;
use crate::follow::{Follower, Following};
use crate::forgettings::Forgettings;
use crate::index::Index;
use crate::keeper::Keeper;
use crate::kept::Kept;
use crate::live::{Head, Slot, Slots};
use crate::marks::Marks;
use crate::quotas::{Counted, Quotas};
use crate::refusals::{RefusalStats, Refusals};
use crate::tracks::Tracks;
use crate::waiting::Waiting;

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// How much memory matches may take, in bytes. The least recently used go first; those in use stay.
    pub matches_bytes: usize,
    /// The store's cache, in bytes.
    pub cache_bytes: u64,
    /// How long a bot waits before it acts.
    pub bot_pause: Duration,
    /// How many matches may go on at once.
    pub quotas: Quotas,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            matches_bytes: 128 << 20,
            cache_bytes: 64 << 20,
            bot_pause: Duration::from_millis(500),
            quotas: Quotas::default(),
        }
    }
}

/// A match server without HTTP. Share it by `Arc`.
pub struct Engine {
    /// Dropped first: it follows what others write.
    follower: Follower,
    /// Dropped next: it writes what has changed.
    keeper: Keeper,
    pub(crate) journal: Journal,
    pub(crate) slots: Arc<Slots>,
    pub(crate) index: Arc<Index>,
    pub(crate) keyed: Keyed,
    /// Where bots are to act.
    pub(crate) waiting: Arc<Waiting>,
    /// Which matches' bots and ends are this server's to see to.
    /// Taken when the first duty is looked for: who does none leaves them to others.
    leases: OnceLock<Leases>,
    pub(crate) keys: Keys,
    pub(crate) counted: Arc<Counted>,
    /// Each write that is under way holds it, too.
    writing: Arc<()>,
    pub(crate) refusals: Refusals,
    pub(crate) accounts: KeptAccounts,
    pub(crate) tracks: Kept<Tracks>,
    pub(crate) forgettings: Arc<Forgettings>,
    /// Dropped last: the folder of what is derived.
    pub(crate) beside: Beside,
}

impl Engine {
    /// Opens the store in `folder` and the list of its matches, which may not be complete yet where the store is large.
    ///
    /// # Errors
    /// If the store does not open. A match that is damaged is set aside.
    pub fn start(
        folder: &Path,
        games: &'static [&'static dyn AnyGame],
        config: &Config,
    ) -> Result<Self, OpenError> {
        Self::start_at(&folder.into(), folder, games, config)
    }

    /// The same wherever the store is. `derived` is the folder for what is made of it here, such as the list of matches: no other server
    /// may have it. For a store in a folder that is the same one.
    ///
    /// # Errors
    /// As [`start`](Engine::start).
    pub fn start_at(
        home: &Home,
        derived: &Path,
        games: &'static [&'static dyn AnyGame],
        config: &Config,
    ) -> Result<Self, OpenError> {
        let beside = home.beside(derived)?;
        let journal = Journal::open(home, games, config.cache_bytes)?;
        journal.store().notices().iter().for_each(|notice| tracing::warn!("{notice}"));
        let waiting = Arc::new(Waiting::new(config.bot_pause));
        let index = Arc::new(Index::new(derived, journal.clone(), Arc::clone(&waiting)));
        let slots = Arc::new(Slots::new(config.matches_bytes));
        let counted = Arc::new(Counted::new(config.quotas));
        let writing = Arc::new(());
        let forgettings = Arc::<Forgettings>::default();
        let following = Following {
            journal: journal.clone(),
            slots: Arc::clone(&slots),
            index: Arc::clone(&index),
            waiting: Arc::clone(&waiting),
            counted: Arc::clone(&counted),
            writing: Arc::downgrade(&writing),
            forgettings: Arc::clone(&forgettings),
        };
        let no_thread = |source| OpenError::Io {
            doing: "start the threads for",
            path: derived.to_owned(),
            source,
        };
        let engine = Engine {
            leases: OnceLock::new(),
            keeper: Keeper::start(&index).map_err(no_thread)?,
            follower: Follower::start(following).map_err(no_thread)?,
            index,
            journal,
            slots,
            writing,
            keyed: Keyed::new(),
            waiting,
            keys: Keys::default(),
            counted,
            refusals: Refusals::new(),
            accounts: KeptAccounts::new(games),
            tracks: Kept::default(),
            forgettings,
            beside,
        };
        engine.recount();
        believe();
        Ok(engine)
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.journal.games()
    }

    /// Which duties are this server's.
    pub(crate) fn leases(&self) -> &Leases {
        self.leases.get_or_init(|| self.journal.store().leases())
    }

    /// The game with this id.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn game(&self, id: &str) -> Result<&'static dyn AnyGame, Error> {
        self.games()
            .iter()
            .copied()
            .find(|game| game.info().id == id)
            .ok_or(Error::NotFound("game with this id"))
    }

    /// The match, if it is in memory and not known to be damaged.
    #[must_use]
    pub fn resident(&self, id: MatchId) -> Option<Arc<Slot>> {
        let slot = self.slots.get(id).filter(|slot| slot.is_whole());
        slot.filter(|_| self.journal.aside().lasting(id).is_none())
    }

    /// The match; folds its stream if it is not in memory, which blocks.
    ///
    /// # Errors
    /// [`Error::NotFound`], or [`Error::Damaged`]: then it is set aside.
    pub fn load(&self, id: MatchId) -> Result<Arc<Slot>, Error> {
        let known = self.journal.aside().of(id);
        if let Some(known) = known.clone().filter(Damaged::lasts) {
            return Err(Error::Damaged(Box::new(known)));
        }
        if let Some(slot) = self.resident(id).filter(|_| known.is_none()) {
            return Ok(slot);
        }
        let listed = if self.is_shared() { None } else { self.index.known(id) };
        let header = self.header(id, listed.is_some())?;
        let Read { created_at, folded, record, answered, marks } = self.fold_until(id, u64::MAX)?;
        let compared = self.index.compare(listed.as_deref(), folded.commit);
        self.whole(compared.map_err(Unread::Damaged))?;
        let forgettings = self.index.forgettings.load(Ordering::Acquire);
        let people = self.whole(self.journal.people(id, &header, &folded.table))?;
        let origin = self.whole(self.journal.origin(id))?;
        let updated_at = record.outline()?.recorded_at;
        let game = folded.state.game();
        let head = Head::new(folded, record, updated_at, Arc::new(people));
        let slot = Slot::new(id, game, header, created_at, head).with(origin, answered, marks);
        let kept = self.keep_slot(slot);
        // Perhaps with a name that was read before.
        let is_older = self.index.forgettings.load(Ordering::Acquire) != forgettings;
        if is_older && kept.is_err() {
            self.forgettings.put_due(id);
        }
        let (slot, is_own) = kept?;
        // What somebody else has read may be from before, and whoever read it may not have said so yet.
        if self.forgettings.take_due(id) || is_older || !is_own && !slot.is_whole() {
            self.name_again(&slot)?;
        }
        slot.whole();
        if let Some(known) = known {
            self.journal.aside().remove(known.place());
            self.index.put_known(&slot);
            self.waiting.call(&slot, None);
        }
        Ok(slot)
    }

    /// Resolves when this server shows everything that any server had acknowledged before: at once where it alone writes to the store.
    ///
    /// # Errors
    /// If the store cannot be asked.
    pub async fn up_to_date(&self) -> Result<(), Error> {
        if !self.journal.store().is_shared() {
            return Ok(());
        }
        let end = self.journal.store().latest().await?;
        self.index.wait_for(end).await;
        Ok(())
    }

    /// The matches in memory in which a player has this name.
    pub(crate) fn with_name(&self, name: &str) -> Vec<Arc<Slot>> {
        self.slots
            .of(&|slot| slot.head().people.names.iter().flatten().any(|known| known.name == name))
    }

    /// Writes a commit; returns the match at it, which nobody sees yet, and its feed position.
    pub(crate) async fn write(
        &self,
        id: MatchId,
        next: Next,
        chain: (Bytes32, Bytes32),
        people: Arc<People>,
        notes: Vec<(Vec<u8>, Vec<u8>)>,
    ) -> Result<(Arc<Head>, u64), WriteError> {
        let span = tracing::info_span!(target: "otel", "store.write");
        let _own = Arc::clone(&self.writing);
        let (record, position) =
            self.journal.write(id, &next, chain, notes).instrument(span).await?;
        let Next { after: folded, recorded_at: updated_at, .. } = next;
        Ok((Head::new(folded, record, updated_at, people), position))
    }

    /// Writes all commits with which a match is opened, together; returns the last one, and their places in the feed.
    pub(crate) async fn write_all(
        &self,
        id: MatchId,
        mut commits: Vec<Next>,
        seed: Bytes32,
        people: Arc<People>,
        header: Vec<u8>,
        notes: Vec<(Vec<u8>, Vec<u8>)>,
    ) -> Result<(Arc<Head>, Vec<u64>), WriteError> {
        let span = tracing::info_span!(target: "otel", "store.write");
        let _own = Arc::clone(&self.writing);
        let (record, positions) =
            self.journal.write_all(id, &commits, seed, header, notes).instrument(span).await?;
        let last = commits.pop().expect("a match has a commit");
        let Next { after: folded, recorded_at: updated_at, .. } = last;
        Ok((Head::new(folded, record, updated_at, people), positions))
    }

    /// The match after the commit that leads to a version, or after its last one.
    pub(crate) fn fold_until(&self, id: MatchId, version: u64) -> Result<Read, Error> {
        self.slots.missed();
        let (mut answered, mut marks) = (Answered::default(), Marks::default());
        let mut created_at = String::new();
        let mut folded: Option<Folded> = None;
        let mut last = None;
        let is_there =
            |folded: &Option<Folded>| folded.as_ref().is_some_and(|at| at.version >= version);
        while !is_there(&folded) {
            let after = folded.as_ref().map_or(0, |folded| folded.commit);
            let page = self.records(id, after, 64)?;
            if page.is_empty() {
                break;
            }
            for (record, number) in page.into_iter().zip(after + 1..) {
                let before = folded.as_ref().map_or(0, |folded| folded.version);
                let next = record.body().and_then(|body| {
                    if number == 1 {
                        created_at.clone_from(&body.recorded_at);
                    }
                    if let Some(tag) = record.tag() {
                        answered.put(tag, number, &body.recorded_at);
                    }
                    Folded::advance(folded.take(), self.games(), &body, usize::MAX)
                });
                let next = next.map_err(|error| {
                    let damaged = Damaged::of_match(id, DamageKind::Differs, error.to_string());
                    self.spoilt(damaged.commit(number))
                })?;
                marks.grow(before, &next);
                folded = Some(next);
                last = Some(record);
                if is_there(&folded) {
                    break;
                }
            }
        }
        let none = || Damaged::of_match(id, DamageKind::Corrupt, "it has no commit");
        let (folded, record) = folded.zip(last).ok_or_else(|| self.spoilt(none()))?;
        Ok(Read { created_at, folded, record, answered, marks })
    }

    /// The records of commits `after + 1` and later, at most `limit`.
    ///
    /// # Errors
    /// [`Error::Damaged`] if one cannot be read, or is of another form; [`Error::Read`] if the disk failed for a moment.
    pub(crate) fn records(
        &self,
        id: MatchId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Record>, Error> {
        let commits = self.whole(self.journal.commits(id, after, limit))?;
        Ok(commits.into_iter().map(|(_, record)| record).collect())
    }

    /// What was read. What is damaged is set aside; the error says so.
    pub(crate) fn whole<T>(&self, read: Result<T, Unread>) -> Result<T, Error> {
        read.map_err(|unread| match unread {
            Unread::Disk(error) => Error::Read(error),
            Unread::Damaged(damaged) => self.spoilt(damaged),
        })
    }

    fn spoilt(&self, damaged: Damaged) -> Error {
        self.journal.aside().put(&damaged);
        Error::Damaged(Box::new(damaged))
    }

    /// The rules of a game that commands have broken since the engine started.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such game.
    pub fn refusals(&self, game: &str) -> Result<RefusalStats, Error> {
        Ok(self.refusals.of(self.game(game)?.info().id))
    }

    /// Whether other servers write to the store as well, so that what is asked of it goes over a network.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.journal.store().is_shared()
    }

    /// In which match is this token good? For telling a foreign token from one that was never given.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn match_of_token(&self, token: Bytes32) -> Result<Option<MatchId>, Error> {
        let note = self.journal.store().note(&token_key(token))?;
        Ok(note.and_then(|id| MatchId::from_slice(&id).ok()))
    }

    /// Its store as matches, for reading in bulk.
    #[must_use]
    pub fn journal(&self) -> Journal {
        self.journal.clone()
    }

    /// Is the store well? Once a write failed at the disk, it takes no more, and may not find everything, until a restart.
    #[must_use]
    pub fn healthy(&self) -> bool {
        self.journal.store().healthy()
    }

    /// Why the store takes no writes now, if it takes none.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        self.journal.store().trouble()
    }

    /// The same as far as it is known without a look at the disk.
    #[must_use]
    pub fn known_trouble(&self) -> Option<Trouble> {
        self.journal.store().known_trouble()
    }

    /// Changes whenever writes begin to be refused for what [`Engine::trouble`] finds at the disk, or are taken again.
    #[must_use]
    pub fn verdict(&self) -> u64 {
        self.journal.store().verdict()
    }

    /// Which threads of the engine have ended. As long as it is there, they do so by a panic alone.
    #[must_use]
    pub fn lost_threads(&self) -> Vec<&'static str> {
        let threads = [("follower", self.follower.has_ended()), ("list", self.keeper.has_ended())];
        threads.into_iter().filter(|(_, has_ended)| *has_ended).map(|(name, _)| name).collect()
    }

    /// Why the database has another store than the one that was opened, if it has: then this engine is to end.
    #[must_use]
    pub fn replaced(&self) -> Option<String> {
        self.journal.store().replaced()
    }

    /// The feed position of the last durable commit.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.journal.store().position()
    }

    /// Is every match in the list? In a large store it may be on its way after the start.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.index.is_complete()
    }

    /// The file of the list of matches.
    #[must_use]
    pub fn list_file(&self) -> PathBuf {
        self.index.file.path().to_owned()
    }

    /// Writes what has changed into the file of the list, for the end of the program.
    pub fn save_list(&self) {
        self.index.finish();
    }

    /// How often the file of the list was damaged or of another store, and begun anew.
    #[must_use]
    pub fn lists_begun_anew(&self) -> u64 {
        self.index.file.begun_anew()
    }

    /// The feed position up to which the list of matches is complete.
    #[must_use]
    pub fn list_position(&self) -> u64 {
        self.index.position()
    }

    /// How many seconds ago the commit after this feed position was recorded; 0 if there is none, or it cannot be read.
    #[must_use]
    pub fn age_after(&self, position: u64) -> u64 {
        let commits = self.journal.store().feed(position, 1).unwrap_or_default();
        let record = commits.first().and_then(|commit| Record::read(&commit.bytes).ok());
        let outline = record.and_then(|record| record.outline().ok());
        outline.map_or(0, |outline| seconds_since(&outline.recorded_at))
    }
}

/// A match that was read from the store.
pub(crate) struct Read {
    /// When it was opened.
    created_at: String,
    pub(crate) folded: Folded,
    /// Its last commit.
    record: Record,
    /// What was answered under keys.
    answered: Answered,
    marks: Marks,
}

pub(crate) fn token_key(token: Bytes32) -> Vec<u8> {
    journal::token_key(Bytes32::hash(&[&token.0]))
}

//! Matches in memory: bounded in bytes, least recently used go.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use journal::{Bytes32, Folded, Header, MatchId, Origin, People, Record, Status, Tag, Visibility};
use kernel::{AnyGame, Viewer};
use lru::LruCache;
use serde_json::value::RawValue;
use tokio::sync::watch;

use crate::answered::Answered;
use crate::caller::Caller;
use crate::error::Error;
use crate::marks::Marks;
use crate::recent::{Recent, Told};

/// A match at its last durable commit.
pub(crate) struct Head {
    pub(crate) folded: Folded,
    pub(crate) record: Arc<Record>,
    pub(crate) updated_at: String,
    pub(crate) people: Arc<People>,
    /// The last commit, for streams.
    pub(crate) told: Arc<Told>,
}

impl Head {
    pub(crate) fn new(
        folded: Folded,
        record: Record,
        updated_at: String,
        people: Arc<People>,
    ) -> Arc<Self> {
        let record = Arc::new(record);
        let told = Arc::new(Told::new(folded.commit, Arc::clone(&record)));
        Arc::new(Head { folded, record, updated_at, people, told })
    }

    pub(crate) fn finished(&self) -> bool {
        self.folded.finished()
    }

    /// The same with other people.
    pub(crate) fn with(&self, people: Arc<People>) -> Arc<Self> {
        let Head { folded, record, updated_at, people: _, told } = self;
        let (folded, record, told) = (folded.clone(), Arc::clone(record), Arc::clone(told));
        Arc::new(Head { folded, record, updated_at: updated_at.clone(), people, told })
    }

    /// The version that `at` means (the latest for `None`), if the match has it.
    pub(crate) fn known_version(&self, at: Option<u64>) -> Result<u64, Error> {
        let current = self.folded.version;
        let at = at.unwrap_or(current);
        if (1..=current).contains(&at) {
            return Ok(at);
        }
        let detail = format!("there is no version {at}: versions are 1 to {current}");
        Err(Error::VersionUnknown { detail, current })
    }
}

/// A match in memory. There is never more than one for the same match.
pub struct Slot {
    pub(crate) id: MatchId,
    pub(crate) game: &'static dyn AnyGame,
    /// Held from the decision to the durable commit: commands of one match come one after the other.
    pub(crate) gate: tokio::sync::Mutex<()>,
    header: Header,
    /// Where it comes from, if it was imported.
    pub(crate) origin: Option<Origin>,
    /// When it was opened.
    pub(crate) created_at: String,
    /// All its options, made when they are first asked for.
    options: OnceLock<Box<RawValue>>,
    head: RwLock<Arc<Head>>,
    /// Made when the first one watches.
    version: OnceLock<watch::Sender<u64>>,
    /// The latest commits, while somebody watches.
    recent: Mutex<Recent>,
    marks: Mutex<Marks>,
    answered: Mutex<Answered>,
    /// Whether it shows what others had written before it was there. What comes after reaches it.
    is_whole: AtomicBool,
}

impl Slot {
    pub(crate) fn new(
        id: MatchId,
        game: &'static dyn AnyGame,
        header: Header,
        created_at: String,
        head: Arc<Head>,
    ) -> Self {
        Slot {
            id,
            game,
            gate: tokio::sync::Mutex::new(()),
            version: OnceLock::new(),
            header,
            origin: None,
            created_at,
            options: OnceLock::new(),
            head: RwLock::new(head),
            recent: Mutex::default(),
            marks: Mutex::default(),
            answered: Mutex::default(),
            is_whole: AtomicBool::new(false),
        }
    }

    /// The same, with where it was imported from, what was answered under idempotency keys before, and positions of its past.
    pub(crate) fn with(self, origin: Option<Origin>, answered: Answered, marks: Marks) -> Self {
        Slot { origin, answered: Mutex::new(answered), marks: Mutex::new(marks), ..self }
    }

    /// The tag with this key, and its commit.
    pub(crate) fn answered(&self, key: [u8; 10]) -> Option<(Tag, u64)> {
        lock(&self.answered).get(key)
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole.load(Ordering::Acquire)
    }

    /// It shows all that others had written.
    pub(crate) fn whole(&self) {
        self.is_whole.store(true, Ordering::Release);
    }

    /// It is to be read anew.
    pub(crate) fn not_whole(&self) {
        self.is_whole.store(false, Ordering::Release);
    }

    /// The id of the match.
    #[must_use]
    pub fn id(&self) -> MatchId {
        self.id
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// The version after the last durable commit.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.head().folded.version
    }

    /// The number of the last durable commit.
    #[must_use]
    pub fn commit(&self) -> u64 {
        self.head().folded.commit
    }

    /// The version and the status, of one moment.
    #[must_use]
    pub fn standing(&self) -> (u64, Status) {
        let head = self.head();
        (head.folded.version, head.folded.status())
    }

    /// The status of the match.
    #[must_use]
    pub fn status(&self) -> Status {
        self.head().folded.status()
    }

    /// Tells of each new version. Who looks at the match after this misses nothing.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.version.get_or_init(|| watch::Sender::new(self.version())).subscribe()
    }

    /// Who holds this token in this match?
    #[must_use]
    pub fn caller(&self, token: Bytes32) -> Option<Caller> {
        Caller::of(&self.header, &self.head().people, token)
    }

    /// All options, with defaults filled in, and what the setup drew.
    pub(crate) fn options(&self) -> &RawValue {
        self.options.get_or_init(|| self.head().folded.state.options())
    }

    /// The secret that all chance follows from.
    pub(crate) fn seed(&self) -> Bytes32 {
        self.header.seed
    }

    /// What the store keeps beside its commits: for everybody to see only when the match is finished.
    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    pub(crate) fn head(&self) -> Arc<Head> {
        Arc::clone(&self.head.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Shows the next commit, which is durable now, unless it is shown already.
    pub(crate) fn advance(&self, next: Arc<Head>, tag: Option<Tag>) {
        let mut head = self.head.write().unwrap_or_else(PoisonError::into_inner);
        if next.folded.commit <= head.folded.commit {
            return;
        }
        if let Some(tag) = tag {
            lock(&self.answered).put(tag, next.folded.commit, &next.updated_at);
        }
        let version = next.folded.version;
        lock(&self.marks).grow(head.folded.version, &next.folded);
        let people = head.people_of(&next);
        let watched = self.version.get();
        if watched.is_some_and(|watched| watched.receiver_count() > 0) {
            lock(&self.recent).put(Arc::clone(&next.told));
        } else if watched.is_some() {
            lock(&self.recent).clear();
        }
        *head = if Arc::ptr_eq(&people, &next.people) { next } else { next.with(people) };
        drop(head);
        let Some(watched) = watched else { return };
        watched.send_if_modified(|known| {
            let is_later = version > *known;
            *known = version.max(*known);
            is_later
        });
    }

    /// From now on its players are shown as `change` leaves them.
    pub(crate) fn rename(&self, change: impl FnOnce(&mut People)) {
        let mut head = self.head.write().unwrap_or_else(PoisonError::into_inner);
        let mut people = People::clone(&head.people);
        change(&mut people);
        *head = head.with(Arc::new(people));
    }

    /// The kept position that is nearest to `version`, not after it.
    pub(crate) fn nearest(&self, version: u64) -> Option<Folded> {
        lock(&self.marks).nearest(version)
    }

    /// The commits after commit `after`, as far as they are in memory; none if one of them is not.
    pub(crate) fn recent(&self, after: u64) -> Vec<Arc<Told>> {
        let head = self.head();
        if head.folded.commit == after + 1 {
            return vec![Arc::clone(&head.told)];
        }
        lock(&self.recent).after(after)
    }

    /// How much memory it takes, in bytes, and rather more.
    fn bytes(&self) -> usize {
        let head = self.head();
        let positions = head.folded.bytes() + lock(&self.marks).bytes();
        let commits = head.record.bytes().len() + lock(&self.recent).bytes();
        SLOT + positions + commits + lock(&self.answered).bytes()
    }

    /// Keeps a position at the end of a commit that somebody looked at.
    pub(crate) fn keep(&self, folded: &Folded) {
        let length = self.version();
        lock(&self.marks).keep(folded, length);
    }

    /// Keeps a position that was passed on the way from version `before` to a later one, if it is far enough from the others.
    pub(crate) fn pass(&self, before: u64, folded: &Folded) {
        let length = self.version();
        lock(&self.marks).pass(before, folded, length);
    }
}

/// What a match takes beside its positions, its last commit and its keys: names, seats, locks.
const SLOT: usize = 4 << 10;

/// The matches in memory.
pub(crate) struct Slots {
    cache: Mutex<Cache>,
    hits: AtomicU64,
    misses: AtomicU64,
    /// How much memory they may take, in bytes.
    most: usize,
}

/// The matches, each with its bytes, and their sum.
struct Cache {
    slots: LruCache<MatchId, (Arc<Slot>, usize)>,
    bytes: usize,
}

impl Cache {
    /// Lets those go that nobody looked at for the longest, and nobody uses: whoever waits for a match or watches it keeps it there.
    fn make_room(&mut self, most: usize) {
        /// A few of those in use are passed each time.
        const TRIES: usize = 16;
        for _ in 0..TRIES {
            if self.bytes <= most || self.slots.len() <= 1 {
                return;
            }
            let Some((id, (slot, bytes))) = self.slots.pop_lru() else {
                return;
            };
            self.bytes -= bytes;
            if Arc::strong_count(&slot) > 1 {
                lock(&slot.marks).clear();
                lock(&slot.recent).clear();
                let bytes = slot.bytes();
                self.bytes += bytes;
                self.slots.put(id, (slot, bytes));
            }
        }
    }
}

impl Slots {
    pub(crate) fn new(most: usize) -> Self {
        Slots {
            cache: Mutex::new(Cache { slots: LruCache::unbounded(), bytes: 0 }),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            most,
        }
    }

    pub(crate) fn get(&self, id: MatchId) -> Option<Arc<Slot>> {
        let found = lock(&self.cache).slots.get(&id).map(|(slot, _)| Arc::clone(slot));
        if found.is_some() {
            self.hits.fetch_add(1, Ordering::Relaxed);
        }
        found
    }

    /// The same for whoever does not use it.
    pub(crate) fn peek(&self, id: MatchId) -> Option<Arc<Slot>> {
        lock(&self.cache).slots.peek(&id).map(|(slot, _)| Arc::clone(slot))
    }

    /// A match is folded from the store, since it was not there.
    pub(crate) fn missed(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
    }

    /// How often a match was there, and how often not.
    pub(crate) fn hits(&self) -> (u64, u64) {
        (self.hits.load(Ordering::Relaxed), self.misses.load(Ordering::Relaxed))
    }

    /// Takes a slot that was loaded, or returns the one that somebody else loaded meanwhile.
    pub(crate) fn insert(&self, slot: Slot) -> Arc<Slot> {
        let bytes = slot.bytes();
        let mut cache = lock(&self.cache);
        if let Some((slot, _)) = cache.slots.get(&slot.id) {
            return Arc::clone(slot);
        }
        let slot = Arc::new(slot);
        cache.slots.put(slot.id, (Arc::clone(&slot), bytes));
        cache.bytes += bytes;
        cache.make_room(self.most);
        slot
    }

    /// The matches that fit.
    pub(crate) fn of(&self, fits: &dyn Fn(&Slot) -> bool) -> Vec<Arc<Slot>> {
        let cache = lock(&self.cache);
        let slots = cache.slots.iter().map(|(_, (slot, _))| slot);
        slots.filter(|slot| fits(slot)).map(Arc::clone).collect()
    }

    /// A match has changed, and takes more memory or less.
    pub(crate) fn settle(&self, slot: &Slot) {
        let bytes = slot.bytes();
        let mut cache = lock(&self.cache);
        if let Some((_, known)) = cache.slots.peek_mut(&slot.id) {
            let before = std::mem::replace(known, bytes);
            cache.bytes = cache.bytes - before + bytes;
        }
        cache.make_room(self.most);
    }

    /// A match has one commit more. Most take about as much memory as before, so it is counted again at every sixteenth.
    pub(crate) fn grown(&self, slot: &Slot) {
        if slot.commit().is_multiple_of(16) {
            self.settle(slot);
        }
    }

    /// How many matches there are, and how much memory they take.
    pub(crate) fn len(&self) -> (usize, usize) {
        let cache = lock(&self.cache);
        (cache.slots.len(), cache.bytes)
    }
}

/// A lock whose holder panicked is taken all the same: what it guards is replaced in one step.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slot {
    /// As whom may the caller look? Private matches need a token for every read.
    ///
    /// # Errors
    /// [`Error::TokenRequired`] for a stranger in a private match.
    pub fn may_read(&self, caller: Caller) -> Result<(), Error> {
        let private = self.head().folded.table.opened.visibility == Visibility::Private;
        if private && caller == Caller::Stranger {
            return Err(Error::TokenRequired(
                "this match is private, so every read needs one of its tokens",
            ));
        }
        Ok(())
    }

    /// The viewer that the caller is: the one `asked` for, otherwise the caller itself.
    ///
    /// # Errors
    /// If that viewer's part is hidden from the caller.
    pub fn viewer(&self, caller: Caller, asked: Option<Viewer>) -> Result<Viewer, Error> {
        Ok(self.log_viewer(caller, asked)?.unwrap_or(caller.viewer()))
    }

    /// As whom does the caller look at logs? `None`: in full, which a finished match is for everybody who asks for no viewer.
    pub(crate) fn log_viewer(
        &self,
        caller: Caller,
        asked: Option<Viewer>,
    ) -> Result<Option<Viewer>, Error> {
        self.may_read(caller)?;
        if let Some(Viewer::Seat(seat)) = asked
            && seat.index() >= self.head().folded.table.seats.len()
        {
            return Err(Error::malformed(format!("there is no seat {seat}"), "viewer"));
        }
        match (self.head().finished(), asked) {
            (true, asked) => Ok(asked),
            (false, None) => Ok(Some(caller.viewer())),
            (false, Some(asked)) if asked == caller.viewer() || asked == Viewer::Spectator => {
                Ok(Some(asked))
            }
            (false, Some(_)) if caller == Caller::Stranger => Err(Error::TokenRequired(
                "until the match is finished, another seat's view needs the token of that seat",
            )),
            (false, Some(_)) => {
                Err(Error::Hidden("another seat's view is hidden until the match is finished"))
            }
        }
    }
}

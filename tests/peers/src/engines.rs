//! Stores that keep records durably: each used in the way that its documentation recommends for that.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::iter;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use fjall::{KeyspaceCreateOptions, PersistMode};
use redb::{ReadableDatabase, TableDefinition};
use rusqlite::{Connection, OptionalExtension};
use store::{Commit, Store, StreamId};

/// A stream's id, and a number in it.
pub(crate) type Key = [u8; 24];

/// What each of them may keep in memory, in bytes.
const CACHE: u64 = 64 << 20;

/// A store of records that never change.
pub(crate) trait Engine: Send + Sync {
    /// Stores these records, all or nothing; they are on disk when this returns.
    fn write(&self, records: &[(Key, &[u8])]);

    /// A record that was stored.
    fn read(&self, key: &Key) -> Option<Vec<u8>>;

    /// Whether it makes one sync of the writes of many threads by itself.
    fn groups(&self) -> bool {
        false
    }
}

/// Opens or creates one of them by name.
pub(crate) fn open(name: &str, folder: &Path) -> Box<dyn Engine> {
    match name {
        "file" => Box::new(Plain::open(folder)),
        "sled" => Box::new(Sled::open(folder)),
        "fjall" => Box::new(Fjall::open(folder)),
        "redb" => Box::new(Redb::open(folder)),
        "sqlite" => Box::new(Sqlite::open(folder)),
        "muninn" => Box::new(Muninn(
            Store::open(folder, store::Config::default()).expect("an unused folder"),
        )),
        _ => panic!("no such engine: {name}"),
    }
}

/// A file that is filled with zeros ahead, so that a sync has only data to save: what the disk can do.
struct Plain {
    log: Mutex<Log>,
    /// What was there when it was opened.
    found: BTreeMap<Key, Vec<u8>>,
}

struct Log {
    file: File,
    /// Where the next record goes.
    at: u64,
    /// How far the file is filled.
    filled: u64,
}

/// How far ahead a file is filled, in bytes.
const AHEAD: usize = 16 << 20;

impl Plain {
    fn open(folder: &Path) -> Self {
        let options =
            OpenOptions::new().create(true).truncate(false).read(true).write(true).clone();
        let mut file = options.open(folder.join("log")).expect("a file can be made");
        let (mut bytes, mut found) = (Vec::new(), BTreeMap::new());
        file.read_to_end(&mut bytes).expect("the file can be read");
        let mut rest = bytes.as_slice();
        while let Some((head, after)) = rest.split_at_checked(size_of::<Key>() + size_of::<u32>()) {
            let (key, length) = head.split_at(size_of::<Key>());
            let length = u32::from_be_bytes(length.try_into().expect("four bytes"));
            if length == 0 {
                break;
            }
            let (record, after) = after.split_at(length as usize);
            found.insert(key.try_into().expect("a key"), record.to_vec());
            rest = after;
        }
        let (at, filled) = ((bytes.len() - rest.len()) as u64, bytes.len() as u64);
        Plain { log: Mutex::new(Log { file, at, filled }), found }
    }
}

impl Engine for Plain {
    fn write(&self, records: &[(Key, &[u8])]) {
        let mut bytes = Vec::new();
        for (key, record) in records {
            bytes.extend_from_slice(key);
            bytes.extend_from_slice(&(record.len() as u32).to_be_bytes());
            bytes.extend_from_slice(record);
        }
        let Log { file, at, filled } = &mut *self.log.lock().expect("no writer panics");
        let end = *at + bytes.len() as u64;
        if end > *filled {
            file.write_all_at(&vec![0; AHEAD], *filled).expect("the disk has space");
            *filled += AHEAD as u64;
        }
        file.write_all_at(&bytes, *at).expect("the disk has space");
        file.sync_data().expect("the disk syncs");
        *at = end;
    }

    fn read(&self, key: &Key) -> Option<Vec<u8>> {
        self.found.get(key).cloned()
    }
}

/// sled as Muninn's store has it: one batch, then a sync of its file, since its flush alone is none.
struct Sled {
    db: sled::Db,
    file: File,
}

impl Sled {
    fn open(folder: &Path) -> Self {
        let config =
            sled::Config::new().path(folder).cache_capacity(CACHE).flush_every_ms(Some(25));
        // Threads of one that was closed a moment ago may still hold its lock.
        let db = iter::repeat_with(|| config.open()).take(200).find_map(|tried| {
            let why = |_| thread::sleep(Duration::from_millis(50));
            tried.map_err(why).ok()
        });
        let db = db.expect("an unused folder");
        let file = OpenOptions::new().write(true).open(folder.join("db"));
        Sled { db, file: file.expect("sled's file") }
    }
}

impl Engine for Sled {
    fn write(&self, records: &[(Key, &[u8])]) {
        let mut batch = sled::Batch::default();
        for (key, record) in records {
            batch.insert(key, *record);
        }
        self.db.apply_batch(batch).expect("sled applies");
        self.db.flush().expect("sled flushes");
        self.file.sync_data().expect("the disk syncs");
    }

    fn read(&self, key: &Key) -> Option<Vec<u8>> {
        self.db.get(key).expect("sled reads").map(|record| record.to_vec())
    }
}

/// fjall: one batch, persisted by `fdatasync`.
struct Fjall {
    db: fjall::Database,
    commits: fjall::Keyspace,
}

impl Fjall {
    fn open(folder: &Path) -> Self {
        let db = fjall::Database::builder(folder).cache_size(CACHE).open();
        let db = db.expect("an unused folder");
        let commits = db.keyspace("commits", KeyspaceCreateOptions::default);
        Fjall { commits: commits.expect("a keyspace"), db }
    }
}

impl Engine for Fjall {
    fn write(&self, records: &[(Key, &[u8])]) {
        let mut batch = self.db.batch().durability(Some(PersistMode::SyncData));
        for (key, record) in records {
            batch.insert(&self.commits, key.as_slice(), *record);
        }
        batch.commit().expect("fjall commits");
    }

    fn read(&self, key: &Key) -> Option<Vec<u8>> {
        self.commits.get(key).expect("fjall reads").map(|record| record.to_vec())
    }
}

/// redb: one transaction, durable at once, as it is by default.
struct Redb(redb::Database);

const COMMITS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("commits");

impl Redb {
    fn open(folder: &Path) -> Self {
        let file = folder.join("commits.redb");
        let cache = usize::try_from(CACHE).expect("64 bits");
        let db = redb::Database::builder().set_cache_size(cache).create(file);
        Redb(db.expect("an unused folder"))
    }
}

impl Engine for Redb {
    fn write(&self, records: &[(Key, &[u8])]) {
        let transaction = self.0.begin_write().expect("redb begins");
        {
            let mut commits = transaction.open_table(COMMITS).expect("a table");
            for (key, record) in records {
                commits.insert(key.as_slice(), *record).expect("redb inserts");
            }
        }
        transaction.commit().expect("redb commits");
    }

    fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let transaction = self.0.begin_read().expect("redb begins");
        let commits = transaction.open_table(COMMITS).expect("a table");
        let record = commits.get(key.as_slice()).expect("redb reads");
        record.map(|record| record.value().to_vec())
    }
}

/// SQLite in WAL mode with `synchronous=FULL`: one transaction.
struct Sqlite(Mutex<Connection>);

impl Sqlite {
    fn open(folder: &Path) -> Self {
        let db = Connection::open(folder.join("commits.sqlite")).expect("an unused folder");
        db.execute_batch(&format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -{};
             CREATE TABLE IF NOT EXISTS commits (key BLOB PRIMARY KEY, record BLOB) WITHOUT ROWID;",
            CACHE >> 10
        ))
        .expect("SQLite does as it is told");
        Sqlite(Mutex::new(db))
    }
}

impl Engine for Sqlite {
    fn write(&self, records: &[(Key, &[u8])]) {
        let mut db = self.0.lock().expect("no writer panics");
        let transaction = db.transaction().expect("SQLite begins");
        {
            let insert = transaction.prepare_cached("INSERT INTO commits VALUES (?, ?)");
            let mut insert = insert.expect("SQLite understands");
            for (key, record) in records {
                insert.execute((key.as_slice(), record)).expect("SQLite inserts");
            }
        }
        transaction.commit().expect("SQLite commits");
    }

    fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let db = self.0.lock().expect("no writer panics");
        let mut select =
            db.prepare_cached("SELECT record FROM commits WHERE key = ?").expect("it understands");
        select.query_row([key.as_slice()], |row| row.get(0)).optional().expect("SQLite reads")
    }
}

/// Muninn's own store, which numbers, checks, packs and lists commits besides.
struct Muninn(Store);

fn place(key: &Key) -> (StreamId, u64) {
    let (stream, number) = key.split_at(16);
    let number = u64::from_be_bytes(number.try_into().expect("eight bytes"));
    (StreamId(stream.try_into().expect("sixteen bytes")), number)
}

impl Engine for Muninn {
    fn write(&self, records: &[(Key, &[u8])]) {
        let tickets: Vec<_> = records
            .iter()
            .map(|(key, record)| {
                let (stream, number) = place(key);
                let commit = Commit { stream, number, bytes: record.to_vec(), header: None };
                self.0.submit(store::Write { commit: Some(commit), notes: Vec::new() })
            })
            .collect();
        for ticket in tickets {
            ticket.wait().expect("a healthy disk");
        }
    }

    fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let (stream, number) = place(key);
        let found = self.0.commits(stream, number - 1, 1).expect("the store reads");
        found.first().map(|stored| stored.bytes.to_vec())
    }

    fn groups(&self) -> bool {
        true
    }
}

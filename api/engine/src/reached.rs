//! How far the index has come in the feed, and what it takes from the commits of other servers.

use std::sync::atomic::Ordering;

use journal::{DamageKind, Damaged, End, PlatformEvent, Record, Status, match_id};
use kernel::StreamError;
use store::Stored;

use crate::entries::Entries;
use crate::index::Index;
use crate::listed::MatchSummary;

impl Index {
    /// Every commit up to this feed position has been taken in.
    pub(crate) fn reached(&self) -> u64 {
        *self.through.borrow()
    }

    /// Resolves when every commit up to this feed position has been taken in.
    pub(crate) async fn wait_for(&self, position: u64) {
        let mut through = self.through.subscribe();
        // The sender lives as long as the index.
        drop(through.wait_for(|through| *through >= position).await);
    }

    /// Whoever is told so takes in the commit at this feed position, and then says that it is [reached](Index::reach). Where nobody else
    /// writes, that is whoever wrote it.
    pub(crate) fn claim(&self, position: u64) -> bool {
        !self.journal.store().is_shared() || self.write(|entries| entries.claim(position))
    }

    /// The next feed positions between `at` and `end` that nobody has claimed, the first and how many there are in a row, at most `most`.
    pub(crate) fn unclaimed(&self, at: u64, end: u64, most: usize) -> Option<(u64, usize)> {
        self.read(|entries| {
            let is_free = |position: &u64| !entries.is_claimed(*position);
            let first = (at.max(entries.through) + 1..=end).find(is_free)?;
            Some((first, (first..=end).take(most).take_while(is_free).count()))
        })
    }

    /// The commit at this feed position was taken in.
    pub(crate) fn reach(&self, position: u64) {
        self.write(|entries| entries.reached(position));
        self.tell_reached();
    }

    /// Tells those who wait for the commits of other servers how far it goes.
    pub(crate) fn tell_reached(&self) {
        if self.journal.store().is_shared() {
            let through = self.read(|entries| entries.through);
            let later = |known: &mut u64| {
                let is_later = through > *known;
                *known = through.max(*known);
                is_later
            };
            self.through.send_if_modified(later);
        }
    }

    /// Brings the index up to date with a commit of a match that is not in memory.
    pub(crate) fn follow(&self, stored: &Stored, record: &Record) -> Result<(), Damaged> {
        let (stream, id) = (stored.stream, match_id(stored.stream));
        let unknown = |error: StreamError| {
            let damaged = Damaged::of_match(id, DamageKind::UnknownForm, error.0);
            damaged.commit(stored.number).position(stored.position)
        };
        let body = record.body().map_err(unknown)?;
        let is_of_seat =
            |event| matches!(PlatformEvent::read(event), Some(PlatformEvent::SeatTaken(_)));
        let forgettings = self.forgettings.load(Ordering::Acquire);
        let known = self.known(id).filter(|known| known.commit + 1 >= body.commit);
        let Some(known) = known.filter(|_| !body.events.iter().copied().any(is_of_seat)) else {
            if body.commit > 1 {
                return self.look_for(stream);
            }
            // It says all but what is beside the chain.
            let opening = self.journal.opened_by(body).map_err(unknown)?;
            self.journal.known_header(id)?;
            let outline = record.outline().map_err(unknown)?;
            let found = self.summary(id, opening, record, outline)?;
            if found.origin.is_some() || found.sandbox {
                // Of these later commits may have been written together with the first: nobody sees a part.
                return self.look_for(stream);
            }
            return if self.put_found(found, forgettings) { Ok(()) } else { self.look_for(stream) };
        };
        if known.commit >= body.commit {
            return Ok(());
        }
        let now = MatchSummary {
            version: body.last_version,
            commit: body.commit,
            status: match record.end() {
                Some(End::Finished) => Status::Finished,
                Some(End::Closed) => Status::Abandoned,
                None => known.status,
            },
            updated_at: body.recorded_at,
            active_seat: None,
            is_told: record.end().is_some(),
            ..MatchSummary::clone(&known)
        };
        if self.put_found(now, forgettings) { Ok(()) } else { self.look_for(stream) }
    }
}

impl Entries {
    fn is_claimed(&self, position: u64) -> bool {
        self.has(position) || self.claimed.contains(&position)
    }

    fn claim(&mut self, position: u64) -> bool {
        !self.has(position) && self.claimed.insert(position)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    use journal::{Record, Status};
    use kernel::Seat;

    use crate::index::Index;
    use crate::listed::MatchSummary;
    use crate::people::tests::{GAMES, done};
    use crate::waiting::{BotDue, Waiting};
    use crate::{Config, Engine, OpenRequest};

    /// What is in a commit is not read once more: that would be as far as the match has come since.
    #[test]
    fn a_match_that_another_server_opened_is_listed_from_its_first_commit() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
        let request = r#"{"game": "nim", "seats": [{"name": "Ada"}, {"open": true}]}"#;
        let request: OpenRequest = serde_json::from_str(request).expect("a request");
        let id = done(engine.open(request, None, None)).expect("it is opened").r#match;
        let opened = engine.index.known(id).expect("it is listed");
        let slot = engine.load(id).expect("it is there");
        let joined = serde_json::from_str(r#"{"name": "Ben"}"#).expect("a request");
        done(engine.take_seat(&slot, Seat(1), joined, None)).expect("it is taken");
        let joined = engine.index.known(id).expect("it is listed");
        // Another one, which has nothing yet, and which nobody writes into its file.
        let beside = tempfile::tempdir().expect("a folder");
        let waiting = Arc::new(Waiting::new(Duration::ZERO));
        let index = Index::new(beside.path(), engine.journal(), waiting);
        index.begin(&|_| true);
        let feed = engine.journal.store().feed(0, 2).expect("it is read");
        // Who is to act is told by whoever folds the match.
        let untold = |known: &MatchSummary| MatchSummary {
            active_seat: None,
            is_told: false,
            ..MatchSummary::clone(known)
        };
        for (stored, then) in feed.iter().zip([opened, joined]) {
            let record = Record::read(&stored.bytes).expect("a record");
            index.follow(stored, &record).expect("it is followed");
            assert_eq!(*index.known(id).expect("it is listed"), untold(&then));
        }
    }

    #[test]
    fn a_match_that_bots_of_another_server_finished_is_waited_for_no_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
        let request = r#"{"game": "nim", "seats": [{"bot": "random"}, {"bot": "random"}]}"#;
        let request: OpenRequest = serde_json::from_str(request).expect("a request");
        let opened = done(engine.open(request, None, None)).expect("it is opened");
        assert!(matches!(engine.next_bot(), BotDue::In(_)), "a bot is to act");
        let known = engine.index.known(opened.r#match).expect("it is listed");
        for status in [Status::Running, Status::Finished] {
            let found = MatchSummary { status, ..MatchSummary::clone(&known) };
            let forgettings = engine.index.forgettings.load(Ordering::Acquire);
            assert!(engine.index.put_found(found, forgettings));
            let is_due = engine.next_bot() != BotDue::Never;
            assert_eq!(is_due, status == Status::Running);
        }
    }
}

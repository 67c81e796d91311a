//! Going through all matches, by their headers: on after the database was away, and by the feed where a header is damaged.

use journal::{DamageKind, Damaged, match_id};
use store::{ReadError, StreamId};

use crate::index::Index;
use crate::listed::MatchSummary;

/// How many headers, or feed positions, are read at once.
const PAGE: usize = 1_000;

/// How far it is.
#[derive(Default)]
pub(crate) struct Walk {
    /// The matches from this one on are done.
    before: Option<StreamId>,
    /// A header cannot be read, and those behind it cannot be listed: the feed knows the matches too, and was read up to here.
    at: Option<u64>,
}

impl Index {
    /// A part of the feed cannot be read: the headers know the matches too. Returns false where the database is away: then not all are found.
    pub(crate) fn find_by_header(&self) -> bool {
        self.go_through(&mut Walk::default(), &mut |stream| {
            let is_known = |stream| self.known(match_id(stream)).is_some();
            stream.is_none_or(|stream| is_known(stream) || self.find(stream))
        })
    }

    /// Looks at every match once: what is damaged is set aside, what is older in the list found again. Returns false where `more` says so, or
    /// the database is away: then it is to be called again, later.
    pub(crate) fn look_through(&self, walk: &mut Walk, more: &mut dyn FnMut() -> bool) -> bool {
        self.go_through(walk, &mut |stream| {
            stream.is_none_or(|stream| self.look_at(stream)) && more()
        })
    }

    /// Returns false where the database is away.
    pub(crate) fn look_at(&self, stream: StreamId) -> bool {
        match self.stored_summary(stream) {
            Ok(stored) => {
                let known = self.known(match_id(stream));
                let Some(known) = known.filter(|known| known.commit >= stored.commit) else {
                    // It was damaged when the file was written, or the part of the feed that has its last commits is.
                    return self.find(stream);
                };
                // It may have been played on meanwhile.
                if known.commit > stored.commit
                    && let Ok(stored) = self.stored_summary(stream)
                    && let Err(damaged) = self.compare(Some(&known), stored.commit)
                {
                    // It stays in the file, which alone knows of what is lost: so the next start finds it, too.
                    let _ = self.journal.set_aside(&damaged);
                }
                true
            }
            Err(damaged) => {
                self.set_aside(&damaged, match_id(stream));
                !damaged.is_away()
            }
        }
    }

    /// What is listed was durable: a match that ends before, when it is read after that, has lost the rest. In a folder that is certain; a database
    /// tells it by itself.
    pub(crate) fn compare(&self, known: Option<&MatchSummary>, commit: u64) -> Result<(), Damaged> {
        let known = known.filter(|known| known.commit > commit);
        let Some(known) = known.filter(|_| !self.journal.store().is_shared()) else {
            return Ok(());
        };
        let what = format!("its last commit is {commit}; the list has {}", known.commit);
        let damaged = Damaged::of_match(known.r#match, DamageKind::Corrupt, what);
        Err(damaged.commit(commit + 1))
    }

    /// Calls `take` with each match, and with nothing at each step through the feed. Returns false as soon as `take` does, or where the database
    /// is away.
    fn go_through(&self, walk: &mut Walk, take: &mut dyn FnMut(Option<StreamId>) -> bool) -> bool {
        while walk.at.is_none() {
            match self.journal.store().headers(walk.before, PAGE) {
                Ok(page) if page.is_empty() => return true,
                Ok(page) => {
                    for (stream, _) in page {
                        if !take(Some(stream)) {
                            return false;
                        }
                        walk.before = Some(stream);
                    }
                }
                Err(ReadError::Database(_)) => return false,
                Err(_) => walk.at = Some(0),
            }
        }
        loop {
            let at = walk.at.unwrap_or_default();
            if at >= self.journal.position() {
                return true;
            }
            if !take(None) {
                return false;
            }
            let places = match self.journal.places(at, PAGE) {
                Ok(places) => places,
                Err(damaged) if damaged.is_away() => return false,
                // Whoever reads the feed tells what of it cannot be read.
                Err(_) => Vec::new(),
            };
            for place in &places {
                let is_left = walk.before.is_none_or(|before| place.stream < before);
                if place.number == 1 && is_left && !take(Some(place.stream)) {
                    return false;
                }
                walk.at = Some(place.position);
            }
            if places.is_empty() {
                walk.at = Some(at + 1);
            }
        }
    }
}

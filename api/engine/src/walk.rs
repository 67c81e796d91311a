//! Going through all matches, by their headers: on after the database was away, and by the feed where a header is damaged.

use journal::match_id;
use store::{ReadError, StreamId};

use crate::index::Index;

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
    fn look_at(&self, stream: StreamId) -> bool {
        match self.stored_summary(stream) {
            Ok(stored) => {
                // It was damaged when the file was written, or the part of the feed that has its last commits is.
                let known = self.known(match_id(stream));
                known.is_some_and(|known| known.commit >= stored.commit) || self.find(stream)
            }
            Err(damaged) => {
                self.set_aside(&damaged, match_id(stream));
                !damaged.is_away()
            }
        }
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

//! Where matches end in the feed.

use std::collections::HashSet;
use std::ops::Range;
use std::vec;

use journal::{DamageKind, Damaged, Journal, MatchId, Outline, Record, match_id};
use kernel::StreamError;
use store::{Place, Stored};

/// How many places of the feed are looked at at once.
const PLACES: usize = 16_384;
/// How many commits are read together: few, so that each look is little work, and some, since a database answers one question at a time.
const TOGETHER: usize = 16;

/// A match's end in the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// The feed position of the commit that finished the match.
    pub position: u64,
    /// The match.
    pub r#match: MatchId,
    /// When that commit was recorded: RFC 3339 in UTC with milliseconds.
    pub finished_at: String,
    /// The number of its events.
    pub version: u64,
}

/// The ends of matches, in the order of the feed.
pub struct Finishes {
    journal: Journal,
    at: u64,
    until: u64,
    page: vec::IntoIter<Place>,
    read: vec::IntoIter<(Place, Result<Stored, Damaged>)>,
    /// The position of the page's last commit.
    end: u64,
}

impl Finishes {
    pub(crate) fn new(journal: Journal, span: Range<u64>) -> Self {
        let Range { start, end } = span;
        let (page, read) = (Vec::new().into_iter(), Vec::new().into_iter());
        Finishes { journal, at: start, until: end, page, read, end: start }
    }

    /// The position up to which all ends were given.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.at
    }

    /// The next commits that may be ends; those around a damaged place come one by one.
    fn turn(&mut self) -> Result<(), Damaged> {
        let left = usize::try_from(self.until - self.at).unwrap_or(PLACES);
        let places = self.journal.places(self.at, left.min(PLACES));
        let mut places = places.inspect_err(|_| self.at += 1)?;
        self.end = places.last().map_or(self.until, |last| last.position);
        // A commit that another one of its match follows has not ended it: most are never read.
        let mut followed = HashSet::new();
        places.reverse();
        places.retain(|place| followed.insert(place.stream));
        places.reverse();
        self.page = places.into_iter();
        Ok(())
    }

    /// The next commit of the page.
    fn read(&mut self) -> Option<(Place, Result<Stored, Damaged>)> {
        if self.read.len() == 0 {
            let places: Vec<Place> = self.page.by_ref().take(TOGETHER).collect();
            self.read = self.journal.at(&places).collect::<Vec<_>>().into_iter();
        }
        self.read.next()
    }

    /// Looks at the next place, or for the next places, which is little work each time: an end if there is one, and `None` when all were looked at.
    pub fn look(&mut self) -> Option<Option<Result<Finish, Damaged>>> {
        if let Some((place, stored)) = self.read() {
            self.at = place.position;
            let found = stored.and_then(|stored| finish_at(place, &stored)).transpose();
            return Some(
                found.map(|found| found.map_err(|damaged| self.journal.set_aside(&damaged))),
            );
        }
        self.at = self.at.max(self.end);
        if self.at >= self.until {
            return None;
        }
        let turned = self.turn().map_err(|damaged| self.journal.set_aside(&damaged));
        Some(turned.err().map(Err))
    }
}

impl Iterator for Finishes {
    type Item = Result<Finish, Damaged>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.look()? {
                return Some(found);
            }
        }
    }
}

/// The end of a match, if the commit at this place is one.
fn finish_at(place: Place, stored: &Stored) -> Result<Option<Finish>, Damaged> {
    let id = match_id(place.stream);
    finish(id, stored).map_err(|error| {
        let damaged = Damaged::of_match(id, DamageKind::UnknownForm, error.0);
        damaged.commit(place.number).position(place.position)
    })
}

/// The end of a match, if the commit is one.
fn finish(id: MatchId, stored: &Stored) -> Result<Option<Finish>, StreamError> {
    let record = Record::read(&stored.bytes)?;
    if !record.finishes() {
        return Ok(None);
    }
    let Outline { recorded_at, commit: _, last_version } = record.outline()?;
    Ok(Some(Finish {
        position: stored.position,
        r#match: id,
        finished_at: recorded_at,
        version: last_version,
    }))
}

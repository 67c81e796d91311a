//! The newest matches of a game, read in small steps: whoever waits for the report pays each, and lets others work between two.

use std::collections::BTreeSet;

use archive::{Archive, Finish, Finishes};
use journal::{Damaged, Place};

use crate::matches::Report;

/// How many places of the feed are looked at on the way back before the matches in them are read.
const WINDOW: u64 = 16_384;

/// Where reading ends.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// So many matches fit what is asked,
    pub matches: usize,
    /// or so many events were read, those of matches that do not fit among them,
    pub events: u64,
    /// or so many commits at the end of the feed were looked at.
    pub commits: u64,
    /// A match of more events is left out: it is held as a whole while it is read.
    pub longest: u64,
}

/// A report on the newest matches while it is made.
pub struct Newest {
    report: Report,
    archive: Archive,
    /// The places that are being looked at.
    window: Option<Finishes>,
    /// What was found there, the newest last.
    found: Vec<Finish>,
    /// All after this position was looked at.
    until: u64,
    /// All up to this one is not.
    since: u64,
    longest: u64,
    /// So many more matches and events may be read.
    matches: usize,
    events: u64,
    read: u64,
    damaged: BTreeSet<Place>,
    long: u64,
    /// Are there matches that were not looked for?
    is_cut: bool,
}

impl Newest {
    /// The newest matches that are asked for and ended up to a feed position, within these bounds.
    #[must_use]
    pub fn new(report: Report, archive: Archive, position: u64, most: Most) -> Self {
        let Most { matches, events, commits, longest } = most;
        Newest {
            report,
            archive,
            window: None,
            found: Vec::new(),
            until: position,
            since: position.saturating_sub(commits),
            longest,
            matches,
            events,
            read: 0,
            damaged: BTreeSet::new(),
            long: 0,
            is_cut: false,
        }
    }

    /// Looks at one place of the feed, or reads one match; `false` when all is read. What is damaged is counted and passed.
    ///
    /// # Errors
    /// If the store does not answer.
    pub fn step(&mut self) -> Result<bool, Damaged> {
        if let Some(window) = &mut self.window {
            match window.look() {
                Some(Some(Ok(finish))) => self.found.push(finish),
                Some(Some(Err(damaged))) => self.pass(damaged)?,
                Some(None) => {}
                None => self.window = None,
            }
            return Ok(true);
        }
        if let Some(finish) = self.found.pop() {
            if self.matches == 0 || self.events == 0 {
                self.is_cut = true;
                return Ok(false);
            }
            return self.take(&finish).or_else(|damaged| self.pass(damaged).map(|()| true));
        }
        if self.until <= self.since {
            self.is_cut |= self.since > 0;
            return Ok(false);
        }
        let from = self.until.saturating_sub(WINDOW).max(self.since);
        self.window = Some(self.archive.finishes(from..self.until));
        self.until = from;
        Ok(true)
    }

    /// Reads a match of the game that counts in statistics; `false` if there is no room for its events.
    fn take(&mut self, finish: &Finish) -> Result<bool, Damaged> {
        let game = self.archive.counted(finish)?;
        if game.is_none_or(|game| game.info().id != self.report.game()) {
            return Ok(true);
        }
        if finish.version > self.longest {
            self.long += 1;
            return Ok(true);
        }
        if finish.version > self.events {
            self.is_cut = true;
            return Ok(false);
        }
        self.events -= finish.version;
        let finished = self.archive.read(finish)?;
        self.read += 1;
        if self.report.add(&finished) {
            self.matches -= 1;
        }
        Ok(true)
    }

    fn pass(&mut self, damaged: Damaged) -> Result<(), Damaged> {
        if damaged.is_away() {
            return Err(damaged);
        }
        if self.archive.may_be_of(&damaged, self.report.game()) {
            self.damaged.insert(damaged.place());
        }
        Ok(())
    }

    /// What was read, how much is damaged and was passed, and what else the reader has to know.
    #[must_use]
    pub fn done(self) -> (Report, u64, Option<String>) {
        let Newest { report, read, damaged, long, longest, is_cut, .. } = self;
        let mut notes = Vec::new();
        if is_cut {
            notes.push(format!("The newest matches of the game were read, {read} in number."));
        }
        if long > 0 {
            notes.push(format!("Left out for more than {longest} events: {long}."));
        }
        let more = "`muninn report` reads all matches.".to_owned();
        let note = (!notes.is_empty()).then(|| [notes, vec![more]].concat().join(" "));
        (report, damaged.len() as u64, note)
    }
}

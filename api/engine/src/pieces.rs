//! Pieces with their ids, beside views and commits. They follow from what a spectator saw at each version, so they are the same for every
//! viewer.

use journal::{Body, raw};
use kernel::{Moved, StreamError, Tracked, Words};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::engine::Engine;
use crate::error::{Error, broken};
use crate::live::Slot;
use crate::look::Seen;
use crate::recent::StreamEntry;
use crate::room::Room;
use crate::submit::{Accepted, Done, Telling};

/// How many commits the pieces are followed through at most while somebody plays on.
const FEW: u64 = 16;

/// From where to where a commit goes.
#[derive(Deserialize)]
struct Span {
    first_version: u64,
    last_version: u64,
}

impl Engine {
    /// Are the pieces of a match known, but for a few commits?
    #[must_use]
    pub fn has_pieces_at_hand(&self, slot: &Slot) -> bool {
        let commit = slot.commit();
        commit <= FEW || self.tracks.has(slot.id, commit - FEW)
    }

    /// The pieces at a version that the match has.
    ///
    /// # Errors
    /// If the match is damaged.
    pub fn pieces(&self, slot: &Slot, version: u64) -> Result<Vec<Tracked>, Error> {
        self.booked(&self.tracks, slot, version, |tracks| tracks.pieces(version))
    }

    /// A view with the pieces at its version.
    ///
    /// # Errors
    /// If the match is damaged.
    pub fn with_pieces(&self, slot: &Slot, seen: Seen) -> Result<Seen, Error> {
        let pieces = self.pieces(slot, seen.version)?;
        let json = with(&seen.json, "pieces", &raw(&pieces))?;
        Ok(Seen { json, ..seen })
    }

    /// What the seat of a command is told of its commit. Of the same commit that is always the same.
    ///
    /// # Errors
    /// If the match is damaged.
    pub fn told(
        &self,
        slot: &Slot,
        done: &Done,
        telling: Telling,
        words: Option<&Words>,
    ) -> Result<Accepted, Error> {
        let told = done.told(slot, telling, words)?;
        if !telling.moves {
            return Ok(told);
        }
        let Body { first_version, last_version, .. } = done.record.body()?;
        let moves = self.moves(slot, &[Span { first_version, last_version }])?;
        Ok(Accepted { moves: moves.into_iter().next(), ..told })
    }

    /// A page of commits as they are shown, each with the moves of the pieces: fewer of them where the page would be too large, and where the
    /// next one begins.
    ///
    /// # Errors
    /// If the match is damaged.
    pub fn page_with_moves(
        &self,
        slot: &Slot,
        after: u64,
        (commits, next): (Vec<Box<RawValue>>, Option<u64>),
    ) -> Result<(Vec<Box<RawValue>>, Option<u64>), Error> {
        let mut room = Room::of_page();
        let count = commits.len();
        let all = self.with_moves(slot, &commits)?.into_iter();
        let told: Vec<_> = all
            .take_while(|commit| {
                let fits = !room.is_full();
                room.take(commit.get().len());
                fits
            })
            .collect();
        let next = if told.len() < count { Some(after + told.len() as u64) } else { next };
        Ok((told, next))
    }

    /// Commits as they are shown, each with the moves of the pieces.
    fn with_moves(
        &self,
        slot: &Slot,
        commits: &[Box<RawValue>],
    ) -> Result<Vec<Box<RawValue>>, Error> {
        let texts = commits.iter().map(|commit| commit.get());
        let spans = texts.map(serde_json::from_str).collect::<Result<Vec<Span>, _>>();
        let spans = spans.map_err(broken)?;
        let moves = self.moves(slot, &spans)?;
        let both = commits.iter().zip(&moves);
        Ok(both
            .map(|(commit, moves)| with(commit, "moves", &raw(moves)))
            .collect::<Result<_, _>>()?)
    }

    /// The same for commits of a stream.
    ///
    /// # Errors
    /// If the match is damaged.
    pub fn stream_moves(
        &self,
        slot: &Slot,
        entries: Vec<StreamEntry>,
    ) -> Result<Vec<StreamEntry>, Error> {
        let commits: Vec<_> = entries.iter().map(|entry| RawValue::to_owned(&entry.json)).collect();
        let told = entries.into_iter().zip(self.with_moves(slot, &commits)?);
        Ok(told.map(|(entry, json)| StreamEntry { json: json.into(), ..entry }).collect())
    }

    /// What became of the pieces in each of these commits.
    fn moves(&self, slot: &Slot, spans: &[Span]) -> Result<Vec<Vec<Moved>>, Error> {
        let Some(end) = spans.iter().map(|span| span.last_version).max() else {
            return Ok(Vec::new());
        };
        self.booked(&self.tracks, slot, end, |tracks| {
            let moves =
                |span: &Span| tracks.moves(span.first_version.saturating_sub(1), span.last_version);
            spans.iter().map(moves).collect()
        })
    }
}

/// An object with one more field.
fn with(object: &RawValue, name: &str, value: &RawValue) -> Result<Box<RawValue>, StreamError> {
    let fields = object.get().strip_suffix('}').unwrap_or_default();
    RawValue::from_string(format!("{fields},\"{name}\":{value}}}")).map_err(broken)
}

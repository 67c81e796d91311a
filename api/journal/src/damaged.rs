//! What is damaged in a store: set aside, counted and named, so that one match never hides the others.
//!
//! Whoever finds damage tells it here, each match once: the start, whoever loads a match, the archive, and what is made of it. What the
//! disk did not give out is tried again; bytes that are not those that were written, and events that no rule leads to, stay what they are
//! until the program is started anew, on a store that somebody has mended.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use store::{ReadError, Store};
use utoipa::ToSchema;

use crate::id::MatchId;

/// The kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DamageKind {
    /// The disk did not give it out; it is tried again.
    Unreadable,
    /// Its bytes are not those that were written, or are missing.
    Corrupt,
    /// It is of a form, or of a game, that this program does not know.
    UnknownForm,
    /// It does not follow from what was written before.
    Differs,
}

impl DamageKind {
    /// In the words of the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DamageKind::Unreadable => "unreadable",
            DamageKind::Corrupt => "corrupt",
            DamageKind::UnknownForm => "unknown_form",
            DamageKind::Differs => "differs",
        }
    }

    /// In a sentence, without anything of the store's insides.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            DamageKind::Unreadable => "it cannot be read from the disk at present",
            DamageKind::Corrupt => "its bytes are not those that were written",
            DamageKind::UnknownForm => "it has a form that this program does not know",
            DamageKind::Differs => "it does not follow from what was written before",
        }
    }

    /// What an error of the store means. After a failed write some of what is stored cannot be read before the next start: it is not lost.
    #[must_use]
    pub fn of(store: &Store, error: &ReadError) -> Self {
        if matches!(error, ReadError::Newer(_)) {
            return DamageKind::UnknownForm;
        }
        // What a newer program has moved elsewhere is not lost either.
        let is_ours = store.outdated().is_none() && store.replaced().is_none();
        let lasts = store.healthy() && !error.is_of_store() && is_ours;
        if lasts { DamageKind::Corrupt } else { DamageKind::Unreadable }
    }
}

/// A match or commit in the store that cannot be read, or does not follow from what was written before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema, thiserror::Error)]
#[error("{}: {cause}", self.whereabouts())]
pub struct Damaged {
    /// The match; null if it is not known which match the feed position belongs to.
    #[schema(value_type = Option<String>, format = "uuid")]
    r#match: Option<MatchId>,
    /// The feed position of the match's end or of the commit, if it is known.
    position: Option<u64>,
    /// The first damaged commit, if it is known; null for the whole match.
    commit: Option<u64>,
    /// What is wrong.
    what: DamageKind,
    /// The cause, for the log and the operator.
    #[serde(skip)]
    cause: String,
    /// The store as a whole did not answer.
    #[serde(skip)]
    is_away: bool,
}

/// What was set aside: a match, or a place in the feed where it is not known which match has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A feed position.
    Position(u64),
    /// A match.
    Match(MatchId),
}

impl Damaged {
    /// A match is damaged. `cause` is for the log.
    #[must_use]
    pub fn of_match(id: MatchId, what: DamageKind, cause: impl Into<String>) -> Self {
        let cause = cause.into();
        Damaged { r#match: Some(id), position: None, commit: None, what, cause, is_away: false }
    }

    /// A place in the feed is damaged, and its match is unknown. `cause` is for the log.
    #[must_use]
    pub fn at_position(position: u64, what: DamageKind, cause: impl Into<String>) -> Self {
        let cause = cause.into();
        let position = Some(position);
        Damaged { r#match: None, position, commit: None, what, cause, is_away: false }
    }

    /// The same, by the error with which it was not read: where a database did not do what it was asked, that says nothing about what is stored.
    #[must_use]
    pub fn by(self, error: &ReadError) -> Self {
        Damaged { is_away: matches!(error, ReadError::Database(_)), ..self }
    }

    /// Was it the database that did not answer, or refused to? Then nothing is damaged, and nothing is to be passed.
    #[must_use]
    pub fn is_away(&self) -> bool {
        self.is_away
    }

    /// The same, and it is this part of the match.
    pub(crate) fn of_part(self, part: &str) -> Self {
        Damaged { cause: format!("{part}: {}", self.cause), ..self }
    }

    /// The same, and it is this commit.
    #[must_use]
    pub fn commit(self, number: u64) -> Self {
        Damaged { commit: Some(number), ..self }
    }

    /// The same, and it is at this feed position.
    #[must_use]
    pub fn position(self, position: u64) -> Self {
        Damaged { position: Some(position), ..self }
    }

    /// The same, with what another finder knows of it: what lasts is told rather than what does not, and the first commit of those that are known.
    pub(crate) fn and(&self, other: &Damaged) -> Self {
        let told = if other.lasts() && !self.lasts() { other } else { self };
        Damaged {
            position: self.position.max(other.position),
            commit: [self.commit, other.commit].into_iter().flatten().min(),
            ..told.clone()
        }
    }

    /// The match, where it is known.
    #[must_use]
    pub fn id(&self) -> Option<MatchId> {
        self.r#match
    }

    /// What is to be set aside.
    #[must_use]
    pub fn place(&self) -> Place {
        let position = Place::Position(self.position.unwrap_or_default());
        self.r#match.map_or(position, Place::Match)
    }

    /// The commit that is damaged, where it is known.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        self.commit
    }

    /// The feed position, where it is known.
    #[must_use]
    pub fn at(&self) -> Option<u64> {
        self.position
    }

    /// The cause, only for the operator.
    #[must_use]
    pub fn cause(&self) -> &str {
        &self.cause
    }

    /// What is wrong.
    #[must_use]
    pub fn what(&self) -> DamageKind {
        self.what
    }

    /// Whether it stays damaged when it is read again.
    #[must_use]
    pub fn lasts(&self) -> bool {
        self.what != DamageKind::Unreadable
    }

    /// What everybody may know of it.
    #[must_use]
    pub fn told(&self) -> String {
        format!("{}: {}", self.whereabouts(), self.what.text())
    }

    fn whereabouts(&self) -> String {
        let place = self.place();
        self.commit.map_or_else(|| place.to_string(), |number| format!("{place}, commit {number}"))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Position(position) => write!(f, "feed position {position}"),
            Place::Match(id) => write!(f, "match {id}"),
        }
    }
}

impl Place {
    /// As a cursor of pages.
    #[must_use]
    pub fn cursor(self) -> String {
        match self {
            Place::Position(position) => position.to_string(),
            Place::Match(id) => id.to_string(),
        }
    }
}

/// Reads a cursor.
impl FromStr for Place {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Place::Position).or_else(|_| text.parse().map(Place::Match))
    }
}

/// How much is left out, in the words of every command and page.
#[must_use]
pub fn left_out(damaged: u64) -> String {
    match damaged {
        1 => "1 damaged match or feed position is left out".to_owned(),
        _ => format!("{damaged} damaged matches or feed positions are left out"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_given() {
        for place in [Place::Position(57), Place::Match(MatchId::from_bytes([3; 16]))] {
            assert_eq!(place.cursor().parse(), Ok(place));
        }
        assert!("next".parse::<Place>().is_err());
    }
}

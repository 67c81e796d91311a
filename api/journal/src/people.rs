//! What stands beside the chain of a match, in notes that are written once: the players' names, and the tokens of taken seats.
//!
//! The chain commits to all of it. A name can so be forgotten without a change of the chain, and nobody can be renamed.

use std::collections::BTreeMap;

use kernel::Seat;
use serde::{Deserialize, Serialize};
use store::{Note, ReadError};

use crate::canonical::raw;
use crate::damaged::{DamageKind, Damaged};
use crate::hash::Bytes32;
use crate::header::Header;
use crate::id::MatchId;
use crate::journal::{Journal, Unread};
use crate::table::Table;

/// A player's name, and the salt that keeps its commitment from being guessed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Name {
    /// The name.
    pub name: String,
    /// 32 random bytes.
    pub salt: Bytes32,
}

impl Name {
    /// A name with a fresh salt.
    #[must_use]
    pub fn new(name: String) -> Self {
        Name { name, salt: Bytes32::random() }
    }

    /// SHA-256(salt || name), the name in UTF-8.
    #[must_use]
    pub fn commitment(&self) -> Bytes32 {
        Bytes32::hash(&[&self.salt.0, self.name.as_bytes()])
    }

    /// The note that keeps it for a match.
    #[must_use]
    pub fn note(&self, id: MatchId) -> (Vec<u8>, Vec<u8>) {
        (name_key(id, self.commitment()), raw(self).get().as_bytes().to_vec())
    }
}

/// How the keys of the notes begin that keep names; the match follows.
pub const NAMES: &[u8] = b"name/";

fn name_key(id: MatchId, commitment: Bytes32) -> Vec<u8> {
    [NAMES, id.as_bytes(), &commitment.0].concat()
}

/// The match that a name's note belongs to; nothing if the key is of another note.
#[must_use]
pub fn match_of_name(key: &[u8]) -> Option<MatchId> {
    let (id, _commitment) = key.strip_prefix(NAMES)?.split_first_chunk::<16>()?;
    Some(MatchId::from_bytes(*id))
}

/// The note that keeps SHA-256 of the token of whoever takes a seat.
#[must_use]
pub fn token_note(id: MatchId, seat: Seat, hash: Bytes32) -> (Vec<u8>, Vec<u8>) {
    (seat_key(id, seat), hash.0.to_vec())
}

/// The seat of which a note with this key keeps the token, if it is such a note.
#[must_use]
pub fn seat_of_token_note(key: &[u8]) -> Option<(MatchId, Seat)> {
    let (id, seat) = key.strip_prefix(b"seat/")?.split_first_chunk()?;
    let [seat] = seat else { return None };
    Some((MatchId::from_bytes(*id), Seat(*seat)))
}

/// What the chain says of that hash.
#[must_use]
pub fn token_commitment(hash: Bytes32) -> Bytes32 {
    Bytes32::hash(&[&hash.0])
}

/// The key of the note that names the match of a token, by SHA-256 of the token.
#[must_use]
pub fn token_key(hash: Bytes32) -> Vec<u8> {
    [b"token/".as_slice(), &hash.0].concat()
}

fn seat_key(id: MatchId, seat: Seat) -> Vec<u8> {
    [b"seat/".as_slice(), id.as_bytes(), &[seat.0]].concat()
}

/// The people of a match, by seat.
#[derive(Clone, Debug, Default)]
pub struct People {
    /// Their names.
    pub names: Vec<Option<Name>>,
    /// SHA-256 of their tokens.
    pub tokens: Vec<Option<Bytes32>>,
}

impl Journal {
    /// The names at a table, by seat; `None` where none was given, or it was forgotten.
    ///
    /// # Errors
    /// If one cannot be read, or is not the one that the chain commits to.
    pub fn names(&self, id: MatchId, table: &Table) -> Result<Vec<Option<Name>>, Unread> {
        let name = |commitment: Bytes32| {
            let Some(note) = self.beside(id, &name_key(id, commitment))? else { return Ok(None) };
            let name = serde_json::from_slice::<Name>(&note).ok();
            let same = name.filter(|name| name.commitment() == commitment);
            same.map(Some).ok_or_else(|| changed(id, "a name"))
        };
        let seats = table.seats.iter().map(|seat| seat.name_commitment);
        seats.map(|commitment| commitment.map_or(Ok(None), name)).collect()
    }

    /// The people of a match.
    ///
    /// # Errors
    /// If something about them cannot be read, or is not what the chain commits to.
    pub fn people(&self, id: MatchId, header: &Header, table: &Table) -> Result<People, Unread> {
        let token = |(seat, opened): (u8, &Option<Bytes32>)| {
            let Some(commitment) = table.seats[usize::from(seat)].token_commitment else {
                return Ok(*opened);
            };
            let note = self.beside(id, &seat_key(id, Seat(seat)))?;
            let hash = note.and_then(|note| note.try_into().ok()).map(Bytes32);
            let same = hash.filter(|hash| token_commitment(*hash) == commitment);
            same.map(Some).ok_or_else(|| changed(id, "the token of a seat"))
        };
        if header.seat_hashes.len() != table.seats.len() {
            return Err(changed(id, "the number of its tokens"));
        }
        let tokens = (0..).zip(&header.seat_hashes).map(token).collect::<Result<_, _>>()?;
        Ok(People { names: self.names(id, table)?, tokens })
    }

    /// Looks whether the notes that name the match of a token, as far as they are there, name this one for its owner and its people.
    ///
    /// # Errors
    /// If one cannot be read, or names another match.
    pub fn check_tokens(
        &self,
        id: MatchId,
        header: &Header,
        people: &People,
    ) -> Result<(), Unread> {
        for hash in people.tokens.iter().flatten().chain([&header.owner_hash]) {
            let named = self.beside(id, &token_key(*hash))?;
            if named.is_some_and(|named| named != id.as_bytes()) {
                return Err(changed(id, "the match of a token"));
            }
        }
        Ok(())
    }

    /// The notes that keep a name, by match, also those of players whose seat somebody else has taken since.
    ///
    /// # Errors
    /// If the notes cannot be read.
    pub fn notes_of_name(&self, name: &str) -> Result<BTreeMap<MatchId, Vec<Vec<u8>>>, ReadError> {
        const PAGE: usize = 1_000;
        let mut found: BTreeMap<MatchId, Vec<Vec<u8>>> = BTreeMap::new();
        let mut after = NAMES.to_vec();
        loop {
            let page = match self.store().notes(Some(&after), PAGE) {
                // One of them cannot be read: all others are still to be forgotten.
                Err(error) if !error.is_of_store() => return self.readable_notes_of_name(name),
                page => page?,
            };
            if page.is_empty() {
                return Ok(found);
            }
            for Note { key, value, position: _ } in page {
                let Some(id) = match_of_name(&key) else { return Ok(found) };
                after.clone_from(&key);
                if is_name(&value, name) {
                    found.entry(id).or_default().push(key);
                }
            }
        }
    }

    fn readable_notes_of_name(
        &self,
        name: &str,
    ) -> Result<BTreeMap<MatchId, Vec<Vec<u8>>>, ReadError> {
        let mut found: BTreeMap<MatchId, Vec<Vec<u8>>> = BTreeMap::new();
        self.store().readable_notes(&mut |Note { key, value, position: _ }| {
            if let Some(id) = match_of_name(&key).filter(|_| is_name(&value, name)) {
                found.entry(id).or_default().push(key);
            }
        })?;
        Ok(found)
    }

    pub(crate) fn beside(&self, id: MatchId, key: &[u8]) -> Result<Option<Vec<u8>>, Unread> {
        self.store().note(key).map_err(|error| self.unread(id, error))
    }
}

/// Whether a note keeps this name.
fn is_name(value: &[u8], name: &str) -> bool {
    serde_json::from_slice::<Name>(value).is_ok_and(|known| known.name == name)
}

pub(crate) fn changed(id: MatchId, what: &str) -> Unread {
    let what = format!("{what} is not the one that the chain commits to");
    Unread::Damaged(Damaged::of_match(id, DamageKind::Corrupt, what))
}

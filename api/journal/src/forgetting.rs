//! Names that were forgotten: what is kept of it, for other servers of the store and for archives.

use store::{ReadError, Store};

use crate::id::MatchId;

const FORGOTTEN: &[u8] = b"forgotten/";

/// The key of the note that a name was forgotten, the `number`th time in this store, counted from 1 without a gap. Its value is the match, and
/// it has nothing of the name.
#[must_use]
pub fn forgetting_note(number: u64) -> Vec<u8> {
    [FORGOTTEN, &number.to_be_bytes()].concat()
}

/// The match of which a note says that a name in it was forgotten.
#[must_use]
pub fn forgotten_match(key: &[u8], value: &[u8]) -> Option<MatchId> {
    key.strip_prefix(FORGOTTEN)?;
    MatchId::from_slice(value).ok()
}

/// More than names are ever forgotten: where all notes that are asked for are damaged, the search ends.
const MOST: u64 = 1 << 40;

/// The number of the last such note; 0 if there is none.
///
/// # Errors
/// If they cannot be read.
pub fn last_forgetting(store: &Store) -> Result<u64, ReadError> {
    let is_there = |number| match store.note(&forgetting_note(number)) {
        Err(error) if !error.is_of_store() => Ok(true),
        note => note.map(|note| note.is_some()),
    };
    // They are numbered without a gap: look further and further, then between.
    let (mut last, mut step) = (0, 1);
    while step < MOST && is_there(last + step)? {
        last += step;
        step *= 2;
    }
    while step > 1 {
        step /= 2;
        if is_there(last + step)? {
            last += step;
        }
    }
    Ok(last)
}

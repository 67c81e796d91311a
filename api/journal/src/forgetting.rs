//! Names that were forgotten in a store that several servers share.

/// The key of the note that a name was forgotten, the `number`th time in this store, counted from 1 without a gap. It names the match, and has
/// nothing of the name.
#[must_use]
pub fn forgetting_note(number: u64) -> Vec<u8> {
    [b"forgotten/".as_slice(), &number.to_be_bytes()].concat()
}

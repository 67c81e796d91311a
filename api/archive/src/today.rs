//! What is stored, as the rules of this program would have it stored now.

use std::borrow::Cow;

use journal::canonical;
use kernel::AnyGame;
use serde_json::value::RawValue;

/// A stored event in today's form, canonical: what is decided again is compared with that. One that has today's form is the stored text.
pub(crate) fn today<'a>(game: &dyn AnyGame, stored: &'a RawValue) -> Cow<'a, str> {
    match game.lifted(stored.get()) {
        Some(lifted) => Cow::Owned(canonical(lifted.get())),
        None => Cow::Borrowed(stored.get()),
    }
}

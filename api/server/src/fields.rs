//! Which fields of commits somebody wants.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::{RawValue, to_raw_value};

use crate::problem::Problem;
use crate::request::named;

/// All fields of a commit; `version` stands for those of its first and its last event.
const FIELDS: &[&str] = &[
    "version",
    "commit",
    "first_version",
    "last_version",
    "seat",
    "command",
    "events",
    "recorded_at",
    "sealed",
    "prev_hash",
    "hash",
];

/// Those that are left out unless they are named; the others are always there.
pub const OPTIONAL: &[&str] = &["recorded_at", "sealed", "prev_hash", "hash"];

/// The fields that are wanted; all of them, if none is named.
pub(crate) struct Fields(Option<Vec<&'static str>>);

impl Fields {
    pub(crate) fn of(text: Option<&str>) -> Result<Self, Problem> {
        Ok(Fields(text.map(|text| named("fields", Some(text), FIELDS)).transpose()?))
    }

    /// A commit with these fields alone.
    pub(crate) fn cut<'a>(&self, commit: &'a RawValue) -> Cow<'a, RawValue> {
        let Fields(Some(wanted)) = self else { return Cow::Borrowed(commit) };
        let Ok(mut fields) = serde_json::from_str::<BTreeMap<&str, &RawValue>>(commit.get()) else {
            return Cow::Borrowed(commit);
        };
        fields.retain(|name, _| wanted.contains(name) || !OPTIONAL.contains(name));
        to_raw_value(&fields).map_or(Cow::Borrowed(commit), Cow::Owned)
    }
}

//! The lines of an archive.

use std::borrow::Cow;

use journal::{Bytes32, MatchId, Record, Tag, match_id};
use serde::{Deserialize, Serialize};
use store::{Note, Stored, Write};

/// How the first line begins, whatever the version.
pub(super) const NAME: &str = "muninn archive ";
/// The one version that this program writes and reads.
pub(super) const VERSION: &str = "1";

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct First {
    pub(super) format: String,
    /// The feed position after which it begins.
    pub(super) after: u64,
    /// The last feed position.
    pub(super) position: u64,
    /// The archive that it continues, by the SHA-256 of that one's manifest.
    pub(super) continues: Option<Bytes32>,
    /// The program that wrote it.
    pub(super) engine: String,
}

/// A commit as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommitLine<'a> {
    pub(super) position: u64,
    pub(super) r#match: MatchId,
    pub(super) commit: u64,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) header: Option<Cow<'a, str>>,
    format: u8,
    flags: u8,
    sealed: Bytes32,
    prev_hash: Bytes32,
    hash: Bytes32,
    /// What it keeps of an idempotency key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tag: Option<Tag>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

impl<'a> CommitLine<'a> {
    pub(super) fn new(stored: &Stored, record: &'a Record, header: Option<&'a str>) -> Self {
        CommitLine {
            position: stored.position,
            r#match: match_id(stored.stream),
            commit: stored.number,
            header: header.map(Cow::Borrowed),
            format: record.bytes()[0],
            flags: record.bytes()[1],
            sealed: record.sealed(),
            prev_hash: record.prev_hash(),
            hash: record.hash(),
            tag: record.tag(),
            text: Cow::Borrowed(record.full()),
        }
    }

    /// What the store keeps of it.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.format, self.flags];
        for hash in [self.sealed, self.prev_hash, self.hash] {
            bytes.extend(hash.0);
        }
        bytes.extend(self.tag.iter().flat_map(Tag::bytes));
        bytes.extend(self.text.as_bytes());
        bytes
    }
}

/// A note as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteLine<'a> {
    position: u64,
    /// Its kind: its key up to the first slash. Empty where the key has no kind.
    note: String,
    /// The rest of its key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// Its value, if it is text,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
    /// and otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hex: Option<String>,
}

impl<'a> NoteLine<'a> {
    pub(super) fn new(note: &'a Note) -> Self {
        let mut parts = note.key.splitn(2, |byte| *byte == b'/');
        let kind = parts.next().unwrap_or_default();
        let is_kind = !kind.is_empty() && kind.iter().all(u8::is_ascii_graphic);
        let (kind, key) = match (is_kind, parts.next()) {
            (true, rest) => (String::from_utf8_lossy(kind).into_owned(), rest.map(hex)),
            (false, _) => (String::new(), Some(hex(&note.key))),
        };
        let text = std::str::from_utf8(&note.value).ok();
        NoteLine {
            position: note.position,
            note: kind,
            key,
            text: text.map(Cow::Borrowed),
            hex: text.is_none().then(|| hex(&note.value)),
        }
    }

    /// What the store keeps; nothing if it cannot be a note.
    pub(super) fn note(&self) -> Option<Note> {
        let rest = self.key.as_deref().map(bytes).map_or(Some(None), |rest| rest.map(Some))?;
        let mut key = self.note.clone().into_bytes();
        if let Some(rest) = rest {
            key.extend(b"/".iter().take(key.len().min(1)));
            key.extend(rest);
        }
        let value = match (&self.text, &self.hex) {
            (Some(text), None) => text.as_bytes().to_vec(),
            (None, Some(hex)) => bytes(hex)?,
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let fits = key.len() <= Write::NOTE_KEY_BYTES && value.len() <= Write::VALUE_BYTES;
        fits.then_some(Note { key, value, position: self.position })
    }
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The feed position after which the archive begins.
    pub after: u64,
    /// The last feed position.
    pub position: u64,
    /// How many commits are in it.
    pub commits: u64,
    /// How many matches are opened in it.
    pub matches: u64,
    /// How many notes are in it.
    pub notes: u64,
    /// The commit at the last position.
    pub last: Option<Head>,
    /// SHA-256 of match, number and hash of the last commits of all matches that have one in it, in order of match.
    pub heads: Bytes32,
    /// SHA-256 of all lines before this one.
    pub sha256: Bytes32,
}

/// A commit that ends a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The match.
    pub r#match: MatchId,
    /// The number of the commit.
    pub commit: u64,
    /// Its hash.
    pub hash: Bytes32,
}

/// The last line as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Last<M> {
    pub(super) manifest: M,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit =
        |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    hex.as_bytes().chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_note_is_read_as_it_was_written() {
        let keys: [&[u8]; 7] =
            [b"name/\0\xff/x", b"seed-secret", b"", b"/", b"a/", b"\0\x01/b", b"x y/z"];
        for key in keys {
            for value in [b"text \"\n".as_slice(), b"\xff\0", b""] {
                let note = Note { key: key.to_vec(), value: value.to_vec(), position: 7 };
                let line = serde_json::to_string(&NoteLine::new(&note)).unwrap();
                assert!(!line.contains('\n'));
                let read: NoteLine<'_> = serde_json::from_str(&line).unwrap();
                assert_eq!(read.note(), Some(note), "{line}");
            }
        }
        for line in [
            r#"{"position":1,"note":"a","key":"0","text":""}"#,
            r#"{"position":1,"note":"a","key":"0g","text":""}"#,
            r#"{"position":1,"note":"a","hex":"00","text":""}"#,
            r#"{"position":1,"note":"a"}"#,
        ] {
            assert_eq!(serde_json::from_str::<NoteLine<'_>>(line).unwrap().note(), None, "{line}");
        }
    }
}

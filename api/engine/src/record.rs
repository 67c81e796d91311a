//! A commit: what is hashed, what is stored, what a viewer gets to see.
//!
//! ```text
//! full   = canonical JSON of {commit, first_version, last_version, seat, recorded_at, command, events}
//! public = the same as a spectator sees it
//! sealed = SHA-256(SHA-256(seed || k || "salt") || full)
//! hash   = SHA-256(prev_hash || SHA-256(public) || sealed)
//! ```
//!
//! Stored bytes: format (1 byte, 1), flags (1 byte), sealed, prev_hash, hash (32 bytes each), then `full`. Since the canonical text
//! is what lies on disk, most answers paste it as it is.

use kernel::{AnyMatch, Seat, StreamError, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::platform::PlatformEvent;
use crate::{Bytes32, canonical};

const FORMAT: u8 = 1;
const HEAD: usize = 2 + 3 * 32;
/// A spectator sees all of the commit.
const OPEN: u8 = 1;
/// The match is finished after the commit.
const FINISHED: u8 = 2;

/// The facts of a commit. The fields are in alphabetical order, so that the JSON is canonical when the parts are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Body {
    pub(crate) command: Option<Box<RawValue>>,
    pub(crate) commit: u64,
    pub(crate) events: Vec<Box<RawValue>>,
    pub(crate) first_version: u64,
    pub(crate) last_version: u64,
    pub(crate) recorded_at: String,
    pub(crate) seat: Option<Seat>,
}

/// The same, borrowed from the text that it is read from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BodyText<'a> {
    #[serde(borrow)]
    pub(crate) command: Option<&'a RawValue>,
    pub(crate) commit: u64,
    #[serde(borrow)]
    pub(crate) events: Vec<&'a RawValue>,
    pub(crate) first_version: u64,
    #[serde(rename = "last_version")]
    pub(crate) _last_version: u64,
    pub(crate) recorded_at: String,
    pub(crate) seat: Option<Seat>,
}

/// The facts without the events: quick to read.
#[derive(Debug, Deserialize)]
pub(crate) struct Outline {
    pub(crate) commit: u64,
    pub(crate) last_version: u64,
    pub(crate) recorded_at: String,
}

/// A commit as it lies on disk.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    bytes: Vec<u8>,
}

impl Record {
    /// Seals a commit. `public` are the events as a spectator sees them, where that differs from `body.events`.
    pub(crate) fn seal(
        body: &Body,
        public: Option<Vec<Box<RawValue>>>,
        seed: Bytes32,
        prev_hash: Bytes32,
        finished: bool,
    ) -> Self {
        let full = json(body);
        let public = public.map(|events| json(&Body { events, ..body.clone() }));
        let sealed = Bytes32::hash(&[&salt(seed, body.commit).0, full.as_bytes()]);
        let open = Bytes32::hash(&[public.as_deref().unwrap_or(&full).as_bytes()]);
        let hash = Bytes32::hash(&[&prev_hash.0, &open.0, &sealed.0]);
        let flags = if public.is_none() { OPEN } else { 0 } | if finished { FINISHED } else { 0 };
        let mut bytes = Vec::with_capacity(HEAD + full.len());
        bytes.extend([FORMAT, flags]);
        for part in [sealed, prev_hash, hash] {
            bytes.extend(part.0);
        }
        bytes.extend(full.as_bytes());
        Record { bytes }
    }

    /// Takes what the store kept.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, StreamError> {
        if bytes.first() != Some(&FORMAT) || bytes.len() < HEAD {
            return Err(StreamError("a commit of an unknown format".to_owned()));
        }
        std::str::from_utf8(&bytes[HEAD..])
            .map_err(|error| StreamError(format!("a commit is no text: {error}")))?;
        Ok(Record { bytes: bytes.to_vec() })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn hash_at(&self, number: usize) -> Bytes32 {
        let at = 2 + 32 * number;
        Bytes32(self.bytes[at..at + 32].try_into().expect("32 bytes"))
    }

    pub(crate) fn sealed(&self) -> Bytes32 {
        self.hash_at(0)
    }

    pub(crate) fn prev_hash(&self) -> Bytes32 {
        self.hash_at(1)
    }

    pub(crate) fn hash(&self) -> Bytes32 {
        self.hash_at(2)
    }

    /// Does a spectator see all of it?
    pub(crate) fn is_open(&self) -> bool {
        self.bytes[1] & OPEN != 0
    }

    /// Is the match finished after it?
    pub(crate) fn finishes(&self) -> bool {
        self.bytes[1] & FINISHED != 0
    }

    /// The canonical JSON of the whole commit.
    pub(crate) fn full(&self) -> &str {
        std::str::from_utf8(&self.bytes[HEAD..]).expect("checked when it was read")
    }

    pub(crate) fn body(&self) -> Result<Body, StreamError> {
        serde_json::from_str(self.full())
            .map_err(|error| StreamError(format!("a commit's JSON: {error}")))
    }

    pub(crate) fn body_text(&self) -> Result<BodyText<'_>, StreamError> {
        serde_json::from_str(self.full())
            .map_err(|error| StreamError(format!("a commit's JSON: {error}")))
    }

    pub(crate) fn outline(&self) -> Result<Outline, StreamError> {
        serde_json::from_str(self.full())
            .map_err(|error| StreamError(format!("a commit's JSON: {error}")))
    }

    /// The commit as somebody sees it in the match of `state`, in full for `None`; nothing of it needs to be read where it is open.
    pub(crate) fn seen(
        &self,
        state: &dyn AnyMatch,
        viewer: Option<Viewer>,
    ) -> Result<String, StreamError> {
        let Some(viewer) = viewer.filter(|_| !self.is_open()) else {
            return Ok(self.full().to_owned());
        };
        let body = self.body()?;
        let events = body
            .events
            .iter()
            .map(|event| event_seen(state, event, viewer))
            .collect::<Result<_, _>>()?;
        Ok(json(&Body { events, ..body }))
    }

    /// The same with the hashes, an entry of `GET .../commits`.
    pub(crate) fn entry(
        &self,
        state: &dyn AnyMatch,
        viewer: Option<Viewer>,
    ) -> Result<Box<RawValue>, StreamError> {
        let mut text = self.seen(state, viewer)?;
        text.pop();
        for (name, hash) in
            [("sealed", self.sealed()), ("prev_hash", self.prev_hash()), ("hash", self.hash())]
        {
            text.push_str(&format!(",\"{name}\":\"{}\"", hash.hex()));
        }
        text.push('}');
        Ok(RawValue::from_string(text).expect("an object with three more fields is an object"))
    }

    /// The seal as it must be, of commit `commit` in a match with this seed.
    pub(crate) fn expected_seal(&self, seed: Bytes32, commit: u64) -> Bytes32 {
        Bytes32::hash(&[&salt(seed, commit).0, self.full().as_bytes()])
    }

    /// The hash as it must be in the match of `state`, after the hash and the seal that are stored.
    pub(crate) fn expected_hash(&self, state: &dyn AnyMatch) -> Result<Bytes32, StreamError> {
        let body = self.body()?;
        let events = body.events.iter();
        let events = events.map(|event| event_seen(state, event, Viewer::Spectator));
        let events = events.collect::<Result<_, _>>()?;
        let open = Bytes32::hash(&[json(&Body { events, ..body }).as_bytes()]);
        Ok(Bytes32::hash(&[&self.prev_hash().0, &open.0, &self.sealed().0]))
    }
}

/// SHA-256(seed || k || "salt"): what keeps the seal of a commit from being guessed while the seed is secret.
fn salt(seed: Bytes32, commit: u64) -> Bytes32 {
    Bytes32::hash(&[&seed.0, &commit.to_be_bytes(), b"salt"])
}

/// An event, of the platform or of the game, as `viewer` sees it in the match of `state`; canonical.
pub(crate) fn event_seen(
    state: &dyn AnyMatch,
    event: &RawValue,
    viewer: Viewer,
) -> Result<Box<RawValue>, StreamError> {
    let seen = match PlatformEvent::read(event) {
        Some(event) => event.seen(state.game(), viewer)?,
        None => state.event_view(event, viewer)?,
    };
    Ok(canonical_raw(&seen))
}

pub(crate) fn canonical_raw(json: &RawValue) -> Box<RawValue> {
    RawValue::from_string(canonical(json.get())).expect("canonical JSON is JSON")
}

pub(crate) fn raw<T: Serialize>(value: &T) -> Box<RawValue> {
    to_raw_value(value).expect("plain data always has JSON")
}

fn json(body: &Body) -> String {
    serde_json::to_string(body).expect("plain data always has JSON")
}

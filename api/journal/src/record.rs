//! A commit: what is hashed, what is stored, what a viewer gets to see.
//!
//! ```text
//! full   = canonical JSON of {commit, first_version, last_version, seat, recorded_at, command, events}
//! public = the same as a spectator sees it
//! sealed = SHA-256(SHA-256(seed || k || "salt") || full)
//! hash   = SHA-256(prev_hash || SHA-256(public) || sealed)
//! ```
//!
//! Stored bytes: format (1 byte, 1), flags (1 byte), sealed, prev_hash, hash (32 bytes each), the [`Tag`] of its request (16 bytes) where a
//! flag says so, then `full`. Since the canonical text is what lies on disk, most answers paste it as it is.

use kernel::{AnyMatch, Seat, Seen, StreamError, Viewer};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::canonical::{canonical_into, canonical_raw, write};
use crate::hash::Bytes32;
use crate::platform::PlatformEvent;
use crate::tag::Tag;

const FORMAT: u8 = 1;
const HEAD: usize = 2 + 3 * 32;
/// A spectator sees all of the commit.
const OPEN: u8 = 1;
/// The match is finished after the commit.
const FINISHED: u8 = 2;
/// The match is closed by the commit.
const CLOSED: u8 = 4;
/// The request had an idempotency key.
const TAGGED: u8 = 8;
/// All marks that a commit may have.
const FLAGS: u8 = OPEN | FINISHED | CLOSED | TAGGED;

/// How a match ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was played to its end.
    Finished,
    /// It was closed before.
    Closed,
}

/// The facts of a commit, borrowed from its text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body<'a> {
    /// The command; `None` for a setup, a take-back, a seat that is taken, and a match that is closed.
    #[serde(borrow)]
    pub command: Option<&'a RawValue>,
    /// Its number, from 1.
    pub commit: u64,
    /// The events.
    #[serde(borrow)]
    pub events: Vec<&'a RawValue>,
    /// The version after its first event.
    pub first_version: u64,
    /// The version after its last event.
    pub last_version: u64,
    /// When it was recorded: RFC 3339 in UTC with milliseconds.
    pub recorded_at: String,
    /// Who acted; `None` for a setup, and for a match that is closed.
    pub seat: Option<Seat>,
}

impl<'a> Body<'a> {
    /// The canonical JSON of the commit: its fields in alphabetical order, each in its canonical form.
    fn text(&self) -> String {
        self.written(canonical_into)
    }

    /// The same, where `put` writes the command and each event in its canonical form.
    fn written(&self, put: impl Fn(&str, &mut Vec<u8>)) -> String {
        let Body { command, commit, events, first_version, last_version, recorded_at, seat } = self;
        let mut text = br#"{"command":"#.to_vec();
        match command {
            Some(command) => put(command.get(), &mut text),
            None => write(&(), &mut text),
        }
        text.extend_from_slice(br#","commit":"#);
        write(commit, &mut text);
        text.extend_from_slice(br#","events":["#);
        for (number, event) in events.iter().enumerate() {
            if number > 0 {
                text.push(b',');
            }
            put(event.get(), &mut text);
        }
        text.extend_from_slice(br#"],"first_version":"#);
        write(first_version, &mut text);
        text.extend_from_slice(br#","last_version":"#);
        write(last_version, &mut text);
        text.extend_from_slice(br#","recorded_at":"#);
        write(recorded_at, &mut text);
        text.extend_from_slice(br#","seat":"#);
        write(seat, &mut text);
        text.push(b'}');
        String::from_utf8(text).expect("JSON that was written from text is text")
    }

    /// The same commit with other events. Its command stays as it is: every command is open ([`kernel::Game::Command`]).
    fn with(self, events: Vec<&'a RawValue>) -> Self {
        Body { events, ..self }
    }
}

/// The facts without the events: quick to read.
#[derive(Debug, Deserialize)]
pub struct Outline {
    /// The number of the commit.
    pub commit: u64,
    /// The version after its last event.
    pub last_version: u64,
    /// When it was recorded.
    pub recorded_at: String,
}

/// A commit as it lies on disk.
#[derive(Clone, Debug)]
pub struct Record {
    bytes: Vec<u8>,
}

impl Record {
    /// Seals a commit. `public` are the events as a spectator sees them, where that differs from `body.events`.
    pub(crate) fn seal(
        body: &Body<'_>,
        public: Option<Vec<&RawValue>>,
        seed: Bytes32,
        prev_hash: Bytes32,
        end: Option<End>,
    ) -> Self {
        let full = body.text();
        let public = public.map(|events| body.clone().with(events).text());
        let sealed = Bytes32::hash(&[&salt(seed, body.commit).0, full.as_bytes()]);
        let open = Bytes32::hash(&[public.as_deref().unwrap_or(&full).as_bytes()]);
        let hash = Bytes32::hash(&[&prev_hash.0, &open.0, &sealed.0]);
        Record::of(&full, [sealed, prev_hash, hash]).marked(public.is_none(), end)
    }

    /// A commit as it was published: the canonical JSON of all its facts, and `sealed`, `prev_hash` and `hash`. It has no marks yet.
    #[must_use]
    pub fn of(full: &str, hashes: [Bytes32; 3]) -> Self {
        let mut bytes = Vec::with_capacity(HEAD + full.len());
        bytes.extend([FORMAT, 0]);
        for part in hashes {
            bytes.extend(part.0);
        }
        bytes.extend(full.as_bytes());
        Record { bytes }
    }

    /// The same with its marks: whether a spectator sees all of it, and how the match ends with it.
    #[must_use]
    pub fn marked(mut self, is_open: bool, end: Option<End>) -> Self {
        let ends = match end {
            Some(End::Finished) => FINISHED,
            Some(End::Closed) => CLOSED,
            None => 0,
        };
        self.bytes[1] = if is_open { OPEN } else { 0 } | ends;
        self
    }

    /// The same with the tag of its request.
    pub(crate) fn tagged(mut self, tag: Tag) -> Self {
        self.bytes[1] |= TAGGED;
        self.bytes.splice(HEAD..HEAD, tag.bytes());
        self
    }

    /// Where its text begins.
    fn text_at(bytes: &[u8]) -> usize {
        let is_tagged = bytes.get(1).is_some_and(|flags| flags & TAGGED != 0);
        if is_tagged { HEAD + Tag::BYTES } else { HEAD }
    }

    /// Takes what the store kept.
    ///
    /// # Errors
    /// If it is of another format, or has marks that are unknown here.
    pub fn read(bytes: &[u8]) -> Result<Self, StreamError> {
        let format = bytes.first().copied().unwrap_or_default();
        if format != FORMAT {
            return Err(StreamError(format!("a commit: format {format} is unknown")));
        }
        let flags = bytes.get(1).copied().unwrap_or_default();
        if flags & !FLAGS != 0 {
            return Err(StreamError(format!("a commit: flags {flags} are unknown")));
        }
        let text = bytes.get(Record::text_at(bytes)..);
        let text = text.ok_or_else(|| StreamError("a commit that is cut off".to_owned()))?;
        std::str::from_utf8(text)
            .map_err(|error| StreamError(format!("a commit is not text: {error}")))?;
        Ok(Record { bytes: bytes.to_vec() })
    }

    /// What the store keeps.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same without the tag of its request: what anybody may know of it.
    #[must_use]
    pub fn untagged(&self) -> Vec<u8> {
        let mut bytes = self.bytes[..HEAD].to_vec();
        bytes[1] &= !TAGGED;
        bytes.extend_from_slice(self.full().as_bytes());
        bytes
    }

    fn hash_at(&self, number: usize) -> Bytes32 {
        let at = 2 + 32 * number;
        Bytes32(self.bytes[at..at + 32].try_into().expect("32 bytes"))
    }

    /// The hash that binds it to the secret seed.
    #[must_use]
    pub fn sealed(&self) -> Bytes32 {
        self.hash_at(0)
    }

    /// The hash of the commit before.
    #[must_use]
    pub fn prev_hash(&self) -> Bytes32 {
        self.hash_at(1)
    }

    /// Its own hash.
    #[must_use]
    pub fn hash(&self) -> Bytes32 {
        self.hash_at(2)
    }

    /// What it keeps of its request's idempotency key, if that had one.
    #[must_use]
    pub fn tag(&self) -> Option<Tag> {
        let is_tagged = self.bytes[1] & TAGGED != 0;
        is_tagged.then(|| self.bytes[HEAD..].first_chunk().copied().map(Tag::of_bytes)).flatten()
    }

    /// Does a spectator see all of it?
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.bytes[1] & OPEN != 0
    }

    /// Is the match finished after it?
    #[must_use]
    pub fn finishes(&self) -> bool {
        self.end() == Some(End::Finished)
    }

    /// Does the match end with it?
    #[must_use]
    pub fn end(&self) -> Option<End> {
        let is = |flag: u8| self.bytes[1] & flag != 0;
        is(FINISHED).then_some(End::Finished).or(is(CLOSED).then_some(End::Closed))
    }

    /// The canonical JSON of the whole commit.
    #[must_use]
    pub fn full(&self) -> &str {
        let text = &self.bytes[Record::text_at(&self.bytes)..];
        std::str::from_utf8(text).expect("checked when it was read")
    }

    /// All its facts.
    ///
    /// # Errors
    /// If its JSON is not that of a commit.
    pub fn body(&self) -> Result<Body<'_>, StreamError> {
        serde_json::from_str(self.full())
            .map_err(|error| StreamError(format!("a commit's JSON: {error}")))
    }

    /// Its facts without the events.
    ///
    /// # Errors
    /// If its JSON is not that of a commit.
    pub fn outline(&self) -> Result<Outline, StreamError> {
        serde_json::from_str(self.full())
            .map_err(|error| StreamError(format!("a commit's JSON: {error}")))
    }

    /// The commit as somebody sees it in the match of `state`, in full for `None`; nothing of it needs to be read where it is open.
    pub fn seen(
        &self,
        state: &dyn AnyMatch,
        viewer: Option<Viewer>,
    ) -> Result<String, StreamError> {
        let Some(viewer) = viewer.filter(|_| !self.is_open()) else {
            return Ok(self.full().to_owned());
        };
        let body = self.body()?;
        body_seen(state, body, viewer)
    }

    /// The same with the hashes, an entry of `GET .../commits`.
    pub fn entry(
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
    #[must_use]
    pub fn expected_seal(&self, seed: Bytes32, commit: u64) -> Bytes32 {
        Bytes32::hash(&[&salt(seed, commit).0, self.full().as_bytes()])
    }

    /// The hash as it must be in the match of `state`, after the hash and the seal that are stored; and whether a spectator sees all.
    pub fn expected_hash(&self, state: &dyn AnyMatch) -> Result<(Bytes32, bool), StreamError> {
        let public = body_seen(state, self.body()?, Viewer::Spectator)?;
        Ok(self.expected_of(&public))
    }

    /// The same, of a command and events that were decided again, and whose canonical form is what is stored; `body` is that of this commit.
    #[must_use]
    pub fn expected_again(&self, body: &Body<'_>, events: &[Seen]) -> (Bytes32, bool) {
        let hiding: Vec<_> =
            events.iter().map(|event| event.public.as_deref().map(canonical_raw)).collect();
        let shown = hiding.iter().zip(&body.events);
        let shown = shown.map(|(public, stored)| public.as_deref().unwrap_or(stored)).collect();
        let put = |json: &str, text: &mut Vec<u8>| text.extend_from_slice(json.as_bytes());
        self.expected_of(&body.clone().with(shown).written(put))
    }

    /// After the commit as a spectator sees it.
    fn expected_of(&self, public: &str) -> (Bytes32, bool) {
        let open = Bytes32::hash(&[public.as_bytes()]);
        let hash = Bytes32::hash(&[&self.prev_hash().0, &open.0, &self.sealed().0]);
        (hash, public == self.full())
    }
}

/// SHA-256(seed || k || "salt"): what keeps the seal of a commit from being guessed while the seed is secret.
fn salt(seed: Bytes32, commit: u64) -> Bytes32 {
    Bytes32::hash(&[&seed.0, &commit.to_be_bytes(), b"salt"])
}

/// An event, of the platform or of the game, as `viewer` sees it in the match of `state`; canonical.
pub fn event_seen(
    state: &dyn AnyMatch,
    event: &RawValue,
    viewer: Viewer,
) -> Result<Box<RawValue>, StreamError> {
    seen(state, event, viewer).map(|seen| canonical_raw(&seen))
}

/// The same, in any form.
fn seen(
    state: &dyn AnyMatch,
    event: &RawValue,
    viewer: Viewer,
) -> Result<Box<RawValue>, StreamError> {
    match PlatformEvent::read(event) {
        Some(event) => event.seen(state.game(), viewer),
        None => state.event_view(event, viewer),
    }
}

/// A commit as `viewer` sees it in the match of `state`.
fn body_seen(state: &dyn AnyMatch, body: Body<'_>, viewer: Viewer) -> Result<String, StreamError> {
    let events = body.events.iter().map(|event| seen(state, event, viewer));
    let events = events.collect::<Result<Vec<_>, _>>()?;
    Ok(body.with(events.iter().map(|event| &**event).collect()).text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_with_marks_that_nobody_knows_is_not_read() {
        let record = Record::of("{}", [Bytes32::default(); 3]).marked(true, Some(End::Finished));
        assert!(Record::read(record.bytes()).is_ok());
        for flag in [16, 32, 64, 128] {
            let mut bytes = record.bytes().to_vec();
            bytes[1] |= flag;
            let StreamError(what) = Record::read(&bytes).expect_err("it is of another form");
            assert!(what.contains("are unknown"), "{what}");
        }
    }
}

//! The events of the platform, which any game's stream may hold.

use std::collections::BTreeMap;

use kernel::{AnyGame, Edition, Seat, StreamError, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::bot::Bot;
use crate::canonical::{canonical, raw};
use crate::hash::Bytes32;
use crate::header::{BranchedFrom, Visibility};

/// An event that belongs to no game.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type")]
pub enum PlatformEvent {
    /// The match begins from a given position: the first event of commit 1, instead of those of a setup.
    PositionLoaded {
        /// The complete position, JSON.
        position: Box<RawValue>,
    },
    /// The last event of commit 1.
    TableOpened(TableOpened),
    /// The only event of its commit.
    SeatTaken(SeatTaken),
    /// The only event of its commit, which is the last one.
    MatchClosed(MatchClosed),
    /// The only event of its commit.
    ReplyRefused(ReplyRefused),
    /// The position is again the one at `to_version`; the skipped events stay.
    CommandTakenBack {
        /// Whose command it was.
        seat: Seat,
        /// The version before that command.
        to_version: u64,
    },
}

/// How the match is played, and who sits where. The position stays the same.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TableOpened {
    /// The match and version that this one started from, if it is a branch.
    pub branched_from: Option<BranchedFrom>,
    /// The edition of the game's rules that decides this match, to its end.
    pub edition: Edition,
    /// The program that opened the match, with its version.
    pub engine: String,
    /// The id of the game.
    pub game: String,
    /// SHA-256 of what the store keeps of this match in addition to its commits: the seed, and the hashes of the first tokens.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub header_commitment: Bytes32,
    /// What the opener contributed to chance, if anything. It counts from commit 1 on.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub nonce: Option<Bytes32>,
    /// The options as they were requested; null if none were.
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    pub options: Option<Box<RawValue>>,
    /// Only in a sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Box<Sandbox>>,
    /// The seats, in order.
    pub seats: Vec<SeatOpened>,
    /// SHA-256 of the seed.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub seed_commitment: Bytes32,
    /// Whether taking back was requested. The game's own options may allow it too.
    pub take_back: bool,
    /// Who may see the match.
    pub visibility: Visibility,
}

/// What the opening of a table says of what stands beside the chain. It can be read of a newer program's, too: so much is true of every form.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Commitments {
    /// SHA-256 of the header.
    pub header_commitment: Bytes32,
    /// SHA-256 of the seed.
    pub seed_commitment: Bytes32,
}

impl Commitments {
    /// Those of an event, if it opens a table.
    #[must_use]
    pub fn read(event: &RawValue) -> Option<Self> {
        if kind(event)? == "TableOpened" { fields(event) } else { None }
    }
}

/// The mark of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Sandbox {
    /// The draws that were forced, by commit.
    pub forced: Vec<ForcedDraws>,
    /// What bots do after the opening; left out if they have no scripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replies: Option<Replies>,
    /// The seed.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub seed: Bytes32,
}

/// What bots do after the opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Replies {
    /// The last commit of the opening: commits after it may be replies.
    pub after: u64,
    /// By seat.
    pub scripts: Vec<BotScript>,
}

impl Sandbox {
    /// One in which nothing is chosen but the seed.
    #[must_use]
    pub fn of(seed: Bytes32) -> Self {
        Sandbox { seed, forced: Vec::new(), replies: None }
    }

    /// How much memory it takes, in bytes, and rather more.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let forced = self.forced.iter().flat_map(|forced| &forced.outcomes);
        let scripts = self.replies.iter().flat_map(|replies| &replies.scripts);
        forced.chain(scripts.flat_map(|script| &script.commands)).map(bytes_of).sum()
    }
}

/// How much memory a value takes: each entry of an object has a place of its own in a tree.
fn bytes_of(value: &Value) -> usize {
    const ENTRY: usize = 64;
    size_of::<Value>()
        + match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(bytes_of).sum(),
            Value::Object(fields) => {
                let field = |(name, value): (&String, &Value)| ENTRY + name.len() + bytes_of(value);
                fields.iter().map(field).sum()
            }
        }
}

/// What a bot does, one command after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BotScript {
    /// Commands, in order.
    #[schema(value_type = Vec<BTreeMap<String, Value>>)]
    pub commands: Vec<Value>,
    /// The seat.
    pub seat: Seat,
}

/// The draws of a commit that were forced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ForcedDraws {
    /// The number of the commit.
    pub commit: u64,
    /// The outcomes of its first draws; null for a draw from the seed.
    pub outcomes: Vec<Value>,
}

/// A seat when the match was opened.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SeatOpened {
    /// The bot that has the seat; null for a person.
    pub bot: Option<Bot>,
    /// The version of the bot's play; left out for version 1, and for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 2)]
    pub bot_version: Option<u32>,
    /// SHA-256(salt || name) of the player's name, if one was given.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub name_commitment: Option<Bytes32>,
    /// Whether the seat is left for somebody to take.
    pub open: bool,
}

/// Somebody took an open seat. The position stays the same.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SeatTaken {
    /// SHA-256(salt || name) of the player's name; null if the seat has none.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub name_commitment: Option<Bytes32>,
    /// What the player contributed to chance, if anything. It counts from the next commit on.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub nonce: Option<Bytes32>,
    /// The seat.
    pub seat: Seat,
    /// SHA-256(SHA-256(token)) of the seat's token.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub token_commitment: Bytes32,
}

/// A rule forbids the next command of a bot's script: from here on the bot plays by itself. The position stays the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReplyRefused {
    /// The index of the command in the script of the seat, from 0.
    pub reply: u64,
    /// The rule that forbids it.
    pub rule: String,
    /// The seat.
    pub seat: Seat,
}

/// The match was closed before its end. The position stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MatchClosed {
    /// Who closed it.
    pub by: ClosedBy,
    /// Why.
    pub reason: CloseReason,
}

/// Who closed a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClosedBy {
    /// Who holds the owner's token.
    Owner,
    /// Who runs the server.
    Operator,
}

/// Why a match was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// It was asked for.
    Closed,
    /// Nothing happened in it for a long time.
    Idle,
    /// It is as long as a match may be: by its events, each commit counting as three at least.
    Length,
}

impl SeatOpened {
    /// A seat with today's version of this bot, or of a person.
    #[must_use]
    pub fn new(bot: Option<Bot>, name_commitment: Option<Bytes32>, open: bool) -> Self {
        let version = bot.map(Bot::version).filter(|version| *version != Bot::FIRST_VERSION);
        SeatOpened { bot, bot_version: version, name_commitment, open }
    }
}

impl PlatformEvent {
    /// Reads a stored event, if it is one of the platform, in a form that is known here. One with more in it is of a newer program: nobody reads it
    /// as if that were not there, and the game, which does not know it either, refuses it.
    pub fn read(event: &RawValue) -> Option<Self> {
        let read = Self::read_known(event)?;
        (canonical(raw(&read).get()) == event.get()).then_some(read)
    }

    /// The same, without what is not known of it.
    fn read_known(event: &RawValue) -> Option<Self> {
        #[derive(Deserialize)]
        struct Loaded {
            position: Box<RawValue>,
        }
        #[derive(Deserialize)]
        struct TakenBack {
            seat: Seat,
            to_version: u64,
        }
        match kind(event)? {
            "PositionLoaded" => {
                let Loaded { position } = fields(event)?;
                Some(PlatformEvent::PositionLoaded { position })
            }
            "TableOpened" => fields(event).map(PlatformEvent::TableOpened),
            "SeatTaken" => fields(event).map(PlatformEvent::SeatTaken),
            "MatchClosed" => fields(event).map(PlatformEvent::MatchClosed),
            "ReplyRefused" => fields(event).map(PlatformEvent::ReplyRefused),
            "CommandTakenBack" => {
                let TakenBack { seat, to_version } = fields(event)?;
                Some(PlatformEvent::CommandTakenBack { seat, to_version })
            }
            _ => None,
        }
    }

    /// The event as `viewer` sees it.
    ///
    /// # Errors
    /// If the position is none of the game.
    pub fn seen(&self, game: &dyn AnyGame, viewer: Viewer) -> Result<Box<RawValue>, StreamError> {
        match self {
            PlatformEvent::PositionLoaded { position } => {
                let state = game.restore(position, None)?;
                Ok(raw(&PlatformEvent::PositionLoaded { position: state.view(viewer) }))
            }
            PlatformEvent::TableOpened(_)
            | PlatformEvent::SeatTaken(_)
            | PlatformEvent::MatchClosed(_)
            | PlatformEvent::ReplyRefused(_)
            | PlatformEvent::CommandTakenBack { seat: _, to_version: _ } => Ok(raw(self)),
        }
    }
}

/// The type of an event.
pub fn kind(event: &RawValue) -> Option<&str> {
    #[derive(Deserialize)]
    struct Tag<'a> {
        r#type: &'a str,
    }
    fields::<Tag<'_>>(event).map(|tag| tag.r#type)
}

/// Some fields of an event.
fn fields<'a, T: Deserialize<'a>>(event: &'a RawValue) -> Option<T> {
    serde_json::from_str(event.get()).ok()
}

/// JSON Schemas of the events that change no position.
#[derive(Clone, Debug)]
pub struct PlatformSchemas {
    /// By type.
    pub events: Vec<(&'static str, Value)>,
    /// What they refer to, by name.
    pub components: BTreeMap<String, Value>,
}

impl PlatformSchemas {
    /// All of them.
    #[must_use]
    pub fn new() -> Self {
        let mut schemas = PlatformSchemas { events: Vec::new(), components: BTreeMap::new() };
        schemas.add::<TableOpened>("TableOpened");
        schemas.add::<SeatTaken>("SeatTaken");
        schemas.add::<MatchClosed>("MatchClosed");
        schemas.add::<ReplyRefused>("ReplyRefused");
        schemas
    }

    fn add<T: ToSchema>(&mut self, kind: &'static str) {
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        self.components.extend(parts.into_iter().map(|(name, schema)| (name, json!(schema))));
        let mut schema = json!(T::schema());
        schema["properties"]["type"] = json!({"type": "string", "const": kind});
        if let Some(required) = schema["required"].as_array_mut() {
            required.insert(0, json!("type"));
        }
        self.events.push((kind, schema));
    }
}

impl Default for PlatformSchemas {
    fn default() -> Self {
        PlatformSchemas::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_says_the_version_of_its_bot_only_where_it_is_not_the_first() {
        let stored = r#"{"bot":"greedy","name_commitment":null,"open":false}"#;
        let seat: SeatOpened = serde_json::from_str(stored).expect("a seat of any release");
        assert_eq!((seat.bot, seat.bot_version), (Some(Bot::Greedy), None));
        assert_eq!(raw(&seat).get(), stored);
        let later = r#"{"bot":"greedy","bot_version":2,"name_commitment":null,"open":false}"#;
        let seat: SeatOpened = serde_json::from_str(later).expect("a seat of a later bot");
        assert_eq!((seat.bot_version, raw(&seat).get()), (Some(2), later));
        for bot in Bot::ALL {
            let version = SeatOpened::new(Some(bot), None, false).bot_version;
            assert_eq!(version.unwrap_or(1), bot.version());
        }
        assert_eq!(SeatOpened::new(None, None, true).bot_version, None);
    }

    #[test]
    fn an_event_that_says_more_than_is_known_here_is_not_read() {
        let hash = "0".repeat(64);
        let branched = r#"{"at":3,"match":"01900000-0000-7000-8000-000000000000"}"#;
        let replies = r#"{"after":2,"scripts":[{"commands":[],"seat":1}]}"#;
        let forced = r#"[{"commit":1,"outcomes":[3,null]}]"#;
        let sandbox = format!(r#"{{"forced":{forced},"replies":{replies},"seed":"{hash}"}}"#);
        let seats = r#"[{"bot":"greedy","bot_version":2,"name_commitment":null,"open":false}]"#;
        let opened = format!(
            r#"{{"branched_from":{branched},"edition":1,"engine":"muninn 0.1.0","game":"nim","header_commitment":"{hash}","nonce":null,"options":null,"sandbox":{sandbox},"seats":{seats},"seed_commitment":"{hash}","take_back":false,"type":"TableOpened","visibility":"public"}}"#
        );
        let taken = format!(
            r#"{{"name_commitment":null,"nonce":"{hash}","seat":1,"token_commitment":"{hash}","type":"SeatTaken"}}"#
        );
        let event = |text: &str| RawValue::from_string(text.to_owned()).expect("JSON");
        for stored in [
            r#"{"position":[],"type":"PositionLoaded"}"#,
            &opened,
            &taken,
            r#"{"by":"operator","reason":"idle","type":"MatchClosed"}"#,
            r#"{"reply":0,"rule":"R-1","seat":1,"type":"ReplyRefused"}"#,
            r#"{"seat":0,"to_version":7,"type":"CommandTakenBack"}"#,
        ] {
            assert!(PlatformEvent::read(&event(stored)).is_some(), "{stored}");
            for (at, _) in stored.match_indices('{') {
                let more = format!("{}{{\"a\":0,{}", &stored[..at], &stored[at + 1..]);
                assert!(PlatformEvent::read(&event(&more)).is_none(), "{more}");
            }
        }
        let more = event(&opened.replacen('{', r#"{"a":0,"#, 1));
        assert!(Commitments::read(&more).is_some(), "it is of every form");
        assert!(Commitments::read(&event(&taken)).is_none());
    }
}

//! What an export says about itself.

use journal::{Bytes32, Damaged, Place};
use serde::{Deserialize, Serialize};

use super::request::Export;
use crate::catalogue::{Catalogue, VERSION};

/// `_export.json`: names with an underscore in front are passed over by the readers of partitioned folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The version of the tables.
    pub(super) tables: u32,
    /// A hash of all tables and columns: changes when a game gets a new event or field.
    pub(super) columns: String,
    pub(super) format: String,
    pub(super) game: Option<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) private: bool,
    /// Are there columns of hashes?
    #[serde(default)]
    pub(super) hashes: bool,
    /// The feed position after which the export begins.
    pub(super) since: u64,
    /// The feed position up to which everything was exported.
    pub(super) position: u64,
    /// The hash of the commit there, or of the last one below it that can be read: of another store it is another one. Exports of before have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mark: Option<Bytes32>,
    /// The position of that commit, if it is not `position`; 0 if none can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mark_position: Option<u64>,
    /// What is damaged up to there, and in no file.
    #[serde(default)]
    pub(super) damaged: Vec<LeftOut>,
    pub(super) files: Vec<Entry>,
    /// The SHA-256 of the manifest without this, as compact JSON. Exports of before have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<Bytes32>,
}

/// Something that is damaged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LeftOut {
    /// The match; null where only the place in the feed is known.
    pub(super) r#match: Option<String>,
    /// The feed position of its end, or of what is damaged.
    pub(super) position: Option<u64>,
    /// The first commit that is damaged, where it is known.
    pub(super) commit: Option<u64>,
    /// What is wrong, with the cause.
    pub(super) what: String,
}

impl From<&Damaged> for LeftOut {
    fn from(damaged: &Damaged) -> Self {
        let r#match = match damaged.place() {
            Place::Match(id) => Some(id.to_string()),
            Place::Position(_) => None,
        };
        let (position, commit) = (damaged.at(), damaged.number());
        LeftOut { r#match, position, commit, what: damaged.cause().to_owned() }
    }
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) rows: u64,
    pub(super) bytes: u64,
}

impl Manifest {
    pub(super) fn new(export: &Export, catalogue: &Catalogue) -> Self {
        let since = export.since.unwrap_or(0);
        Manifest {
            tables: VERSION,
            columns: catalogue.fingerprint(export.wanted.game.as_deref()),
            format: export.format.name().to_owned(),
            game: export.wanted.game.clone(),
            from: export.wanted.from.clone(),
            to: export.wanted.to.clone(),
            private: export.wanted.private,
            hashes: catalogue.has_hashes(),
            since,
            position: since,
            mark: None,
            mark_position: None,
            damaged: Vec::new(),
            files: Vec::new(),
            checksum: None,
        }
    }

    /// The same up to a feed position, where this is the last commit that can be read.
    pub(super) fn up_to(&mut self, position: u64, last: Option<(u64, Bytes32)>) {
        // The mark of before still tells which store it is.
        let before = self.mark.map(|mark| (self.mark_position.unwrap_or(self.position), mark));
        let last = last.or(before);
        let at = last.map_or(0, |(at, _)| at);
        self.position = position;
        self.mark = last.map(|(_, mark)| mark);
        self.mark_position = (at != position).then_some(at);
    }

    /// With its checksum.
    pub(super) fn sealed(&self) -> Self {
        Manifest { checksum: Some(self.sum()), ..self.clone() }
    }

    /// Is it as it was written? An edited position would leave matches out, or export them twice.
    pub(super) fn is_whole(&self) -> bool {
        self.checksum.is_none_or(|checksum| checksum == self.sum())
    }

    fn sum(&self) -> Bytes32 {
        let bare = Manifest { checksum: None, ..self.clone() };
        let text = serde_json::to_vec(&bare);
        Bytes32::hash(&[&text.expect("a manifest is plain data, which always has JSON")])
    }

    /// What keeps an export from going on with this one.
    pub(super) fn differs(&self, found: &Manifest, since: Option<u64>) -> Option<&'static str> {
        let differences = [
            (self.tables != found.tables, "version of the tables"),
            (self.format != found.format, "format"),
            (self.game != found.game, "--game"),
            (self.from != found.from, "--from"),
            (self.to != found.to, "--to"),
            (self.private != found.private, "--private"),
            (self.hashes != found.hashes, "--hashes"),
            (self.columns != found.columns, "set of columns"),
            (since.is_some_and(|since| since != found.position), "end than --since"),
        ];
        differences.iter().find(|(differs, _)| *differs).map(|(_, what)| *what)
    }
}

//! Ways to damage a match.

use std::path::Path;

use store::{Commit, Config, Store, StreamId, Write};

use acceptance::rewritten::TEXT_AT;

/// What becomes of a stored value.
type Change = fn(&str) -> String;

/// A way to damage a copy of a finished match: its header, and the text of one of its commits, counted from its end.
pub(crate) struct Harm {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    header: Change,
    commit: Option<usize>,
    text: Change,
    /// The first byte of that commit: its format.
    format: u8,
}

const SAME: Change = str::to_owned;

pub(crate) const HARMS: [Harm; 7] = [
    Harm {
        name: "points",
        what: "differs",
        header: SAME,
        commit: Some(0),
        text: |text| text.replace("\"points\":", "\"points\":1"),
        format: 1,
    },
    Harm {
        name: "area",
        what: "corrupt",
        header: SAME,
        commit: Some(0),
        text: |text| text.replace("\"largest_area\":", "\"largest_area\":1"),
        format: 1,
    },
    Harm {
        name: "format of the last commit",
        what: "unknown_form",
        header: SAME,
        commit: Some(0),
        text: SAME,
        format: 9,
    },
    Harm {
        name: "format of a commit",
        what: "unknown_form",
        header: SAME,
        commit: Some(3),
        text: SAME,
        format: 9,
    },
    Harm {
        name: "event",
        what: "differs",
        header: SAME,
        commit: Some(3),
        text: |text| text.replace("\"type\":", "\"typo\":"),
        format: 1,
    },
    Harm {
        name: "format of the header",
        what: "unknown_form",
        header: |text| text.replace("\"format\":", "\"format\":1"),
        commit: None,
        text: SAME,
        format: 1,
    },
    Harm {
        name: "header",
        what: "unknown_form",
        header: |_| "nonsense".to_owned(),
        commit: None,
        text: SAME,
        format: 1,
    },
];

/// Appends a copy of a finished match that is damaged; returns its id and the number of the commit.
pub(crate) fn plant(data: &Path, id: &str, number: u8, harm: &Harm) -> (String, Option<u64>) {
    let store = Store::open(data, Config::default()).expect("the store opens");
    let stream = StreamId(*id.parse::<uuid::Uuid>().expect("an id").as_bytes());
    let mut copy = stream;
    copy.0[15] ^= number;
    let header = store.header(stream).expect("readable").expect("a header");
    let header = (harm.header)(&String::from_utf8(header).expect("text")).into_bytes();
    let commits = store.commits(stream, 0, 10_000).expect("readable");
    let harmed = harm.commit.map(|from_end| (commits.len() - from_end) as u64);
    for stored in commits {
        let mut bytes = stored.bytes.to_vec();
        if harmed == Some(stored.number) {
            let text = (harm.text)(&String::from_utf8_lossy(&bytes[TEXT_AT..]));
            bytes = [&bytes[..TEXT_AT], text.as_bytes()].concat();
            bytes[0] = harm.format;
        }
        let header = (stored.number == 1).then(|| header.clone());
        let commit = Commit { stream: copy, number: stored.number, bytes, header };
        let write = Write { commit: Some(commit), ..Write::default() };
        store.submit(write).wait().expect("the store takes it");
    }
    (uuid::Uuid::from_bytes(copy.0).to_string(), harmed)
}

//! The match that a note belongs to.

use journal::MatchId;
use store::{Note, StreamId};

/// Notes whose key has the match behind this.
const BY_KEY: [&[u8]; 3] = [b"name/", b"seat/", b"origin/"];
/// Notes whose value is the match.
const BY_VALUE: [&[u8]; 2] = [b"token/", b"ticket/"];
/// Notes whose value tells the match, beside other things.
const TELLING: &[u8] = b"open/";

/// The match of a note of a kind that only matches have.
pub(super) fn match_of(note: &Note) -> Option<StreamId> {
    let id = if BY_KEY.iter().any(|kind| note.key.starts_with(kind)) {
        in_key(note)
    } else if BY_VALUE.iter().any(|kind| note.key.starts_with(kind)) {
        is_value(note)
    } else if note.key.starts_with(TELLING) {
        told(note)
    } else {
        None
    };
    id.map(StreamId)
}

/// All ids that a note may have in it.
pub(super) fn ids_in(note: &Note) -> impl Iterator<Item = StreamId> {
    [in_key(note), is_value(note), told(note)].into_iter().flatten().map(StreamId)
}

fn in_key(note: &Note) -> Option<[u8; 16]> {
    let slash = note.key.iter().position(|byte| *byte == b'/')?;
    note.key[slash + 1..].first_chunk().copied()
}

fn is_value(note: &Note) -> Option<[u8; 16]> {
    note.value.as_slice().try_into().ok()
}

fn told(note: &Note) -> Option<[u8; 16]> {
    #[derive(serde::Deserialize)]
    struct Of {
        r#match: MatchId,
    }
    let told = serde_json::from_slice::<Of>(&note.value).ok();
    told.map(|of| of.r#match.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_tells_its_match() {
        let id = MatchId::from_bytes([7; 16]);
        let note = |key: &[u8], value: &[u8]| Note {
            key: key.to_vec(),
            value: value.to_vec(),
            position: 1,
        };
        let told = format!(r#"{{"match":"{id}","more":1}}"#);
        let stream = Some(StreamId([7; 16]));
        for kind in ["name/", "seat/", "origin/"] {
            let key = [kind.as_bytes(), &[7; 16], b"x"].concat();
            assert_eq!(match_of(&note(&key, b"{}")), stream, "{kind}");
        }
        assert_eq!(match_of(&note(b"token/x", &[7; 16])), stream);
        assert_eq!(match_of(&note(b"ticket/x", &[7; 16])), stream);
        assert_eq!(match_of(&note(b"open/x", told.as_bytes())), stream);
        for (key, value) in [
            (b"seed-secret".as_slice(), [7; 16].as_slice()),
            (b"token/x", b"short"),
            (b"open/x", b""),
        ] {
            assert_eq!(match_of(&note(key, value)), None);
        }
    }
}

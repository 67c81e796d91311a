//! What a commit keeps of the idempotency key of its request.

use kernel::Seat;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hash::Bytes32;

/// Tells a request that is repeated from one that only has the same key. The key itself is not kept. It stands beside what is
/// hashed: it says what the server answered, and nothing of the match. JSON: 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The beginning of a hash of the seat and the key.
    pub key: [u8; 10],
    /// The beginning of a hash of the body.
    pub body: [u8; 6],
}

impl Tag {
    /// How many bytes it takes.
    pub(crate) const BYTES: usize = 16;

    /// Of a command by `seat` with this key and this hash of its body.
    #[must_use]
    pub fn new(seat: Seat, key: &str, body: Bytes32) -> Tag {
        let key = Bytes32::hash(&[b"command", &[seat.0], key.as_bytes()]);
        Tag { key: std::array::from_fn(|at| key.0[at]), body: std::array::from_fn(|at| body.0[at]) }
    }

    pub(crate) fn of_bytes(bytes: [u8; Tag::BYTES]) -> Tag {
        let [head @ .., _, _, _, _, _, _] = bytes;
        let [_, _, _, _, _, _, _, _, _, _, tail @ ..] = bytes;
        Tag { key: head, body: tail }
    }

    /// As it lies in a record.
    #[must_use]
    pub fn bytes(&self) -> [u8; Tag::BYTES] {
        std::array::from_fn(|at| self.key.get(at).copied().unwrap_or_else(|| self.body[at - 10]))
    }
}

impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{:032x}", u128::from_be_bytes(self.bytes())))
    }
}

impl<'de> Deserialize<'de> for Tag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        let is_hex = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = is_hex.then(|| u128::from_str_radix(&text, 16).ok()).flatten();
        let number =
            number.ok_or_else(|| serde::de::Error::custom("expected 32 hexadecimal digits"));
        Ok(Tag::of_bytes(number?.to_be_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_read_as_it_was_written() {
        let tag = Tag::new(Seat(1), "key", Bytes32::hash(&[b"body"]));
        assert_eq!(Tag::of_bytes(tag.bytes()), tag);
        let text = serde_json::to_string(&tag).unwrap();
        assert_eq!(serde_json::from_str::<Tag>(&text).unwrap(), tag);
        assert_ne!(Tag::new(Seat(2), "key", Bytes32::hash(&[b"body"])).key, tag.key);
        for wrong in [r#""""#, r#""+123456789012345678901234567890ab""#, "7"] {
            serde_json::from_str::<Tag>(wrong).unwrap_err();
        }
    }

    /// Stores hold tags: by another derivation, a request that is repeated would be carried out twice.
    #[test]
    fn a_tag_is_derived_as_it_always_was() {
        let body = Bytes32::hash(&[br#"{"command":{"type":"DrawCard"}}"#]);
        let tag = Tag::new(Seat(1), "0198c0de-5c00-7000-8000-000000000007", body);
        let text = serde_json::to_string(&tag).unwrap();
        assert_eq!(text, r#""afcd20fa2d14779b3194fa316e6bafaa""#);
    }
}

//! Numbers in JSON that every reader has as they are.

use serde_json::Value;

use crate::pointers::pointers_to;

/// Asserts that a JSON text has only numbers that every reader has as they are.
pub(super) fn all_carried(json: &str, name: &str) {
    let wide = not_carried(json);
    assert!(wide.is_empty(), "{name}: no integers, or of more than 53 bits, at {wide:?} in {json}");
}

/// Where in a JSON text numbers are that are no integers of at most 53 bits: hashes are made of no others (RFC 8785), and JavaScript has no others.
fn not_carried(json: &str) -> Vec<String> {
    let document: Value = serde_json::from_str(json).expect("it was written as JSON");
    pointers_to(&document, |value| {
        let number = value.as_i64();
        value.is_number() && number.is_none_or(|number| number.unsigned_abs() >= 1 << 53)
    })
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use serde::{Deserialize, Serialize};

    use super::not_carried;
    use crate::conform::round_trip;
    use crate::said;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Stones {
        count: u64,
    }

    #[test]
    fn numbers_that_readers_would_round_are_found() {
        let most = r#"{"most": 9007199254740991, "least": -9007199254740991, "word": "1.5"}"#;
        assert_eq!(not_carried(most), [""; 0]);
        for number in ["9007199254740992", "-9007199254740992", "18446744073709551615", "0.5"] {
            assert_eq!(not_carried(&format!(r#"{{"of": [1, {number}]}}"#)), ["/of/1"], "{number}");
        }
    }

    #[test]
    fn what_is_written_holds_no_such_number() {
        let written = |count| catch_unwind(|| round_trip(&Stones { count }, "stones", |_| true));
        assert_eq!(written((1 << 53) - 1).expect("it is carried").count, (1 << 53) - 1);
        let found = written(1 << 53).expect_err("it is not carried");
        assert!(said(found.as_ref()).contains("53 bits"), "{}", said(found.as_ref()));
    }
}

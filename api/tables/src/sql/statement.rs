//! Is it one statement? The engine would prepare what follows, one inside of the other.

/// Does anything but space and comments follow a semicolon?
pub(super) fn is_one(sql: &str) -> bool {
    let mut rest = sql.as_bytes();
    let mut ended = false;
    while let Some((first, after)) = rest.split_first() {
        let skip = match (first, after.first()) {
            (b'-', Some(b'-')) => end(after, b"\n"),
            (b'/', Some(b'*')) => end(&after[1..], b"*/").map(|at| at + 1),
            (b';', _) => {
                ended = true;
                Some(0)
            }
            (space, _) if space.is_ascii_whitespace() => Some(0),
            _ if ended => return false,
            (b'[', _) => end(after, b"]"),
            (quote @ (b'\'' | b'"' | b'`'), _) => end(after, &[*quote]),
            _ => Some(0),
        };
        let Some(skip) = skip else { return true };
        rest = &after[skip..];
    }
    true
}

/// How many bytes until after `mark`.
fn end(text: &[u8], mark: &[u8]) -> Option<usize> {
    let at = text.windows(mark.len()).position(|window| window == mark)?;
    Some(at + mark.len())
}

#[cfg(test)]
mod tests {
    use super::is_one;

    #[test]
    fn a_second_statement_is_found_and_nothing_else() {
        for one in [
            "",
            ";;; ",
            "SELECT 1",
            "SELECT 1; -- the end; really",
            "SELECT ';', \"a;b\", [c;d], `e;f` /* ; */ ;\n",
            "SELECT 'it''s;'",
            "SELECT 'open; SELECT 2",
        ] {
            assert!(is_one(one), "{one}");
        }
        for two in ["SELECT 1; SELECT 2", ";SELECT 1", "SELECT 'a'; 'b'", "SELECT 1;/* */x"] {
            assert!(!is_one(two), "{two}");
        }
    }
}

//! The members of a JSON object as they stand in its text. Events are read by the million, and are known to be JSON: nothing is checked
//! again, and nothing is copied.

/// The members of an object in their order: the name without its quotes, escapes as they are, and the text of the value. Anything but an
/// object has none.
pub(crate) struct Members<'a> {
    json: &'a str,
    at: usize,
}

impl<'a> Members<'a> {
    /// The members of the object in a JSON text.
    pub(crate) fn of(json: &'a str) -> Self {
        let at = skip(json.as_bytes(), 0);
        let object = json.as_bytes().get(at) == Some(&b'{');
        Members { json, at: if object { at + 1 } else { json.len() } }
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let json = self.json.as_bytes();
        let name = skip(json, self.at);
        let name_end = string_end(json, name)?;
        let value = skip(json, name_end);
        self.at = value_end(json, value)?;
        Some((&self.json[name + 1..name_end - 1], &self.json[value..self.at]))
    }
}

/// Where the next name or value begins.
fn skip(json: &[u8], mut at: usize) -> usize {
    while let Some(b',' | b':' | b' ' | b'\t' | b'\r' | b'\n') = json.get(at) {
        at += 1;
    }
    at
}

/// Where the string ends that begins at `at`.
fn string_end(json: &[u8], mut at: usize) -> Option<usize> {
    if json.get(at) != Some(&b'"') {
        return None;
    }
    loop {
        at += 1;
        match json.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 1,
            _ => {}
        }
    }
}

/// Where the value ends that begins at `at`.
fn value_end(json: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    loop {
        match json.get(at)? {
            b'"' => at = string_end(json, at)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
                continue;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            _ if depth > 0 => {
                at += 1;
                continue;
            }
            _ => {
                let ends =
                    |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n');
                return Some(at + json[at..].iter().position(ends)?);
            }
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Members;

    #[test]
    fn members_are_cut_out_of_the_text_whatever_the_values_hold() {
        let json = r#" {"a":1,"b" : "x\"},{\\" , "c":{"d":[{"e":"]"}],"f":"}"},"g":[ ],"h\n":null,"i":-12 }"#;
        let expected = [
            ("a", "1"),
            ("b", r#""x\"},{\\""#),
            ("c", r#"{"d":[{"e":"]"}],"f":"}"}"#),
            ("g", "[ ]"),
            ("h\\n", "null"),
            ("i", "-12"),
        ];
        assert!(Members::of(json).eq(expected));
        for none in ["{}", " { } ", "[1]", "null", "\"{\"", ""] {
            assert_eq!(Members::of(none).next(), None, "{none}");
        }
    }
}

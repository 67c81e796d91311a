//! Markers: 32 secret bytes are unmistakable wherever they turn up, whole or in pieces, however they are written.

use std::collections::{BTreeSet, HashMap};

use acceptance::proof::{hex, sha256};

/// A piece of so many characters is found.
const PIECE: usize = 16;

/// What was said so far: each long word once, with where it was said first.
#[derive(Default)]
pub(crate) struct Traces(HashMap<String, String>);

/// Is it a letter of hexadecimal digits or of base64, in any alphabet?
fn of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'_' | b'-')
}

impl Traces {
    /// Takes note of what was said somewhere.
    pub(crate) fn note(&mut self, place: &str, text: &[u8]) {
        let words = text.split(|byte| !of_word(*byte));
        let words = words.filter(|word| word.len() >= PIECE);
        let words = words.map(|word| String::from_utf8_lossy(word).into_owned());
        for word in words.chain(number_lists(text)) {
            self.0.entry(word).or_insert_with(|| place.to_owned());
        }
        // Bytes as they are: they would break words apart.
        if std::str::from_utf8(text).is_err() {
            self.0.insert(hex(text), place.to_owned());
        }
    }

    /// Where pieces of secrets were said: the name of the secret, and the place.
    pub(crate) fn find(&self, secrets: &Secrets) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (word, place) in &self.0 {
            let lower = word.to_lowercase();
            for text in [word.as_str(), &lower] {
                let pieces = text.as_bytes().windows(PIECE);
                for name in pieces.filter_map(|piece| secrets.0.get(piece)) {
                    found.insert(format!("{name} in {place}: {word}"));
                }
            }
        }
        found
    }
}

/// Lists of numbers that may be bytes, such as `[12, 255, 0]`, in hexadecimal digits.
fn number_lists(text: &[u8]) -> Vec<String> {
    let (mut lists, mut list) = (Vec::new(), Vec::new());
    for part in text.split(|byte| matches!(byte, b',' | b'[' | b']')) {
        let number = std::str::from_utf8(part).ok().map(str::trim);
        match number.and_then(|number| number.parse::<u8>().ok()) {
            Some(byte) => list.push(byte),
            None => lists.push(hex(&std::mem::take(&mut list))),
        }
    }
    lists.push(hex(&list));
    lists.retain(|list| list.len() >= PIECE);
    lists
}

/// Pieces of secrets, in every way to write them, with the names of the secrets.
#[derive(Default)]
pub(crate) struct Secrets(HashMap<Vec<u8>, String>);

impl Secrets {
    pub(crate) fn add(&mut self, name: &str, secret: &[u8; 32]) {
        let mut forms = vec![hex(secret)];
        for alphabet in [b"+/", b"-_"] {
            // In a longer text it may begin at any bit.
            forms.extend((0..3).map(|skip| base64(&secret[skip..], *alphabet)));
        }
        for form in forms {
            for piece in form.as_bytes().windows(PIECE) {
                self.0.insert(piece.to_vec(), name.to_owned());
            }
        }
    }

    /// The seed of a match, and what is made of it for so many commits.
    pub(crate) fn add_seed(&mut self, seed: &[u8; 32], commits: u64) {
        self.add("the seed", seed);
        for commit in 1..=commits + 1 {
            let number = commit.to_be_bytes();
            let salt = sha256(&[seed, &number, b"salt"]);
            self.add(&format!("the salt of commit {commit}"), &salt);
            let chance = sha256(&[seed, &number]);
            self.add(&format!("the chance of commit {commit}"), &chance);
        }
    }

    /// A token, and what the store knows of it.
    pub(crate) fn add_token(&mut self, name: &str, token: &[u8; 32]) {
        self.add(&format!("the token of {name}"), token);
        let hash = sha256(&[token]);
        self.add(&format!("the hash of the token of {name}"), &hash);
    }
}

/// Base64 without padding, of whole triples.
fn base64(bytes: &[u8], last: [u8; 2]) -> String {
    let letters = (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9').chain(last);
    let letters: Vec<u8> = letters.collect();
    let mut text = String::new();
    for triple in bytes.chunks_exact(3) {
        let bits = triple.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte));
        let letter = |shift: usize| char::from(letters[bits >> shift & 63]);
        text.extend([18, 12, 6, 0].map(letter));
    }
    text
}

#[test]
fn secrets_are_found_however_they_are_written() {
    let secret: [u8; 32] = std::array::from_fn(|at| u8::try_from(at * 37 % 251).expect("small"));
    let mut secrets = Secrets::default();
    secrets.add_seed(&secret, 2);
    secrets.add_token("seat 0", &secret);
    let standard = base64(&[b"x".as_slice(), &secret, b"yz"].concat(), *b"+/");
    let salt = sha256(&[&secret, &2u64.to_be_bytes(), b"salt"]);
    for text in [
        format!("{{\"seed\": \"{}\"}}", hex(&secret)),
        format!("SEED={}.", hex(&secret).to_uppercase()),
        format!("id: {}-{}", &hex(&secret)[..20], &hex(&salt)[40..]),
        format!("a piece {} is enough", &hex(&secret)[11..27]),
        format!("Bytes32({secret:?})"),
        format!("\"{standard}\""),
        base64(&secret, *b"-_"),
        hex(&sha256(&[&secret])),
    ] {
        let mut traces = Traces::default();
        traces.note("here", text.as_bytes());
        assert!(!traces.find(&secrets).is_empty(), "{text}");
    }
    let mut traces = Traces::default();
    traces.note("raw", &[b"\x00".as_slice(), &secret, b"\xff"].concat());
    assert!(!traces.find(&secrets).is_empty(), "bytes as they are");
    let mut traces = Traces::default();
    let harmless = hex(&sha256(&[b"something else"]));
    traces.note("here", format!("{harmless} [1, 2, 3] {}", &hex(&secret)[..15]).as_bytes());
    assert!(traces.find(&secrets).is_empty(), "what is no secret is not found");
}

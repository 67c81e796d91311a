//! The proofs of the contract, written from the contract alone: hashes, canonical JSON, the generator and its draws.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// SHA-256 of the parts, one after the other.
pub fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize().into()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[track_caller]
pub fn bytes_of(value: &Value) -> [u8; 32] {
    let text = value.as_str().expect("a hash is a string");
    assert_eq!(text.len(), 64, "{text}");
    assert_eq!(text, text.to_lowercase());
    let byte = |at: usize| u8::from_str_radix(&text[2 * at..2 * at + 2], 16);
    std::array::from_fn(|at| byte(at).expect("hexadecimal digits"))
}

/// RFC 8785, for what the API holds: no fractions, and keys of ASCII.
pub fn canonical(value: &Value) -> String {
    let list = |parts: Vec<String>| parts.join(",");
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            assert!(fields.iter().all(|(name, _)| name.is_ascii()));
            let field = |(name, value): (&String, &Value)| {
                format!("{}:{}", Value::from(name.as_str()), canonical(value))
            };
            format!("{{{}}}", list(fields.into_iter().map(field).collect()))
        }
        Value::Array(items) => format!("[{}]", list(items.iter().map(canonical).collect())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// The text that a commit's hash is made of: the entry without its hashes.
pub fn hashed_text(entry: &Value) -> String {
    let mut entry = entry.as_object().expect("a commit is an object").clone();
    for name in ["sealed", "prev_hash", "hash"] {
        assert!(entry.remove(name).is_some(), "a commit has {name}");
    }
    canonical(&Value::Object(entry))
}

/// `sealed` as it must be.
pub fn seal(seed: &[u8; 32], commit: u64, full: &str) -> [u8; 32] {
    let salt = sha256(&[seed, &commit.to_be_bytes(), b"salt"]);
    sha256(&[&salt, full.as_bytes()])
}

/// `hash` as it must be.
pub fn chain_hash(prev_hash: &[u8; 32], public: &str, sealed: &[u8; 32]) -> [u8; 32] {
    sha256(&[prev_hash, &sha256(&[public.as_bytes()]), sealed])
}

/// Seals and chains a commit anew, as whoever knows the seed can: `hash` is that of the one before, and then its own. Everybody sees `public` of it.
pub fn link(seed: &[u8; 32], commit: u64, hash: &mut [u8; 32], full: &mut Value, public: &str) {
    let sealed = seal(seed, commit, &hashed_text(full));
    let own = chain_hash(hash, public, &sealed);
    for (name, value) in [("sealed", sealed), ("prev_hash", *hash), ("hash", own)] {
        full[name] = hex(&value).into();
    }
    *hash = own;
}

/// Checks the chain of commits as a spectator sees them; returns the last hash.
#[track_caller]
pub fn check_public(commits: &[Value]) -> [u8; 32] {
    let (mut prev_hash, mut version) = ([0; 32], 0);
    for (commit, number) in commits.iter().zip(1u64..) {
        assert_eq!(commit["commit"], number);
        assert_eq!(commit["first_version"], version + 1);
        version += commit["events"].as_array().expect("events").len() as u64;
        assert_eq!(commit["last_version"], version);
        assert_eq!(bytes_of(&commit["prev_hash"]), prev_hash);
        let sealed = bytes_of(&commit["sealed"]);
        let hash = chain_hash(&prev_hash, &hashed_text(commit), &sealed);
        assert_eq!(bytes_of(&commit["hash"]), hash, "commit {number}");
        prev_hash = hash;
    }
    prev_hash
}

/// Checks the seals of commits in full.
#[track_caller]
pub fn check_seals(seed: &[u8; 32], commits: &[Value]) {
    for (commit, number) in commits.iter().zip(1u64..) {
        let sealed = seal(seed, number, &hashed_text(commit));
        assert_eq!(bytes_of(&commit["sealed"]), sealed, "commit {number}");
    }
}

/// PCG XSL RR 128/64.
pub struct Pcg {
    state: u128,
    increment: u128,
}

impl Pcg {
    /// The generator of a commit of a match in which nobody sent a nonce.
    pub fn of_commit(seed: &[u8; 32], commit: u64) -> Self {
        Pcg::with_nonces(seed, commit, &[])
    }

    /// The generator of a commit, with the nonces that were recorded before it, one after the other.
    pub fn with_nonces(seed: &[u8; 32], commit: u64, nonces: &[u8]) -> Self {
        let hash = sha256(&[seed, &commit.to_be_bytes(), nonces]);
        let number =
            |half: &[u8]| half.iter().fold(0u128, |number, byte| number << 8 | u128::from(*byte));
        let increment = number(&hash[16..]) << 1 | 1;
        let mut generator = Pcg { state: number(&hash[..16]).wrapping_add(increment), increment };
        generator.step();
        generator
    }

    fn step(&mut self) {
        const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    fn next(&mut self) -> u64 {
        self.step();
        let [high, low] = [self.state >> 64, self.state & u128::from(u64::MAX)];
        let mixed = u64::try_from(high ^ low).expect("64 bits");
        mixed.rotate_right(u32::try_from(self.state >> 122).expect("6 bits"))
    }

    /// The index of a draw among `n` candidates.
    pub fn draw(&mut self, n: usize) -> usize {
        let n = n as u128;
        if n == 1 {
            return 0;
        }
        loop {
            let wide = u128::from(self.next()) * n;
            if wide & u128::from(u64::MAX) >= (1u128 << 64) % n {
                return usize::try_from(wide >> 64).expect("less than n");
            }
        }
    }

    /// Draws all candidates, one after the other.
    pub fn shuffle<T>(&mut self, mut candidates: Vec<T>) -> Vec<T> {
        (0..candidates.len()).map(|_| candidates.remove(self.draw(candidates.len()))).collect()
    }
}

//! What comes from outside is changed at random: archives, matches of other servers, requests. Nothing panics, and no answer is a 5xx.
//!
//! Positions and commands are changed with each game, by `testkit::fuzz`. Each runs for a few seconds, or as long as one says:
//! `FUZZ_MINUTES=60 cargo test -p acceptance --test fuzz archives`, and `FUZZ_SEED=2` for other changes. What fails is kept in
//! `tests/fuzz/corpus` and is tried first from then on.

mod archives;
mod matches;
mod requests;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use acceptance::proof::{hex, sha256};
use serde_json::Value;
use testkit::{Dice, change, garble, said};

/// How long a target runs if nobody says how long.
const SHORT: Duration = Duration::from_secs(4);

/// A target and what it is made of.
struct Target {
    corpus: PathBuf,
    dice: Dice,
    until: Instant,
    rounds: u64,
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

impl Target {
    fn new(name: &str) -> Self {
        let time =
            number("FUZZ_MINUTES").map_or(SHORT, |minutes| Duration::from_secs(60 * minutes));
        Target {
            corpus: Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name),
            dice: Dice::new(number("FUZZ_SEED").unwrap_or(1)),
            until: Instant::now() + time,
            rounds: 0,
        }
    }

    /// The files of the corpus, in order of name.
    fn files(&self) -> Vec<Vec<u8>> {
        let entries = fs::read_dir(&self.corpus).expect("the corpus is there");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths.iter().map(|path| fs::read(path).expect("it can be read")).collect()
    }

    /// Tries the corpus as it is, then what `make` makes of it. What fails becomes a part of it.
    #[expect(clippy::print_stdout, reason = "whoever runs it for an hour asks how far it came")]
    fn run(mut self, make: &mut dyn FnMut(&mut Dice) -> Vec<u8>, attempt: &mut dyn FnMut(&[u8])) {
        for input in self.files() {
            self.attempt(&input, attempt);
        }
        while Instant::now() < self.until {
            let input = make(&mut self.dice);
            self.attempt(&input, attempt);
        }
        println!("{} rounds", self.rounds);
    }

    fn attempt(&mut self, input: &[u8], attempt: &mut dyn FnMut(&[u8])) {
        self.rounds += 1;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| attempt(input))) {
            let file = self.corpus.join(format!("found-{}", &hex(&sha256(&[input]))[..16]));
            fs::write(&file, input).expect("it can be kept");
            panic!("round {}: {}\nkept as {}", self.rounds, said(panic.as_ref()), file.display());
        }
    }
}

/// The document with a few changes, as text that may be no JSON any more.
fn changed(document: &Value, donor: &Value, dice: &mut Dice) -> String {
    let mut document = document.clone();
    for _ in 0..=dice.below(3) {
        change(&mut document, donor, dice);
    }
    let text = document.to_string();
    if dice.below(8) == 0 { garble(&text, dice) } else { text }
}

/// Bytes with a few of them changed, left out, repeated or cut off.
fn spoiled(mut bytes: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    for _ in 0..=dice.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = dice.below(bytes.len());
        let end = (at + 1 + dice.below(16)).min(bytes.len());
        match dice.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            3 => bytes[at] = *dice.of(&[0, 0xff, 0x80, b'\n', b'"']),
            _ => bytes[at] ^= 1 << dice.below(8),
        }
    }
    bytes
}

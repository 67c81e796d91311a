//! A deterministic, structure-aware fuzzer: broken and strange positions and commands, held to the promises of
//! [`kernel::Game`].

mod mutate;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kernel::{AnyGame, Draft, Erased, Game, Refusal, Secret};
use serde_json::value::RawValue;
use serde_json::{Value, json};

pub use self::mutate::{change, garble};
use crate::Dice;
use crate::conform::{legal, text_of, viewers};

/// How many positions beside those of the corpus are kept to go on from.
const POOL: usize = 64;

/// How many listed commands of a position are decided.
const SAMPLE: usize = 6;

/// What a run of [`fuzz`] met, so that a test can tell that it went into the rules and not only to the reader.
#[derive(Clone, Debug, Default)]
pub struct Fuzzed {
    /// Documents that were tried as positions.
    pub rounds: u64,
    /// Positions that could be played.
    pub admitted: u64,
    /// Commands that were accepted.
    pub commands: u64,
    /// How often each rule refused a position or a command.
    pub refused: BTreeMap<String, u64>,
}

/// What must hold in a position, and of the step to it from another one, if it was not loaded.
pub type Holds<'a, G> = &'a dyn Fn(Option<&<G as Game>::Position>, &<G as Game>::Position);

/// Mutates positions and commands of a corpus, loads, lists and decides them.
///
/// `corpus` is a folder of `*.json` files, each with one document or an array of documents: commands are those with a field
/// `type`, positions all others. `rounds` documents are tried; the environment variables `FUZZ_ROUNDS` and `FUZZ_MINUTES` override that. The same
/// corpus, rounds and seed do the same on every machine. Checked are:
///
/// * nothing panics, whatever the JSON is; what has not the form of a position or of a command is refused too;
/// * a refusal quotes a rule of the game's list, gives a reason, and changes and draws nothing;
/// * an admitted position tells what was loaded, is the same after it was written and read, and has a command unless the match is finished;
/// * `holds` holds in every admitted position, and in all that play makes of it, which it is told with the position before: that each
///   piece is there at most as often as it is printed, that none is made or lost. It panics if not;
/// * no command is listed twice, listed ones are accepted and lead to events, all others are refused;
/// * applying the JSON of the events to the old position gives the new one, and every viewer gets a view of both.
///
/// # Panics
/// If something does not hold, with the round and the documents; or if the corpus cannot be read.
pub fn fuzz<G: Game>(corpus: &Path, rounds: u64, seed: u64, holds: Holds<'_, G>) -> Fuzzed {
    let rounds = std::env::var("FUZZ_ROUNDS")
        .ok()
        .map_or(rounds, |text| text.parse().expect("FUZZ_ROUNDS is a number"));
    let (commands, positions): (Vec<Value>, Vec<Value>) =
        documents(corpus).into_iter().partition(|document| document.get("type").is_some());
    assert!(
        !commands.is_empty() && !positions.is_empty(),
        "{}: positions and commands are needed",
        corpus.display()
    );
    let rules = Erased::<G>::NEW.rules().into_iter().map(|rule| rule.rule).collect();
    let mut run = Run::<'_, G> {
        commands,
        positions,
        pool: Vec::new(),
        rules,
        holds,
        dice: Dice::new(seed),
        found: Fuzzed::default(),
        trying: String::new(),
        game: std::marker::PhantomData,
    };
    let begun = Instant::now();
    let goes_on = |round| minutes().map_or(round < rounds, |most| begun.elapsed() < most);
    for round in (0..).take_while(|round| goes_on(*round)) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run.round(round))) {
            keep(&corpus.join(format!("found-{seed}-{round}.json")), &run.trying);
            panic!(
                "{} seed {seed}, round {round}: {}\ntrying {}",
                G::INFO.id,
                said(panic.as_ref()),
                run.trying
            );
        }
    }
    run.found
}

/// A document that broke something becomes a part of the corpus, where it is one.
fn keep(file: &Path, trying: &str) {
    if let Ok(document) = serde_json::from_str::<Value>(trying) {
        // The message has it too.
        drop(fs::write(file, document.to_string()));
    }
}

/// How long to go on, if somebody says so.
fn minutes() -> Option<Duration> {
    let text = std::env::var("FUZZ_MINUTES").ok()?;
    Some(Duration::from_secs(60 * text.parse::<u64>().expect("FUZZ_MINUTES is a number")))
}

/// What a panic said.
pub fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}

fn documents(corpus: &Path) -> Vec<Value> {
    let entries =
        fs::read_dir(corpus).unwrap_or_else(|error| panic!("{}: {error}", corpus.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    let read = |path: PathBuf| {
        let text =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let document: Value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        document.as_array().cloned().unwrap_or_else(|| vec![document])
    };
    paths.into_iter().flat_map(read).collect()
}

struct Run<'a, G: Game> {
    commands: Vec<Value>,
    positions: Vec<Value>,
    /// Positions met on the way, from which later rounds go on.
    pool: Vec<Value>,
    rules: BTreeSet<String>,
    holds: Holds<'a, G>,
    dice: Dice,
    found: Fuzzed,
    /// What is being tried, for the message.
    trying: String,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G: Game> Run<'_, G> {
    fn round(&mut self, round: u64) {
        self.found.rounds += 1;
        let mut document = self.some_position();
        // The first rounds try the corpus as it is.
        let whole =
            usize::try_from(round).ok().and_then(|round| self.positions.get(round)).cloned();
        let changes = if whole.is_some() { 0 } else { self.dice.below(5) };
        if let Some(whole) = whole {
            document = whole;
        }
        for _ in 0..changes {
            let donor = self.some_position();
            mutate::change(&mut document, &donor, &mut self.dice);
        }
        let mut text = document.to_string();
        if changes > 0 && self.dice.below(10) == 0 {
            text = mutate::garble(&text, &mut self.dice);
        }
        self.trying = text.clone();
        let Some(mut position) = self.load(&text) else { return };
        self.found.admitted += 1;
        (self.holds)(None, &position);
        self.keep(text_of(&position));
        for _ in 0..self.dice.below(8) {
            let Some(next) = self.play(&position) else { return };
            position = next;
        }
        self.keep(text_of(&position));
    }

    fn some_position(&mut self) -> Value {
        if !self.pool.is_empty() && self.dice.below(2) == 0 {
            return self.dice.of(&self.pool).clone();
        }
        self.dice.of(&self.positions).clone()
    }

    fn keep(&mut self, text: String) {
        let document = serde_json::from_str(&text).expect("a position's JSON is JSON");
        if self.pool.len() < POOL {
            self.pool.push(document);
        } else {
            let place = self.dice.below(POOL);
            self.pool[place] = document;
        }
    }

    fn load(&mut self, text: &str) -> Option<G::Position> {
        let sent = RawValue::from_string(text.to_owned()).ok()?;
        let state = match Erased::<G>::NEW.load(&sent, G::INFO.newest()) {
            Ok(state) => state,
            Err(refusal) => {
                self.check_refusal(&refusal);
                return None;
            }
        };
        let form = serde_json::from_str(text).expect("it was read");
        let position = G::admit(form).expect("it was admitted");
        assert_eq!(text_of(&position), state.position().get(), "{text} is read in two ways");
        let mut sent: Value = serde_json::from_str(text).expect("it was read");
        sent.as_object_mut()
            .expect("it was read")
            .entry("edition")
            .or_insert(json!(G::INFO.newest()));
        assert_eq!(json!(position), sent, "a position is not what was loaded");
        self.check_reload(&position, true);
        Some(position)
    }

    /// A position that was loaded can be loaded again. One that play led to has the same shape, but may have left a range.
    fn check_reload(&self, position: &G::Position, must: bool) {
        let text = text_of(position);
        let form = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
        match G::admit(form) {
            Ok(again) => {
                assert!(again == *position, "a position changes when it is loaded: {text}");
                assert_eq!(
                    text_of(&again),
                    text,
                    "a position is written differently when it is loaded"
                );
                assert_eq!(
                    listed::<G>(&again),
                    listed::<G>(position),
                    "a loaded position lists other commands: {text}"
                );
            }
            Err(refusal) => assert!(!must, "{refusal} in {text}"),
        }
    }

    fn check_refusal(&mut self, refusal: &Refusal) {
        assert!(self.rules.contains(refusal.rule.0), "{refusal} quotes an unknown rule");
        assert!(!refusal.reason.is_empty(), "{} refuses without a reason", refusal.rule);
        *self.found.refused.entry(refusal.rule.0.to_owned()).or_default() += 1;
    }

    /// Checks a position and plays one of its commands.
    fn play(&mut self, position: &G::Position) -> Option<G::Position> {
        check_views::<G>(position);
        let legal = legal::<G>(position);
        let texts: BTreeSet<String> = legal.iter().map(text_of).collect();
        assert_eq!(texts.len(), legal.len(), "a command is listed twice in {}", text_of(position));
        self.check_strangers(position, &legal, &texts);
        if G::active_seat(position).is_none() {
            assert!(
                legal.is_empty() && G::standing(position).is_some(),
                "finished means no commands and a standing"
            );
            return None;
        }
        assert!(!legal.is_empty(), "a seat is to act and has no command in {}", text_of(position));
        let mut next = None;
        for _ in 0..SAMPLE.min(legal.len()) {
            let command = self.dice.of(&legal).clone();
            self.trying = format!("{} in {}", text_of(&command), text_of(position));
            let after = self.decide(position, &command);
            next = Some(after.unwrap_or_else(|refusal| panic!("listed, but: {refusal}")));
            self.found.commands += 1;
        }
        let next = next?;
        self.check_reload(&next, false);
        Some(next)
    }

    /// Decides on a copy, and checks the events or that nothing has changed.
    fn decide(
        &mut self,
        position: &G::Position,
        command: &G::Command,
    ) -> Result<G::Position, Refusal> {
        let (mut after, mut events, mut dice) = (position.clone(), Vec::new(), self.dice.clone());
        if let Err(refusal) =
            G::decide(&mut Draft::new(&mut after, &mut events, &mut dice), command)
        {
            assert!(
                after == *position && events.is_empty(),
                "refused by {refusal}, but changes something"
            );
            assert_eq!(dice.draws(), self.dice.draws(), "refused by {refusal}, but draws");
            return Err(refusal);
        }
        assert!(!events.is_empty(), "accepted, but leads to no event");
        let mut folded = position.clone();
        for event in &events {
            let json = text_of(event);
            let read: G::Event =
                serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error} in {json}"));
            assert!(read == *event, "an event changes when it is read: {json}");
            G::apply(&mut folded, &read);
            check_event::<G>(event, position);
        }
        assert!(folded == after, "folding the events does not give the position");
        (self.holds)(Some(position), &after);
        self.dice = dice;
        Ok(after)
    }

    /// Commands of the corpus and listed ones, some of them mutated: what is not listed is refused.
    fn check_strangers(
        &mut self,
        position: &G::Position,
        legal: &[G::Command],
        texts: &BTreeSet<String>,
    ) {
        let at_the_door = {
            let text = RawValue::from_string(text_of(position)).expect("a position's JSON is JSON");
            Erased::<G>::NEW.restore(&text, None)
        };
        for _ in 0..SAMPLE {
            let mut document = if legal.is_empty() || self.dice.below(2) == 0 {
                self.dice.of(&self.commands).clone()
            } else {
                serde_json::to_value(self.dice.of(legal)).expect("a command has JSON")
            };
            for _ in 0..self.dice.below(3) {
                let donor = self.dice.of(&self.commands).clone();
                mutate::change(&mut document, &donor, &mut self.dice);
            }
            let mut text = document.to_string();
            if self.dice.below(10) == 0 {
                text = mutate::garble(&text, &mut self.dice);
            }
            self.trying = format!("{text} in {}", text_of(position));
            let Ok(command) = serde_json::from_str::<G::Command>(&text) else {
                if let (Ok(state), Ok(sent)) = (&at_the_door, RawValue::from_string(text)) {
                    let decided = state.decide(&sent, &mut self.dice.clone());
                    self.check_refusal(&decided.err().expect("accepted, but no command"));
                }
                continue;
            };
            match self.decide(position, &command) {
                Ok(_) => assert!(texts.contains(&text_of(&command)), "accepted, but not listed"),
                Err(refusal) => {
                    assert!(!texts.contains(&text_of(&command)), "listed, but: {refusal}");
                    self.check_refusal(&refusal);
                }
            }
        }
    }
}

fn listed<G: Game>(position: &G::Position) -> BTreeSet<String> {
    legal::<G>(position).iter().map(text_of).collect()
}

fn check_views<G: Game>(position: &G::Position) {
    for viewer in viewers::<G>(position) {
        assert!(text_of(&G::view(position, viewer)).starts_with('{'), "a view is an object");
    }
}

fn check_event<G: Game>(event: &G::Event, position: &G::Position) {
    for viewer in viewers::<G>(position) {
        assert!(
            text_of(&event.seen(position, viewer)).starts_with('{'),
            "an event's view is an object"
        );
    }
}

//! Random full matches that hold a game to the promises of [`kernel::Game`].

mod broken;
mod numbers;
mod pieces;
mod secrets;
mod standing;
mod strangers;

use std::collections::BTreeSet;
use std::fmt::Debug;

use kernel::{AnyGame, Disclosure, Draft, Edition, Erased, Fact, Game, Seat, Secret, Viewer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use self::broken::{broken, is_refused};
use self::numbers::all_carried;
use self::standing::is_standing;
use self::strangers::{Earlier, mutate};
use crate::{Dice, arithmetic};

/// Chooses the index of a command.
pub type Choose<G> = dyn Fn(&<G as Game>::Position, &[<G as Game>::Command], &mut Dice) -> usize;

/// Makes another position that a viewer cannot tell from the given one.
pub type Exchange<G> = dyn Fn(&<G as Game>::Position, Viewer, &mut Dice) -> <G as Game>::Position;

/// What to play, and how to exchange what a viewer cannot see.
pub struct Conformance<'a, G: Game> {
    /// How many matches for each of the options.
    pub matches: u64,
    /// Options to play with, and how many seats. The newest edition has them all; earlier ones are played with those that they have, at least one.
    pub options: Vec<(Value, u8)>,
    /// The most commands that a match may have.
    pub longest: usize,
    /// Chooses the next command's index; uniform play is `|_, commands, dice| dice.below(commands.len())`.
    pub choose: &'a Choose<G>,
    /// Another position that this viewer cannot tell from the given one: hidden parts exchanged at random.
    pub exchange_hidden: &'a Exchange<G>,
    /// What must hold in every position that play reaches, such as the conservation of pieces. Panics if it does not.
    pub invariant: &'a dyn Fn(&G::Position),
}

/// Plays random matches by every edition of the rules and checks, at every step or at sampled ones:
///
/// * a seat that is to act has a legal command, and a match ends within `longest` commands with a standing;
/// * listed commands are different, are accepted, and give the same events when decided twice;
/// * what is not listed is refused with a rule that the game's list of rules has, and changes nothing, also if it was listed earlier in the match;
/// * folding the stored JSON of the events gives the position, and a commit that drew discloses that;
/// * the points are the sum of all awards, each by a rule of the list, and the awards follow from what everybody sees;
/// * a standing has each seat once, and a rank counts the better seats;
/// * the options that a match tells are those that were asked for, and give a match with the same options;
/// * a stream begins with `MatchStarted` and ends with `MatchFinished`, each once; a standing in the last event is that of the position;
/// * what a greedy player goes by is the same in positions that its seat cannot tell apart;
/// * commands, events and positions round-trip through JSON; unknown fields, missing fields and duplicates are refused; numbers have at most 53 bits;
/// * positions that differ only in what a viewer cannot see have equal views, and a command there leads to events that look the same to it,
///   up to the first one that discloses something;
/// * what a viewer sees of an event is the same at the end of the match as at its beginning;
/// * pieces that everybody sees keep their ids, and positions that a spectator cannot tell apart have the same pieces.
///
/// # Panics
/// If something does not hold; the message has the seed.
pub fn conform<G: Game>(conformance: &Conformance<'_, G>) {
    let rules: BTreeSet<String> =
        Erased::<G>::NEW.rules().into_iter().map(|rule| rule.rule).collect();
    for (edition, _) in G::INFO.editions() {
        let mut all = conformance.options.iter();
        let is_played = all.any(|(options, seats)| takes::<G>(options, *seats, edition));
        assert!(is_played, "{} edition {edition} has none of the options", G::INFO.id);
    }
    for (number, (options, seats)) in conformance.options.iter().enumerate() {
        for (edition, round) in editions::<G>(conformance.matches) {
            // What came later has no match.
            if edition != G::INFO.newest() && !takes::<G>(options, *seats, edition) {
                continue;
            }
            let seed = round * 1_000 + number as u64;
            let name = format!(
                "{} edition {edition} seed {seed}, {seats} seats, options {options}",
                G::INFO.id
            );
            let (dice, known, earlier) = (Dice::new(seed), BTreeSet::new(), Earlier::new(seed));
            Play::<G> { conformance, rules: &rules, dice, edition, name, known, earlier }
                .run(options, *seats);
        }
    }
}

/// Whether an edition has these options.
fn takes<G: Game>(options: &Value, seats: u8, edition: Edition) -> bool {
    let options = serde_json::from_value::<G::Options>(options.clone());
    options.is_ok_and(|options| G::setup(options, seats, edition, &mut Dice::new(0)).is_ok())
}

/// Every edition with the numbers of its matches.
fn editions<G: Game>(matches: u64) -> impl Iterator<Item = (Edition, u64)> {
    G::INFO.editions().flat_map(move |(edition, _)| (0..matches).map(move |round| (edition, round)))
}

struct Play<'a, G: Game> {
    conformance: &'a Conformance<'a, G>,
    rules: &'a BTreeSet<String>,
    dice: Dice,
    edition: Edition,
    name: String,
    /// What was left out of a position, and refused.
    known: BTreeSet<String>,
    /// What was listed at earlier positions of the match.
    earlier: Earlier,
}

impl<G: Game> Play<'_, G> {
    fn run(mut self, asked: &Value, seats: u8) {
        let options =
            serde_json::from_value(asked.clone()).expect("conformance plays with valid options");
        let mut events = G::setup(options, seats, self.edition, &mut self.dice)
            .expect("conformance plays with valid options");
        let mut position =
            G::start(&events[0], self.edition).expect("a setup's first event starts a match");
        self.check_start(&events[0], &position);
        for event in &events[1..] {
            self.check_awards(&position, event);
            G::apply(&mut position, event);
        }
        let mut commands = Vec::new();
        let mut legal = Vec::new();
        while G::active_seat(&position).is_some() {
            assert!(
                commands.len() < self.conformance.longest,
                "{}: the match does not end",
                self.name
            );
            legal.clear();
            G::legal_commands(&position, &mut legal);
            assert!(
                !legal.is_empty(),
                "{}: a seat is to act and has no command in {position:?}",
                self.name
            );
            self.check_position(&position, &legal);
            let command =
                legal[(self.conformance.choose)(&position, &legal, &mut self.dice)].clone();
            self.step(&mut position, &mut events, &command);
            commands.push(command);
        }
        self.check_json(&position);
        self.check_options(&position, asked, seats);
        self.check_end(&position, commands.last());
        self.check_ends_of(&events, &position);
        self.check_stream(&events, &position);
        self.check_afterwards(&events, &position);
        self.check_pieces(&events);
    }

    fn step(
        &mut self,
        position: &mut G::Position,
        events: &mut Vec<G::Event>,
        command: &G::Command,
    ) {
        let before = self.dice.draws();
        let dice = self.dice.clone();
        let mut again = (position.clone(), Vec::new(), dice.clone());
        let start = events.len();
        let start_position = position.clone();
        decide::<G>(position, events, &mut self.dice, command).unwrap_or_else(|refusal| {
            panic!("{}: {command:?} is listed, but: {refusal}", self.name)
        });
        let emitted = &events[start..];
        assert!(!emitted.is_empty(), "{}: {command:?} led to no event", self.name);
        decide::<G>(&mut again.0, &mut again.1, &mut again.2, command)
            .expect("it was accepted just now");
        assert_eq!(emitted, again.1, "{}: {command:?} decided twice", self.name);
        if self.dice.draws() > before {
            assert!(
                emitted.iter().any(|event| event.disclosure() > Disclosure::Nothing),
                "{}: {command:?} drew, and does not say so",
                self.name
            );
        }
        self.check_commit(&start_position, emitted);
        if self.dice.below(8) == 0 {
            self.check_news(&dice, &start_position, command, (emitted, position));
        }
        assert_eq!(G::edition(position), self.edition, "{}: the edition changes", self.name);
        (self.conformance.invariant)(position);
    }

    /// The awards of an event are the change of the points, quote rules that exist, and tell a spectator nothing new.
    fn check_awards(&mut self, before: &G::Position, event: &G::Event) {
        let awards = G::awards(before, event);
        let mut after = before.clone();
        G::apply(&mut after, event);
        let mut points = G::points(before);
        for award in &awards {
            let name = &self.name;
            points[award.seat.index()] += award.points;
            assert_ne!(award.points, 0, "{name}: {award:?} gives nothing");
            assert!(self.rules.contains(award.rule.0), "{name}: {award:?} quotes an unknown rule");
            assert!(
                !award.reason.is_empty() && !award.arithmetic.is_empty(),
                "{name}: {award:?} explains nothing"
            );
            assert_eq!(
                arithmetic::read(&award.arithmetic),
                Some((award.points, award.points)),
                "{name}: the arithmetic of {award:?} is wrong"
            );
            assert!(
                award.pieces.get().starts_with('{'),
                "{name}: the pieces of {award:?} are no object"
            );
        }
        assert_eq!(
            points,
            G::points(&after),
            "{}: the awards of {event:?} are not the change of the points: {awards:?}",
            self.name
        );
        if !awards.is_empty() {
            assert_eq!(
                serde_json::to_value(event.seen(before, Viewer::Spectator)).ok(),
                serde_json::to_value(event).ok(),
                "{}: an event that gives points is not open to everybody",
                self.name
            );
        }
    }

    fn check_position(&mut self, position: &G::Position, legal: &[G::Command]) {
        let name = &self.name;
        let listed: BTreeSet<String> = legal.iter().map(text_of).collect();
        assert_eq!(listed.len(), legal.len(), "{name}: a command is listed twice in {position:?}");
        let sample = self.dice.of(legal).clone();
        round_trip::<G::Command>(&sample, name, |_| true);
        for command in [legal.first(), legal.last()].into_iter().flatten() {
            decide::<G>(&mut position.clone(), &mut Vec::new(), &mut self.dice.clone(), command)
                .unwrap_or_else(|refusal| {
                    panic!("{name}: {command:?} is listed, but: {refusal} in {position:?}")
                });
        }
        let sample = serde_json::to_value(&sample).expect("a command has JSON");
        let stranger = mutate(sample.clone(), &self.earlier.commands, &mut self.dice);
        self.check_stranger(position, &listed, stranger);
        if let Some(stranger) = self.earlier.any() {
            self.check_stranger(position, &listed, stranger);
        }
        self.earlier.keep(sample);
        if self.dice.below(8) == 0 {
            self.check_json(position);
            self.check_views(position);
        }
    }

    fn check_json(&mut self, position: &G::Position) {
        let name = &self.name;
        self.check_edition(position);
        let json = text_of(position);
        all_carried(&json, name);
        let form =
            serde_json::from_str(&json).unwrap_or_else(|error| panic!("{name}: {error} in {json}"));
        let loaded = G::admit(form).unwrap_or_else(|refusal| panic!("{name}: {refusal} in {json}"));
        assert!(loaded == *position, "{name}: a position changes when it is loaded: {json}");
        for broken in broken(&json, &mut self.known) {
            assert!(is_refused::<G>(&broken), "{name}: accepted {broken}");
        }
    }

    /// The JSON of a position tells its edition, which may be left out for the newest.
    fn check_edition(&self, position: &G::Position) {
        let name = &self.name;
        let mut json = serde_json::to_value(position).expect("a position has JSON");
        let told = json.as_object_mut().expect("an object").remove("edition");
        assert_eq!(told, Some(json!(self.edition)), "{name}: a position tells its edition");
        let view = serde_json::to_value(G::view(position, Viewer::Spectator)).expect("JSON");
        assert_eq!(view.get("edition"), told.as_ref(), "{name}: a view tells the edition");
        let newest = G::INFO.newest();
        let form: G::PositionForm = serde_json::from_str(&json.to_string())
            .unwrap_or_else(|error| panic!("{name}: without an edition: {error}"));
        if newest == self.edition {
            let loaded = G::admit(form).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            assert!(
                loaded == *position,
                "{name}: a position without an edition is not of the newest"
            );
        }
        for unknown in [json!(0), json!(newest.number() + 1), Value::Null, json!("1")] {
            json["edition"] = unknown;
            let read = serde_json::from_str::<G::PositionForm>(&json.to_string());
            assert!(read.is_err(), "{name}: a position of edition {}", json["edition"]);
        }
    }

    fn check_views(&mut self, position: &G::Position) {
        for viewer in viewers::<G>(position) {
            let other = (self.conformance.exchange_hidden)(position, viewer, &mut self.dice);
            let (view, same) =
                (text_of(&G::view(position, viewer)), text_of(&G::view(&other, viewer)));
            assert_eq!(view, same, "{}: {viewer:?} sees a difference that is hidden", self.name);
            if viewer == Viewer::Spectator {
                self.check_public(position, &other);
            }
            if G::active_seat(position).map(Viewer::Seat) == Some(viewer) {
                assert_eq!(
                    prospects::<G>(position),
                    prospects::<G>(&other),
                    "{}: the prospects of {viewer:?} tell what is hidden",
                    self.name
                );
                let gains = |of: &G::Position| kernel::gains::<G>(of, &legal::<G>(of));
                assert_eq!(
                    gains(position),
                    gains(&other),
                    "{}: the points that {viewer:?} may get tell what is hidden",
                    self.name
                );
            }
        }
    }

    fn check_end(&self, position: &G::Position, last: Option<&G::Command>) {
        let name = &self.name;
        (self.conformance.invariant)(position);
        let legal = legal::<G>(position);
        assert!(legal.is_empty(), "{name}: a finished match lists commands");
        let standing =
            G::standing(position).unwrap_or_else(|| panic!("{name}: finished without a standing"));
        let standing = serde_json::to_value(standing).expect("a standing has JSON");
        let number = |place: &Value, key: &str| place[key].as_u64().expect("a number");
        let places = standing.as_array().expect("a standing is a list").iter();
        let places: Vec<(u64, u64)> =
            places.map(|place| (number(place, "rank"), number(place, "seat"))).collect();
        assert!(
            is_standing(&places, G::points(position).len()),
            "{name}: a standing is by rank, then seat, with each seat once and ranks that count the better ones: {standing}"
        );
        let Some(command) = last else { return };
        let refusal =
            decide::<G>(&mut position.clone(), &mut Vec::new(), &mut self.dice.clone(), command)
                .expect_err("a finished match takes no command");
        assert_eq!(
            refusal.rule,
            G::INFO.forms.finished,
            "{name}: a finished match refuses by the wrong rule"
        );
    }

    /// The options of a match have all that was asked for, and are those of a match that is set up with them.
    fn check_options(&mut self, position: &G::Position, asked: &Value, seats: u8) {
        let name = &self.name;
        let json =
            |position| serde_json::to_value(G::options(position)).expect("options have JSON");
        let told = json(position);
        for (option, value) in asked.as_object().into_iter().flatten() {
            // A list of options may be kept as a set.
            let sorted = |value: &Value| {
                let mut items: Vec<String> =
                    value.as_array().into_iter().flatten().map(Value::to_string).collect();
                items.sort_unstable();
                items
            };
            let is_told = told.get(option).is_some_and(|told| {
                told == value || (value.is_array() && sorted(told) == sorted(value))
            });
            assert!(is_told, "{name}: asked for {option}: {value}, told {told}");
        }
        let options = serde_json::from_value(told.clone())
            .unwrap_or_else(|error| panic!("{name}: {error} in the options {told}"));
        let events = G::setup(options, seats, self.edition, &mut self.dice)
            .unwrap_or_else(|refusal| panic!("{name}: {refusal} of the options {told}"));
        let again =
            G::start(&events[0], self.edition).expect("a setup's first event starts a match");
        assert_eq!(json(&again), told, "{name}: a match with the same options has others");
    }

    /// A stream begins with `MatchStarted` and ends with `MatchFinished`, which tells the standing or leaves it to the position.
    fn check_ends_of(&self, events: &[G::Event], position: &G::Position) {
        let name = &self.name;
        let events: Vec<Value> = events
            .iter()
            .map(|event| serde_json::to_value(event).expect("an event has JSON"))
            .collect();
        let are = |kind: &str| -> Vec<usize> {
            events
                .iter()
                .enumerate()
                .filter(|(_, event)| event["type"] == kind)
                .map(|(at, _)| at)
                .collect()
        };
        assert_eq!(are("MatchStarted"), [0], "{name}: how a stream begins");
        assert_eq!(are("MatchFinished"), [events.len() - 1], "{name}: how a stream ends");
        let last = &events[events.len() - 1];
        if let Some(told) = last.get("standing").or(last.get("ranking")) {
            let standing =
                serde_json::to_value(G::standing(position)).expect("a standing has JSON");
            assert_eq!(*told, standing, "{name}: the last event tells another standing");
        }
    }

    fn check_stream(&self, events: &[G::Event], position: &G::Position) {
        let name = &self.name;
        let mut folded: Option<G::Position> = None;
        for event in events {
            // A match may not start without a field that its edition has.
            let may_be = |event: &G::Event| {
                let start = G::start(event, self.edition);
                start.is_none_or(|start| !is_refused::<G>(&text_of(&start)))
            };
            let event = round_trip::<G::Event>(event, name, may_be);
            match &mut folded {
                None => folded = G::start(&event, self.edition),
                Some(position) => G::apply(position, &event),
            }
        }
        assert!(
            folded.as_ref() == Some(position),
            "{name}: folding the stream does not give the position"
        );
    }
}

fn decide<G: Game>(
    position: &mut G::Position,
    events: &mut Vec<G::Event>,
    dice: &mut Dice,
    command: &G::Command,
) -> Result<(), kernel::Refusal> {
    G::decide(&mut Draft::new(position, events, dice), command)
}

/// Every seat, and a spectator.
pub fn viewers<G: Game>(position: &G::Position) -> impl Iterator<Item = Viewer> + use<G> {
    let seats = u8::try_from(G::points(position).len()).expect("few seats");
    (0..seats).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Spectator])
}

/// What a greedy player of the active seat goes by.
fn prospects<G: Game>(position: &G::Position) -> Vec<i64> {
    kernel::prospects::<G>(position, &legal::<G>(position))
}

pub(crate) fn legal<G: Game>(position: &G::Position) -> Vec<G::Command> {
    let mut commands = Vec::new();
    G::legal_commands(position, &mut commands);
    commands
}

pub(crate) fn text_of<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data has JSON")
}

/// Writes and reads; refuses what is nearly the same, or what then may not be.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    value: &T,
    name: &str,
    may_be: impl Fn(&T) -> bool,
) -> T {
    let json = text_of(value);
    all_carried(&json, name);
    let back: T =
        serde_json::from_str(&json).unwrap_or_else(|error| panic!("{name}: {error} in {json}"));
    assert_eq!(back, *value, "{name}: {json} changes when it is read");
    for broken in broken(&json, &mut BTreeSet::new()) {
        let read = serde_json::from_str::<T>(&broken);
        assert!(!read.is_ok_and(|read| may_be(&read)), "{name}: accepted {broken}");
    }
    back
}

//! Twins: two servers, the same requests in the same order, two positions that one viewer cannot tell apart. Every answer that this viewer
//! gets must be the same, to the byte, until something that it may see differs.

use std::collections::BTreeSet;
use std::thread;

use kernel::{AnyGame, AnyMatch};
use serde_json::{Value, json};
use testkit::Dice;

use crate::hidden::{exchange, mask};
use crate::questions::{Question, Questions};
use crate::world::{Asker, House, Truth, World, raw, seats_of};

/// How many commands are played in both worlds.
const STEPS: usize = 3;

/// After so many commits, what was asked, and what both worlds said.
type Told = (usize, String, [String; 2]);

/// What a comparison found.
#[derive(Default)]
pub(crate) struct Found {
    /// Where the viewer was told a difference, or anybody a secret.
    pub(crate) leaks: Vec<String>,
    /// How many answers were compared.
    pub(crate) compared: usize,
    /// How many commands were carried out in both worlds without a difference that the viewer may see.
    pub(crate) commands: usize,
}

impl Found {
    pub(crate) fn add(&mut self, other: Found) {
        let Found { leaks, compared, commands } = other;
        self.leaks.extend(leaks);
        self.compared += compared;
        self.commands += commands;
    }
}

/// A position that random play comes to, and commands that were legal on the way.
pub(crate) fn wander(
    game: &'static dyn AnyGame,
    options: &Value,
    seats: usize,
    longest: usize,
    dice: &mut Dice,
) -> (Value, Vec<Value>) {
    let started = game.setup(&raw(options), seats, game.info().newest(), dice);
    let mut state: Box<dyn AnyMatch> = started.expect("the options are valid").state;
    let mut commands = Vec::new();
    for _ in 0..dice.below(longest) {
        let legal: Vec<Value> = serde_json::from_str(state.legal_commands().get()).expect("a list");
        let command = choose(&legal, dice);
        let next = state.decide(&raw(&command), dice).expect("it is listed").state;
        if next.active_seat().is_none() {
            break;
        }
        state = next;
        commands.push(command);
    }
    let position = serde_json::from_str(state.position().get()).expect("a position is JSON");
    dice.shuffle(&mut commands);
    commands.truncate(4);
    (position, commands)
}

/// First the type of the command, then one of this type: rare things happen too.
fn choose(legal: &[Value], dice: &mut Dice) -> Value {
    let mut types: Vec<&Value> = legal.iter().map(|command| &command["type"]).collect();
    types.dedup();
    let kind = (*dice.of(&types)).clone();
    let alike: Vec<&Value> = legal.iter().filter(|command| command["type"] == kind).collect();
    (*dice.of(&alike)).clone()
}

/// Halves of commands: of each type that these have, and of some spots that can be chosen in both worlds.
fn halves<'a>(
    commands: impl Iterator<Item = &'a Value>,
    [a, b]: [BTreeSet<String>; 2],
) -> Vec<Value> {
    let types: BTreeSet<&str> = commands.filter_map(|command| command["type"].as_str()).collect();
    let types = types.into_iter().map(|kind| json!({"type": kind}));
    let spots: Vec<&String> = a.intersection(&b).collect();
    let some = spots.iter().step_by(spots.len().div_ceil(3).max(1));
    types.chain(some.map(|spot| json!({"spot": spot}))).collect()
}

/// The active seat acts in both worlds, after so many commits.
fn act([a, b]: [&mut World; 2], command: &Value, commits: usize, told: &mut Vec<Told>) {
    let [(own, heard), (other_own, other_heard)] = [a.act(command), b.act(command)];
    if let (Some(own), Some(other)) = (own, other_own) {
        told.push((commits + 1, format!("the answer to {command}"), [own, other]));
    }
    told.push((commits + 1, format!("the stream after {command}"), [heard, other_heard]));
}

/// The seat that has just acted takes that back in both worlds, after so many commits: was it done in each? That tells nothing either.
fn undo([a, b]: [&mut World; 2], seat: usize, commits: usize, told: &mut Vec<Told>) -> [bool; 2] {
    let [(own, heard), (other_own, other_heard)] = [a.take_back(seat), b.take_back(seat)];
    let done = [heard.is_some(), other_heard.is_some()];
    if let (Some(own), Some(other)) = (own, other_own) {
        told.push((commits, "the answer to a take-back".to_owned(), [own, other]));
    }
    let heard = [heard, other_heard].map(Option::unwrap_or_default);
    told.push((commits, "the stream after a take-back".to_owned(), heard));
    done
}

/// What both worlds answer: each of them one question after the other, both at the same time.
fn ask([a, b]: [&mut World; 2], asked: &[Vec<Question>; 2]) -> [Vec<String>; 2] {
    thread::scope(|scope| {
        let others = scope.spawn(|| asked[1].iter().map(|asked| b.ask(asked)).collect());
        let own = asked[0].iter().map(|asked| a.ask(asked)).collect();
        [own, others.join().expect("what it was asked is answered")]
    })
}

/// Two texts around the first place where they differ.
fn difference(a: &str, b: &str) -> [String; 2] {
    let place = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let from = place.saturating_sub(80);
    let piece = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[from..text.len().min(place + 80)]).into_owned()
    };
    [a, b].map(piece)
}

/// One comparison; `None` where nothing could be exchanged. With `take_back` each command that can be taken back is, and is carried out again.
pub(crate) fn compare(
    house: &House,
    game: &'static dyn AnyGame,
    wandered: &(Value, Vec<Value>),
    take_back: bool,
    dice: &mut Dice,
) -> Option<Found> {
    let (position, tried) = wandered;
    let seats = seats_of(position);
    let asker = match dice.below(seats + 2) {
        0 => Asker::Stranger,
        1 => Asker::Owner,
        seat => Asker::Seat(seat - 2),
    };
    let other = exchange(game, position, asker.viewer(), dice)?;
    let id = game.info().id;
    let open = |number, position| {
        let world = World::open(house, number, id, position, asker, take_back);
        // Both, so that both have answered the same.
        let questions = Questions::of(&world.client());
        (world, questions)
    };
    let [(a, questions), (b, _)] = thread::scope(|scope| {
        let other = scope.spawn(|| open(1, &other));
        [open(0, position), other.join().expect("it opens")]
    });
    let mut worlds = [a, b];
    let heard = worlds.each_mut().map(World::hear);
    let mut told: Vec<Told> = vec![(1, "the stream's first message".to_owned(), heard)];
    let mut commits = 1;
    for step in 1..=STEPS {
        let [a, b] = &mut worlds;
        let active = a.active().filter(|seat| b.active() == Some(*seat));
        let Some(seat) = active.filter(|_| a.version() == b.version()) else { break };
        let [legal, other] = [a.legal(), b.legal()];
        let both: Vec<Value> =
            legal.into_iter().filter(|command| other.contains(command)).collect();
        let mut commands = tried.clone();
        commands.extend(both.iter().take(3).cloned());
        let halves = halves(tried.iter().chain(&both), [a.spots(), b.spots()]);
        let scenes = [a.scene(id, commands.clone(), halves.clone()), b.scene(id, commands, halves)];
        let asked = scenes.map(|scene| questions.about(&scene));
        // What is no match's answer is long, and always the same.
        let asked = asked.map(|all| {
            all.into_iter().filter(|asked| step == 1 || !asked.general).collect::<Vec<_>>()
        });
        let [own, others] = ask([&mut *a, &mut *b], &asked);
        let answers = own.into_iter().zip(others).map(|(own, other)| [own, other]);
        let names = asked[0].iter().map(|asked| asked.name.clone());
        told.extend(names.zip(answers).map(|(name, answers)| (commits, name, answers)));
        if both.is_empty() {
            break;
        }
        let command = choose(&both, dice);
        act([&mut *a, &mut *b], &command, commits, &mut told);
        commits += 1;
        if take_back {
            match undo([&mut *a, &mut *b], seat, commits, &mut told) {
                [true, true] => {
                    act([&mut *a, &mut *b], &command, commits + 1, &mut told);
                    commits += 2;
                }
                [false, false] => {}
                [true, false] | [false, true] => break,
            }
        }
    }
    Some(judge(id, asker, &told, worlds.map(|world| world.end(game))))
}

/// What the worlds told differently although the one who asks could not have seen a difference, and what neither should have said.
fn judge(id: &str, asker: Asker, told: &[Told], truths: [Truth; 2]) -> Found {
    let masked = truths.each_ref().map(|truth| {
        let positions = truth.positions.iter();
        positions.map(|position| mask(id, position, asker.viewer())).collect::<Vec<_>>()
    });
    // As long as the viewer could not see a difference.
    let alike = masked[0].iter().zip(&masked[1]).take_while(|(a, b)| a == b).count();
    assert!(alike >= 1, "the worlds begin alike");
    let mut found = Found { commands: alike - 1, ..Found::default() };
    for (commit, question, [a, b]) in told {
        if *commit > alike {
            continue;
        }
        found.compared += 1;
        if a != b {
            let [a, b] = difference(a, b);
            found.leaks.push(format!("{id}, {asker:?}, commit {commit}: {question}\n  {a}\n  {b}"));
        }
    }
    for truth in truths {
        let leaks = truth.found.into_iter();
        found.leaks.extend(leaks.map(|leak| format!("{id}, {asker:?}: {leak}")));
    }
    found
}

/// So many comparisons of a game.
pub(crate) fn compare_many(
    house: &House,
    game: &'static dyn AnyGame,
    plays: &[(Value, usize)],
    longest: usize,
    rounds: usize,
) -> Found {
    let seed = std::env::var("SECRETS_SEED").map_or(1, |n| n.parse().expect("a number"));
    let mut dice = Dice::new(seed);
    let mut found = Found::default();
    let mut done = 0;
    for round in 0..20 * rounds {
        let (options, seats) = &plays[round % plays.len()];
        let wandered = wander(game, options, *seats, longest, &mut dice);
        if let Some(more) = compare(house, game, &wandered, done % 2 == 1, &mut dice) {
            found.add(more);
            done += 1;
        }
        if done == rounds {
            return found;
        }
    }
    panic!("{}: nothing could be exchanged ({})", game.info().id, json!(plays));
}

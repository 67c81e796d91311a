//! Rule cases as data: a position, a command, and what must follow.
//!
//! A folder of `*.toml` files with `[[case]]` tables, and `*.json` files with positions that they name. JSON inside TOML
//! is written as text, since TOML has no null: `after = { "/crown" = '{"x":4,"y":3}' }`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use kernel::{AnyGame, AnyMatch, Forced, Refusal, Seat, Seen, StreamError, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// One case. What is not given is not checked; at least one expectation is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The rules that the case shows, quoted by their numbers.
    rule: Rules,
    /// What it says, a sentence.
    name: String,
    /// The name of a JSON file in the folder, without its ending; or a JSON text.
    position: Option<String>,
    /// Changes of that position: JSON pointer to JSON text. A pointer that ends in `/-` appends; a text `remove` removes.
    #[serde(default)]
    change: BTreeMap<String, String>,
    /// More changes, in the notation of the game ([`Board`]).
    board: Option<String>,
    /// Instead of a position: options as JSON text, and `seats`.
    setup: Option<String>,
    seats: Option<usize>,
    /// The edition of the rules for which the case holds. Default: the newest.
    edition: Option<u32>,
    /// One command, or several one after the other: JSON texts. None: the case is about the start or the loading alone.
    command: Option<String>,
    commands: Option<Vec<String>>,
    /// Outcomes of chance, a JSON array. Without it nothing may be drawn.
    outcomes: Option<String>,

    /// The rule that refuses the loading, the setup or the last command.
    refused: Option<String>,
    /// The reason that this refusal gives.
    reason: Option<String>,
    /// The types of the last commit's events (or of the setup's), in order.
    events: Option<Vec<String>>,
    /// Events of the last commit, in order, each with at least these fields.
    event: Option<Vec<String>>,
    /// All awards of the last commit, in order: `[seat, points, reason, rule, arithmetic, pieces]`.
    awards: Option<Vec<String>>,
    /// Values in the position afterwards: JSON pointer to JSON text.
    #[serde(default)]
    after: BTreeMap<String, String>,
    /// The score by seat afterwards.
    points: Option<Vec<i64>>,
    /// All legal commands afterwards, in any order.
    legal: Option<Vec<String>>,
    /// How many legal commands there are afterwards.
    legal_count: Option<usize>,
    /// Commands that are legal afterwards.
    lists: Option<Vec<String>>,
    /// Commands that are not legal afterwards.
    lists_not: Option<Vec<String>>,
    /// Who is to act afterwards; -1 for nobody.
    active_seat: Option<i64>,
    /// The standing, a JSON array.
    standing: Option<String>,
    /// Viewer (`spectator`, `0` ...) to pointers in its view afterwards.
    #[serde(default)]
    view: BTreeMap<String, BTreeMap<String, String>>,
    /// Viewer to the last commit's events as it sees them: in order, each with at least these fields.
    #[serde(default)]
    seen: BTreeMap<String, Vec<String>>,
    /// Can the last commit be taken back, as far as what it disclosed is concerned?
    discloses: Option<bool>,
    /// Do the options allow to take back?
    allows_take_back: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Rules {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    #[serde(default)]
    case: Vec<Case>,
}

/// A match, the events that led to it, and the match before them if a command did.
type Outcome = (Box<dyn AnyMatch>, Vec<Seen>, Option<Box<dyn AnyMatch>>);

/// What the `board` of a case, written as the rules of the game write one, changes in the position: JSON pointer to JSON text.
type Board = fn(&str) -> BTreeMap<String, String>;

/// The rule cases of one game.
pub struct Cases {
    folder: PathBuf,
    board: Option<Board>,
    cases: Vec<(String, Case)>,
}

impl Cases {
    /// At least so many cases of a game hold, those in `tests/cases` of its folder, and each rule of its `RULES.md` has one.
    ///
    /// # Panics
    /// If one does not hold, is not read, or is missing.
    pub fn hold(game: &dyn AnyGame, folder: &str, least: usize, board: Option<Board>) {
        let folder = Path::new(folder);
        let cases = Cases { board, ..Cases::load(folder.join("tests/cases")) };
        let held = cases.run(game);
        assert!(held >= least, "{held} cases: some are not read");
        cases.check_rules(game, &read(&folder.join("RULES.md")));
    }

    /// Reads all cases of a folder.
    ///
    /// # Panics
    /// If a file cannot be read, or has a field that no case has.
    #[must_use]
    pub fn load(folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref().to_path_buf();
        let mut files: Vec<PathBuf> = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
            .collect();
        files.sort();
        let mut cases = Vec::new();
        for path in files {
            let text = read(&path);
            let file: CaseFile =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            cases.extend(file.case.into_iter().map(|case| (name.clone(), case)));
        }
        Cases { folder, board: None, cases }
    }

    /// Runs all cases; returns how many there are.
    ///
    /// # Panics
    /// With a list of all that fail.
    #[must_use = "no case at all holds too"]
    pub fn run(&self, game: &dyn AnyGame) -> usize {
        let fails = |(file, case): &(String, Case)| {
            let failure = self.check(game, case).err()?;
            Some(format!("{file}: {} ({:?}): {failure}", case.name, case.rule))
        };
        let failures: Vec<String> = self.cases.iter().filter_map(fails).collect();
        let (failed, all) = (failures.len(), self.cases.len());
        assert!(failed == 0, "{failed} of {all} cases:\n{}", failures.join("\n"));
        all
    }

    /// Checks that the rule numbers of `rules_md`, those of the game's catalogue and those that cases quote are the same.
    ///
    /// # Panics
    /// With the numbers that are missing somewhere.
    pub fn check_rules(&self, game: &dyn AnyGame, rules_md: &str) {
        let prefix = &game.info().forms.command.0[..2];
        let written = numbers(rules_md, prefix);
        let listed: BTreeSet<String> = game.rules().into_iter().map(|rule| rule.rule).collect();
        let quoted: BTreeSet<String> = self
            .cases
            .iter()
            .flat_map(|(_, case)| match &case.rule {
                Rules::One(rule) => std::slice::from_ref(rule),
                Rules::Many(rules) => rules,
            })
            .cloned()
            .collect();
        assert_eq!(listed, written, "the catalogue's rules and those of RULES.md");
        let missing: Vec<_> = written.difference(&quoted).collect();
        assert!(missing.is_empty(), "no case quotes {missing:?}");
        let unknown: Vec<_> = quoted.difference(&written).collect();
        assert!(unknown.is_empty(), "cases quote rules that do not exist: {unknown:?}");
    }

    fn check(&self, game: &dyn AnyGame, case: &Case) -> Result<(), String> {
        let mut chance = Forced::new(case.outcomes.as_deref().map(list).unwrap_or_default());
        let commands: Vec<&String> =
            case.command.iter().chain(case.commands.iter().flatten()).collect();
        let mut outcome = self.begin(game, case, &mut chance);
        for (step, command) in commands.iter().enumerate() {
            let (state, ..) = outcome
                .map_err(|refusal| format!("before command {step}: refused by {refusal}"))?;
            let decided = state.decide(&raw(command), &mut chance);
            outcome = decided.map(|decided| (decided.state, decided.events, Some(state)));
            if let Some(problem) = chance.problem() {
                return Err(format!("command {step}: {problem}"));
            }
        }
        match (&case.refused, outcome) {
            (None, _) if case.reason.is_some() => Err("a reason, but no rule".to_owned()),
            (Some(_), _) if case.awards.is_some() => Err("awards, but a refusal".to_owned()),
            (Some(rule), Err(refusal)) if refusal.rule.0 == rule => {
                let reason = case.reason.as_ref();
                equal("the reason", &refusal.reason, reason.unwrap_or(&refusal.reason))
            }
            (Some(rule), Err(refusal)) => Err(format!("refused by {refusal}, not by {rule}")),
            (Some(rule), Ok(_)) => Err(format!("accepted, not refused by {rule}")),
            (None, Err(refusal)) => Err(format!("refused by {refusal}")),
            (None, Ok(_)) if chance.problem().is_some() => {
                Err(chance.problem().unwrap_or_default().to_owned())
            }
            (None, Ok(_)) if chance.left() > 0 => {
                Err(format!("{} outcomes were not drawn", chance.left()))
            }
            (None, Ok((state, events, before))) => {
                if let Some(awards) = &case.awards {
                    let before = before.ok_or("awards, but no command")?;
                    let given = awarded(before, &events).map_err(|error| error.to_string())?;
                    let awards: Vec<Value> = awards.iter().map(|award| parse(award)).collect();
                    equal("the awards", given, awards)?;
                }
                self.expect(game, case, state.as_ref(), &events)
            }
        }
    }

    fn begin(
        &self,
        game: &dyn AnyGame,
        case: &Case,
        chance: &mut Forced,
    ) -> Result<Outcome, Refusal> {
        let info = game.info();
        let edition = case.edition.map_or(Ok(info.newest()), |number| info.edition(number));
        let edition = edition.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        match (&case.position, &case.setup) {
            (Some(position), None) => {
                let mut changes = case.change.clone();
                if let Some(text) = &case.board {
                    let board = self.board.expect("a game with a notation for boards");
                    changes.extend(board(text));
                }
                let position = raw(&self.position(position, &changes));
                game.load(&position, edition).map(|state| (state, Vec::new(), None))
            }
            (None, Some(options)) => {
                assert!(case.board.is_none(), "{}: a board, but no position", case.name);
                let seats = case.seats.unwrap_or(2);
                let started = game.setup(&raw(options), seats, edition, chance)?;
                Ok((started.state, started.events, None))
            }
            (Some(_), Some(_)) | (None, None) => {
                panic!("{}: a case has a position or a setup", case.name)
            }
        }
    }

    fn position(&self, name: &str, changes: &BTreeMap<String, String>) -> String {
        let text = if name.starts_with('{') {
            name.to_owned()
        } else {
            read(&self.folder.join(format!("{name}.json")))
        };
        if changes.is_empty() {
            return text;
        }
        let mut position = parse(&text);
        for (pointer, change) in changes {
            let (parent, key) =
                pointer.rsplit_once('/').expect("a JSON pointer begins with a slash");
            let target = position
                .pointer_mut(parent)
                .unwrap_or_else(|| panic!("{name} has nothing at {parent}"));
            match target {
                Value::Object(fields) if change == "remove" => drop(fields.remove(key)),
                Value::Object(fields) => drop(fields.insert(key.to_owned(), parse(change))),
                Value::Array(items) if key == "-" => items.push(parse(change)),
                Value::Array(items) if change == "remove" => {
                    drop(items.remove(key.parse().expect("an index")))
                }
                Value::Array(items) => {
                    items[key.parse::<usize>().expect("an index")] = parse(change)
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                    panic!("{name} has a scalar at {parent}")
                }
            }
        }
        position.to_string()
    }

    fn expect(
        &self,
        game: &dyn AnyGame,
        case: &Case,
        state: &dyn AnyMatch,
        events: &[Seen],
    ) -> Result<(), String> {
        let full: Vec<Value> = events.iter().map(|event| parse(event.full.get())).collect();
        if let Some(types) = &case.events {
            let emitted: Vec<&Value> = full.iter().map(|event| &event["type"]).collect();
            equal("events", emitted, types)?;
        }
        contained("events", &full, case.event.iter().flatten())?;
        pointers("the position", &parse(state.position().get()), &case.after)?;
        if let Some(points) = &case.points {
            equal("points", state.points(), points)?;
        }
        self.expect_legal(case, state)?;
        let active = state.active_seat().map_or(-1, |seat| i64::from(seat.0));
        equal("the active seat", active, case.active_seat.unwrap_or(active))?;
        if let Some(standing) = &case.standing {
            let now = state.standing().map_or(Value::Null, |standing| parse(standing.get()));
            equal("the standing", now, parse(standing))?;
        }
        for (name, expected) in &case.view {
            let view = parse(state.view(viewer(name)).get());
            pointers(&format!("the view of {name}"), &view, expected)?;
        }
        for (name, expected) in &case.seen {
            let see = |event: &Seen| {
                state.event_view(&event.full, viewer(name)).map_err(|error| error.to_string())
            };
            let seen = events.iter().map(see).collect::<Result<Vec<_>, String>>()?;
            let seen: Vec<Value> = seen.iter().map(|event| parse(event.get())).collect();
            contained(&format!("the events that {name} sees"), &seen, expected.iter())?;
        }
        if let Some(expected) = case.discloses {
            let discloses = events.iter().any(|event| game.discloses(&event.full) == Ok(true));
            equal("discloses", discloses, expected)?;
        }
        if let Some(expected) = case.allows_take_back {
            equal("allows_take_back", state.allows_take_back(), expected)?;
        }
        Ok(())
    }

    fn expect_legal(&self, case: &Case, state: &dyn AnyMatch) -> Result<(), String> {
        let listed: BTreeSet<String> =
            list(state.legal_commands().get()).iter().map(Value::to_string).collect();
        let given = |texts: &[String]| {
            texts.iter().map(|text| parse(text).to_string()).collect::<BTreeSet<_>>()
        };
        if let Some(legal) = &case.legal {
            equal("the legal commands", &listed, given(legal))?;
        }
        if let Some(count) = case.legal_count {
            equal("the number of legal commands", listed.len(), count)?;
        }
        for (commands, expected) in [(&case.lists, true), (&case.lists_not, false)] {
            for command in given(commands.as_deref().unwrap_or_default()) {
                equal(&format!("{command} is listed"), listed.contains(&command), expected)?;
            }
        }
        Ok(())
    }
}

fn equal(what: &str, now: impl Serialize, expected: impl Serialize) -> Result<(), String> {
    let (now, expected) = (json!(now), json!(expected));
    if now == expected { Ok(()) } else { Err(format!("{what}: {now}, expected {expected}")) }
}

fn pointers(what: &str, value: &Value, expected: &BTreeMap<String, String>) -> Result<(), String> {
    for (pointer, expected) in expected {
        let now = value.pointer(pointer);
        if expected == "absent" {
            equal(&format!("{what} at {pointer} exists"), now.is_some(), false)?;
        } else {
            let now = now.ok_or_else(|| format!("{what} has nothing at {pointer}"))?;
            equal(&format!("{what} at {pointer}"), now, parse(expected))?;
        }
    }
    Ok(())
}

/// Each expected object is contained, with at least its fields, in one of the events; in order.
fn contained<'a>(
    what: &str,
    events: &[Value],
    expected: impl Iterator<Item = &'a String>,
) -> Result<(), String> {
    let mut rest = events.iter();
    for expected in expected {
        let fields = parse(expected);
        let fields = fields.as_object().expect("an event is an object");
        rest.find(|event| fields.iter().all(|(key, value)| event.get(key) == Some(value)))
            .ok_or_else(|| format!("{what}: no {expected} (in this order) in {}", json!(events)))?;
    }
    Ok(())
}

/// Everything that the awards of a commit tell.
fn awarded(mut state: Box<dyn AnyMatch>, events: &[Seen]) -> Result<Vec<Value>, StreamError> {
    let mut told = Vec::new();
    for event in events {
        told.extend(state.awards(&event.full)?.iter().map(|award| {
            let pieces = parse(award.pieces.get());
            json!([award.seat, award.points, award.reason, award.rule, award.arithmetic, pieces])
        }));
        state.apply(&event.full)?;
    }
    Ok(told)
}

fn viewer(name: &str) -> Viewer {
    if name == "spectator" {
        return Viewer::Spectator;
    }
    Viewer::Seat(Seat(name.parse().unwrap_or_else(|_| panic!("{name} is no viewer"))))
}

/// All rule numbers with this prefix in a text; the prefix has two characters, `R-`.
fn numbers(text: &str, prefix: &str) -> BTreeSet<String> {
    text.match_indices(prefix)
        .filter(|(at, _)| !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric()))
        .map(|(at, _)| {
            let digits = text[at + prefix.len()..].chars().take_while(char::is_ascii_digit);
            prefix.chars().chain(digits).collect::<String>()
        })
        .filter(|number| number.len() > prefix.len())
        .collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn list(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap_or_else(|error| panic!("{error} in {text}"))
}

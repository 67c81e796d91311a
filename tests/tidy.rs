//! The order of the house: what the compiler does not check, read from the source tree.

mod circles;
mod decisions;
mod kept;
mod listed;
mod measured;
mod pasted;
mod promises;
mod spelling;
mod tried;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each crate may depend on beside our own crates, which ARCHITECTURE.md says. Those that are not named here (server, muninn,
/// tests, examples) may use what the workspace lists.
const DEPENDENCIES: &[(&str, &str)] = &[
    ("domain/derive", "proc-macro2 quote syn"),
    ("domain/kernel", "serde serde_json thiserror toml utoipa"),
    ("domain/<game>", "serde thiserror toml utoipa"),
    ("domain/<game>/picture", "serde serde_json"),
    ("domain/canvas", "serde serde_json thiserror"),
    ("domain/catalog", ""),
    (
        "store",
        "bytes crc32fast fs2 log lz4_flex percent-encoding rustls rustls-native-certs sled tempfile thiserror tokio tokio-postgres tokio-postgres-rustls whoami zstd",
    ),
    (
        "api/journal",
        "getrandom precis-profiles rand_pcg serde serde_json sha2 subtle thiserror tracing unicode-properties utoipa uuid",
    ),
    ("api/archive", "serde serde_json sha2 skillratings thiserror utoipa zstd"),
    ("api/derived", "crc32fast rusqlite sha2 thiserror"),
    (
        "api/engine",
        "chrono crc32fast json-patch lru rusqlite rustix serde serde_json thiserror tokio tracing utoipa uuid",
    ),
    ("api/flood", ""),
    ("api/page", "include_dir serde_json sha2 thiserror toml"),
    ("api/report", "plotters serde_json thiserror"),
    ("api/tables", "bytes chrono csv fs2 parquet rusqlite serde serde_json tar tempfile thiserror"),
];

/// Folders of `domain` that are no games.
const NO_GAMES: &[&str] = &["derive", "kernel", "canvas", "catalog", "testkit"];

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().expect("the workspace is there")
}

/// All files of the tree that somebody wrote, with their paths from the root.
fn files() -> Vec<(String, PathBuf)> {
    let (root, mut files) = (root(), Vec::new());
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be read") {
            let path = entry.expect("an entry can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                let skip = ["target", "node_modules", "data", ".git"];
                // `data` at the root is a store; a game has printed data.
                let store = name == "data" && folder == root;
                if !store && (name == "data" || !skip.contains(&name.as_ref())) {
                    folders.push(path);
                }
            } else if name != ".git" {
                let relative = path.strip_prefix(&root).expect("it is below the root");
                files.push((relative.to_string_lossy().into_owned(), path));
            }
        }
    }
    files.sort();
    assert!(files.len() > 100, "the tree was not found");
    files
}

fn rust() -> Vec<(String, String)> {
    let files = files().into_iter().filter(|(name, _)| name.ends_with(".rs"));
    files.map(|(name, path)| (name, fs::read_to_string(path).expect("a source is text"))).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn manifest(folder: &str) -> toml::Table {
    read(&format!("{folder}/Cargo.toml")).parse().expect("a manifest is TOML")
}

fn dependencies(folder: &str, section: &str) -> BTreeSet<String> {
    let manifest = manifest(folder);
    let table = manifest.get(section).and_then(toml::Value::as_table);
    table.into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

fn games() -> Vec<String> {
    let folders = fs::read_dir(root().join("domain")).expect("a folder");
    let folders = folders.map(|entry| entry.expect("an entry").path());
    let mut games: Vec<String> = folders
        .filter(|path| path.join("Cargo.toml").exists())
        .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        .filter(|name| !NO_GAMES.contains(&name.as_str()))
        .collect();
    games.sort();
    assert!(!games.is_empty());
    games
}

/// Asserts that nothing was found wrong.
#[track_caller]
fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The rows of the table in ARCHITECTURE.md: a crate's folder, which of our crates it may use, and which in its tests.
fn architecture() -> BTreeMap<String, [BTreeSet<String>; 2]> {
    let text = read("ARCHITECTURE.md");
    let rows = text.lines().skip_while(|line| !line.starts_with("| crate | may use |"));
    let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [folder, uses, tests] = cells[..] else { panic!("a row of three cells: {line}") };
        let names = |cell: &str| -> BTreeSet<String> {
            let names = cell.split(", ").filter(|name| !name.is_empty());
            let names = names.map(|name| match name {
                "the games" => games(),
                "their pictures" => games().iter().map(|game| format!("{game}-picture")).collect(),
                name => vec![name.to_owned()],
            });
            names.flatten().collect()
        };
        (folder.trim_matches('`').to_owned(), [names(uses), names(tests)])
    };
    rows.map(row).collect()
}

#[test]
fn crates_use_one_another_as_architecture_says() {
    let (table, games) = (architecture(), games());
    let files = files();
    let folders = files.iter().filter_map(|(name, _)| name.strip_suffix("/Cargo.toml"));
    let members: BTreeMap<&str, String> = folders
        .map(|folder| {
            (folder, manifest(folder)["package"]["name"].as_str().expect("text").to_owned())
        })
        .collect();
    let row_of = |folder: &str| match folder.strip_prefix("domain/") {
        Some(name) if games.iter().any(|game| game == name) => "domain/<game>".to_owned(),
        Some(name) if name.ends_with("/picture") => "domain/<game>/picture".to_owned(),
        Some(_) | None => folder.to_owned(),
    };
    let rows: BTreeSet<String> = members.keys().map(|folder| row_of(folder)).collect();
    assert!(rows.iter().eq(table.keys()), "the table has {:?}, the tree {rows:?}", table.keys());
    let mut wrong = Vec::new();
    for folder in members.keys() {
        let sections = ["dependencies", "dev-dependencies"].into_iter();
        for (section, names) in sections.zip(&table[&row_of(folder)]) {
            // A picture's game is the folder that it lies in.
            let own = || folder.split('/').nth(1).unwrap_or_default().to_owned();
            let mut expected = names.clone();
            if expected.remove("its game") {
                expected.insert(own());
            }
            let mut used = dependencies(folder, section);
            used.retain(|name| members.values().any(|member| member == name));
            if used != expected {
                wrong.push(format!("{folder}, {section}: {used:?}, in the table {expected:?}"));
            }
        }
    }
    none(&wrong);
}

#[test]
fn crates_depend_on_what_they_may() {
    let (table, games) = (architecture(), games());
    let mut wrong = Vec::new();
    for (row, allowed) in DEPENDENCIES {
        let folders = match *row {
            "domain/<game>" => games.iter().map(|game| format!("domain/{game}")).collect(),
            "domain/<game>/picture" => {
                games.iter().map(|game| format!("domain/{game}/picture")).collect()
            }
            folder => vec![folder.to_owned()],
        };
        for folder in folders {
            for name in dependencies(&folder, "dependencies") {
                let game = folder.strip_suffix("/picture").is_some_and(|of| of.ends_with(&name));
                if !allowed.split(' ').any(|one| one == name)
                    && !table[*row][0].contains(&name)
                    && !game
                {
                    wrong.push(format!("{folder} depends on {name}"));
                }
            }
        }
    }
    none(&wrong);
}

#[test]
fn the_server_and_what_is_below_it_name_no_game() {
    let games = games();
    let mut wrong = Vec::new();
    for (name, text) in rust() {
        let below = ["api/", "store/src", "domain/kernel/src", "domain/canvas/src"];
        if !below.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        // Tests may name games: those of a file stand at its end.
        let program = text.lines().take_while(|line| *line != "#[cfg(test)]");
        for (line, number) in program.zip(1..) {
            let code = line.split("//").next().unwrap_or("");
            for game in &games {
                // The examples of the command line's help name one.
                let named =
                    code.contains(&format!("{game}::")) || code.contains(&format!("use {game}"));
                if named || code.contains(&format!("\"{game}\"")) {
                    wrong.push(format!("{name}:{number} names {game}"));
                }
            }
            if code.contains("catalog::") && name != "api/muninn/src/main.rs" {
                wrong.push(format!("{name}:{number} names the catalogue"));
            }
        }
    }
    none(&wrong);
}

/// A picture may name what the game's `seen` has, and that is no part of a position.
#[test]
fn pictures_name_of_their_game_what_a_viewer_sees() {
    let mut wrong = Vec::new();
    for game in games() {
        let seen = read(&format!("domain/{game}/src/seen.rs"));
        let names = seen.split(|c: char| !c.is_alphanumeric());
        let hidden = names.filter(|name| ["Position", "PositionForm", "Event"].contains(name));
        wrong.extend(hidden.map(|name| format!("{game}: `seen` has {name}")));
        for (name, text) in rust() {
            if !name.starts_with(&format!("domain/{game}/picture/")) {
                continue;
            }
            for (line, number) in text.lines().zip(1..) {
                let code = line.split("//").next().unwrap_or("");
                let named = code.matches(&format!("{game}::")).count();
                let allowed = code.matches(&format!("{game}::seen::")).count();
                let renamed = code.contains(&format!("use {game} "))
                    || code.contains(&format!("use {game};"));
                if named > allowed || renamed {
                    wrong.push(format!("{name}:{number} names more of {game} than its `seen`"));
                }
            }
        }
    }
    none(&wrong);
}

#[test]
fn files_are_small_and_named_by_their_idea() {
    const VAGUE: &[&str] = &[
        "utils",
        "util",
        "helpers",
        "helper",
        "common",
        "misc",
        "manager",
        "types",
        "processor",
        "mod",
    ];
    let mut wrong = Vec::new();
    for (name, text) in rust() {
        let lines = text.lines().count();
        if lines > 500 {
            wrong.push(format!("{name} has {lines} lines"));
        }
        for part in name.trim_end_matches(".rs").split('/') {
            if VAGUE.contains(&part) {
                wrong.push(format!("{name}: {part} is no idea"));
            }
        }
    }
    none(&wrong);
}

/// The plan of every game: who knows one finds each line of another. Folders beside these files are free.
const PLAN: &[&str] = &[
    "lib", "printed", "pieces", "board", "options", "position", "command", "event", "view", "seen",
    "form", "setup", "legality", "refusal", "decide", "apply", "scoring", "awards", "spots",
    "places", "moments", "load", "lean",
];

#[test]
fn games_have_one_plan_of_files() {
    let files = rust();
    let off_plan = files.iter().filter_map(|(name, _)| {
        let (game, file) = name.strip_prefix("domain/")?.split_once("/src/")?;
        let top = !NO_GAMES.contains(&game) && !game.contains('/') && !file.contains('/');
        (top && !PLAN.contains(&file.trim_end_matches(".rs")))
            .then(|| format!("{name} is not in the plan of games"))
    });
    none(&off_plan.collect::<Vec<_>>());
}

/// The places where a pattern leaves fields out: `..` before a brace, in functions whose name `is_asked`.
fn left_out(text: &str, is_asked: impl Fn(&str) -> bool) -> Vec<usize> {
    let (mut found, mut function) = (Vec::new(), "");
    for (line, number) in text.lines().zip(1..) {
        let code = line.split("//").next().unwrap_or("").trim_end();
        if let Some((_, signature)) = code.split_once("fn ") {
            function = signature.split(['(', '<']).next().unwrap_or("");
        }
        if !is_asked(function) {
            continue;
        }
        let dots = code.find("..").map(|at| code[at + 2..].trim_start());
        let pattern =
            dots.is_some_and(|rest| rest.is_empty() || rest.starts_with('}') || rest == ",");
        let slice = code.trim_start().starts_with('[') || code.contains("[..");
        if pattern && !slice {
            found.push(number);
        }
    }
    found
}

#[test]
fn patterns_that_leave_out_fields_are_found() {
    let two = "fn start(e: E) {\n    E::A { .. }\n}\nfn apply<G>() {\n    E::A { .. } => {}";
    assert_eq!(left_out(two, |name| name != "start"), [5]);
    let all = |text| left_out(text, |_| true);
    assert_eq!(all("Event::A { seat, .. } => {}"), [1]);
    assert_eq!(all("let Position {\n    board,\n    ..\n} = position;"), [3]);
    assert_eq!(all("for i in 0..9 {}\nlet a = &b[1..];\nlet c = (0..).zip(d);"), [0; 0]);
}

#[test]
fn games_decide_about_every_field_that_they_apply_or_show() {
    let mut wrong = Vec::new();
    for (name, text) in rust() {
        let of_game = games().iter().any(|game| name.starts_with(&format!("domain/{game}/src/")));
        let file = name.rsplit('/').next().unwrap_or("");
        let deciding = matches!(file, "apply.rs" | "view.rs" | "form.rs");
        let inside = name.contains("/apply/") || name.contains("/view/");
        if of_game {
            // `start` only names the events that begin nothing.
            let asked = |function: &str| (deciding || inside) && function != "start";
            let places = left_out(&text, asked).into_iter();
            wrong.extend(places.map(|line| format!("{name}:{line} leaves out fields")));
        }
    }
    none(&wrong);
}

/// The rule numbers in a text, such as `R-12`.
fn numbers(text: &str, prefix: char) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices(&format!("{prefix}-")) {
        let before = text[..at].chars().next_back();
        let digits: String = text[at + 2..].chars().take_while(char::is_ascii_digit).collect();
        if !digits.is_empty() && !before.is_some_and(char::is_alphanumeric) {
            found.insert(format!("{prefix}-{digits}"));
        }
    }
    found
}

#[test]
fn every_rule_has_a_sentence() {
    let mut wrong = Vec::new();
    for game in games() {
        let text = read(&format!("domain/{game}/RULES.md"));
        let table: toml::Table =
            read(&format!("domain/{game}/data/rules.toml")).parse().expect("TOML");
        let listed: BTreeSet<String> = table.keys().cloned().collect();
        let prefix = listed.first().and_then(|rule| rule.chars().next());
        let written = numbers(&text, prefix.expect("a game has rules"));
        let missing =
            written.difference(&listed).map(|rule| format!("{game}: {rule} has no sentence"));
        wrong.extend(missing);
        let unknown =
            listed.difference(&written).map(|rule| format!("{game}: {rule} is not in RULES.md"));
        wrong.extend(unknown);
    }
    none(&wrong);
}

#[test]
fn the_rules_of_the_platform_are_in_its_specification() {
    let written = numbers(&read("RULES.md"), 'M');
    let quoted = numbers(&read("api/journal/src/rules.rs"), 'M');
    assert!(!written.is_empty());
    assert_eq!(written, quoted);
}

#[test]
fn refusals_quote_rules_that_exist() {
    let mut wrong = Vec::new();
    for game in games() {
        let table: toml::Table =
            read(&format!("domain/{game}/data/rules.toml")).parse().expect("TOML");
        for (name, text) in rust() {
            if !name.starts_with(&format!("domain/{game}/src/")) {
                continue;
            }
            for (at, start) in text.match_indices("Rule(\"") {
                let rest = &text[at + start.len()..];
                let rule = &rest[..rest.find('"').expect("a string ends")];
                if !table.contains_key(rule) {
                    wrong.push(format!("{name} quotes {rule}"));
                }
            }
        }
    }
    none(&wrong);
}

#[test]
fn decisions_are_numbered_without_holes() {
    let files = files();
    let names = files.iter().filter_map(|(name, _)| name.strip_prefix("docs/adr/"));
    let mut wrong = Vec::new();
    let mut due = 1;
    for name in names {
        let number: usize = name.split('-').next().unwrap_or_default().parse().unwrap_or_default();
        let title = read(&format!("docs/adr/{name}"));
        if number != due || !title.starts_with(&format!("# {number}. ")) {
            wrong.push(format!("{name} stands where number {due} is due, with that in its title"));
        }
        due = number + 1;
    }
    assert!(due > 30, "the decisions were not found");
    none(&wrong);
}

#[test]
fn the_tree_speaks_of_the_product_alone() {
    // In pieces, so that this file does not find itself.
    let words = [
        ["/wo", "rk/"].concat(),
        ["../sha", "red"].concat(),
        ["/ho", "me/"].concat(),
        ["TO", "DO"].concat(),
        ["FIX", "ME"].concat(),
        ["#[ign", "ore"].concat(),
        ["unim", "plemented!"].concat(),
    ];
    let mut wrong = Vec::new();
    for (name, path) in files() {
        // What is no text holds no words.
        let Ok(text) = fs::read_to_string(path) else {
            continue;
        };
        for (line, number) in text.lines().zip(1..) {
            let found = words.iter().find(|word| line.contains(word.as_str()));
            wrong.extend(found.map(|word| format!("{name}:{number} says {word}")));
        }
    }
    none(&wrong);
}

#[test]
fn every_member_keeps_the_house_rules() {
    let root: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let lints = root["workspace"]["lints"]["rust"]["unsafe_code"].as_str();
    assert_eq!(lints, Some("forbid"));
    let mut wrong = Vec::new();
    for (name, _) in files() {
        let Some(folder) = name.strip_suffix("/Cargo.toml") else {
            continue;
        };
        let manifest = manifest(folder);
        let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
        if lints.and_then(toml::Value::as_bool) != Some(true) {
            wrong.push(format!("{folder} has lints of its own"));
        }
    }
    none(&wrong);
}

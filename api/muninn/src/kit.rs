//! `muninn kit`: recorded answers and two runners, so that a client in any language proves offline that it follows the contract.
//!
//! The answers are those of this program, recorded from a server that it starts in itself. What differs each time has stand-ins, so two kits of
//! one program are the same, byte for byte.

mod acting;
mod case;
mod choosing;
mod house;
mod looking;
mod streaming;
mod table;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use journal::Bytes32;
use openapi::StandIns;
use serde_json::{Value, json};

use crate::config::{KitArgs, LimitArgs};
use crate::failure::{Failure, of_file, tell_done, usage};
use crate::games::{Games, Pictures};
use case::Case;
use house::{House, Wrong};
use table::Table;

/// The number of the kit's own form: what a runner has to understand.
const FORM: u32 = 1;

/// To which version bots play a match that goes on.
const LIVE: u64 = 40;

/// To which version bots play a match that is long: more than a patch goes back.
const LONG: u64 = 320;

/// The file that names all others.
const KIT: &str = "kit.json";

/// Where the recorded files are.
const FOLDERS: [&str; 2] = ["cases", "pictures"];

/// What of the kit is not recorded: by name.
const FILES: &[(&str, &str)] = &[
    ("README.md", include_str!("../kit/README.md")),
    ("runner.mjs", include_str!("../kit/runner.mjs")),
    ("runner.py", include_str!("../kit/runner.py")),
    ("client.py", include_str!("../kit/client.py")),
];

/// Writes the kit into a folder that is empty, or has a kit: of that one nothing stays.
pub(crate) fn kit(args: &KitArgs, games: Games, pictures: Pictures) -> Result<ExitCode, Failure> {
    let out = &args.out;
    let was_there = out.exists();
    let empty = !was_there || fs::read_dir(out).map_err(of_file(out))?.next().is_none();
    let old = if empty { Some(Vec::new()) } else { kit_in(out) };
    let other = || usage(format!("--out {}: the folder has something else in it", out.display()));
    let old = old.ok_or_else(other)?;
    let wrong =
        |wrong: Wrong| Failure { message: format!("the kit was not recorded: {wrong}"), code: 1 };
    let files = record(games, pictures).map_err(wrong)?;
    for name in old.iter().filter(|name| !files.contains_key(*name)) {
        let path = out.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(of_file(&path)(error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    if let Err(failure) = write_all(out, &files) {
        // A part of a kit is none, and who tries again finds an empty folder. That it was not written is what counts.
        files.keys().for_each(|name| drop(fs::remove_file(out.join(name))));
        FOLDERS.iter().for_each(|folder| drop(fs::remove_dir(out.join(folder))));
        if !was_there {
            drop(fs::remove_dir(out));
        }
        return Err(failure);
    }
    let cases = files.keys().filter(|name| name.starts_with("cases/")).count();
    Ok(tell_done(&format!("{}: {cases} cases\n", out.display())))
}

/// Writes the file that names all others first: a kit that was cut off is one that can be replaced.
fn write_all(out: &Path, files: &BTreeMap<String, String>) -> Result<(), Failure> {
    fs::create_dir_all(out).map_err(of_file(out))?;
    let (first, others): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| *name == KIT);
    let write = |(name, text): (&String, &String)| {
        let path = out.join(name);
        fs::write(&path, text).map_err(of_file(&path))
    };
    first.into_iter().try_for_each(write)?;
    for folder in FOLDERS {
        let path = out.join(folder);
        fs::create_dir_all(&path).map_err(of_file(&path))?;
    }
    others.into_iter().try_for_each(write)
}

/// The recorded files of the kit in a folder, if it has one.
fn kit_in(folder: &Path) -> Option<Vec<String>> {
    let kit: Value = serde_json::from_str(&fs::read_to_string(folder.join(KIT)).ok()?).ok()?;
    let ours = kit["program"].as_str()?.starts_with("muninn ");
    let recorded = |name: &&String| {
        let (below, file) = name.split_once('/').unwrap_or_default();
        FOLDERS.contains(&below) && !file.contains(['/', '\\'])
    };
    let files = kit["files"].as_object().filter(|_| ours)?;
    Some(files.keys().filter(recorded).cloned().collect())
}

/// All files, by their path in the kit.
fn record(games: Games, pictures: Pictures) -> Result<BTreeMap<String, String>, Wrong> {
    let mut stand_ins = StandIns::default();
    let mut files: BTreeMap<String, String> =
        FILES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let mut told = Vec::new();
    for case in cases(games, pictures, &mut stand_ins)? {
        let name = case.name.clone();
        let mut case = stand_ins.put_json(&case.json())?;
        for exchange in case["exchanges"].as_array_mut().into_iter().flatten() {
            for answer in exchange["answers"].as_array_mut().into_iter().flatten() {
                let text = answer.as_object_mut().and_then(|answer| answer.remove("text"));
                if let Some(Value::String(picture)) = text {
                    let path = format!("pictures/{name}.svg");
                    answer["file"] = json!(path);
                    files.insert(path, picture);
                }
            }
        }
        let file = format!("cases/{name}.json");
        told.push(json!({"name": name, "title": case["title"], "file": file}));
        files.insert(file, serde_json::to_string_pretty(&case)? + "\n");
    }
    let sums: BTreeMap<&String, String> =
        files.iter().map(|(name, text)| (name, Bytes32::hash(&[text.as_bytes()]).hex())).collect();
    let program = concat!("muninn ", env!("CARGO_PKG_VERSION"));
    let kit =
        json!({"form": FORM, "contract": "v1", "program": program, "cases": told, "files": sums});
    files.insert(KIT.to_owned(), serde_json::to_string_pretty(&kit)? + "\n");
    Ok(files)
}

fn cases(games: Games, pictures: Pictures, stand_ins: &mut StandIns) -> Result<Vec<Case>, Wrong> {
    let house = House::start(games, pictures, LimitArgs::default())?;
    let full = acting::full(games, pictures)?;
    let too_often = acting::too_often(games, pictures)?;
    let game = games.first().ok_or("there is no game")?.info().id;
    let mut cases = acting::opening(&house, &full, stand_ins, game)?;
    full.finish()?;
    let live = Table::first(&house, stand_ins, games, Some(LIVE))?;
    cases.extend(looking::views(&house, &live, &too_often)?);
    cases.extend(acting::commands(&house, &live)?);
    cases.extend(looking::feed(&house)?);
    let long = Table::first(&house, stand_ins, games, Some(LONG))?;
    cases.push(looking::gone(&house, &long)?);
    let finished = Table::first(&house, stand_ins, games, None)?;
    finished.seal(&house, stand_ins)?;
    cases.push(looking::patches(&house, &finished)?);
    cases.push(looking::documents());
    cases.extend(looking::log(&house, &finished)?);
    cases.extend(looking::chain(&house, &finished)?);
    cases.push(streaming::resumed(&house, &finished)?);
    cases.push(streaming::patched(&house, &finished)?);
    for (place, game) in games.iter().enumerate() {
        cases.extend(choosing::choice(&house, stand_ins, game.info(), place == 0)?);
    }
    house.finish()?;
    Ok(cases)
}

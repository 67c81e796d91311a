//! What CONTRIBUTING.md lists for whoever adds a game.

use crate::{games, none, read, rust};

/// What the program itself is made of.
const PROGRAM: [&str; 4] = ["api/", "clients/", "openapi/src/", "store/src/"];
/// They may name all games, since nobody adds one there: the examples of a help text.
const EXAMPLES: [&str; 1] = ["api/muninn/src/simulate.rs"];

/// The files that CONTRIBUTING.md says name every game.
fn listed() -> Vec<String> {
    let guide = read("CONTRIBUTING.md");
    let (_, list) = guide.split_once("each file that names every game").expect("the step is there");
    let (list, _) = list.split_once(". Names that pictures").expect("the list ends");
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The games that a text does not name.
fn missing(text: &str) -> impl Iterator<Item = String> {
    let is_between = |c: char| !c.is_alphanumeric() && c != '_';
    games()
        .into_iter()
        .filter(move |game| !text.split(is_between).any(|word| word == game.as_str()))
}

#[test]
fn files_that_are_said_to_name_every_game_do() {
    let files = listed();
    assert!(files.len() > 20, "{files:?}");
    let mut wrong = Vec::new();
    for file in files {
        wrong.extend(missing(&read(&file)).map(|game| format!("{file} does not name {game}")));
    }
    none(&wrong);
}

#[test]
fn no_other_file_of_the_program_names_every_game() {
    let known = listed();
    let mut wrong = Vec::new();
    for (name, text) in rust() {
        let is_of_it = PROGRAM.iter().any(|folder| name.starts_with(folder));
        if is_of_it
            && !EXAMPLES.contains(&name.as_str())
            && !known.contains(&name)
            && missing(&text).next().is_none()
        {
            wrong.push(format!("{name} names every game, and CONTRIBUTING.md does not say so"));
        }
    }
    none(&wrong);
}

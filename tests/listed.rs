//! What CONTRIBUTING.md lists for whoever adds a game.

use crate::{games, none, read};

#[test]
fn files_that_are_said_to_name_every_game_do() {
    let guide = read("CONTRIBUTING.md");
    let (_, list) = guide.split_once("each file that names every game").expect("the step is there");
    let (list, _) = list.split_once(". Names that pictures").expect("the list ends");
    let files: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    assert!(files.len() > 20, "{files:?}");
    let mut wrong = Vec::new();
    for file in files {
        let text = read(file);
        let is_between = |c: char| !c.is_alphanumeric() && c != '_';
        let names = |game: &str| text.split(is_between).any(|word| word == game);
        let missing = games().into_iter().filter(|game| !names(game));
        wrong.extend(missing.map(|game| format!("{file} does not name {game}")));
    }
    none(&wrong);
}

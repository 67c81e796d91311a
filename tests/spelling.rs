//! One spelling: prose is British, code and JSON are what their contract says.

use std::fs;

use super::{files, none};

/// American spellings of words that the house spells in the British way.
const AMERICAN: &str = "color colors colored behavior behaviors neighbor neighbors neighboring gray center centers centered \
    canceled labeled modeled traveled analyze analyzed honor honors fulfill fulfills";

/// The American words in a line of prose. What is between backticks is code.
fn american(prose: &str) -> Vec<&str> {
    let plain = prose.split('`').step_by(2);
    let words = plain.flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| AMERICAN.split(' ').any(|one| word.eq_ignore_ascii_case(one))).collect()
}

#[test]
fn prose_has_british_spelling() {
    assert_eq!(american("The color of `color`, not a color_id. Colors!"), ["color", "Colors"]);
    let mut wrong = Vec::new();
    for (name, path) in files() {
        let markdown = name.ends_with(".md");
        // The rules of the games name fields of their JSON without backticks.
        if name.ends_with("/RULES.md") || !(markdown || name.ends_with(".rs")) {
            continue;
        }
        let (text, mut code) = (fs::read_to_string(path).expect("a source is text"), false);
        for (line, number) in text.lines().zip(1..) {
            let comment = line.trim_start().strip_prefix("//");
            let Some(prose) = (if markdown { Some(line) } else { comment }) else {
                continue;
            };
            let prose = prose.trim_start_matches(['/', '!']);
            code ^= prose.trim_start().starts_with("```");
            if !code {
                let words = american(prose).into_iter();
                wrong.extend(words.map(|word| format!("{name}:{number} says {word}")));
            }
        }
    }
    none(&wrong);
}

//! docs/promises.md and docs/security.md: each promise, and each attack, with the test that holds it.

use std::collections::BTreeSet;
use std::fs;

use crate::{none, read, root, rust};

/// The names of the tests in a file, each after its attribute.
fn tests_of(text: &str) -> Vec<&str> {
    let after = text.split("#[test]\n").skip(1);
    let name = |rest: &'_ str| {
        let at = rest.find("fn ").expect("a test is a function") + 3;
        at..at + rest[at..].find('(').expect("a test is a function")
    };
    after.map(|rest| &rest[name(rest)]).collect()
}

#[test]
fn each_promise_names_tests_that_exist() {
    let page = read("docs/promises.md") + &read("docs/security.md");
    let named: BTreeSet<(&str, &str)> =
        page.split('`').filter_map(|code| code.split_once("::")).collect();
    let mut wrong = Vec::new();
    for (file, test) in &named {
        if !tests_of(&fs::read_to_string(root().join(file)).unwrap_or_default()).contains(test) {
            wrong.push(format!("there is no test {file}::{test}"));
        }
    }
    for (file, text) in rust().iter().filter(|(name, _)| name.starts_with("tests/faults/")) {
        let missing =
            tests_of(text).into_iter().filter(|test| !named.contains(&(file.as_str(), *test)));
        wrong.extend(missing.map(|test| format!("{file}::{test} holds no promise")));
    }
    none(&wrong);
}

/// What `println!` says in a test that passes is shown to nobody.
#[test]
fn what_is_not_tested_is_said_past_the_capture() {
    let said = ["println!(\"NOT TESTED", "println!(\"SKIPPED"];
    let of_tests = |name: &str| name.contains("tests/") && !name.starts_with("tests/benches/");
    let mut wrong = Vec::new();
    for (name, text) in rust().iter().filter(|(name, _)| of_tests(name)) {
        let lines = text.lines().zip(1..);
        let captured = lines.filter(|(line, _)| said.iter().any(|said| line.contains(said)));
        wrong.extend(captured.map(|(_, number)| format!("{name}:{number} is captured")));
    }
    none(&wrong);
}

//! What the documents show to be pasted finds its folders where the reader stands.

use crate::{files, none, read};

/// What a line of a block of commands does not find after those before it.
fn lost(before: &str, line: &str) -> Option<&'static str> {
    let word = |key: &str| {
        let (_, rest) = line.split_once(key)?;
        rest.split(' ').next()
    };
    if before.lines().any(|line| line.starts_with("cd ")) && line.contains("--data ./") {
        return Some("the store is not below this folder");
    }
    if word("tar x -C ").is_some_and(|folder| !before.contains(&format!("mkdir -p {folder}"))) {
        return Some("nobody has made this folder");
    }
    let anywhere = ["/", "$PWD/", "http"];
    word("MUNINN_TABLES=")
        .filter(|source| !anywhere.iter().any(|start| source.starts_with(start)))
        .map(|_| "a notebook runs in its own folder")
}

#[test]
fn commands_of_the_documents_find_their_folders() {
    assert!(lost("cd sql\n", "muninn query --data ./data").is_some());
    assert!(lost("cd sql\n", "muninn query --data /srv/data").is_none());
    assert!(lost("mkdir -p other\n", "curl $B | tar x -C archive").is_some());
    assert!(lost("", "MUNINN_TABLES=tables jupyter lab").is_some());
    let (mut seen, mut wrong) = (0, Vec::new());
    for (name, _) in files() {
        if !(name.starts_with("docs/") && name.ends_with(".md")) {
            continue;
        }
        let (text, mut is_shell, mut before) = (read(&name), false, String::new());
        for (line, number) in text.lines().zip(1..) {
            if let Some(language) = line.strip_prefix("```") {
                is_shell = language == "sh";
                before.clear();
            } else if is_shell {
                seen += 1;
                wrong.extend(lost(&before, line).map(|why| format!("{name}:{number}: {why}")));
                before += line;
                before.push('\n');
            }
        }
    }
    assert!(seen > 100, "only {seen} lines of commands");
    none(&wrong);
}

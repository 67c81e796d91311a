//! A library without tests, or without examples, builds none of them: each would be a program of its own. And none is left out.

use crate::{manifest, none, rust};

/// Is there an example in the documentation, which is compiled and run?
fn is_shown(text: &str) -> bool {
    let comments = text.lines().map(str::trim_start);
    let fences = comments.filter_map(|line| {
        let line = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
        line.trim().strip_prefix("```")
    });
    // Each second one ends what the one before began.
    fences.step_by(2).any(|language| ["", "rust", "no_run", "should_panic"].contains(&language))
}

#[test]
fn crates_try_what_they_have_to_try() {
    let (sources, mut wrong) = (rust(), Vec::new());
    for (name, _) in &sources {
        let Some(folder) = name.strip_suffix("/src/lib.rs") else {
            continue;
        };
        let own = format!("{folder}/src/");
        let own = sources.iter().filter(|(name, _)| name.starts_with(&own));
        let texts: Vec<&str> = own.map(|(_, text)| text.as_str()).collect();
        let library = manifest(folder);
        let library = library.get("lib").and_then(toml::Value::as_table);
        let says = |key| library.and_then(|table| table.get(key)?.as_bool()).unwrap_or(true);
        for (key, has) in [
            ("test", texts.iter().any(|text| text.contains("#[test]\n"))),
            ("doctest", texts.iter().any(|text| is_shown(text))),
        ] {
            if says(key) != has {
                wrong.push(format!("{folder}: `{key}` of `[lib]` should be {has}"));
            }
        }
    }
    let mains = sources.iter().filter(|(name, _)| name.ends_with("/src/main.rs"));
    let tried = mains.filter(|(_, text)| text.contains("#[test]\n"));
    wrong.extend(tried.map(|(name, _)| format!("{name}: a test belongs to the library")));
    none(&wrong);
}

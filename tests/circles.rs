//! No circle of files: what a file uses does not use it again, directly or over others.
//!
//! A file is a module. It uses another one if its program, not its tests, has a path that leads there: by `crate::`, `super::`, `self::`
//! or the name of a child. A name that the root of the crate passes on counts for the file that it comes from. So a facade that passes on what
//! its children declare, and whose children use what it declares, is a circle: what they share belongs into a file of its own.

use std::collections::{BTreeMap, BTreeSet};

/// The files of a crate: module path, `["stats", "numbers"]`, and program text.
type Files = BTreeMap<Vec<String>, String>;

/// The program of a file: without comments, and without the tests at its end.
fn program(text: &str) -> String {
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    let code = lines.map(|line| line.split("//").next().unwrap_or(""));
    code.fold(String::new(), |text, line| text + line + "\n")
}

fn files(crate_folder: &str, sources: &[(String, String)]) -> Files {
    let prefix = format!("{crate_folder}/src/");
    let inside = sources.iter().filter_map(|(name, text)| {
        let path = name.strip_prefix(&prefix)?.strip_suffix(".rs")?;
        let path: Vec<String> = path.split('/').map(str::to_owned).collect();
        Some((path, program(text)))
    });
    let mut files: Files = inside.collect();
    let root = files.remove(&["lib".to_owned()][..]);
    let main = files.remove(&["main".to_owned()][..]);
    files.insert(Vec::new(), root.or(main).expect("a crate has a root"));
    files
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The paths that begin at the start of `text`, a tree as in `a::{b, c::d}`; as deep as names go.
fn tree<'a>(text: &'a str, before: &[&'a str], found: &mut Vec<Vec<&'a str>>) -> &'a str {
    let text = text.trim_start();
    let end = text.find(|c| !is_of_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let path = [before, &[name]].concat();
    let Some(rest) = rest.strip_prefix("::").filter(|_| !name.is_empty()) else {
        found.push(path);
        return rest;
    };
    let Some(mut rest) = rest.trim_start().strip_prefix('{') else {
        return tree(rest, &path, found);
    };
    loop {
        rest = tree(rest, &path, found).trim_start();
        if let Some((_, after)) = rest.strip_prefix("as ").map(|rest| rest.split_at(0)) {
            rest = after.trim_start().trim_start_matches(is_of_name).trim_start();
        }
        match rest.strip_prefix(',') {
            Some(next) => rest = next,
            None => return rest.strip_prefix('}').unwrap_or(rest),
        }
    }
}

/// All paths in a text that begin with `start`.
fn paths<'a>(text: &'a str, start: &str) -> Vec<Vec<&'a str>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(&format!("{start}::")) {
        let before = text[..at].chars().next_back();
        if !before.is_some_and(|c| is_of_name(c) || c == ':' || c == '.') {
            tree(&text[at..], &[], &mut found);
        }
    }
    found
}

/// The module that a path from the root leads to, and the name in it.
fn module(files: &Files, path: &[String]) -> (Vec<String>, Option<String>) {
    let mut most = path.len();
    while !files.contains_key(&path[..most]) {
        most -= 1;
    }
    (path[..most].to_vec(), path.get(most).cloned())
}

/// Which files each file uses.
fn uses(files: &Files) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let absolute = |here: &[String], path: &[&str]| {
        let mut at = here.to_vec();
        let mut names = path.iter().copied().peekable();
        match names.peek() {
            Some(&"crate") => at.clear(),
            Some(&"super") => drop(at.pop()),
            Some(_) | None => {}
        }
        let child = !matches!(path[0], "crate" | "super" | "self");
        names.next_if(|_| !child);
        while names.next_if_eq(&"super").is_some() {
            at.pop();
        }
        at.extend(names.map(str::to_owned));
        module(files, &at)
    };
    let mut all = BTreeMap::new();
    for (here, text) in files {
        let children = files.keys().filter(|path| path.len() == here.len() + 1);
        let children = children.filter(|path| path.starts_with(here)).map(|path| &path[here.len()]);
        let children: Vec<&str> = children.map(String::as_str).collect();
        let starts = ["crate", "super", "self"].into_iter().chain(children);
        let found = starts.flat_map(|start| paths(text, start));
        let found: Vec<(Vec<String>, Option<String>)> =
            found.map(|path| absolute(here, &path)).collect();
        all.insert(here.clone(), found);
    }
    let passed_on: BTreeMap<String, Vec<String>> = all[&Vec::new()]
        .iter()
        .filter_map(|(module, name)| Some((name.clone()?, module.clone())))
        .collect();
    let target = |(module, name): (Vec<String>, Option<String>)| {
        let name = name.filter(|_| module.is_empty());
        name.and_then(|name| passed_on.get(&name).cloned()).unwrap_or(module)
    };
    all.into_iter()
        .map(|(here, found)| {
            let mut used: BTreeSet<Vec<String>> = found.into_iter().map(target).collect();
            used.remove(&here);
            (here, used)
        })
        .collect()
}

/// The circles: for each file that leads back to itself, the shortest way; each set of files once.
fn circles(files: &Files) -> Vec<String> {
    let uses = uses(files);
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for start in uses.keys() {
        let mut ways = vec![vec![start.clone()]];
        let mut reached = BTreeSet::new();
        let mut circle = None;
        while circle.is_none() && !ways.is_empty() {
            let mut further = Vec::new();
            for way in ways {
                for next in &uses[way.last().expect("a way has a start")] {
                    if next == start {
                        circle.get_or_insert_with(|| way.clone());
                    } else if reached.insert(next.clone()) {
                        further.push([way.clone(), vec![next.clone()]].concat());
                    }
                }
            }
            ways = further;
        }
        let Some(circle) = circle else { continue };
        if seen.insert(circle.iter().cloned().collect::<BTreeSet<_>>()) {
            let name = |path: &Vec<String>| match path.join("/") {
                root if root.is_empty() => "lib".to_owned(),
                path => path,
            };
            found.push(circle.iter().chain([start]).map(name).collect::<Vec<_>>().join(" -> "));
        }
    }
    found
}

#[test]
fn circles_are_found() {
    let crate_of = |sources: &[(&str, &str)]| {
        let sources: Vec<(String, String)> = sources
            .iter()
            .map(|(name, text)| (format!("api/x/src/{name}.rs"), (*text).to_owned()))
            .collect();
        circles(&files("api/x", &sources))
    };
    let root = ("lib", "mod a;\nmod b;\npub use a::A;\npub use b::B;\n");
    let line = crate_of(&[root, ("a", "struct A;"), ("b", "use crate::A; // crate::b\nstruct B;")]);
    assert_eq!(line, [""; 0]);
    let two = crate_of(&[root, ("a", "use crate::B;"), ("b", "use super::a::{X, A as Y};")]);
    assert_eq!(two, ["a -> b -> a"]);
    let facade = crate_of(&[
        ("lib", "mod a;\n"),
        ("a", "mod b;\npub use b::B;\nstruct A;"),
        ("a/b", "use super::A;\nstruct B;"),
    ]);
    assert_eq!(facade, ["a -> a/b -> a"]);
    let far = crate_of(&[
        ("lib", "fn f() {}\nmod a;\nmod b;\nmod c;"),
        ("a", "fn g() { crate::b::h() }"),
        ("b", "use crate::c;"),
        ("c", "use std::{x, y};\nuse crate::{a, z};\n#[cfg(test)]\nuse crate::b;"),
    ]);
    assert_eq!(far, ["a -> b -> c -> a"]);
    let root_item = crate_of(&[("lib", "mod a;\nfn f() { a::g() }"), ("a", "use crate::f;")]);
    assert_eq!(root_item, ["lib -> a -> lib"]);
}

#[test]
fn no_files_of_the_api_use_one_another_in_a_circle() {
    let sources = super::rust();
    let folders: BTreeSet<String> = super::files()
        .iter()
        .filter_map(|(name, _)| name.strip_suffix("/Cargo.toml"))
        .filter(|folder| folder.starts_with("api/"))
        .map(str::to_owned)
        .collect();
    let mut wrong = Vec::new();
    for folder in &folders {
        let found = circles(&files(folder, &sources)).into_iter();
        wrong.extend(found.map(|circle| format!("{folder}: {circle}")));
    }
    super::none(&wrong);
}

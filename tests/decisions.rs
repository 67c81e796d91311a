//! Decisions that a later one changes say so: nobody takes for today's what was replaced.

use std::collections::BTreeMap;

use crate::{files, none, read};

#[test]
fn what_a_later_decision_changes_says_so() {
    let names = files().into_iter().filter_map(|(name, _)| {
        let name = name.strip_prefix("docs/adr/")?.strip_suffix(".md")?;
        Some(name.to_owned())
    });
    let statuses: BTreeMap<String, String> = names
        .map(|name| {
            let text = read(&format!("docs/adr/{name}.md"));
            let status = text.lines().find(|line| line.starts_with("Status: "));
            (name, status.expect("a decision has a status").to_owned())
        })
        .collect();
    let links = |status: &str, name: &str| status.contains(&format!("({name}.md)"));
    let (mut changes, mut wrong) = (0, Vec::new());
    for (later, said) in &statuses {
        let what = ["It adds to ", "It changes ", "It replaces "];
        let Some(at) = what.iter().filter_map(|words| said.find(words)).min() else {
            continue;
        };
        for (name, status) in statuses.iter().filter(|(name, _)| links(&said[at..], name)) {
            changes += 1;
            if !links(status, later) {
                wrong.push(format!("the status of {name} does not name {later}, which changes it"));
            }
        }
    }
    assert!(changes > 8, "only {changes} changes");
    none(&wrong);
}

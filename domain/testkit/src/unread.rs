//! Which values of printed data nothing reads, found by changing each of them.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The keys, as `[table] key`, of the numbers, strings and booleans that may be changed without `read` reading something else or
/// refusing the text by a panic. Each value is changed alone.
///
/// # Example
/// ```
/// let read = |toml: &'static str| toml.contains("most = 5");
/// let unread = testkit::unread("[hand]\nmost = 5 # cards\nback = \"blue\"\n", read);
/// assert_eq!(Vec::from_iter(unread), ["[hand] back"]);
/// ```
pub fn unread<T: PartialEq>(
    toml: &'static str,
    read: impl Fn(&'static str) -> T,
) -> BTreeSet<String> {
    let whole = read(toml);
    let same = |text: String| {
        let text: &'static str = text.leak();
        catch_unwind(AssertUnwindSafe(|| read(text) == whole)).unwrap_or(false)
    };
    let unread = changes(toml).into_iter().filter(|(_, text)| same(text.clone()));
    unread.map(|(key, _)| key).collect()
}

/// Each value changed alone, with its key.
fn changes(toml: &str) -> Vec<(String, String)> {
    let (mut table, mut key, mut changes) = ("", "", Vec::new());
    let mut start = 0;
    for line in toml.split_inclusive('\n') {
        let mut at = 0;
        if line.starts_with('[') {
            table = line.split('#').next().unwrap_or(line).trim();
            at = line.len();
        } else if line.starts_with(|first: char| first.is_ascii_alphanumeric()) {
            at = line.find('=').map_or(line.len(), |equals| equals + 1);
            key = line[..at].trim_end_matches('=').trim();
        }
        while let Some((from, to, changed)) = next(line, at) {
            let text = format!("{}{changed}{}", &toml[..start + from], &toml[start + to..]);
            changes.push((format!("{table} {key}").trim_start().to_owned(), text));
            at = to;
        }
        start += line.len();
    }
    changes
}

/// The next value of a line: where it stands, and what it is changed to.
fn next(line: &str, mut at: usize) -> Option<(usize, usize, String)> {
    loop {
        let rest = &line[at..];
        let word =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        if rest.is_empty() || rest.starts_with('#') {
            return None;
        } else if let Some(string) = rest.strip_prefix('"') {
            let to = at + string.find('"')? + 2;
            return Some((at, to, format!("{}_\"", &line[at..to - 1])));
        } else if let Ok(number) = rest[..word].parse::<u32>() {
            return Some((at, at + word, (number + 1).to_string()));
        } else if ["true", "false"].contains(&&rest[..word]) {
            return Some((at, at + word, (&rest[..word] == "false").to_string()));
        }
        at += word.max(rest.chars().next().map_or(1, char::len_utf8));
    }
}

//! Cases of who follows a match: streams that break, with what a client has to pass over, and patches on them.

use serde_json::{Value, json};

use super::case::{Case, Exchange};
use super::house::{House, Wrong, get};
use super::table::Table;

/// How many commits before the end a stream begins.
const COMMITS: usize = 8;

/// How many messages arrive before the connection breaks in the next one.
const BEFORE_THE_CUT: usize = 3;

/// What a later server may send: a message with a name is no commit.
const NAMED: &str = "event: notice\ndata: {\"text\": \"a message with a name is no commit\"}\n\n";

/// A comment that keeps the connection open.
const HEARTBEAT: &str = ": heartbeat\n\n";

/// How long a client waits before it connects again, unless it knows better.
const RETRY: &str = "retry: 100\n\n";

/// A message of a stream.
struct Message {
    id: u64,
    data: Value,
}

impl Message {
    fn text(&self) -> String {
        format!("id: {}\ndata: {}\n\n", self.id, self.data)
    }

    /// Its first half.
    fn half(&self) -> String {
        let text = self.text();
        text[..text.floor_char_boundary(text.len() / 2)].to_owned()
    }
}

/// The messages of a finished match after a version.
fn messages(house: &House, table: &Table, after: u64, more: &str) -> Result<Vec<Message>, Wrong> {
    let path = format!("{}/stream?after={after}{more}", table.path);
    let text = house.ask(&get(path), 200)?.text;
    let mut messages = Vec::new();
    for message in text.split("\n\n") {
        let field = |name: &str| message.lines().find_map(|line| line.strip_prefix(name));
        if let (Some(id), Some(data)) = (field("id: "), field("data: ")) {
            messages.push(Message { id: id.parse()?, data: serde_json::from_str(data)? });
        }
    }
    Ok(messages)
}

/// The version from which the last commits are followed.
fn beginning(house: &House, table: &Table) -> Result<u64, Wrong> {
    let commits = table.commits(house, "")?;
    let first = commits.len().checked_sub(COMMITS + 1).and_then(|place| commits.get(place));
    let first = first.and_then(|commit| commit["last_version"].as_u64());
    Ok(first.ok_or("the match is too short")?)
}

fn connection(table: &Table, after: u64, query: &Value) -> Exchange {
    let exchange = Exchange::get(&format!("{}/stream", table.path)).query(query.clone());
    exchange.may("fields", "*").resume(after)
}

/// Pieces of a stream, after which the connection breaks or ends.
fn stream(pieces: &[String], cut: bool) -> Value {
    json!({
        "status": 200,
        "headers": {"content-type": "text/event-stream"},
        "stream": pieces,
        "cut": cut,
    })
}

/// The match is finished, and everything has been sent.
fn nothing_left() -> Value {
    json!({"status": 204, "headers": {}})
}

/// A stream that breaks in a message, and goes on behind the last whole one.
pub(crate) fn resumed(house: &House, table: &Table) -> Result<Case, Wrong> {
    let after = beginning(house, table)?;
    let mut messages = messages(house, table, after, "")?;
    let commits: Vec<Value> =
        messages.iter().map(|message| message.data["last_version"].clone()).collect();
    let last = messages.last().map(|message| message.id).unwrap_or_default();
    // What a later server may say: a field and an event that this client does not know.
    if let Some(message) = messages.get_mut(1) {
        message.data["said_later"] = json!("später, 後で");
    }
    if let Some(message) = messages.get_mut(BEFORE_THE_CUT + 1) {
        message.data["events"][0]["type"] = json!("SomethingLater");
    }
    let events = messages.iter().flat_map(|message| message.data["events"].as_array());
    let events: Vec<Value> = events.flatten().map(|event| event["type"].clone()).collect();
    let (first, second) = messages.split_at(BEFORE_THE_CUT);
    let [.., resume] = first else { return Err("the match is too short".into()) };
    let [broken, ..] = second else { return Err("the match is too short".into()) };

    let mut before = vec![RETRY.to_owned(), HEARTBEAT.to_owned()];
    before.extend(first.iter().map(Message::text));
    before.insert(3, NAMED.to_owned());
    before.insert(4, HEARTBEAT.to_owned());
    before.push(broken.half());
    let mut behind = vec![RETRY.to_owned(), "unknown: field\n\n".to_owned()];
    behind.extend(second.iter().map(Message::text));
    let task = json!({"do": "follow", "match": table.id, "seat": null, "tokens": table.tokens, "after": after});
    let title = "A stream that breaks goes on behind the last whole message; what is not known is passed over";
    let query = json!({});
    Ok(Case::new("stream", title, task)
        .exchange(table.exchange(house)?)
        .exchange(connection(table, after, &query).told(stream(&before, true)))
        .exchange(connection(table, resume.id, &query).told(stream(&behind, false)))
        .exchange(connection(table, last, &query).told(nothing_left()))
        .result(json!({"commits": commits, "events": events})))
}

/// The same with patches: the view is held without being read again.
pub(crate) fn patched(house: &House, table: &Table) -> Result<Case, Wrong> {
    let after = beginning(house, table)?;
    let patched = "&patch=true";
    let all = messages(house, table, after, patched)?;
    let [first @ .., _] = all.get(..=BEFORE_THE_CUT).unwrap_or_default() else {
        return Err("the match is too short".into());
    };
    let [.., resume] = first else { return Err("the match is too short".into()) };
    let second = messages(house, table, resume.id, patched)?;
    let last = all.last().map(|message| message.id).unwrap_or_default();
    let pieces = |messages: &[Message]| -> Vec<String> {
        let texts = messages.iter().map(Message::text);
        std::iter::once(RETRY.to_owned()).chain(texts).collect()
    };
    let at = |version: u64| house.ask(&table.read(&format!("view?at={version}"), None), 200);
    let view = Exchange::get(&format!("{}/view", table.path));
    let view = view.query(json!({"at": after.to_string()})).answer(&at(after)?);
    let task = json!({"do": "follow", "match": table.id, "seat": null, "tokens": table.tokens, "after": after, "patch": true});
    let query = json!({"patch": "true"});
    let title = "A stream with patches keeps the view, also when it breaks";
    Ok(Case::new("stream-patches", title, task)
        .exchange(table.exchange(house)?)
        .exchange(view)
        .exchange(connection(table, after, &query).told(stream(&pieces(first), true)))
        .exchange(connection(table, resume.id, &query).told(stream(&pieces(&second), false)))
        .exchange(connection(table, last, &query).told(nothing_left()))
        .result(json!({"view": at(last)?.json()?})))
}

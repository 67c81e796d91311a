//! The main proof: the restored store answers everything, to everybody, as the first one did.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use acceptance::process::{self, Process};
use acceptance::{Answer, Client, Table, until};
use serde_json::Value;

use crate::world::World;
use crate::{backup, restore, verify};

/// What belongs to the process that answers, not to the store.
const OF_PROCESS: [&str; 2] = ["/metrics", "/v1/matches/{id}/stream"];

/// The paths of a template: each parameter in all its values.
fn paths(template: &str, tables: &[Table]) -> Vec<String> {
    let ids = || tables.iter().map(|table| table.id.clone()).collect::<Vec<_>>();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let games = catalog::games().iter().map(|game| game.info().id);
    let values = [
        ("{id}", ids()),
        ("{game}", games.chain(["chess"]).map(str::to_owned).collect()),
        ("{name}", words(&["Hugin", "%C3%85se", "Nobody"])),
        ("{table}", words(&["matches", "commits", "draws", "awards"])),
    ];
    let mut paths = vec![template.to_owned()];
    for (parameter, values) in values {
        if template.contains(parameter) {
            let all = |path: &String| {
                values.iter().map(|value| path.replace(parameter, value)).collect::<Vec<_>>()
            };
            paths = paths.iter().flat_map(all).collect();
        }
    }
    paths
}

pub(crate) type Answers = BTreeMap<String, (u16, String, Vec<u8>)>;

/// Everything that a server says to those who ask, but for what differs from request to request, or from process to process.
fn everything(client: &Client, world: &World) -> Answers {
    answers(client, &world.tables, |_| true)
}

/// The same of some paths.
pub(crate) fn answers(client: &Client, tables: &[Table], of: impl Fn(&str) -> bool) -> Answers {
    let document = client.get("/openapi.json").json();
    let templates = document["paths"].as_object().expect("paths");
    let templates = templates.iter().filter(|(path, operations)| {
        operations["get"].is_object() && !OF_PROCESS.contains(&path.as_str()) && of(path)
    });
    let mut said = BTreeMap::new();
    let mut say = |who: &str, path: &str, client: &Client| {
        let Answer { status, headers, body } = client.get(path);
        let kept = |(name, _): &&(String, String)| {
            !["access-control-expose-headers", "content-length", "date", "x-request-id"]
                .contains(&name.as_str())
        };
        let mut headers: Vec<_> = headers.iter().filter(kept).collect();
        headers.sort();
        let body = match serde_json::from_slice::<Value>(&body) {
            Ok(mut problem) if status >= 400 => {
                problem["request_id"] = Value::Null;
                problem.to_string().into_bytes()
            }
            // Refused commands are counted from the start of a server.
            Ok(mut stats) if path.starts_with("/v1/stats/") && stats["refusals"].is_object() => {
                stats["refusals"]["since"] = Value::Null;
                stats.to_string().into_bytes()
            }
            // A document says where its server is.
            Ok(_) | Err(_) => String::from_utf8(body).map_or_else(
                |bytes| bytes.into_bytes(),
                |text| text.replace(&client.address.to_string(), "HOST").into_bytes(),
            ),
        };
        said.insert(format!("{who} {path}"), (status, format!("{headers:?}"), body));
    };
    for (template, _) in templates {
        for path in paths(template, tables) {
            say("anybody", &path, client);
            let table = tables.iter().find(|table| path.contains(&table.id));
            let Some(table) = table.map(|table| table.through(client)) else { continue };
            say("owner", &path, &table.owner());
            for (seat, token) in table.seat_tokens.iter().enumerate() {
                if token.is_some() {
                    say(&format!("seat {seat}"), &path, &table.seat(seat));
                }
            }
        }
    }
    said
}

/// Waits until a server has counted all matches.
fn settled(client: &Client) {
    let position = client.get("/v1/events.ndjson").header("feed-position").map(str::to_owned);
    let position = position.and_then(|position| position.parse::<u64>().ok()).expect("a position");
    until(&format!("the statistics at {position}"), || {
        client.get("/v1/stats/delphi").ok()["finished"]["position"] == position
    });
}

pub(crate) fn asked(data: &Path, more: &[&str], world: &World) -> Answers {
    let server = Process::serve(data, &[&["--bot-pause", "0"], more].concat());
    let client = server.client();
    settled(&client);
    let said = everything(&client, world);
    world.asked.iter().for_each(|asked| asked.repeated(&client));
    server.stop();
    said
}

#[test]
fn a_restored_store_answers_every_request_as_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let world = World::fill(&path("one"));
    let told = backup(&path("one"), &path("archive"), None).ok();
    assert!(
        told.contains("positions 1 to ")
            && told.contains(&format!("{} new matches", world.tables.len())),
        "{told}"
    );
    verify(&[&path("archive")]).ok();
    restore(&[&path("archive")], &path("two"), &[]).ok();
    let (code, said) = process::verify(&path("two"));
    assert_eq!(code, Some(0), "{said}");
    backup(&path("two"), &path("again"), None).ok();
    let [first, again] = ["archive", "again"].map(|name| fs::read(path(name)).expect("a file"));
    assert!(first == again, "the restored store has what the first one had, byte for byte");

    let [first, second] = ["one", "two"].map(|name| asked(&path(name), &[], &world));
    assert!(first.len() > 500, "{}", first.len());
    assert!(first.values().filter(|(status, ..)| *status == 200).count() > 400);
    same(&first, &second);
}

#[track_caller]
pub(crate) fn same(first: &Answers, second: &Answers) {
    for (question, answer) in first {
        let second = second.get(question);
        assert!(
            second == Some(answer),
            "{question} is answered otherwise: {} {}",
            answer.0,
            answer.1
        );
    }
    assert_eq!(first.len(), second.len());
}

//! Opponents of a sandbox that follow a script: what is written for a bot, and done at its turns.

use acceptance::process::verify;
use acceptance::server::Server;
use acceptance::{Client, Table, muninn, run, until};
use serde_json::{Value, json};

use crate::positions::{opening, play, start};
use crate::{client, restarted, server};

/// Ada has seat 0, a bot seat 1. The crown stands in the middle, and both have five cards.
fn against_a_bot(sandbox: Value) -> Value {
    let mut request = opening(&start());
    request["seats"] = json!([{"name": "Ada"}, {"bot": "greedy"}]);
    request["sandbox"] = sandbox;
    request
}

fn replies(commands: &[Value]) -> Value {
    json!([{"seat": 1, "commands": commands}])
}

/// What happened, as anybody is told it: the seat, its command and the types of the events, of each commit after the opening.
fn told(table: &Table, after: usize) -> Vec<(Value, Value, Value)> {
    let commits = Table::pages(1000, |query| table.spectator().commits(&table.id, query).ok());
    let told = |commit: &Value| {
        (commit["seat"].clone(), commit["command"].clone(), commit["events"][0]["type"].clone())
    };
    commits.iter().skip(after).map(told).collect()
}

/// Waits until Ada is to act, or nobody.
#[track_caller]
fn until_the_turn(table: &Table) {
    until("the bot", || table.active() != Some(1));
}

/// Ada acts, and the bot answers.
#[track_caller]
fn exchange(table: &Table, command: &Value) {
    table.act(command);
    until_the_turn(table);
}

fn opened(client: &Client, sandbox: Value) -> Table {
    let table = Table::open(client, &against_a_bot(sandbox));
    until_the_turn(&table);
    table
}

#[test]
fn a_bot_answers_by_its_script_in_order_and_plays_on_by_itself() {
    let (client, _server) = client();
    // What is written is done, whatever the bot would have liked better.
    for first in ["s3", "se2", "n3"] {
        let script = [play(first, false), json!({"type": "DrawCard"})];
        let table = opened(&client, json!({"replies": replies(&script)}));
        exchange(&table, &play("w2", false));
        exchange(&table, &json!({"type": "DrawCard"}));
        let all = told(&table, 1);
        assert_eq!((&all[1].0, &all[1].1), (&json!(1), &script[0]), "{all:?}");
        assert_eq!((&all[3].0, &all[3].1), (&json!(1), &script[1]), "{all:?}");
        // The script is over.
        exchange(&table, &table.legal()[0]);
        let all = told(&table, 1);
        assert!(all.len() >= 6 && all[5].0 == 1, "{all:?}");
        assert!(all.iter().all(|(.., kind)| kind != "ReplyRefused"), "{all:?}");
        let told = table.spectator().info(&table.id).ok();
        let scripts = json!([{"seat": 1, "commands": script}]);
        assert_eq!(told["sandbox"]["replies"], json!({"after": 1, "scripts": scripts}));
    }
}

#[test]
fn a_reply_that_a_rule_forbids_is_told_in_the_match() {
    let (server, folder) = server();
    let client = server.client();
    // The first card lies in the other hand; the second would have been legal.
    let script = [play("n1", false), play("s3", false)];
    let table = opened(&client, json!({"replies": replies(&script)}));
    exchange(&table, &play("w2", false));
    let all = told(&table, 2);
    assert_eq!(all[0], (json!(1), Value::Null, json!("ReplyRefused")));
    let entries = table.spectator().get(&format!("/v1/matches/{}/events", table.id)).ok();
    let refused = entries["items"].as_array().expect("a list").iter();
    let refused: Vec<_> =
        refused.map(|entry| &entry["event"]).filter(|e| e["type"] == "ReplyRefused").collect();
    assert_eq!(refused, [&json!({"type": "ReplyRefused", "seat": 1, "reply": 0, "rule": "R-30"})]);
    assert_eq!(all[1].0, 1, "it plays by itself");
    // It does not go on with the script.
    exchange(&table, &table.legal()[0]);
    assert_eq!(told(&table, 1).iter().filter(|(.., kind)| kind == "ReplyRefused").count(), 1);
    drop(server);
    let (code, text) = verify(folder.path());
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn all_of_a_match_can_be_read_after_a_later_reply_was_refused() {
    let (server, _folder) = server();
    let script = [play("s3", false), play("n1", false)];
    let table = opened(&server.client(), json!({"replies": replies(&script)}));
    exchange(&table, &play("w2", false));
    exchange(&table, &json!({"type": "DrawCard"}));
    let refused = |(_, _, kind): &(Value, Value, Value)| kind == "ReplyRefused";
    assert!(told(&table, 1).iter().any(refused), "the second reply");
    for what in ["ledger", "view?include=pieces", "commits?include=moves", "board.svg?pieces=true"]
    {
        let answer = table.spectator().get(&format!("/v1/matches/{}/{what}", table.id));
        assert_eq!(answer.status, 200, "{what}: {}", answer.text());
    }
}

/// What stops within an opening has only a part of its script; what is left of the opening is no turn of the replies.
#[test]
fn a_script_for_a_bot_begins_after_the_opening_though_a_restored_store_has_only_a_part_of_that() {
    let (server, folder) = server();
    // With five cards in its hand the bot may not draw.
    let script = [json!({"type": "DrawCard"})];
    let before = [play("w2", false), play("s1", false)];
    let sandbox = json!({"script": before, "replies": replies(&script)});
    let table = opened(&server.client(), sandbox);
    drop(server);
    let (_places, [archive, data]) = acceptance::places(["archive", "restored"]);
    run(muninn().arg("backup").arg("--data").arg(folder.path()).arg("--out").arg(&archive)).ok();
    let mut restore = muninn();
    restore.arg("restore").arg("--from").arg(&archive).arg("--data").arg(&data);
    run(restore.args(["--until", "2"])).ok();
    let server = Server::start(&data, catalog::games());
    let table = table.through(&server.client());
    until_the_turn(&table);
    exchange(&table, &json!({"type": "DrawCard"}));
    let all = told(&table, 2);
    assert!(all.iter().all(|(.., kind)| kind != "ReplyRefused"), "{all:?}");
    assert_eq!((&all[0].0, &all[2].1), (&json!(1), &script[0]), "{all:?}");
}

#[test]
fn a_script_goes_on_after_a_restart_and_counts_only_what_comes_after_the_opening() {
    let (server, folder) = server();
    let script = [play("n3", false), play("se2", false)];
    let before = [play("w2", false), play("s1", false)];
    let sandbox = json!({"script": before, "replies": replies(&script)});
    let table = opened(&server.client(), sandbox);
    let info = table.spectator().info(&table.id).ok();
    assert_eq!(info["sandbox"]["replies"]["after"], 3);
    exchange(&table, &json!({"type": "DrawCard"}));
    assert_eq!(told(&table, 3)[1].1, script[0]);
    let server = restarted(server, &folder);
    let table = table.through(&server.client());
    exchange(&table, &play("ne2", false));
    assert_eq!(told(&table, 3)[3].1, script[1]);
}

#[test]
fn what_cannot_be_a_script_of_a_bot_is_refused() {
    let (client, _server) = client();
    let open = |replies: Value| client.open(&against_a_bot(json!({"replies": replies})));
    let long = json!({"type": "PlayCard", "card": "n1", "hero": false, "x": "x".repeat(1000)});
    for (replies, pointer) in [
        (json!([{"seat": 0, "commands": []}]), "/sandbox/replies/0/seat"),
        (json!([{"seat": 7, "commands": []}]), "/sandbox/replies/0/seat"),
        (
            json!([{"seat": 1, "commands": []}, {"seat": 1, "commands": []}]),
            "/sandbox/replies/1/seat",
        ),
        (json!([{"seat": 1, "commands": vec![play("n1", false); 501]}]), "/sandbox/replies"),
        (json!([{"seat": 1, "commands": [long]}]), "/sandbox/replies/0/commands/0"),
        (json!([[1, []]]), "/sandbox/replies/0"),
    ] {
        let problem = open(replies).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    let unknown = json!({"type": "PlayCrd"});
    let problem = open(replies(&[play("n1", false), unknown])).refused("illegal_command", "R-24");
    let pointer = problem["errors"][0]["pointer"].as_str().unwrap_or_default();
    assert!(pointer.starts_with("/sandbox/replies/0/commands/1"), "{problem}");
    assert_eq!(client.matches("").ok()["items"], json!([]));
}

/// Whether a command is one of the phase, or of the match at all, is known at its turn.
#[test]
fn a_reply_may_be_any_command_of_the_game() {
    let (client, _server) = client();
    let at = json!({"x": 0, "y": 1});
    let open = |command: &Value, position: Option<&Value>| {
        let scripted = json!({"replies": replies(std::slice::from_ref(command))});
        let mut request =
            json!({"game": "voluspa", "seats": [{}, {"bot": "random"}], "sandbox": scripted});
        if let Some(position) = position {
            request["position"] = position.clone();
            let seats = position["players"].as_array().map_or(0, Vec::len);
            request["seats"] = (0..seats)
                .map(|seat| if seat == 1 { json!({"bot": "random"}) } else { json!({}) })
                .collect();
        }
        client.open(&request)
    };
    for command in [
        json!({"type": "KeepRaven"}),
        json!({"type": "SkipExtra"}),
        json!({"type": "MoveRaven", "at": at, "mode": "lay"}),
    ] {
        open(&command, None).created();
    }
    let fixtures = client.get("/v1/games/voluspa/fixtures").ok();
    let over = fixtures["items"].as_array().expect("a list").last().expect("the end");
    for position in [None, Some(&over["position"])] {
        let problem = open(&json!({"type": "Zap"}), position).refused("illegal_command", "V-202");
        let pointer = problem["errors"][0]["pointer"].as_str().unwrap_or_default();
        assert!(pointer.starts_with("/sandbox/replies/0/commands/0"), "{problem}");
    }
}

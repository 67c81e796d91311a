//! What-if: stateless, bounded, and the same chance as in a match.

use serde_json::{Value, json};

use crate::client;
use crate::positions::{draw, opening, p2, play, start, with};
use acceptance::{Client, Dice, Table};

fn analyse(client: &Client, request: &Value) -> Value {
    client.analyse("rosenkoenig", request).ok()
}

#[test]
fn a_line_of_commands_shows_every_step() {
    let (client, _server) = client();
    let commands = [play("ne2", false), draw()];
    let request = json!({"position": p2(), "commands": commands, "chance": null, "include": ["positions", "legal_commands"]});
    let answer = analyse(&client, &request);
    assert_eq!(
        answer["start_legal_commands"],
        json!([play("ne2", false), play("e3", true), draw()])
    );
    let steps = answer["steps"].as_array().expect("a list");
    let kinds = |step: &Value| -> Vec<String> {
        let events = step["events"].as_array().expect("events").iter();
        events.map(|event| event["type"].as_str().unwrap_or("").to_owned()).collect()
    };
    // The specification's example: seat 0 cannot act, and passes by itself.
    assert_eq!(
        kinds(&steps[0]),
        ["CardPlayed", "StonePlaced", "CrownMoved", "TurnPassed", "TurnStarted"]
    );
    assert_eq!(steps.iter().map(|step| &step["seat"]).collect::<Vec<_>>(), [&json!(1), &json!(1)]);
    assert_eq!(steps[0]["command"], commands[0]);
    assert_eq!(steps[1]["events"][0]["card"], "e1", "the top of the given draw pile");
    assert_eq!(steps[0]["position"]["crown"], json!({"x": 2, "y": 0}));
    assert_eq!(steps[1]["position"], answer["position"]);
    assert_eq!(steps[1]["legal_commands"], answer["legal_commands"]);
    assert_eq!(steps[1]["points"], answer["points"]);
    assert_eq!(answer["points"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        (&answer["active_seat"], &answer["standing"]),
        (&answer["position"]["active_seat"], &Value::Null)
    );
    assert_eq!(answer["seed"].as_str().map(str::len), Some(64));

    let plain = analyse(&client, &json!({"position": p2(), "commands": commands}));
    for step in plain["steps"].as_array().expect("a list") {
        assert!(step.get("position").is_none() && step.get("legal_commands").is_none());
    }
    let alone = analyse(&client, &json!({"position": p2()}));
    assert_eq!((&alone["steps"], &alone["position"]), (&json!([]), &p2()));
    assert_eq!(alone["legal_commands"], answer["start_legal_commands"]);
    assert_eq!(client.matches("").ok()["items"], json!([]), "nothing is kept");
    assert_eq!(client.feed("").ok()["items"], json!([]));
}

#[test]
fn a_refused_step_says_which_one_it_is() {
    let (client, _server) = client();
    let refuse = |commands: Value, rule: &str, step: u64| {
        let request = json!({"position": p2(), "commands": commands});
        let problem = client.analyse("rosenkoenig", &request);
        assert_eq!(problem.refused("illegal_command", rule)["step"], step);
    };
    refuse(json!([play("w1", false)]), "R-32", 0);
    refuse(json!([play("ne2", false), play("ne2", false)]), "R-30", 1);
    refuse(json!([play("ne2", false), {"type": "Pass"}]), "R-24", 1);
    for request in [
        json!({"position": p2(), "commands": {}}),
        json!({"position": p2(), "include": ["everything"]}),
        json!({"position": p2(), "include": "positions"}),
        json!({"position": p2(), "chance": {}}),
        json!({"position": p2(), "chance": {"seed": "00"}}),
        json!({"position": p2(), "chance": {"seed": "AB".repeat(32)}}),
        json!({"position": p2(), "chance": {"seed": "ab".repeat(32), "outcomes": []}}),
        json!({"position": p2(), "chance": {"outcomes": "n1"}}),
        json!({"commands": []}),
    ] {
        client.analyse("rosenkoenig", &request).problem(400, "malformed");
    }
}

#[test]
fn five_hundred_commands_are_the_most() {
    let (client, _server) = client();
    let request =
        |count: usize| json!({"position": p2(), "commands": vec![play("w1", false); count]});
    // All 500 are read: the first one is judged.
    let judged = client.analyse("rosenkoenig", &request(500));
    assert_eq!(judged.refused("illegal_command", "R-32")["step"], 0);
    let problem = client.analyse("rosenkoenig", &request(501)).problem(400, "malformed");
    assert_eq!(problem["errors"][0]["pointer"], "/commands");
}

#[test]
fn a_whole_match_can_be_told_again_as_analysis() {
    let (client, _server) = client();
    // One that goes through its cards; chance ends some before.
    let (table, commits) = (31..41)
        .find_map(|dice| {
            let table = Table::rosenkoenig(&client);
            table.finish(&mut Dice::new(dice));
            let commits = client.all_commits(&table.id);
            json!(commits).to_string().contains("DrawPileReshuffled").then_some((table, commits))
        })
        .expect("24 cards are not enough for a whole match");
    let started = &commits[0]["events"][0];
    // The specification: start_seat, hands, draw pile, read in this order, reproduce the start.
    let mut outcomes = vec![started["start_seat"].clone()];
    for cards in [&started["hands"][0], &started["hands"][1], &started["draw_pile"]] {
        outcomes.extend(cards.as_array().expect("cards").iter().cloned());
    }
    assert_eq!(outcomes.len(), 25);
    let forced = json!({"seats": 2, "chance": {"outcomes": outcomes}});
    let position = client.start_position("rosenkoenig", &forced).ok();
    assert_eq!(position["position"], client.position(&table.id, "at=1").ok());
    let setup = commits[0]["events"].as_array().expect("events");
    let (opened, own) = setup.split_last().expect("some");
    assert_eq!(opened["type"], "TableOpened");
    assert_eq!(position["events"], json!(own));
    assert_eq!(position["seed"], Value::Null, "outcomes that are given need no seed");

    let seed = client.info(&table.id).ok()["seed"].clone();
    let again =
        client.start_position("rosenkoenig", &json!({"seats": 2, "chance": {"seed": seed}}));
    let again = again.ok();
    assert_eq!((&again["position"], &again["seed"]), (&position["position"], &seed));
    let commands: Vec<&Value> = commits[1..].iter().map(|commit| &commit["command"]).collect();
    let request =
        json!({"position": position["position"], "commands": commands, "chance": {"seed": seed}});
    let answer = analyse(&client, &request);
    for (step, commit) in answer["steps"].as_array().expect("a list").iter().zip(&commits[1..]) {
        assert_eq!(step["events"], commit["events"], "the same seed, the same chance");
        assert_eq!(step["seat"], commit["seat"]);
    }
    assert_eq!(answer["position"], client.position(&table.id, "").ok());
    assert_eq!(answer["standing"], client.info(&table.id).ok()["standing"]);
    assert_eq!(answer["active_seat"], Value::Null);
    // And the shuffles by their outcomes instead.
    let mut shuffled = Vec::new();
    for commit in &commits[1..] {
        for event in commit["events"].as_array().expect("events") {
            if event["type"] == "DrawPileReshuffled" {
                shuffled.extend(event["draw_pile"].as_array().expect("cards").iter().cloned());
            }
        }
    }
    let mut request = json!({"position": position["position"], "commands": commands, "chance": {"outcomes": shuffled}});
    assert_eq!(analyse(&client, &request)["steps"], answer["steps"]);
    shuffled.pop();
    request["chance"] = json!({"outcomes": shuffled});
    let problem = client.analyse("rosenkoenig", &request).problem(422, "chance_outcome");
    assert!(problem["step"].is_u64(), "{problem}");
}

#[test]
fn outcomes_that_do_not_fit_are_refused() {
    let (client, _server) = client();
    let cards = start()["hands"][0].as_array().expect("cards").clone();
    let mut all = cards.clone();
    all.extend(start()["hands"][1].as_array().expect("cards").iter().cloned());
    all.extend(start()["draw_pile"].as_array().expect("cards").iter().cloned());
    let red = json!({"start": "red"});
    let begin = |options: &Value, outcomes: Vec<Value>| {
        let chance = json!({"outcomes": outcomes});
        let request = json!({"options": options, "seats": 2, "chance": chance});
        client.start_position("rosenkoenig", &request)
    };
    assert_eq!(begin(&red, all.clone()).ok()["position"]["draw_pile"], start()["draw_pile"]);
    begin(&red, vec![]).problem(422, "chance_outcome");
    begin(&red, all[..23].to_vec()).problem(422, "chance_outcome");
    begin(&red, [all.clone(), vec![json!("n1")]].concat()).problem(422, "chance_outcome");
    begin(&red, [vec![json!("n9")], all[1..].to_vec()].concat()).problem(422, "chance_outcome");
    begin(&red, [vec![all[1].clone()], all[1..].to_vec()].concat()).problem(422, "chance_outcome");
    begin(&json!({}), all.clone()).problem(422, "chance_outcome");
    begin(&json!({}), [vec![json!(2)], all.clone()].concat()).problem(422, "chance_outcome");
    begin(&json!({}), [vec![json!(1)], all].concat()).ok();
    let left_over = json!({"position": p2(), "commands": [draw()], "chance": {"outcomes": ["e1"]}});
    client.analyse("rosenkoenig", &left_over).problem(422, "chance_outcome");
}

#[test]
fn a_seed_means_the_same_in_analysis_and_in_a_match_from_that_position() {
    let (client, _server) = client();
    // The pile is empty: the first draw shuffles 16 cards.
    let mut position = with(p2(), "/draw_pile", json!([]));
    let mut discarded = p2()["draw_pile"].as_array().expect("cards").clone();
    discarded.extend(p2()["discard_pile"].as_array().expect("cards").iter().cloned());
    position["discard_pile"] = json!(discarded);
    let table = Table::open(&client, &opening(&position));
    table.act(&draw());
    table.finish(&mut Dice::new(32));
    let seed = client.info(&table.id).ok()["seed"].clone();
    let commits = client.all_commits(&table.id);
    assert_eq!(commits[1]["events"][0]["type"], "DrawPileReshuffled");
    let commands: Vec<&Value> = commits[1..].iter().map(|commit| &commit["command"]).collect();
    let request = |seed: &Value| json!({"position": position, "commands": commands, "chance": {"seed": seed}});
    let answer = analyse(&client, &request(&seed));
    for (step, commit) in answer["steps"].as_array().expect("a list").iter().zip(&commits[1..]) {
        assert_eq!(step["events"], commit["events"]);
    }
    assert_eq!(analyse(&client, &request(&seed)), answer, "a seed decides everything");
    let once = |seed: &str| {
        let request = json!({"position": position, "commands": [draw()], "chance": {"seed": seed}});
        analyse(&client, &request)["position"]["draw_pile"].clone()
    };
    assert_ne!(once(&"00".repeat(32)), once(&"01".repeat(32)));
    let random = || analyse(&client, &json!({"position": position, "commands": [draw()]}));
    let (first, second) = (random(), random());
    assert_ne!(first["seed"], second["seed"], "without a seed there is a fresh one");
    assert_eq!(once(first["seed"].as_str().expect("a seed")), first["position"]["draw_pile"]);
}

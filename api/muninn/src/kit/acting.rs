//! Cases of what a client sends: matches, seats, commands.

use openapi::StandIns;
use serde_json::{Value, json};

use super::case::{Case, Exchange};
use super::house::{Answer, House, Wrong, get, post};
use super::table::Table;
use crate::config::LimitArgs;
use crate::games::{Games, Pictures};

/// Idempotency keys while recording.
const KEYS: [&str; 2] = ["the-first-key-of-the-kit", "the-second-key-of-the-kit"];

/// The shortest key of a request that opens a match.
const OPENING_KEY: usize = 20;

/// What a client tells of a problem.
fn problem(answer: &Answer) -> Result<Value, Wrong> {
    let body = answer.json()?;
    let mut problem = json!({"status": body["status"], "code": body["code"]});
    for field in ["rule", "current_version"] {
        if let Some(value) = body.get(field) {
            problem[field] = value.clone();
        }
    }
    if let Some(missed) = body["missed"]["items"].as_array() {
        problem["missed"] = missed.iter().map(|commit| commit["last_version"].clone()).collect();
    }
    Ok(json!({"problem": problem}))
}

/// Opening a match, and taking its seat.
pub(crate) fn opening(
    house: &House,
    full: &House,
    stand_ins: &mut StandIns,
    game: &str,
) -> Result<Vec<Case>, Wrong> {
    let request = json!({
        "game": game,
        "seats": [{"name": "Ada"}, {"open": true}],
        "sandbox": {"seed": Table::seed(stand_ins, game).hex()},
    });
    let ask = post("/v1/matches", &request).key(KEYS[0]);
    let opened = house.ask(&ask, 201)?;
    // Whoever repeats it gets the same.
    same(&opened, &house.ask(&ask, 201)?)?;
    let table = Table::of(&opened.json()?)?;
    let held = json!({"match": table.id, "seat_tokens": table.tokens});
    let exchange = || Exchange::post("/v1/matches", &request).key(OPENING_KEY);
    let task = json!({"do": "open", "request": request});
    let lost =
        Case::new("open-lost", "A match is opened once, though the answer is lost", task.clone())
            .exchange(exchange().lost().answer(&opened))
            .result(held.clone());
    // The only place is taken.
    full.ask(&post("/v1/matches", &request), 201)?;
    let unavailable = full.ask(&post("/v1/matches", &request).key(KEYS[0]), 503)?;
    let waited = Case::new(
        "open-unavailable",
        "A server that is not available is asked again, after the time that it says",
        task,
    )
    .exchange(exchange().answer(&unavailable).answer(&opened))
    .result(held);

    let path = format!("{}/seats/1", table.path);
    let body = json!({"name": "Grace"});
    let seated = house.ask(&post(&path, &body), 201)?;
    let taken = house.ask(&post(&path, &body), 409)?;
    let task = json!({"do": "join", "match": table.id, "seat": 1, "name": "Grace"});
    let join = |name, title| Case::new(name, title, task.clone());
    let exchange = || Exchange::post(&path, &body);
    let joined = join("join", "An open seat is taken, and its token kept")
        .exchange(exchange().answer(&seated))
        .result(seated.json()?);
    let late =
        join("join-too-late", "A seat that is taken is a problem, and is not asked for again")
            .exchange(exchange().answer(&taken))
            .result(problem(&taken)?);
    Ok(vec![lost, waited, joined, late])
}

/// The same answer: what the first one got.
fn same(first: &Answer, again: &Answer) -> Result<(), Wrong> {
    if first.text == again.text {
        Ok(())
    } else {
        Err("a repeated request was answered otherwise".into())
    }
}

/// A command that a seat once sent, and that a rule forbids now.
fn forbidden(house: &House, table: &Table, seat: usize) -> Result<Option<Value>, Wrong> {
    let commits = house.ask(&table.read("commits?limit=1000", Some(seat)), 200)?.json()?;
    for commit in commits["items"].as_array().into_iter().flatten() {
        if commit["seat"] == json!(seat) && commit["command"].is_object() {
            let body = json!({"command": commit["command"]});
            let tried = post(format!("{}/commands?dry_run=true", table.path), &body);
            let answer = house.answer(&tried.token(&table.token(Some(seat))))?;
            if answer.status == 422 && answer.json()?["rule"].is_string() {
                return Ok(Some(commit["command"].clone()));
            }
        }
    }
    Ok(None)
}

/// Commands: refused ones, and one that is carried out.
pub(crate) fn commands(house: &House, table: &Table) -> Result<Vec<Case>, Wrong> {
    let version = table.version(house)?;
    let seat = table.active(house)?;
    let forbidden = forbidden(house, table, seat)?.ok_or("no rule forbids what was done before")?;
    let legal = house.ask(&table.read("legal-commands", Some(seat)), 200)?.json()?;
    let play = &legal["items"][0];
    let commits = table.commits(house, "")?;
    let behind = commits.iter().rev().nth(1).and_then(|commit| commit["last_version"].as_u64());

    let path = format!("{}/commands", table.path);
    let info = || table.exchange(house);
    let case = |name, title, seat: usize, command: &Value, expected: Option<u64>| {
        let task = json!({
            "do": "submit",
            "match": table.id,
            "seat": seat,
            "tokens": table.tokens,
            "command": command,
            "expected_version": expected,
        });
        Case::new(name, title, task)
    };
    let exchange = |seat: usize, command: &Value, expected: Option<u64>| {
        let mut body = json!({"command": command});
        if let Some(expected) = expected {
            body["expected_version"] = json!(expected);
        }
        let exchange = Exchange::post(&path, &body).may("include", "*").key(1);
        exchange.token(&table.token(Some(seat))).body_may(json!({"expected_version": expected}))
    };
    let mut cases = Vec::new();
    for (name, title, seat, command, expected, status) in [
        (
            "command-refused",
            "A command that a rule forbids is a problem with the rule, and is not sent again",
            seat,
            &forbidden,
            None,
            422,
        ),
        (
            "command-out-of-turn",
            "A command of a seat that is not to act is a problem",
            1 - seat,
            play,
            None,
            409,
        ),
        (
            "command-behind",
            "A command that was chosen at an older version is a problem that says what was missed",
            seat,
            play,
            behind,
            409,
        ),
    ] {
        let mut body = json!({"command": command});
        body["expected_version"] = json!(expected);
        let refused = house.ask(&post(&path, &body).token(&table.token(Some(seat))), status)?;
        cases.push(
            case(name, title, seat, command, expected)
                .exchange(info()?)
                .exchange(exchange(seat, command, expected).answer(&refused))
                .result(problem(&refused)?),
        );
    }
    let before = info()?;
    let include = "include=events,legal_commands,spots,labels";
    let body = json!({"command": play, "expected_version": version});
    let submit = post(format!("{path}?{include}"), &body).token(&table.token(Some(seat)));
    let submit = submit.key(KEYS[1]);
    let done = house.ask(&submit, 201)?;
    same(&done, &house.ask(&submit, 201)?)?;
    let told = done.json()?;
    cases.push(
        case("command-lost", "A command is carried out once, though the answer is lost", seat, play, Some(version))
            .exchange(before)
            .exchange(exchange(seat, play, Some(version)).lost().answer(&done))
            .result(json!({"version": told["version"], "commit": told["commit"], "active_seat": told["active_seat"], "view": told["view"]})),
    );
    Ok(cases)
}

/// A server with too little: one more match is one too many.
pub(crate) fn full(games: Games, pictures: Pictures) -> Result<House, Wrong> {
    House::start(games, pictures, LimitArgs { live_matches: 1, ..LimitArgs::default() })
}

/// What a server answers to whoever asks too often.
pub(crate) fn too_often(games: Games, pictures: Pictures) -> Result<Answer, Wrong> {
    let limits = LimitArgs { rate_limit_address: 1, ..LimitArgs::default() };
    let house = House::start(games, pictures, limits)?;
    let answer = house.ask_until(&get("/v1/matches"), 429)?;
    house.finish()?;
    Ok(answer.with_long_wait())
}

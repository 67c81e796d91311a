//! Cases of what a client reads: views, patches, pages, the chain.

use serde_json::{Value, json};

use super::case::{Case, Exchange};
use super::house::{Answer, House, Wrong, get};
use super::table::Table;

/// Items of a page.
const LIMIT: usize = 9;

/// Items of a page that ends before its limit.
const SHORT: usize = 4;

/// A type of event that no feed ends with.
const KIND: &str = "TableOpened";

/// A version from which a patch would go back too far, and the one to reach.
const GONE: (u64, u64) = (1, 300);

/// Views, as a spectator and as a seat with something to hide.
pub(crate) fn views(house: &House, table: &Table, too_often: &Answer) -> Result<Vec<Case>, Wrong> {
    let version = table.version(house)?;
    let mut cases = Vec::new();
    for (name, title, seat, at) in [
        ("view-spectator", "A spectator sends no token", None, version),
        ("view-seat", "A seat sends its token, and sees what is its own", Some(1), version),
        ("view-past", "A view at an older version is the one of then", Some(0), version / 2),
    ] {
        let view = house.ask(&table.read(&format!("view?at={at}"), seat), 200)?;
        let exchange = view_of(table, seat).query(json!({"at": at.to_string()}));
        cases.push(
            Case::new(name, title, looking("view", table, seat, json!({"at": at})))
                .exchange(table.exchange(house)?)
                .exchange(exchange.answer(&view))
                .result(json!({"view": view.json()?})),
        );
    }
    let view = house.ask(&table.read("view", None), 200)?;
    let title = "Whoever asks too often waits as long as the server says";
    cases.push(
        Case::new("rate-limited", title, looking("view", table, None, json!({})))
            .exchange(view_of(table, None).answer(too_often).answer(&view))
            .result(json!({"view": view.json()?})),
    );
    Ok(cases)
}

/// A task of somebody who looks.
fn looking(what: &str, table: &Table, seat: Option<usize>, more: Value) -> Value {
    let mut task = json!({"do": what, "match": table.id, "seat": seat, "tokens": table.tokens});
    for (name, value) in more.as_object().into_iter().flatten() {
        task[name] = value.clone();
    }
    task
}

fn view_of(table: &Table, seat: Option<usize>) -> Exchange {
    Exchange::get(&format!("{}/view", table.path)).token(&table.token(seat))
}

/// What has changed.
pub(crate) fn patches(house: &House, table: &Table) -> Result<Case, Wrong> {
    let commits = table.commits(house, "")?;
    let ends: Vec<u64> = [5, 6, 9, 10]
        .iter()
        .filter_map(|commit| commits.get(*commit)?["last_version"].as_u64())
        .collect();
    let [from, to @ ..] = ends.as_slice() else { return Err("the match is too short".into()) };
    let task = looking("patch", table, None, json!({"from": from, "to": to}));
    let mut case =
        Case::new("patch", "Patches make one view into another, each applied once", task);
    let first = house.ask(&table.read(&format!("view?at={from}"), None), 200)?;
    let whole = view_of(table, None).query(json!({"at": from.to_string()})).answer(&first);
    case = case.exchange(table.exchange(house)?).exchange(whole);
    let mut since = *from;
    for at in to {
        let patch = house.ask(&table.read(&format!("view?since={since}&at={at}"), None), 200)?;
        let query = json!({"since": since.to_string(), "at": at.to_string()});
        let exchange = view_of(table, None).or(&format!("{}/view/patch", table.path));
        case = case.exchange(exchange.query(query).answer(&patch));
        since = *at;
    }
    let last = house.ask(&table.read(&format!("view?at={since}"), None), 200)?.json()?;
    Ok(case.result(json!({"view": last})))
}

/// A patch that would go back too far.
pub(crate) fn gone(house: &House, table: &Table) -> Result<Case, Wrong> {
    let (from, to) = GONE;
    let task = looking("patch", table, None, json!({"from": from, "to": [to]}));
    let first = house.ask(&table.read(&format!("view?at={from}"), None), 200)?;
    let refused = house.ask(&table.read(&format!("view?since={from}&at={to}"), None), 410)?;
    let whole = house.ask(&table.read(&format!("view?at={to}"), None), 200)?;
    let at = |at: u64| json!({"at": at.to_string()});
    let since = json!({"since": from.to_string(), "at": to.to_string()});
    let patch = view_of(table, None).or(&format!("{}/view/patch", table.path)).query(since);
    let title = "Where a patch would go back too far, the whole view is read";
    Ok(Case::new("patch-gone", title, task)
        .exchange(table.exchange(house)?)
        .exchange(view_of(table, None).query(at(from)).answer(&first))
        .exchange(patch.answer(&refused))
        .exchange(view_of(table, None).query(at(to)).answer(&whole))
        .result(json!({"view": whole.json()?})))
}

/// How a list is read.
struct Reading {
    /// How many items a client asks for.
    limit: usize,
    /// The type of events.
    kind: Option<&'static str>,
    /// How many items the second page has, as if they were so large that it ended before its limit.
    second: usize,
}

/// The exchange for each page of a list, all items, and the last page.
fn pages(
    house: &House,
    path: &str,
    reading: &Reading,
) -> Result<(Vec<Exchange>, Vec<Value>, Value), Wrong> {
    let Reading { limit, kind, second } = reading;
    let (mut exchanges, mut items) = (Vec::new(), Vec::new());
    let mut after = None;
    let filter = kind.map_or_else(String::new, |kind| format!("&type={kind}"));
    loop {
        let place = after.as_ref().map_or_else(String::new, |after| format!("&after={after}"));
        let number = if exchanges.len() == 1 { second } else { limit };
        let page = house.ask(&get(format!("{path}?limit={number}{filter}{place}")), 200)?;
        let mut query = json!({"limit": limit.to_string()});
        if let Some(kind) = kind {
            query["type"] = json!(kind);
        }
        let mut exchange = Exchange::get(path);
        match &after {
            Some(after) => query["after"] = json!(after),
            None => exchange = exchange.may("after", 0),
        }
        exchanges.push(exchange.query(query).answer(&page));
        let page = page.json()?;
        items.extend(page["items"].as_array().into_iter().flatten().cloned());
        match page["next"].as_str() {
            Some(next) => after = Some(next.to_owned()),
            None => return Ok((exchanges, items, page)),
        }
    }
}

/// The log of a match, page by page: as it is, and with a page that ends before its limit.
pub(crate) fn log(house: &House, table: &Table) -> Result<Vec<Case>, Wrong> {
    let path = format!("{}/commits", table.path);
    let mut cases = Vec::new();
    for (name, title, second) in [
        ("pages-commits", "A list is read page by page, up to the one without a next", LIMIT),
        (
            "pages-short",
            "A page that has fewer items than its limit, and a next, is not the last one",
            SHORT,
        ),
    ] {
        let task = json!({"do": "commits", "match": table.id, "limit": LIMIT});
        let reading = Reading { limit: LIMIT, kind: None, second };
        let (exchanges, items, _) = pages(house, &path, &reading)?;
        let commits: Vec<&Value> = items.iter().map(|item| &item["commit"]).collect();
        let case = Case::new(name, title, task).exchange(table.exchange(house)?);
        let case = exchanges.into_iter().fold(case, Case::exchange);
        cases.push(case.result(json!({"commits": commits})));
    }
    Ok(cases)
}

/// The feed, from its beginning to its end: all of it, and the events of one type, behind which there are others.
pub(crate) fn feed(house: &House) -> Result<Vec<Case>, Wrong> {
    let mut cases = Vec::new();
    for (name, title, limit, kind) in [
        (
            "pages-feed",
            "The feed is read to its end, and its position kept to go on from there",
            LIMIT,
            None,
        ),
        (
            "pages-feed-type",
            "The position of the feed is how far the server has looked, not the last event's",
            1,
            Some(KIND),
        ),
    ] {
        let mut task = json!({"do": "feed", "limit": limit});
        if let Some(kind) = kind {
            task["type"] = json!(kind);
        }
        let reading = Reading { limit, kind, second: limit };
        let (exchanges, items, last) = pages(house, "/v1/events", &reading)?;
        let events: Vec<Value> = items
            .iter()
            .map(|item| json!([item["position"], item["version"], item["event"]["type"]]))
            .collect();
        let case = exchanges.into_iter().fold(Case::new(name, title, task), Case::exchange);
        cases.push(case.result(json!({"events": events, "position": last["position"]})));
    }
    Ok(cases)
}

/// The chain of a finished match: as it is, and forged in two ways.
pub(crate) fn chain(house: &House, table: &Table) -> Result<Vec<Case>, Wrong> {
    let info = house.ask(&get(&table.path), 200)?;
    let path = format!("{}/commits", table.path);
    let more = "&viewer=spectator";
    let commits = table.commits(house, more)?;
    let number = commits.len();
    let page = house.ask(&get(format!("{path}?limit=1000{more}")), 200)?;
    let case = |name, title, change: &dyn Fn(&mut Vec<Value>), result: Value| {
        let mut answer = page.recorded();
        if let Some(items) = answer["json"]["items"].as_array_mut() {
            change(items);
        }
        let query = json!({"limit": "1000", "viewer": "spectator"});
        Case::new(name, title, json!({"do": "verify", "match": table.id, "limit": 1000}))
            .exchange(Exchange::get(&table.path).answer(&info))
            .exchange(Exchange::get(&path).query(query).may("after", 0).told(answer))
            .result(result)
    };
    let forged = number / 2;
    Ok(vec![
        case("chain", "The hashes of a match fit", &|_| {}, json!({"verified": true})),
        case(
            "chain-forged",
            "An event that was changed is noticed",
            &|items| {
                if let Some(commit) = items.get_mut(forged) {
                    commit["events"][0]["seat"] = json!(commit["events"][0]["seat"] == json!(0));
                }
            },
            json!({"verified": false}),
        ),
        case(
            "chain-short",
            "A commit that is missing at the end is noticed",
            &|items| items.truncate(number - 1),
            json!({"verified": false}),
        ),
    ])
}

/// Patches and what they make, from RFC 6902 and 6901: no request.
pub(crate) fn documents() -> Case {
    let vectors = json!([
        [{"a": [1, 2]}, [{"op": "add", "path": "/a/1", "value": 9}], {"a": [1, 9, 2]}],
        [{"a": [1, 2]}, [{"op": "add", "path": "/a/-", "value": 3}], {"a": [1, 2, 3]}],
        [{"a": [1, 2, 3]}, [{"op": "remove", "path": "/a/0"}, {"op": "remove", "path": "/a/0"}], {"a": [3]}],
        [{"a/b": 1, "m~n": 2}, [{"op": "replace", "path": "/a~1b", "value": 3}, {"op": "replace", "path": "/m~0n", "value": 4}], {"a/b": 3, "m~n": 4}],
        [{"~1": 1, "/": 2}, [{"op": "replace", "path": "/~01", "value": 3}], {"~1": 3, "/": 2}],
        [{"1": {"0": "x"}}, [{"op": "replace", "path": "/1/0", "value": "y"}], {"1": {"0": "y"}}],
        [{"": 1}, [{"op": "replace", "path": "/", "value": 2}], {"": 2}],
        [{"old": true}, [{"op": "replace", "path": "", "value": {"new": true}}], {"new": true}],
        [{"a": {"b": 1}}, [{"op": "move", "from": "/a/b", "path": "/c"}], {"a": {}, "c": 1}],
        [{"a": {"b": 1}}, [{"op": "copy", "from": "/a", "path": "/a/c"}], {"a": {"b": 1, "c": {"b": 1}}}],
        [{"a": null}, [{"op": "test", "path": "/a", "value": null}, {"op": "remove", "path": "/a"}], {}],
    ]);
    let asked: Vec<Value> = vectors
        .as_array()
        .into_iter()
        .flatten()
        .map(|v| json!({"document": v[0], "patch": v[1]}))
        .collect();
    let made: Vec<Value> = vectors.as_array().into_iter().flatten().map(|v| v[2].clone()).collect();
    let title = "Patches of every kind: RFC 6902, and pointers with escapes, RFC 6901";
    Case::new("patch-kinds", title, json!({"do": "apply", "patches": asked}))
        .result(json!({"documents": made}))
}

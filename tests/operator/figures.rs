//! The figures for Prometheus.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use acceptance::process::Process;
use acceptance::{Request, Table};
use serde_json::json;

/// Every series with its value.
fn series(text: &str) -> BTreeMap<String, f64> {
    let values = text.lines().filter(|line| !line.starts_with('#'));
    let value = |line: &str| {
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        (name.to_owned(), value.parse().expect("a number"))
    };
    values.map(value).collect()
}

/// The name of the family that a series of a histogram belongs to.
fn plain(name: &str) -> &str {
    let mut ends = ["_bucket", "_sum", "_count"].into_iter();
    ends.find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// The families with their kinds; each is described before its values come, and none comes twice.
fn families(text: &str) -> BTreeMap<String, String> {
    let mut families: BTreeMap<String, String> = BTreeMap::new();
    let mut helped = String::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, words) = help.split_once(' ').expect("a name and words");
            assert!(!words.is_empty(), "{line}");
            helped = name.to_owned();
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').expect("a name and a kind");
            assert_eq!(name, helped, "{line}");
            let known = families.insert(name.to_owned(), kind.to_owned());
            assert_eq!(known, None, "{line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
        } else {
            let name = line.split(['{', ' ']).next().expect("a name");
            let plain = plain(name);
            assert!([plain, name].contains(&helped.as_str()), "{line} after {helped}");
        }
    }
    families
}

#[test]
fn figures_tell_what_happens() {
    let server = Process::alone(&["--query", "on", "--rate-limit-token", "5"]);
    let (client, operator) = (server.client(), server.operator());
    let table = Table::rosenkoenig(&client);
    Table::open(&client, &json!({"game": "voluspa", "seats": [{}, {"open": true}]}));
    let closed = Table::rosenkoenig(&client);
    operator.send(Request::new("POST", &format!("/matches/{}/close", closed.id))).ok();
    let nonsense = json!({"type": "DrawCard", "nonsense": 1});
    table.seat(0).command(&table.id, &nonsense);
    let wrong = table.legal()[0].clone();
    table.act(&wrong);
    let hurried = client.with_token(&"0".repeat(64));
    while hurried.get("/v1/games").status != 429 {}
    let text = operator.get("/metrics").text();
    let (families, series) = (families(&text), series(&text));
    for (name, value) in [
        ("muninn_store_commits_total", 5.0),
        ("muninn_feed_position", 5.0),
        ("muninn_store_sync_seconds_count", 5.0),
        ("muninn_store_queue_seconds_count", 5.0),
        ("muninn_store_batch_writes_count", 5.0),
        ("muninn_store_batch_writes_sum", 5.0),
        ("muninn_store_batch_writes_bucket{le=\"1\"}", 5.0),
        ("muninn_store_batch_writes_bucket{le=\"+Inf\"}", 5.0),
        ("muninn_store_waiting_writes", 0.0),
        ("muninn_store_waiting_bytes", 0.0),
        ("muninn_store_writes_refused_total", 0.0),
        ("muninn_store_writing_seconds", 0.0),
        ("muninn_store_writable", 1.0),
        ("muninn_threads_lost", 0.0),
        ("muninn_matches_left_alone", 0.0),
        ("muninn_clock_ahead_seconds", 0.0),
        ("muninn_matches", 3.0),
        ("muninn_matches_in_memory", 3.0),
        ("muninn_matches_by_status{status=\"open\"}", 1.0),
        ("muninn_matches_by_status{status=\"running\"}", 1.0),
        ("muninn_matches_by_status{status=\"finished\"}", 0.0),
        ("muninn_matches_by_status{status=\"abandoned\"}", 1.0),
        ("muninn_match_cache_misses_total", 0.0),
        ("muninn_projection_position{projection=\"list\"}", 5.0),
        ("muninn_projection_behind_commits{projection=\"list\"}", 0.0),
        ("muninn_limits_hit_total{limit=\"token\"}", 1.0),
        ("muninn_limits_hit_total{limit=\"address\"}", 0.0),
        ("muninn_limits_hit_total{limit=\"live_matches\"}", 0.0),
        ("muninn_limits_hit_total{limit=\"bodies\"}", 0.0),
        ("muninn_limits_hit_total{limit=\"downloads\"}", 0.0),
        ("muninn_http_problems_total{code=\"rate_limited\"}", 1.0),
    ] {
        assert_eq!(series.get(name), Some(&value), "{name}\n{text}");
    }
    for name in [
        "muninn_store_log_bytes",
        "muninn_store_disk_free_bytes",
        "muninn_derived_disk_free_bytes",
        "muninn_store_sync_seconds_sum",
        "muninn_match_cache_hits_total",
        "muninn_derived_bytes{projection=\"tables\"}",
        "process_resident_memory_bytes",
        "process_open_fds",
        "process_max_fds",
        "process_start_time_seconds",
    ] {
        assert!(series.get(name).is_some_and(|value| *value > 0.0), "{name}\n{text}");
    }
    let build = format!("muninn_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    assert_eq!(series.get(&build), Some(&1.0));
    assert!(!text.contains(&table.id), "no match is named");
    assert_eq!(families["muninn_store_sync_seconds"], "histogram");
    server.stop();
}

/// The metrics that a text names.
fn asked(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("muninn_") || word.starts_with("process_")).collect()
}

/// What dashboard and alarms ask for is there.
#[test]
fn what_is_deployed_asks_for_what_there_is() {
    let server = Process::alone(&["--query", "on"]);
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    table.seat(1).command(&table.id, &table.legal()[0]);
    client.info("x");
    let bots = json!({"game": "rosenkoenig", "seats": [{"bot": "greedy"}, {"bot": "random"}]});
    client.open(&bots).created();
    let known = loop {
        let known = families(&server.operator().get("/metrics").text());
        if known.contains_key("muninn_bot_commands_total") {
            break known;
        }
    };
    for file in ["../deploy/grafana/muninn.json", "../deploy/prometheus/alerts.yml"] {
        let text = fs::read_to_string(file).expect("a file");
        let names = asked(&text);
        assert!(names.len() > 5, "{file}");
        for name in names {
            let plain = plain(name);
            let of_no_value = name == "muninn_refusals_total";
            assert!(
                of_no_value || known.contains_key(plain) || known.contains_key(name),
                "{file}: {name}"
            );
        }
        // Servers with one database have the same matches: together they have no more.
        for line in text.lines().filter(|line| line.contains("sum by") || line.contains("sum(")) {
            let is_gauge = |name: &&str| known.get(*name).is_some_and(|kind| kind == "gauge");
            assert_eq!(asked(line).into_iter().find(is_gauge), None, "{file}: {line}");
        }
    }
    server.stop();
}

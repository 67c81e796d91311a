//! What SQL knows beside what SQLite does: functions, and parameters.

use std::path::Path;

use serde_json::{Value, json};

use crate::folder::simulate;
use acceptance::server::Server;
use acceptance::{Answer, Client, Request, run_on};

/// The first row of an answer.
#[track_caller]
fn row(data: &Path, sql: &str) -> Vec<f64> {
    let text = run_on(data, &["query", sql, "--format", "csv"]).ok();
    let line = text.lines().nth(1).expect("a row").to_owned();
    line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()
}

#[track_caller]
fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        let same = (found - expected).abs() < 1e-12 || found.is_nan() && expected.is_nan();
        assert!(same, "{found} is not {expected}");
    }
}

const NUMBERS: &str = "WITH n(x, y) AS (VALUES (2, 1), (4, 3), (4, 2), (4, 5), (5, 4), (5, 6), (7, 9), (9, 8), (NULL, 1))";

#[test]
fn mathematics_and_statistics() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    near(
        &row(
            &data,
            "SELECT sqrt(2), ln(exp(1)), pow(2, 10), log(100), log(2, 8), floor(-1.5), ceil(1.2), pi()",
        ),
        &[2f64.sqrt(), 1.0, 1024.0, 2.0, 3.0, -2.0, 2.0, std::f64::consts::PI],
    );
    // What has no value is missing, as in SQLite's own functions.
    near(
        &row(&data, "SELECT sqrt(-1), ln(0), sqrt(NULL), sqrt('x'), 1"),
        &[f64::NAN, f64::NAN, f64::NAN, f64::NAN, 1.0],
    );
    // By hand: the mean is 5, the squares of the distances add up to 32.
    near(
        &row(
            &data,
            &format!(
                "{NUMBERS} SELECT median(x), quantile(x, 0.25), quantile(x, 1), stddev_pop(x), stddev(x), variance(x) FROM n"
            ),
        ),
        &[4.5, 4.0, 9.0, 2.0, (32.0f64 / 7.0).sqrt(), 32.0 / 7.0],
    );
    // The products of the distances add up to 41 - 5; the squares of y to 60.
    let sums =
        "SELECT sum((x - 5) * (y - 4.75)), sum((y - 4.75) * (y - 4.75)) FROM n WHERE x IS NOT NULL";
    let sums = row(&data, &format!("{NUMBERS} {sums}"));
    near(
        &row(&data, &format!("{NUMBERS} SELECT corr(x, y), corr(x, 1) FROM n")),
        &[sums[0] / (32.0 * sums[1]).sqrt(), f64::NAN],
    );
    near(
        &row(&data, "SELECT median(x), stddev(x), corr(x, x), 1 FROM (SELECT 1 AS x WHERE 0)"),
        &[f64::NAN, f64::NAN, f64::NAN, 1.0],
    );
    near(&row(&data, "SELECT median(7), stddev(7), stddev_pop(7)"), &[7.0, f64::NAN, 0.0]);
}

/// As they are sent, to the last digit.
const FRACTIONS: [&str; 3] = ["98.18181818181819", "112.66666666666667", "92.73333333333333"];

/// What values are, on the command line.
fn kinds(data: &Path) {
    for (given, kind) in [
        ("9223372036854775807", "integer"),
        ("-9223372036854775808", "integer"),
        ("9223372036854775808", "real"),
        ("18446744073709551615", "real"),
        ("36893488147419103232", "real"),
        ("null", "null"),
        ("\"null\"", "text"),
        ("\"1\"", "text"),
        ("[1]", "text"),
        ("01", "text"),
    ] {
        let given = format!("a={given}");
        let query = ["query", "SELECT typeof(:a)", "--format", "csv", "--param", &given];
        assert_eq!(run_on(data, &query).out.lines().last(), Some(kind), "{given}");
    }
    for number in FRACTIONS {
        let (sql, given) = (format!("SELECT :a = {number}"), format!("a={number}"));
        let query = ["query", &sql, "--format", "csv", "--param", &given];
        assert_eq!(run_on(data, &query).out.lines().last(), Some("1"), "{given}");
    }
}

fn large_integers(ask: &dyn Fn(&Value) -> Answer) {
    // Integers that SQLite does not have are numbers with a fraction, as in a statement; the same on the command line.
    for number in [
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "36893488147419103232",
    ] {
        let sql = format!("SELECT typeof(:a), :a = {number}");
        let kind = if number == "9223372036854775807" { "integer" } else { "real" };
        let body = format!(r#"{{"sql": "{sql}", "parameters": {{"a": {number}}}}}"#);
        let body: Value = serde_json::from_str(&body).expect("an object");
        assert_eq!(ask(&body).ok()["rows"], json!([[kind, 1]]), "{number}");
    }
}

/// The body is text: nobody here reads the number first.
fn fractions(client: &Client) {
    for number in FRACTIONS {
        let body = format!(r#"{{"sql": "SELECT :a = {number}", "parameters": {{"a": {number}}}}}"#);
        let answer = client.send(Request::new("POST", "/v1/query").bytes("application/json", body));
        assert_eq!(answer.ok()["rows"], json!([[1]]), "{number}");
    }
}

#[test]
fn parameters_and_bounds() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 2, 1);
    let sql = "SELECT :game || :n, count(*) FROM matches WHERE game = :game";
    let ask = |more: &[&str]| run_on(&data, &[&["query", sql, "--format", "csv"], more].concat());
    let answer = ask(&["--param", "game=rosenkoenig", "--param", "n=2"]).ok();
    assert_eq!(answer.lines().last(), Some("rosenkoenig2,2"));
    for (given, words) in [
        (&["game=delphi"][..], ":n has no value"),
        (&["game=delphi", "n=1", "m=1"], "no parameter :m"),
        (&["game"], "NAME=VALUE"),
        (&["game=1", "game=2", "n=1"], "each name once"),
        (&["game=delphi", "n=1e400"], "n=1e400: there is no such number"),
    ] {
        let given: Vec<&str> = given.iter().flat_map(|given| ["--param", given]).collect();
        ask(&given).failed(2, &[words]);
    }

    kinds(&data);
    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    let ask = |body: &Value| loop {
        let answer = client.post("/v1/query", body);
        if answer.status != 503 {
            return answer;
        }
    };
    let answer = ask(
        &json!({"sql": "SELECT :a, :b, :c", "parameters": {"a": "x'; --", "b": 1.5, "c": null}}),
    );
    assert_eq!(answer.ok()["rows"], json!([["x'; --", 1.5, null]]));
    large_integers(&ask);
    fractions(&client);
    for (parameters, status, place) in [
        (json!({}), 422, "/sql"),
        (json!({"a": 1, "b": 2}), 422, "/sql"),
        (json!({"a": [1]}), 400, "/parameters/a"),
        (json!({"a": {"b/c": 1}}), 400, "/parameters/a"),
        (json!(["a"]), 400, "/parameters"),
    ] {
        let answer = ask(&json!({"sql": "SELECT :a", "parameters": parameters}));
        assert_eq!(answer.status, status, "{parameters}");
        assert_eq!(answer.json()["errors"][0]["pointer"], place, "{parameters}");
    }
    // What median keeps is of the memory of the query.
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000)";
    let answer = ask(&json!({"sql": format!("{many} SELECT median(i) FROM n")}));
    answer.problem(422, "query_too_much");
    let wrong = ask(&json!({"sql": "SELECT quantile(1, 2)"}));
    assert!(
        wrong.problem(422, "query_wrong")["detail"]
            .as_str()
            .is_some_and(|what| what.contains("from 0 to 1"))
    );
}

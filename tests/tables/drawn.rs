//! Every match ended in a draw: nobody is ahead, everybody has a share, and nothing is divided by nothing. Or a tie was broken.

use std::fs;
use std::path::Path;

use acceptance::server::Server;
use acceptance::{muninn, run, until_some};
use serde_json::{Value, json};

use crate::folder::asked;

/// So many matches.
const MATCHES: usize = 2;

/// A store with so many matches of Copenhagen that ended so, and no others. One in twenty of random players is drawn, and in one of twenty a tie
/// without points is broken.
fn ended(data: &Path, matches: usize, so: fn(&[Value]) -> bool) {
    let mut found = 0;
    for seed in 0..1_000 {
        let mut simulate = muninn();
        simulate.args(["simulate", "--game", "copenhagen", "--matches", "1"]);
        simulate.args(["--format", "ndjson", "--seed", &seed.to_string()]);
        let seats = run(&mut simulate).lines()[0]["seats"].clone();
        if so(seats.as_array().expect("a list")) {
            run(simulate.arg("--keep").arg(data)).ok();
            found += 1;
        }
        if found == matches {
            return;
        }
    }
    panic!("{found} of a thousand matches");
}

#[test]
fn in_a_draw_each_seat_has_its_share() {
    let (folder, [data]) = acceptance::places(["data"]);
    ended(&data, MATCHES, |seats| seats.iter().all(|seat| seat["rank"] == 1));

    let seats = asked(&data, "01_seats.sql");
    assert_eq!(seats.len(), 2, "{seats:?}");
    for seat in &seats {
        assert_eq!(
            (&seat["n"], &seat["share"], &seat["fair"]),
            (&json!(MATCHES), &json!(0.5), &json!(0.5))
        );
    }
    let margins = asked(&data, "08_margins.sql");
    assert_eq!(
        (margins.len(), &margins[0]["shared"], &margins[0]["blow_outs"]),
        (1, &json!(1.0), &json!(0.0))
    );
    // Each seat won a half and lost a half: whoever leads on the way wins no more than that.
    let scores = asked(&data, "07_scores.sql");
    assert_eq!(scores.len(), 10, "{scores:?}");
    for tenth in scores {
        assert_eq!(tenth["winners"], tenth["others"], "{tenth}");
        assert!(tenth["leader_won"].is_null() || tenth["leader_won"] == json!(0.5), "{tenth}");
    }
    // Nobody sat with another kind of player.
    assert_eq!(asked(&data, "10_bots.sql"), Vec::<Value>::new());

    let page = folder.path().join("report.html");
    let report = ["report", "--game", "copenhagen", "--players", "bots", "--data"];
    run(muninn().args(report).arg(&data).arg("--out").arg(&page)).ok();
    let page = fs::read_to_string(&page).expect("the page");
    assert!(page.contains("2 finished matches") && !page.contains("NaN"), "{page}");

    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let stats = until_some("the statistics", || {
        let stats = client.get("/v1/stats/copenhagen?players=bots").ok()["finished"].clone();
        (stats["matches"] == json!(MATCHES)).then_some(stats)
    });
    let table = &stats["tables"][0];
    assert_eq!(table["start_seat"]["rate"], json!(0.5), "{stats}");
    for seat in table["by_seat"].as_array().expect("a list") {
        let first = &seat["first"];
        assert_eq!((&first["n"], &first["rate"]), (&json!(MATCHES), &json!(0.5)), "{stats}");
        let within = |name: &str| first[name].as_f64().expect("a bound");
        assert!(within("low") < 0.5 && within("high") > 0.5, "two matches prove little: {stats}");
    }
}

#[test]
fn a_tie_that_is_broken_is_no_blow_out() {
    let (_folder, [data]) = acceptance::places(["data"]);
    ended(&data, 1, |seats| {
        let first = seats.iter().filter(|seat| seat["rank"] == 1);
        seats.iter().all(|seat| seat["points"] == 0) && first.count() == 1
    });
    let margins = asked(&data, "08_margins.sql");
    assert_eq!(
        (margins.len(), &margins[0]["shared"], &margins[0]["blow_outs"]),
        (1, &json!(0.0), &json!(0.0))
    );
}

//! A row that the database fails over, where its pages have no checksums: one match is damaged, and nobody else waits.

use acceptance::{Dice, until};
use serde_json::{Value, json};

use crate::away::{again, serve, two_begun};
use crate::postgres;

#[test]
fn a_row_that_the_database_fails_over_holds_nobody_up() {
    let Some((cluster, address)) = postgres::alone() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let mut dice = Dice::new(5);
    let (_, [spoilt, whole]) = two_begun(&server.client(), &mut dice);
    server.stop();
    let row = format!("stream = '{}' AND number = 1", spoilt.id);
    let _cluster = cluster.with_an_odd_row(&address, &row);

    // What is derived is made anew, too.
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let client = server.client();
    client.commits(&spoilt.id, "").problem(503, "damaged");
    let listed = again(&client, "/v1/matches").json();
    let ids = |list: &Value| -> Vec<Value> {
        let items = list["items"].as_array().expect("a list").iter();
        items.map(|item| item["match"].clone()).collect()
    };
    assert_eq!((ids(&listed), &listed["damaged"]), (vec![json!(whole.id)], &json!(1)));
    let damaged = client.get("/v1/damaged").ok();
    assert_eq!(ids(&damaged), [json!(spoilt.id)]);
    assert_eq!(damaged["items"][0]["what"], "corrupt");

    // The feed names it and goes on, and so do statistics.
    let feed = client.feed("limit=1000").ok();
    assert_eq!(feed["next"], Value::Null);
    let ids = ids(&feed);
    assert!(ids.contains(&json!(spoilt.id)) && ids.contains(&json!(whole.id)), "{feed}");
    whole.through(&client).finish(&mut dice);
    until("the statistics", || {
        client.get("/v1/stats/rosenkoenig").ok()["finished"]["matches"] == 1
    });
    let ready = client.get("/readyz").ok();
    assert_eq!((&ready["status"], &ready["damaged"]), (&json!("ok"), &json!(1)));
    server.stop();
}

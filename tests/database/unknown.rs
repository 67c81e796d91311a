//! No quorum confirms a commit: nobody is told that it is stored, and a repeated request learns what became of it.

use std::thread;

use acceptance::{Answer, Client, Dice, Request};
use serde_json::json;

use crate::away::{again, serve, two_begun};
use crate::postgres;

#[track_caller]
fn unknown(answer: &Answer) {
    assert_eq!(answer.status, 503, "{}", answer.text());
    assert_eq!(answer.json()["code"], "outcome_unknown", "{}", answer.text());
    assert!(answer.header("retry-after").is_some());
}

/// For longer than the program asks again. What it says then is not known; nor is it what a repetition is told at once, at any server. Once
/// commits are confirmed, one with the same key is exact, without a restart.
#[test]
fn what_no_quorum_confirms_is_unknown_and_is_carried_out_once() {
    let Some((cluster, address)) = postgres::alone() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &["--matches-mib", "16"]);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let other = serve(&address, elsewhere.path(), &["--matches-mib", "16"]);
    let client = server.client();
    let (open, tables) = two_begun(&client, &mut Dice::new(3));
    let seat = tables[0].active().expect("it goes on");
    let command = json!({"command": tables[0].legal()[0]});
    let path = format!("/v1/matches/{}/commands", tables[0].id);
    let acting = Request::new("POST", &path).json(&command).header("idempotency-key", "the same");
    let opening = Request::new("POST", "/v1/matches").json(&open);
    let opening = opening.header("idempotency-key", "a-key-that-nobody-guesses");
    let requests = [(tables[0].seat(seat), acting), (client.clone(), opening)];
    let there = [tables[0].through(&other.client()).seat(seat), other.client()];
    let repeated = [&requests[0], &requests[1]].map(|(_, request)| request.clone());
    let repeated: Vec<_> =
        requests.iter().cloned().chain(there.into_iter().zip(repeated)).collect();
    let send = |(client, request): &(Client, Request)| client.send(request.clone());
    let all_unknown = |requests: &[(Client, Request)]| {
        thread::scope(|scope| {
            let sent: Vec<_> = requests.iter().map(|each| scope.spawn(|| send(each))).collect();
            sent.into_iter().for_each(|sent| unknown(&sent.join().expect("it does not panic")));
        });
    };
    let commits = || again(&client, &format!("/v1/matches/{}/commits", tables[0].id)).json();
    let before = commits()["items"].as_array().expect("a list").len();
    let opened = || again(&client, "/v1/matches").json()["items"].as_array().map(Vec::len);

    cluster.wait_for(&address, "nobody");
    all_unknown(&requests);
    all_unknown(&repeated);
    cluster.wait_for(&address, "");

    let first = requests.each_ref().map(send);
    let second = requests.each_ref().map(send);
    for (first, second) in first.iter().zip(&second) {
        assert_eq!((first.status, second.status), (201, 201), "{}", first.text());
        assert_eq!(first.body, second.body);
    }
    assert_eq!(commits()["items"].as_array().expect("a list").len(), before + 1);
    assert_eq!(opened(), Some(3));
    server.stop();
    other.stop();
}

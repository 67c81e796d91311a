//! What an operator does to matches.

use acceptance::process::{Process, verify};
use acceptance::{Request, Table};
use serde_json::json;

fn close(server: &Process, id: &str) -> acceptance::Answer {
    server.operator().send(Request::new("POST", &format!("/matches/{id}/close")))
}

#[test]
fn a_match_that_the_operator_closes_says_so_to_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &[]);
    let client = server.client();
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "visibility": "private"});
    let (open, private) = (Table::rosenkoenig(&client), Table::open(&client, &body));
    for table in [&open, &private] {
        let seat = table.seat(0);
        let mut stream = seat.stream(&table.id, "", None);
        stream.next().expect("the setup");
        let closed = close(&server, &table.id).ok();
        assert_eq!((&closed["status"], &closed["match"]), (&json!("abandoned"), &json!(table.id)));
        let told = stream.next().expect("its end");
        let event = json!({"type": "MatchClosed", "by": "operator", "reason": "closed"});
        assert_eq!(told.data["events"], json!([event]));
        assert_eq!((&told.data["seat"], &told.data["command"]), (&json!(null), &json!(null)));
        assert_eq!(stream.next(), None, "the stream ends");
        // Once is enough.
        let version = seat.info(&table.id).ok()["version"].clone();
        assert_eq!(close(&server, &table.id).ok()["version"], version);
        table.seat(0).command(&table.id, &json!({"type": "Pass"})).problem(409, "match_finished");
    }
    let feed = client.feed("type=MatchClosed").ok();
    assert_eq!(feed["items"].as_array().map(Vec::len), Some(1), "private matches are in no feed");
    server.stop();
    assert_eq!(verify(folder.path()).0, Some(0));
}

#[test]
fn a_match_that_was_played_to_its_end_is_not_closed() {
    let server = Process::alone(&[]);
    let table = Table::rosenkoenig(&server.client());
    table.finish(&mut acceptance::Dice::new(1));
    close(&server, &table.id).problem(409, "match_finished");
    server.stop();
}

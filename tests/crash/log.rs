//! The log tells no secrets, however much is asked of it.

use serde_json::json;

use acceptance::process::Process;
use acceptance::{Dice, Request, Table};

#[test]
fn no_token_and_no_seed_is_ever_logged() {
    let (folder, [log]) = acceptance::places(["log"]);
    let server = Process::serve_logging(&folder.path().join("data"), &log, "human");
    let client = server.client();
    let body =
        json!({"game": "rosenkoenig", "seats": [{}, {"open": true}], "visibility": "private"});
    let key = "a-key-that-masks-tokens";
    let request = Request::new("POST", "/v1/matches").json(&body).header("Idempotency-Key", key);
    let mut table = Table::read(&client, &client.send(request.clone()).created());
    client.send(request).created();
    table.join(1, &json!({}));
    let never = "fedcba9876543210".repeat(4);
    client.with_token(&never).view(&table.id, "").problem(401, "token_invalid");
    let stream = table.seat(1).stream(&table.id, "", None);
    table.finish(&mut Dice::new(6));
    assert!(stream.rest().len() > 10);
    table.seat(0).command(&table.id, &json!({})).problem(409, "match_finished");
    let info = table.info();
    let seed = info["seed"].as_str().expect("the match is finished").to_owned();
    let running = Table::rosenkoenig(&client);
    running.owner().close(&running.id).ok();
    server.stop();
    let text = std::fs::read_to_string(&log).expect("a log");
    assert!(text.contains("request") && text.len() > 10_000, "everything was logged");
    let mut secrets =
        vec![seed, never, key.to_owned(), running.owner_token.clone(), table.owner_token.clone()];
    secrets.extend(table.seat_tokens.iter().chain(&running.seat_tokens).flatten().cloned());
    for secret in secrets {
        // A piece is as bad as the whole.
        let piece = &secret[..16];
        let line = text.lines().find(|line| line.to_lowercase().contains(piece));
        assert_eq!(line, None);
    }
}

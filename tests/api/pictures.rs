//! Pictures of tables: what is answered, to whom, and with which headers. What they look like is tested where they are drawn.

use kernel::Erased;
use serde_json::json;
use testkit::Nim;

use crate::{client, server};
use acceptance::server::Server;
use acceptance::{Answer, Client, Dice, Table};

const FILES: [&str; 2] = ["board.svg", "board.txt"];

#[track_caller]
fn picture(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = answer.text();
    let kind = answer.header("content-type").expect("a media type");
    let policy = answer.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    match kind {
        "image/svg+xml" => {
            assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
            assert!(policy.contains("style-src 'unsafe-inline'") && policy.contains("sandbox"));
        }
        kind => assert_eq!(kind, "text/plain; charset=utf-8"),
    }
    text
}

#[test]
fn a_match_has_a_picture_at_every_version_until_and_after_its_end() {
    let (client, _server) = client();
    let seats = json!([{"name": "Ada"}, {"name": "<b>&\"Ben"}]);
    let table = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    let look = |rest: &str| client.get(&format!("/v1/matches/{}/{rest}", table.id));
    for file in FILES {
        let before = look(file);
        assert_eq!(before.header("cache-control"), Some("private, no-cache"));
        assert!(picture(&before).contains("Ada"));
        let tag = before.header("etag").expect("a tag");
        let path = format!("/v1/matches/{}/{file}", table.id);
        let again = client.get_with(&path, "If-None-Match", tag);
        assert_eq!((again.status, again.body.len()), (304, 0));
    }
    assert!(picture(&look("board.svg")).contains("&lt;b&gt;&amp;&quot;Ben"));
    let tag = |answer: Answer| answer.header("etag").map(str::to_owned);
    let start = tag(look("board.svg"));
    table.act(&table.legal()[0]);
    assert_ne!(start, tag(look("board.svg")));
    table.finish(&mut Dice::new(4));
    for file in FILES {
        let mut seen = std::collections::BTreeSet::new();
        for at in 1..=table.version() {
            let answer = look(&format!("{file}?at={at}"));
            assert_eq!(
                answer.header("cache-control"),
                Some("public, max-age=86400, immutable"),
                "names can go"
            );
            let tag = answer.header("etag").expect("a tag").trim_matches('"');
            assert_eq!(tag.split_once('.').map(|(version, _)| version), Some(&*at.to_string()));
            seen.insert(picture(&answer));
        }
        assert_eq!(seen.len() as u64, table.version(), "each shows its version");
        look(&format!("{file}?at={}", table.version() + 1)).problem(422, "version_unknown");
        look(&format!("{file}?at=0")).problem(422, "version_unknown");
        look(&format!("{file}?viewer=2")).problem(400, "malformed");
        look(&format!("{file}?colour=red")).problem(400, "malformed");
    }
    let styles = ["", "&theme=light", "&theme=dark", "&shape=tall"];
    let styles = styles.map(|style| picture(&look(&format!("board.svg?at=9{style}"))));
    for (place, one) in styles.iter().enumerate() {
        assert!(styles[..place].iter().all(|other| other != one));
    }
    look("board.svg?theme=pink").problem(400, "malformed");
}

#[test]
fn a_picture_of_a_finished_match_without_names_never_changes() {
    let (server, _folder) = server();
    let table = Table::open(&server.client(), &json!({"game": "rosenkoenig", "seats": [{}, {}]}));
    table.finish(&mut Dice::new(4));
    for file in FILES {
        let answer = server.client().get(&format!("/v1/matches/{}/{file}?at=9", table.id));
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
    }
}

#[test]
fn nobody_is_to_act_before_all_seats_are_taken_and_after_the_match_was_closed() {
    let (client, _server) = client();
    for game in catalog::games() {
        let seats = json!([{"name": "Ada"}, {"open": true}]);
        let table = Table::open(&client, &json!({"game": game.info().id, "seats": seats}));
        let look = |file: &str, query: &str| {
            let answer = client.get(&format!("/v1/matches/{}/{file}?{query}", table.id));
            assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
            (answer.header("etag").map(str::to_owned), picture(&answer))
        };
        let looks = |query: &str| FILES.map(|file| look(file, query));
        let at = |version: u64| looks(&format!("lang=en&at={version}"));
        let says = |query: &str, word: &str| {
            for (_, text) in looks(query) {
                assert!(text.contains(word), "{text}");
                assert!(![" to act", "data-active", "\n> "].iter().any(|mark| text.contains(mark)));
            }
        };
        says("lang=en", "waiting for players");
        says("lang=de", "wartet auf Mitspieler");
        let (opened, waiting) = (table.version(), looks("lang=en"));
        client.take_seat(&table.id, 1, &json!({})).created();
        let (begun, running) = (table.version(), looks("lang=en"));
        for (_, text) in &running {
            let marked = text.contains("data-active") || text.contains("\n> ");
            assert!(text.contains(" to act") && marked, "{text}");
        }
        table.owner().close(&table.id).ok();
        says("lang=en", "closed before its end");
        says("lang=de", "vor dem Ende geschlossen");
        // At an older version it is as it was then.
        assert_eq!((at(opened), at(begun)), (waiting, running));
    }
}

#[test]
fn a_finished_match_waits_for_players_at_the_version_at_which_it_did() {
    let (server, _folder) = server();
    let client = server.client();
    let seats = json!([{}, {"open": true}]);
    let mut table = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    let path = |file: &str| format!("/v1/matches/{}/{file}?at=2", table.id);
    let paths = FILES.map(path);
    let waiting = paths.each_ref().map(|path| picture(&client.get(path)));
    table.join(1, &json!({}));
    table.finish(&mut Dice::new(4));
    for (path, waiting) in paths.iter().zip(waiting) {
        let answer = client.get(path);
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert_eq!(picture(&answer), waiting);
        assert!(waiting.contains("waiting for players"), "{waiting}");
    }
}

#[test]
fn what_is_hidden_is_hidden_in_pictures_too() {
    let (client, _server) = client();
    let table = Table::open(
        &client,
        &json!({"game": "rosenkoenig", "seats": [{}, {}], "visibility": "private"}),
    );
    for file in FILES {
        let path = format!("/v1/matches/{}/{file}", table.id);
        client.get(&path).problem(401, "token_required");
        picture(&table.seat(0).get(&path));
        let other = format!("{path}?viewer=1");
        table.seat(0).get(&other).problem(403, "hidden");
        picture(&table.seat(1).get(&other));
        picture(&table.seat(1).get(&format!("{path}?viewer=spectator")));
    }
    // A hand of Copenhagen is in the picture of its seat alone: who else looks sees what a stranger sees.
    let table = Table::open(&client, &json!({"game": "copenhagen", "seats": [{}, {}]}));
    for file in FILES {
        let path = format!("/v1/matches/{}/{file}", table.id);
        let seen = |viewer: &Client, query: &str| picture(&viewer.get(&format!("{path}{query}")));
        let (stranger, own) = (seen(&client, ""), seen(&table.seat(0), ""));
        assert_eq!(seen(&table.seat(0), "?viewer=spectator"), stranger);
        assert_eq!(seen(&table.owner(), ""), stranger);
        assert!(own != stranger && own != seen(&table.seat(1), ""));
    }
}

#[test]
fn a_position_or_a_view_is_drawn_without_a_match() {
    let (client, _server) = client();
    let start = client.start_position("rosenkoenig", &json!({"seats": 2, "chance": null})).ok();
    let table = Table::rosenkoenig(&client);
    let view = client.view(&table.id, "").ok();
    for file in FILES {
        let path = format!("/v1/games/rosenkoenig/{file}");
        let draw = |body| client.post(&path, &body);
        let position = &start["position"];
        let named = picture(&draw(json!({"position": position, "names": ["Zoë", null]})));
        assert!(named.contains("Zoë") && named.contains("Seat 1"));
        picture(&draw(json!({"position": position, "viewer": 1})));
        picture(&draw(json!({"view": view, "viewer": "spectator"})));
        // A view that says whose it is, is drawn as that.
        let own = client.with_token(table.seat_tokens[1].as_deref().expect("a token"));
        let own = own.view(&table.id, "").ok();
        let said = draw(json!({"view": own})).text();
        assert!(said.contains("data-viewer=\"1\"") || said.contains("view of Seat 1"), "{said}");
        draw(json!({"position": position, "viewer": 2})).problem(400, "malformed");
        draw(json!({"position": position, "viewer": "all"})).problem(400, "malformed");
        draw(json!({"position": position, "view": view})).problem(400, "malformed");
        draw(json!({"names": []})).problem(400, "malformed");
        draw(json!({"view": view, "names": vec!["x"; 9]})).problem(400, "malformed");
        draw(json!({"position": {}})).problem(422, "invalid_position");
        let unfit = draw(json!({"view": {}})).problem(422, "invalid_position");
        assert_eq!(unfit["errors"][0]["pointer"], "/view");
        draw(json!({"view": view, "colour": "red"})).problem(400, "malformed");
        let unknown = format!("/v1/games/chess/{file}");
        let body = json!({"view": view});
        client.post(&unknown, &body).problem(404, "not_found");
    }
}

#[test]
fn a_game_without_a_picture_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = vec![&Erased::<Nim>::NEW as &dyn kernel::AnyGame].leak();
    let server = Server::start(folder.path(), games);
    let client = server.client();
    let table = Table::open(&client, &json!({"game": "nim", "seats": [{}, {}, {}]}));
    for file in FILES {
        let answer = client.get(&format!("/v1/matches/{}/{file}", table.id));
        answer.problem(404, "not_found");
        assert!(answer.text().contains("no picture"), "{}", answer.text());
    }
}

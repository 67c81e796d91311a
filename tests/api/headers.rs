//! Entity tags, caching, HEAD, CORS, request ids, compression.

use crate::{client, positions};
use acceptance::{Answer, Client, Dice, Request, Table};

fn get_if(client: &Client, path: &str, tag: &str) -> Answer {
    client.get_with(path, "If-None-Match", tag)
}

#[test]
fn reads_of_a_match_have_entity_tags() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let seat = table.seat(table.active().expect("it runs"));
    let reads = ["", "/view", "/view?at=1", "/legal-commands", "/commits", "/events"];
    let paths = reads.map(|read| format!("/v1/matches/{}{read}", table.id));
    let tag_of = |path: &str| {
        let answer = seat.get(path);
        answer.ok();
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
        assert!(answer.header("vary").is_some_and(|vary| vary.contains("Authorization")));
        answer.header("etag").expect("a tag").to_owned()
    };
    let tags = paths.clone().map(|path| tag_of(&path));
    for (path, tag) in paths.iter().zip(&tags) {
        for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
            let answer = get_if(&seat, path, &known);
            assert_eq!((answer.status, answer.body.len()), (304, 0), "{path} {known}");
            assert_eq!(answer.header("etag"), Some(tag.as_str()));
        }
        assert_eq!(get_if(&seat, path, "\"other\"").status, 200);
    }
    let accepted = seat.command(&table.id, &table.legal()[0]);
    let version = format!("\"{}", accepted.created()["version"]);
    assert_eq!(accepted.header("etag"), Some(format!("{version}\"").as_str()));
    let tag = tag_of(&paths[1]);
    assert!(tag.starts_with(&format!("{version}.")), "good for If-Match: {tag}");
    for (path, tag) in paths.iter().zip(&tags) {
        let fixed = path.ends_with("at=1");
        if !path.ends_with("legal-commands") {
            assert_eq!(get_if(&seat, path, tag).status == 304, fixed, "{path}");
        }
    }
    finished(&client, &table);
}

/// A browser asks with the tag of what it has, also where that was read with the token of another seat.
#[test]
fn what_one_seat_has_is_not_what_another_sees() {
    let (client, _server) = client();
    let table = Table::open(&client, &serde_json::json!({"game": "copenhagen", "seats": [{}, {}]}));
    let all = [client.clone(), table.seat(0), table.seat(1)];
    let different = |path: &str| {
        // A spectator is not told what is legal while the match goes on.
        let may: Vec<&Client> =
            all.iter().filter(|viewer| viewer.get(path).status == 200).collect();
        assert!(may.len() >= 2, "{path}");
        for (one, other) in may.iter().flat_map(|one| may.iter().map(move |other| (one, other))) {
            let (answer, own) = (one.get(path), other.get(path));
            let again = get_if(other, path, answer.header("etag").expect("a tag"));
            assert_eq!(again.status == 304, own.header("etag") == answer.header("etag"), "{path}");
            assert!(again.status != 304 || own.body == answer.body, "{path}: another's is shown");
        }
    };
    let reads = ["view", "view/changing", "legal-commands", "commits", "events", "view?at=2"];
    let paths = reads.map(|read| format!("/v1/matches/{}/{read}", table.id));
    paths.iter().for_each(|path| different(path));
    table.play(&mut Dice::new(3), 3);
    different(&format!("/v1/matches/{}/view/patch?since=2", table.id));
    table.finish(&mut Dice::new(4));
    paths.iter().for_each(|path| different(path));
}

/// A read of a finished match at a version never changes, and says so.
fn finished(client: &Client, table: &Table) {
    table.finish(&mut Dice::new(91));
    for read in ["view?at=1", "position?at=1", "legal-commands?at=2", "commits", "events"] {
        let path = format!("/v1/matches/{}/{read}", table.id);
        let answer = client.get(&path);
        answer.ok();
        let caching = answer.header("cache-control").unwrap_or("");
        assert!(caching.contains("immutable"), "{read}: {caching}");
        let tag = answer.header("etag").expect("a tag");
        assert_eq!(get_if(client, &path, tag).status, 304);
    }
}

/// At the version at which the last seat is taken there is nothing to do before, and something after.
#[test]
fn legal_commands_of_the_same_version_before_and_after_all_have_sat_down_have_two_tags() {
    let (client, _server) = client();
    let body = serde_json::json!({"game": "rosenkoenig", "seats": [{}, {"open": true}],
        "options": {"colors": ["red", "white"], "start": "red"}});
    let table = Table::open(&client, &body);
    let version = table.info()["version"].clone();
    let path = format!("/v1/matches/{}/legal-commands?at={version}", table.id);
    let before = table.seat(0).get(&path);
    assert_eq!(before.ok()["items"], serde_json::json!([]));
    client.take_seat(&table.id, 1, &serde_json::json!({})).created();
    let after = get_if(&table.seat(0), &path, before.header("etag").expect("a tag"));
    assert!(!after.ok()["items"].as_array().expect("a list").is_empty());
}

/// A taken seat is a version too: at the one before it, no more would be accepted.
#[test]
fn no_command_is_legal_at_any_version_while_a_seat_is_open() {
    let (client, _server) = client();
    let seats = serde_json::json!([{}, {"open": true}, {"open": true}]);
    let table = Table::open(&client, &serde_json::json!({"game": "voluspa", "seats": seats}));
    let setup = table.info()["version"].as_u64().expect("a number");
    client.take_seat(&table.id, 1, &serde_json::json!({})).created();
    let listed = |at: u64| {
        let path = format!("/v1/matches/{}/legal-commands?at={at}", table.id);
        table.seat(0).get(&path).ok()["items"].as_array().expect("a list").len()
    };
    let taken = table.info()["version"].as_u64().expect("a number");
    assert_eq!((setup..=taken).map(listed).collect::<Vec<_>>(), [0, 0]);
    client.take_seat(&table.id, 2, &serde_json::json!({})).created();
    let first = table.info()["active_seat"] == 0;
    assert_eq!(listed(setup) > 0, first);
}

#[test]
fn what_is_private_is_not_for_shared_caches() {
    let (client, _server) = client();
    let body =
        serde_json::json!({"game": "rosenkoenig", "seats": [{}, {}], "visibility": "private"});
    let table = Table::open(&client, &body);
    table.finish(&mut Dice::new(92));
    for read in ["view?at=1", "position?at=1", "commits", "events", "replay?from=1&to=2"] {
        let answer = table.seat(0).get(&format!("/v1/matches/{}/{read}", table.id));
        assert_eq!(answer.status, 200, "{read}");
        let caching = answer.header("cache-control").unwrap_or("");
        assert!(caching.contains("private") && !caching.contains("public"), "{read}: {caching}");
        assert!(answer.header("vary").is_some_and(|vary| vary.contains("Authorization")), "{read}");
    }
}

/// Of problems each test says so that meets one.
#[test]
fn what_has_a_token_or_a_ticket_is_stored_nowhere() {
    let (client, _server) = client();
    let is_kept_nowhere = |answer: &Answer| {
        let caching = answer.header("cache-control");
        assert_eq!((answer.status, caching), (201, Some("no-store")), "{}", answer.text());
    };
    is_kept_nowhere(&client.post("/v1/seeds", &serde_json::json!({})));
    let seats = serde_json::json!([{}, {"open": true}]);
    let body = serde_json::json!({"game": "rosenkoenig", "seats": seats});
    let key = "0198c0de-5c00-7000-8000-000000000012";
    let keyed = || Request::new("POST", "/v1/matches").json(&body).header("Idempotency-Key", key);
    let opened = client.send(keyed());
    is_kept_nowhere(&opened);
    is_kept_nowhere(&client.send(keyed()));
    let mut table = Table::read(&client, &opened.created());
    let taken = client.take_seat(&table.id, 1, &serde_json::json!({}));
    is_kept_nowhere(&taken);
    table.seat_tokens[1] = taken.created()["seat_token"].as_str().map(str::to_owned);
    table.finish(&mut Dice::new(93));
    is_kept_nowhere(&client.branch(&table.id, &serde_json::json!({"at": 2})));
}

#[test]
fn a_weak_tag_is_as_good_as_a_version() {
    let (client, _server) = client();
    let table = Table::open(&client, &positions::opening(&positions::start()));
    let body = serde_json::json!({"command": positions::play("n1", false)});
    let path = format!("/v1/matches/{}/commands", table.id);
    let request = || Request::new("POST", &path).json(&body);
    let stale = table.seat(0).send(request().header("If-Match", "W/\"3\""));
    stale.problem(409, "version_conflict");
    let view = table.seat(0).view(&table.id, "");
    let tag = format!("W/{}", view.header("etag").expect("a tag"));
    table.seat(0).send(request().header("If-Match", &tag)).created();
}

#[test]
fn head_is_get_without_the_body() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let paths = [
        "/v1/games".to_owned(),
        "/v1/games/rosenkoenig".to_owned(),
        "/v1/matches".to_owned(),
        format!("/v1/matches/{}", table.id),
        format!("/v1/matches/{}/view", table.id),
        format!("/v1/matches/{}/commits", table.id),
        format!("/v1/matches/{}/replay", table.id),
        "/v1/events".to_owned(),
        "/v1/events.ndjson".to_owned(),
        "/healthz".to_owned(),
        "/readyz".to_owned(),
        "/openapi.json".to_owned(),
        "/docs/".to_owned(),
    ];
    for path in paths {
        let get = client.get(&path);
        assert_eq!(get.status, 200, "{path}");
        let head = client.send(Request::new("HEAD", &path));
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
        // The log, the replay and the list of matches are work, and are not read for HEAD.
        let is_work = ["/commits", "/replay", "/v1/matches"].iter().any(|end| path.ends_with(end));
        if !is_work {
            for name in ["etag", "cache-control"] {
                assert_eq!(head.header(name), get.header(name), "{path}: {name}");
            }
        }
    }
    // Where the type depends on the request, and nothing is made, it is left out.
    let all = ["/view?since=2", "/board.txt", "/ledger", "/board.svg"];
    for path in all.map(|path| format!("/v1/matches/{}{path}", table.id)) {
        let (head, get) = (client.send(Request::new("HEAD", &path)), client.get(&path));
        let told = head.header("content-type");
        assert!(told.is_none() || told == get.header("content-type"), "{path}: {told:?}");
    }
    let missing = client.send(Request::new("HEAD", "/v1/matches/x"));
    assert_eq!((missing.status, missing.body.len()), (404, 0));
    assert_eq!(client.get("/healthz").ok()["status"], "ok", "the connection is in order");
}

#[test]
fn any_page_may_use_the_api() {
    let (client, _server) = client();
    let preflight = |path: &str, method: &str, headers: &str| {
        let request = Request::new("OPTIONS", path)
            .header("Origin", "https://example.org")
            .header("Access-Control-Request-Method", method)
            .header("Access-Control-Request-Headers", headers);
        client.send(request)
    };
    let wanted = "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, x-request-id";
    for path in ["/v1/matches", "/v1/games", "/v1/matches/x/commands"] {
        let answer = preflight(path, "POST", wanted);
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        let allowed = answer.header("access-control-allow-headers").unwrap_or("");
        for name in wanted.split(", ") {
            assert!(allowed.to_lowercase().contains(name), "{name}: {allowed}");
        }
        let methods = answer.header("access-control-allow-methods").unwrap_or("");
        assert!(methods.contains("POST") && methods.contains("GET"), "{methods}");
        assert_eq!(answer.header("access-control-allow-credentials"), None);
    }
    preflight("/v1/matches", "DELETE", "content-type").problem(400, "malformed");
    preflight("/v1/matches", "POST", "x-other").problem(400, "malformed");
    for path in ["/v1/games", "/v1/nothing", "/v1/matches/x"] {
        let answer = client.get_with(path, "Origin", "https://example.org");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{path}");
        let exposed = answer.header("access-control-expose-headers").unwrap_or("");
        for name in ["etag", "location", "retry-after", "x-request-id"] {
            assert!(exposed.to_lowercase().contains(name), "{path}: {exposed}");
        }
    }
    // Without an origin it is a question like another.
    let plain = client.send(Request::new("OPTIONS", "/v1/matches"));
    assert_eq!((plain.status, plain.body.len()), (204, 0));
    assert_eq!(plain.header("allow"), Some("GET, POST, HEAD, OPTIONS"));
    client.send(Request::new("OPTIONS", "/v1/nothing")).problem(404, "not_found");
}

#[test]
fn a_decent_request_id_comes_back() {
    let (client, _server) = client();
    let ask = |id: &str, path: &str| client.get_with(path, "X-Request-Id", id);
    for path in ["/v1/games", "/v1/nothing", "/docs/", "/v1/events.ndjson"] {
        assert_eq!(ask("trace-1.A_z", path).header("x-request-id"), Some("trace-1.A_z"));
    }
    let problem = ask("mine", "/v1/nothing").problem(404, "not_found");
    assert_eq!(problem["request_id"], "mine");
    let longest = "a".repeat(65);
    for bad in ["", "two words", "\"quoted\"", "é", longest.as_str()] {
        let answer = ask(bad, "/v1/nothing");
        answer.problem(404, "not_found");
        assert_ne!(answer.header("x-request-id"), Some(bad));
    }
    // Neighbours do not tell how many requests of others came in between.
    let ends: Vec<String> = (0..3)
        .map(|_| client.get("/healthz").header("x-request-id").expect("an id")[14..].to_owned())
        .collect();
    assert!(ends[0][..6] != ends[1][..6] && ends[1][..6] != ends[2][..6], "{ends:?}");
}

#[test]
fn long_answers_are_compressed_for_who_wants_it() {
    let (client, _server) = client();
    let ask = |path: &str| client.get_with(path, "Accept-Encoding", "gzip");
    let long = ask("/openapi.json");
    assert_eq!(long.header("content-encoding"), Some("gzip"));
    assert_eq!(long.body[..2], [0x1f, 0x8b]);
    let plain = client.get("/openapi.json");
    let (long, plain_bytes) = (long.body.len(), plain.body.len());
    assert!(long * 3 < plain_bytes, "{long} of {plain_bytes} bytes");
    assert_eq!(plain.header("content-encoding"), None);
    let short = ask("/healthz");
    assert_eq!(short.ok()["status"], "ok");
}

/// RFC 9110, 15.4.5: a 304 has the `Vary` of the answer that it stands for.
#[test]
fn what_has_not_changed_varies_as_what_was_read() {
    let (client, _server) = client();
    let ask = |tag: &str| {
        let request = Request::new("GET", "/v1/games/voluspa/words");
        client.send(request.header("Accept-Encoding", "gzip").header("If-None-Match", tag))
    };
    let read = ask("\"other\"");
    let unchanged = ask(read.header("etag").expect("a tag"));
    for (answer, status) in [(&read, 200), (&unchanged, 304)] {
        assert_eq!(answer.status, status);
        let lines = answer.headers.iter().filter(|(name, _)| name == "vary");
        let vary: Vec<String> = lines.map(|(_, value)| value.to_lowercase()).collect();
        for name in ["accept-encoding", "accept-language"] {
            assert!(vary.iter().any(|line| line.contains(name)), "{status}: {vary:?}");
        }
    }
}

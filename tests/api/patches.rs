//! Only what has changed: patches of views, parts of views, fields of commits.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use acceptance::{Client, Dice, Table, until};
use serde_json::{Value, json};

use crate::client;

fn tables(client: &Client) -> impl Iterator<Item = Table> {
    catalog::games().iter().map(|game| {
        // Chance would now and then end a match of Rosenkönig early.
        if game.info().id == "rosenkoenig" {
            return Table::dealt(client, &json!({"take_back": true}));
        }
        let seats = vec![json!({}); usize::from(*game.info().seats.start())];
        Table::open(client, &json!({"game": game.info().id, "seats": seats, "take_back": true}))
    })
}

/// The patch in an answer.
#[track_caller]
fn changes(viewer: &Client, id: &str, query: &str) -> Value {
    let answer = viewer.view(id, query);
    assert_eq!(answer.header("content-type"), Some("application/json-patch+json"));
    serde_json::from_str(&answer.text()).expect("JSON")
}

/// The view with a patch applied, as a client does it.
#[track_caller]
fn patched(view: &Value, patch: &Value) -> Value {
    let steps: json_patch::Patch = serde_json::from_value(patch.clone()).expect("RFC 6902");
    let mut view = view.clone();
    json_patch::patch(&mut view, &steps).expect("it fits the view");
    view
}

#[test]
fn a_patch_leads_from_any_view_to_any_later_one() {
    let (client, _server) = client();
    for table in tables(&client) {
        let id = &table.id;
        table.play(&mut Dice::new(21), 14);
        let now = table.version();
        let viewers = [client.clone(), table.seat(0), table.seat(1), table.owner()];
        for viewer in viewers {
            let view = viewer.view(id, "").ok();
            let mut bytes = (0, 0);
            for since in (1..=now).step_by(3).chain([now]) {
                let patch = changes(&viewer, id, &format!("since={since}"));
                let before = viewer.view(id, &format!("at={since}")).ok();
                assert_eq!(patched(&before, &patch), view, "since {since}");
                bytes = (bytes.0 + patch.to_string().len(), bytes.1 + view.to_string().len());
            }
            assert!(bytes.0 < bytes.1, "{bytes:?}");
            assert_eq!(changes(&viewer, id, &format!("since={now}")), json!([]));
            let between = changes(&viewer, id, "since=2&at=4");
            let [two, four] = [2, 4].map(|at| viewer.view(id, &format!("at={at}")).ok());
            assert_eq!(patched(&two, &between), four);
        }
        let spectator = changes(&table.seat(0), id, "since=2&viewer=spectator");
        assert_eq!(spectator, changes(&client, id, "since=2"));
        table.seat(0).view(id, "since=2&viewer=1").problem(403, "hidden");
        client.view(id, &format!("since={}", now + 1)).problem(422, "version_unknown");
        client.view(id, "since=0").problem(422, "version_unknown");
        client.view(id, "since=4&at=2").problem(400, "malformed");
    }
}

#[test]
fn a_version_that_is_too_long_ago_is_gone_and_the_way_on_is_told() {
    let (client, _server) = client();
    let table = Table::open(&client, &json!({"game": "delphi", "seats": [{}, {}]}));
    let mut dice = Dice::new(22);
    while table.version() <= 257 {
        table.play(&mut dice, 20);
    }
    let answer = client.view(&table.id, "since=1");
    assert_eq!(answer.problem(410, "version_gone")["current_version"], table.version());
    let link = format!("</v1/matches/{}/view>; rel=\"latest-version\"", table.id);
    assert_eq!(answer.header("link"), Some(link.as_str()));
    let now = table.version();
    let asked = format!("since=1&at={now}&viewer=spectator");
    let answer = client.view(&table.id, &asked);
    answer.problem(410, "version_gone");
    let link =
        format!("</v1/matches/{}/view?at={now}&viewer=spectator>; rel=\"alternate\"", table.id);
    assert_eq!(answer.header("link"), Some(link.as_str()), "the view that the patch would lead to");
    // The latest version is told, whichever one was asked for; and the detail has the address of the view.
    let problem = client.view(&table.id, "since=1&at=258").problem(410, "version_gone");
    assert_eq!(problem["current_version"], table.version(), "{problem}");
    let whole = format!("/v1/matches/{}/view?at=258", table.id);
    assert!(problem["detail"].as_str().expect("text").ends_with(&whole), "{problem}");
    let since = table.version() - 256;
    assert_eq!(client.view(&table.id, &format!("since={since}")).status, 200);
    // A stream begins wherever it is asked to: it goes along.
    let mut stream = client.stream(&table.id, "patch=true&after=1", None);
    let first = stream.next().expect("a message");
    let view = client.view(&table.id, "at=1").ok();
    let then = client.view(&table.id, &format!("at={}", first.id)).ok();
    assert_eq!(patched(&view, &first.data["patch"]), then);
}

#[test]
fn a_stream_sends_patches_that_follow_on_one_another() {
    let (client, _server) = client();
    for table in tables(&client) {
        let id = &table.id;
        table.play(&mut Dice::new(23), 12);
        for viewer in [client.clone(), table.seat(0)] {
            // From the beginning, from inside of a commit, and live.
            for after in [0, 1, table.version()] {
                let mut stream = viewer.stream(id, &format!("patch=true&after={after}"), None);
                let mut view = match after {
                    0 => Value::Null,
                    after => viewer.view(id, &format!("at={after}")).ok(),
                };
                table.play(&mut Dice::new(after), 1);
                let end = table.version();
                loop {
                    let message = stream.next().expect("a message");
                    view = patched(&view, &message.data["patch"]);
                    assert_eq!(view["version"], message.id);
                    assert_eq!(view, viewer.view(id, &format!("at={}", message.id)).ok());
                    if message.id == end {
                        break;
                    }
                }
            }
        }
        // What is taken back is patched back.
        let (seat, legal) = (table.active().expect("it runs"), table.legal());
        let mut stream = client.stream(id, "patch=true", Some(table.version()));
        let mut view = client.view(id, "").ok();
        table.seat(seat).command(id, &legal[0]).created();
        if table.seat(seat).take_back(id).status == 201 {
            for _ in 0..2 {
                view = patched(&view, &stream.next().expect("a message").data["patch"]);
            }
            assert_eq!(view, client.view(id, "").ok());
        }
    }
}

#[test]
fn every_message_has_its_patch_however_fast_the_match_goes_on() {
    let (client, _server) = client();
    let table = Table::open(&client, &json!({"game": "delphi", "seats": [{}, {}]}));
    let mut streams: Vec<_> =
        (0..8).map(|_| client.stream(&table.id, "patch=true", None)).collect();
    let mut dice = Dice::new(25);
    while table.version() < 300 {
        table.play(&mut dice, 50);
    }
    let end = table.version();
    for stream in &mut streams {
        let mut view = Value::Null;
        while view["version"] != end {
            view = patched(&view, &stream.next().expect("a message").data["patch"]);
        }
        assert_eq!(view, client.view(&table.id, "").ok());
    }
}

#[test]
fn commits_may_leave_out_their_hashes() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    table.play(&mut Dice::new(24), 2);
    let whole = client.commits(&table.id, "").ok();
    let short = client.commits(&table.id, "fields=version,events").ok();
    let mut expected = whole.clone();
    for commit in expected["items"].as_array_mut().expect("commits") {
        let fields = commit.as_object_mut().expect("a commit");
        for name in ["recorded_at", "sealed", "prev_hash", "hash"] {
            assert!(fields.remove(name).is_some(), "{name}");
        }
    }
    assert_eq!(short, expected);
    let mut stream = client.stream(&table.id, "fields=events", None);
    assert_eq!(stream.next().expect("a commit").data, expected["items"][0]);
    let hash = client.commits(&table.id, "fields=hash&limit=1").ok();
    assert_eq!(hash["items"][0]["hash"], whole["items"][0]["hash"]);
    assert_eq!(hash["items"][0].get("sealed"), None);
    for wrong in ["fields=", "fields=hashes", "fields=hash%20"] {
        let problem = client.commits(&table.id, wrong).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "fields");
    }
}

#[test]
fn what_never_changes_of_a_view_is_apart() {
    let (client, _server) = client();
    for table in tables(&client) {
        let id = &table.id;
        let fixed = |client: &Client| client.get(&format!("/v1/matches/{id}/view/fixed"));
        let first = fixed(&client);
        // Another release may show them in another form.
        assert_eq!(first.header("cache-control"), Some("private, no-cache"));
        table.play(&mut Dice::new(25), 10);
        for viewer in [client.clone(), table.seat(0), table.owner()] {
            let again = fixed(&viewer);
            assert_eq!((again.ok(), again.header("etag")), (first.ok(), first.header("etag")));
            let tag = first.header("etag").expect("a tag");
            let known = format!("/v1/matches/{id}/view/fixed");
            assert_eq!(viewer.get_with(&known, "If-None-Match", tag).status, 304);
            for query in ["", "at=1", "at=2", "at=3", "at=4", "at=5"] {
                let path = format!("/v1/matches/{id}/view/changing?{query}");
                let mut whole = viewer.get(&path).ok();
                let fields = whole.as_object_mut().expect("a view");
                for (name, value) in first.ok().as_object().expect("fields") {
                    assert_eq!(fields.insert(name.clone(), value.clone()), None, "{name}");
                }
                assert_eq!(whole, viewer.view(id, query).ok());
            }
        }
        table
            .seat(0)
            .get(&format!("/v1/matches/{id}/view/changing?viewer=1"))
            .problem(403, "hidden");
    }
}

#[test]
fn a_stream_of_patches_begins_while_others_work_at_length() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    // They are played on before they are answered, which takes its time; two at a time work for one address, and the others wait.
    const OTHERS: usize = 24;
    let long = json!({"game": "delphi", "seats": [{}, {}], "sandbox": {"fast_forward": {"version": 2_500}}});
    let are_over = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..OTHERS {
            scope.spawn(|| {
                client.open(&long).created();
                are_over.fetch_add(1, Ordering::AcqRel);
            });
        }
        until("one of them is over", || are_over.load(Ordering::Acquire) > 0);
        let before = are_over.load(Ordering::Acquire);
        drop(client.stream(&table.id, "patch=true&after=2", None));
        let mut stream = client.stream(&table.id, "patch=true", None);
        assert_eq!(stream.next().expect("the setup").data["patch"][0]["op"], "replace");
        let meanwhile = are_over.load(Ordering::Acquire) - before;
        assert!(meanwhile < (OTHERS - before) / 2, "it waited for the work of {meanwhile} others");
    });
}

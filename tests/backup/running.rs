//! Backups of a server that serves: of one feed position, whatever is played meanwhile.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use acceptance::process::{self, Process};
use acceptance::{Client, Dice, Request, Table, muninn};
use serde_json::{Value, json};

use crate::{Said, backup, names, restore, run, verify};

fn ask(door: &str, out: &Path, since: Option<&Path>) -> Said {
    let mut backup = muninn();
    backup.args(["backup", "--operator", door, "--out"]).arg(out);
    if let Some(since) = since {
        backup.arg("--since").arg(since);
    }
    run(&mut backup)
}

/// Plays match after match, each command with an idempotency key.
fn play(client: &Client, seed: u64, is_over: &AtomicBool) {
    let mut dice = Dice::new(seed);
    for number in 0_u64.. {
        let open = json!({"game": "rosenkoenig", "seats": [{"name": "Hugin"}, {"name": "Munin"}]});
        let table = Table::open(client, &open);
        while let Some(seat) = table.active() {
            if is_over.load(Ordering::Relaxed) {
                return;
            }
            let legal = table.legal();
            let body = json!({"command": legal[dice.below(legal.len())]});
            let path = format!("/v1/matches/{}/commands", table.id);
            let key = format!("{seed}-{number}-{}", table.version());
            let request = Request::new("POST", &path).header("Idempotency-Key", &key);
            table.seat(seat).send(request.json(&body)).created();
        }
    }
}

#[test]
fn a_backup_of_a_running_server_is_of_one_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let data = path("data");
    let server = Process::serve(&data, &[]);
    let door = server.operator().address.to_string();
    let archives = ["first", "second", "third"].map(path);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for seed in 0..4 {
            let (client, is_over) = (server.client(), &is_over);
            scope.spawn(move || play(&client, seed, is_over));
        }
        let mut since = None;
        for archive in &archives {
            thread::sleep(std::time::Duration::from_millis(700));
            ask(&door, archive, since).ok();
            since = Some(archive.as_path());
        }
        is_over.store(true, Ordering::Relaxed);
    });
    ask(&door, &archives[0], None).refused(&["first", "there is such a file"]);
    server.stop();
    ask(&door, &path("no"), None).refused(&["no", "refused"]);

    let files: Vec<&Path> = archives.iter().map(|archive| archive.as_path()).collect();
    verify(&files).ok();
    restore(&files, &path("new"), &[]).ok();
    let (code, said) = process::verify(&path("new"));
    assert_eq!(code, Some(0), "{said}");
    // All of the store as it was later, up to the position of the first archive, is the first archive.
    backup(&data, &path("all"), None).ok();
    let told = verify(&files[..1]).ok();
    let position =
        told.split_once(" to ").and_then(|(_, rest)| rest.split_once(',')).expect("told").0;
    restore(&[&path("all")], &path("then"), &["--until", position]).ok();
    backup(&path("then"), &path("again"), None).ok();
    let [first, again] = ["first", "again"].map(|name| fs::read(path(name)).expect("a file"));
    assert!(first == again, "the archive of a running server is that of its position");
    // The last one is continued by a stopped store.
    backup(&data, &path("rest"), Some(files[2])).ok();
    verify(&[files[0], files[1], files[2], &path("rest")]).ok();
}

#[test]
fn the_door_refuses_what_it_cannot_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [one, other] = ["one", "other"].map(path);
    crate::world::play(&one, 2, 10);
    backup(&one, &path("archive"), None).ok();
    let socket = format!("unix:{}", path("socket").display());
    let mut serve = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--operator-listen", &socket, "--data"]);
    let server = Process::spawn(serve.arg(&other).env("MUNINN_LOG", "off"));
    ask(&socket, &path("empty"), None).ok();
    ask(&socket, &path("no"), Some(&path("archive")))
        .refused(&["no", "another store, or an older"]);
    server.stop();
    restore(&[&path("empty")], &path("new"), &[]).ok();

    let server = Process::serve(&one, &[]);
    let operator = server.operator();
    operator.post("/backup", &json!({"until": 7})).problem(400, "malformed");
    operator.post("/backup", &json!({"since": {"position": 7}})).problem(400, "malformed");
    assert_eq!(
        operator.get("/backup").problem(405, "method_not_allowed")["code"],
        "method_not_allowed"
    );
    let answer = operator.post("/backup", &json!({}));
    assert_eq!(answer.header("content-type"), Some("application/zstd"));
    fs::write(path("curled"), &answer.body).expect("written");
    let [archive, curled] = ["archive", "curled"].map(|name| fs::read(path(name)).expect("a file"));
    assert!(archive == curled, "the door sends what the program writes");
    let nothing = server.client().post("/backup", &Value::Null);
    assert_eq!(nothing.status, 404, "nothing of it is on the public port");
    server.stop();
    let left = names(folder.path()).into_iter().filter(|path| path.extension().is_some());
    assert_eq!(left.count(), 0, "nothing is left half written");
}

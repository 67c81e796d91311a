//! Backups of a server that serves: of one feed position, whatever is played meanwhile.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use acceptance::process::{self, Process};
use acceptance::rewritten::{Part, TEXT_AT, rewrite};
use acceptance::{Client, Dice, Request, Table, muninn, simulate, until, until_some};
use archive::portable::back_up;
use serde_json::{Value, json};
use store::{Config, Store};

use crate::{Said, backup, names, restore, run, verify};

fn ask(door: &str, out: &Path, since: Option<&Path>) -> Said {
    let since = since.into_iter().flat_map(|since| [Path::new("--since"), since]);
    run(muninn().args(["backup", "--operator", door, "--out"]).arg(out).args(since))
}

/// Asks at the door until it is our turn: the server may not know yet that the one before has gone.
pub(crate) fn in_turn(ask: impl Fn() -> Said) -> Said {
    until_some("the one before", || {
        let said = ask();
        (!said.error.contains("a backup is running already")).then_some(said)
    })
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
            thread::sleep(Duration::from_millis(700));
            ask(&door, archive, since).ok();
            since = Some(archive.as_path());
        }
        is_over.store(true, Ordering::Relaxed);
    });
    ask(&door, &archives[0], None).refused(&["first", "the file exists already"]);
    server.stop();
    ask(&door, &path("no"), None).refused(&[&door, "refused"]);

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

/// A server with its door at this socket.
fn serve_at(socket: &str, data: &Path) -> Process {
    let mut serve = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--operator-listen", socket, "--data"]);
    Process::spawn(serve.arg(data).env("MUNINN_LOG", "off"))
}

#[test]
fn the_door_refuses_what_it_cannot_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [one, other] = ["one", "other"].map(path);
    crate::world::play(&one, 2, 10);
    backup(&one, &path("archive"), None).ok();
    let socket = format!("unix:{}", path("socket").display());
    let server = serve_at(&socket, &other);
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
    // No body is an empty one. The one before may have its turn until its thread has ended.
    until("the same without a body", || {
        let bare = operator.send(Request::new("POST", "/backup"));
        assert!([200, 503].contains(&bare.status), "{}", bare.text());
        bare.status == 200 && bare.body == answer.body
    });
    operator
        .send(Request::new("POST", "/backup").bytes("text/plain", "{}"))
        .problem(415, "unsupported_media_type");
    let nothing = server.client().post("/backup", &Value::Null);
    assert_eq!(nothing.status, 404, "nothing of it is on the public port");
    server.stop();
    let left = names(folder.path()).into_iter().filter(|path| path.extension().is_some());
    assert_eq!(left.count(), 0, "nothing is left half written");
}

/// Asks for this at the door; returns the first line of the answer, and what is to be read of it.
fn asked(socket: &Path, path: &str) -> (String, BufReader<UnixStream>) {
    let mut stream = BufReader::new(UnixStream::connect(socket).expect("it listens"));
    let host = "Host: localhost\r\nConnection: close";
    let body = "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    let request = format!("POST {path} HTTP/1.1\r\n{host}\r\n{body}");
    stream.get_mut().write_all(request.as_bytes()).expect("it is sent");
    let mut head = String::new();
    stream.read_line(&mut head).expect("an answer");
    (head, stream)
}

/// Asks for this, and takes the first line of the answer alone.
fn begun(socket: &Path, path: &str) -> BufReader<UnixStream> {
    let (head, stream) = asked(socket, path);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    stream
}

/// A store whose archive is far more than what lies between the door and whoever takes none of it.
fn keep_much(data: &Path) {
    simulate(data, "--game voluspa --matches 120 --seed 5");
}

#[test]
fn a_second_backup_at_the_same_time_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    keep_much(&path("data"));
    let socket = format!("unix:{}", path("socket").display());
    let server = serve_at(&socket, &path("data"));
    // Whoever takes none of it holds it up.
    let first = begun(&path("socket"), "/backup");
    ask(&socket, &path("no"), None).refused(&["socket", "a backup is running already"]);
    // When the first has gone it is the next one's turn.
    drop(first);
    in_turn(|| ask(&socket, &path("next"), None)).ok();
    server.stop();
    verify(&[&path("next")]).ok();
    let left = names(folder.path()).into_iter().filter(|path| !path.ends_with("socket"));
    assert!(left.eq(["data", "next"].map(path)), "nothing is left half written");
}

/// Who asks for an archive and reads none of it holds up nobody for long.
#[test]
fn who_reads_nothing_of_a_backup_is_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    keep_much(&path("data"));
    let socket = format!("unix:{}", path("socket").display());
    let mut serve = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--send-timeout", "1"]);
    serve.args(["--operator-listen", &socket, "--data"]).arg(path("data"));
    let server = Process::spawn(serve.stderr(fs::File::create(path("log")).expect("a file")));
    let mut first = begun(&path("socket"), "/backup");
    in_turn(|| ask(&socket, &path("next"), None)).ok();
    verify(&[&path("next")]).ok();
    // What lay between the two is still there to be read, but no end of an archive.
    let mut rest = Vec::new();
    drop(first.read_to_end(&mut rest));
    assert!(!rest.ends_with(b"0\r\n\r\n"), "it is cut off");
    until("the log to say so", || {
        let log = fs::read_to_string(path("log")).expect("a log");
        log.contains("has read nothing")
    });
    server.stop();
}

/// The same of a verification.
#[test]
fn who_reads_nothing_of_a_verification_is_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let data = path("data");
    let server = Process::serve(&data, &["--matches-per-address", "0"]);
    (0..150).for_each(|_| drop(Table::rosenkoenig(&server.client())));
    server.stop();
    // What there is to say of each is long: far more than what lies between the door and whoever takes none of it.
    rewrite(&data, &data, |_, part, bytes| {
        if part == Part::Commit(1) {
            let text = String::from_utf8(bytes.split_off(TEXT_AT)).expect("text");
            let long = format!("\"commit\":\"{}\"", "x".repeat(20_000));
            bytes.extend(text.replacen("\"commit\":1", &long, 1).into_bytes());
        }
    });
    let socket = format!("unix:{}", path("socket").display());
    let mut serve = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--send-timeout", "1"]);
    serve.args(["--operator-listen", &socket, "--data"]).arg(&data);
    let server = Process::spawn(serve.stderr(File::create(path("log")).expect("a file")));
    let mut first = begun(&path("socket"), "/verify");
    let mut next = until_some("the one before", || {
        let (head, answer) = asked(&path("socket"), "/verify");
        head.starts_with("HTTP/1.1 200").then_some(answer)
    });
    let end = "\"type\":\"end\"";
    let mut whole = String::new();
    next.read_to_string(&mut whole).expect("an answer");
    assert!(whole.contains(end), "the next one is answered");
    let mut rest = Vec::new();
    drop(first.read_to_end(&mut rest));
    assert!(!String::from_utf8_lossy(&rest).contains(end), "it is cut off");
    until("the log to say so", || {
        let log = fs::read_to_string(path("log")).expect("a log");
        log.contains("the client has read nothing of it")
    });
    server.stop();
}

/// Whoever waits for an archive at the door sees that it has begun, however long the first piece of it takes.
#[test]
fn the_first_line_is_sent_before_anything_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    crate::world::play(&path("data"), 1, 4);
    let store = Store::open(&path("data"), Config::default()).expect("it opens");
    let file = File::create(path("archive")).expect("a file");
    let out = BufWriter::with_capacity(1 << 16, &file);
    let mut begun = Vec::new();
    let looked = &mut |_, _| begun.push(file.metadata().expect("a file").len());
    let (_, mut out) = back_up(&store, None, out, || {}, looked).expect("it is written");
    out.flush().expect("it is written");
    assert!(begun.first() > Some(&0), "{begun:?} of {}", file.metadata().expect("a file").len());
    verify(&[&path("archive")]).ok();
}

//! Where the door is, who may come in, and what it tells of the server.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use acceptance::client::Pool;
use acceptance::process::Process;
use acceptance::{Client, Request, Said, Table, muninn, run, run_on, simulate};
use serde_json::{Value, json};

/// `muninn serve` with these arguments, which do not let it start: its exit code and what it says.
fn refused(data: &Path, listen: &str) -> (Option<i32>, String) {
    let at = ["serve", "--listen", "127.0.0.1:0", "--operator-listen", listen];
    let Said { code, out, error } = run_on(data, &at);
    assert_eq!(out, "");
    (code, error)
}

fn serve(data: &Path, listen: &str) -> Process {
    let mut serve = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--operator-listen", listen, "--data"]);
    Process::spawn(serve.arg(data).env("MUNINN_LOG", "error"))
}

#[test]
fn a_backup_over_http_1_0_is_the_archive_and_nothing_else() {
    let (folder, [socket]) = acceptance::places(["socket"]);
    let server = serve(&folder.path().join("data"), &format!("unix:{}", socket.display()));
    let mut stream = UnixStream::connect(&socket).expect("it listens");
    let asked = "POST /backup HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    stream.write_all(asked.as_bytes()).expect("it is sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer, and its end");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    assert!(head.starts_with("http/1.0 200") && !head.contains("transfer-encoding"), "{head}");
    let archive = zstd::decode_all(&answer[end + 4..]).expect("an archive");
    assert!(String::from_utf8_lossy(&archive).contains("\"manifest\""));
    server.stop();
}

#[test]
fn there_is_no_door_by_default_and_none_for_other_machines() {
    let (_folder, [data]) = acceptance::places(["data"]);
    for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.1:9090"] {
        let (code, message) = refused(&data, listen);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains("is not a loopback address"), "{message}");
    }
    for (listen, what) in [("localhost:1", "an address and port"), ("unix:", "a path")] {
        let (code, message) = refused(&data, listen);
        assert!(code == Some(2) && message.contains(what), "{message}");
    }
    assert!(!data.exists(), "nothing was begun");
    let mut serve = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(&data);
    let server = Process::spawn(&mut serve);
    for path in ["/metrics", "/settings", "/log", "/verify", "/names/forget"] {
        server.client().get(path).problem(404, "not_found");
    }
    server.stop();
}

#[test]
fn nothing_of_it_is_on_the_public_port() {
    let server = Process::alone(&[]);
    let client = server.client();
    let id = Table::rosenkoenig(&client).id;
    let send = |method: &str, path: &str| {
        client.send(Request::new(method, path).json(&json!({"log": "debug", "name": "Ada"})))
    };
    for (method, path) in [
        ("GET", "/metrics"),
        ("GET", "/settings"),
        ("PUT", "/log"),
        ("POST", "/verify"),
        ("POST", "/names/forget"),
        ("POST", &format!("/matches/{id}/close")),
    ] {
        send(method, path).problem(404, "not_found");
    }
    assert_eq!(client.get("/readyz").ok(), json!({"status": "ok", "damaged": 0}));
    let document = client.get("/openapi.json").ok();
    let paths = document["paths"].as_object().expect("paths");
    assert!(!paths.contains_key("/metrics") && !paths.contains_key("/settings"));
    server.stop();
}

#[test]
fn what_is_wrong_is_a_problem_there_too() {
    let server = Process::alone(&[]);
    let operator = server.operator();
    for path in ["/", "/v1/games", "/healthz", "/matches/x"] {
        operator.get(path).problem(404, "not_found");
    }
    let nobody = "019b8f3a-5c00-7000-8000-000000000001";
    for id in ["x", nobody] {
        let close = Request::new("POST", &format!("/matches/{id}/close"));
        operator.send(close).problem(404, "not_found");
    }
    let wrong = operator.send(Request::new("DELETE", "/log"));
    wrong.problem(405, "method_not_allowed");
    assert_eq!(wrong.header("allow"), Some("PUT, OPTIONS"));
    // Pages that a browser on this machine shows do not come in, whatever name they give it.
    for (name, value) in
        [("Origin", "http://localhost:8080"), ("Origin", "null"), ("Sec-Fetch-Site", "same-origin")]
    {
        let page = Request::new("GET", "/settings").header(name, value);
        let problem = operator.send(page).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], name.to_lowercase());
    }
    let mut stranger = acceptance::Connection::open(operator.address).expect("a connection");
    stranger.write(b"GET /settings HTTP/1.1\r\nHost: example.org\r\n\r\n").expect("it is sent");
    stranger.read(false).expect("an answer").problem(400, "malformed");
    server.stop();
}

#[test]
fn a_socket_is_for_one_user_alone() {
    let (folder, [data, path]) = acceptance::places(["data", "door.sock"]);
    let listen = format!("unix:{}", path.display());
    let server = serve(&data, &listen);
    let found = fs::symlink_metadata(&path).expect("a socket");
    assert!(found.file_type().is_socket());
    assert_eq!(found.permissions().mode() & 0o777, 0o600);
    let names = fs::read_dir(folder.path()).expect("a folder");
    assert_eq!(names.count(), 2, "the folder it was made in is gone");
    let ready = ask(&path, "/readyz");
    assert!(ready.starts_with("HTTP/1.1 200") && ready.contains("\"projections\""), "{ready}");
    let (code, message) = refused(&folder.path().join("other"), &listen);
    assert_eq!(code, Some(1));
    assert!(message.contains(&listen) && message.contains("another server"), "{message}");
    server.kill();
    // What a killed server leaves behind is in nobody's way; a file is.
    serve(&data, &listen).stop();
    fs::remove_file(&path).expect("it is there");
    fs::write(&path, "mine").expect("it is written");
    let (code, message) = refused(&data, &listen);
    assert!(code == Some(1) && message.contains("not a socket"), "{message}");
    assert_eq!(fs::read(&path).expect("a file"), b"mine");
    let (code, message) = refused(&data, &format!("unix:{}/no/s", folder.path().display()));
    assert!(code == Some(1) && message.contains("No such file"), "{message}");
    // Nobody could open a socket whose path is longer than an address takes.
    let long = format!("unix:{}", folder.path().join("long".repeat(30)).display());
    let (code, message) = refused(&data, &long);
    assert!(code == Some(2) && message.contains("too long"), "{message}");
    assert!(!Path::new(&long["unix:".len()..]).exists());
    // Nobody listens there any more: it is free as well.
    let left = folder.path().join("left");
    drop(UnixListener::bind(&left).expect("a socket"));
    serve(&data, &format!("unix:{}", left.display())).stop();
}

fn ask(socket: &Path, path: &str) -> String {
    let mut stream = UnixStream::connect(socket).expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn readiness_tells_what_is_behind() {
    let server = Process::alone(&["--query", "on"]);
    let operator = server.operator();
    Table::rosenkoenig(&server.client());
    let ready = loop {
        let ready = operator.get("/readyz").ok();
        let projections = ready["projections"].as_array().expect("a list").clone();
        if projections.iter().all(|p| p["position"] == 1) {
            break ready;
        }
        for behind in projections.iter().filter(|p| p["position"] == 0) {
            assert_eq!(behind["behind"], 1, "{ready}");
        }
    };
    assert_eq!((&ready["status"], &ready["position"]), (&json!("ok"), &json!(1)));
    let names: Vec<&Value> =
        ready["projections"].as_array().expect("a list").iter().map(|p| &p["name"]).collect();
    assert_eq!(names, ["list", "statistics", "tables"]);
    for projection in ready["projections"].as_array().expect("a list") {
        assert_eq!((&projection["behind"], &projection["behind_seconds"]), (&json!(0), &json!(0)));
    }
    server.stop();
}

#[test]
fn settings_are_those_in_effect() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &["--cache-mib", "8", "--query", "on"]);
    let operator = server.operator();
    let settings = operator.get("/settings").ok();
    for (name, value) in [
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("listen", json!(server.address.to_string())),
        // Neither port is the 0 that was asked for.
        ("operator-listen", json!([operator.address.to_string()])),
        ("data", json!(folder.path())),
        ("log", json!("error")),
        ("cache-mib", json!(8)),
        ("query", json!("on")),
        ("rate-limit-address", json!(0)),
        ("log-format", json!("human")),
    ] {
        assert_eq!(settings[name], value, "{name}");
    }
    // Each flag is among them, by its name.
    let help = run(muninn().args(["serve", "--help"])).ok();
    let flags = help.split_whitespace().filter_map(|word| word.strip_prefix("--"));
    let known = settings.as_object().expect("an object");
    let missing: Vec<&str> = flags
        .filter(|flag| !flag.is_empty() && !["help", "version"].contains(flag))
        .filter(|flag| flag.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        .filter(|flag| !known.contains_key(*flag))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
    server.stop();
}

#[test]
fn what_is_logged_changes_while_it_runs() {
    let (folder, [log]) = acceptance::places(["log"]);
    let mut serve = Process::command(&folder.path().join("data"));
    let server = Process::spawn(
        serve.args(["--log", "warn"]).stderr(fs::File::create(&log).expect("a file")),
    );
    let operator = server.operator();
    let set = |log: &str| operator.send(Request::new("PUT", "/log").json(&json!({"log": log})));
    let lines = || fs::read_to_string(&log).expect("a log");
    server.client().get("/v1/games").ok();
    assert_eq!(lines(), "");
    assert_eq!(set("server=debug").ok(), json!({"log": "server=debug"}));
    assert_eq!(operator.get("/settings").ok()["log"], "server=debug");
    server.client().get("/v1/games").ok();
    assert!(lines().contains("/v1/games"), "{}", lines());
    set("a,=,b=loud").problem(400, "malformed");
    // No level: it would be a target, and all others would be silent.
    set("warning").problem(400, "malformed");
    let put = |body: &Value| operator.send(Request::new("PUT", "/log").json(body));
    put(&json!({"level": "debug"})).problem(400, "malformed");
    assert_eq!(operator.get("/settings").ok()["log"], "server=debug");
    set("off").ok();
    let before = lines();
    server.client().get("/v1/games").ok();
    assert_eq!(lines(), before);
    server.stop();
}

/// The lines on standard output after the first say where the door is. At each place it is the same door.
#[test]
fn the_door_is_told_on_standard_output() {
    let (folder, [path]) = acceptance::places(["s"]);
    let mut serve: Command = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--operator-listen"]);
    let places = format!("unix:{},127.0.0.1:0", path.display());
    serve.arg(places).arg("--data").arg(folder.path().join("data"));
    let mut child = serve.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut out = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut lines = [String::new(), String::new(), String::new()];
    for line in &mut lines {
        std::io::BufRead::read_line(&mut out, line).expect("a line");
    }
    let port = lines[2].trim_end().strip_prefix("operator's door on http://").expect("a port");
    let client = Client::new(port.parse().expect("an address"), Pool::default());
    client.send(Request::new("PUT", "/log").json(&json!({"log": "error"}))).ok();
    let settings = ask(&path, "/settings");
    assert!(settings.contains(r#""log":"error""#), "{settings}");
    let opened = format!(r#""operator-listen":["unix:{}","{port}"]"#, path.display());
    assert!(settings.contains(&opened), "{settings}");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(lines[0].starts_with("listening on http://127.0.0.1:"), "{lines:?}");
    assert_eq!(lines[1], format!("operator's door on unix:{}\n", path.display()));
}

/// Everybody hears of it once it is late, and no longer when it has caught up.
#[test]
fn readiness_tells_the_public_of_tables_that_are_late() {
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), "--game rosenkoenig --matches 1");
    // The file cannot be made: there is a folder that is not empty.
    let file = folder.path().join("tables.sqlite");
    fs::create_dir_all(file.join("kept")).expect("a folder");
    let server = Process::serve(folder.path(), &["--query", "on"]);
    let client = server.client();
    let end = client.get("/v1/tables").ok()["feed_end"].clone();
    let start = Instant::now();
    let wait_for = |behind: Value| loop {
        let ready = client.get("/readyz").ok();
        if ready["behind"] == behind {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(90), "{behind}, not {ready}");
        thread::sleep(Duration::from_millis(100));
    };
    wait_for(json!({"tables": end}));
    fs::remove_dir_all(&file).expect("it is removed");
    wait_for(Value::Null);
    server.stop();
}

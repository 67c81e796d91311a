//! What an installation needs beside the server: a file of settings, a health check, completions and manual pages.

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};

use acceptance::process::Process;
use acceptance::{muninn, run};

use crate::command_line::wrong;

#[test]
fn a_file_of_settings_is_used_and_flags_and_variables_win() {
    let (_folder, [file, data]) = acceptance::places(["muninn.toml", "data"]);
    let settings = format!(
        "# A server for a test.\nlisten = \"127.0.0.1:0\"\ndata = '{}'\npages = \"off\"\nquery = \"on\"\n\
         log = \"error\"\nrate-limit-address = 7\nworkers = 1\n",
        data.display()
    );
    fs::write(&file, settings).expect("it can be written");
    let serve = |adapt: &dyn Fn(&mut Command)| {
        let mut serve = muninn();
        serve.arg("serve").arg("--config").arg(&file).stderr(Stdio::inherit());
        // What tests set for all others would win over the file.
        serve.env_remove("MUNINN_RATE_LIMIT_ADDRESS");
        adapt(&mut serve);
        let server = Process::spawn(&mut serve);
        let games = server.client().get("/v1/games");
        let limit = games.header("ratelimit-policy").expect("there is a limit").contains("q=35;");
        let page = server.client().get("/watch").status;
        let sql = server.client().get("/v1/query").status;
        server.stop();
        (limit, page, sql)
    };
    assert_eq!(serve(&|_| {}), (true, 404, 405), "the file says so");
    assert!(data.join("FORMAT").exists());
    assert_eq!(serve(&|serve| _ = serve.args(["--pages", "on"])), (true, 200, 405));
    let variable = "MUNINN_RATE_LIMIT_ADDRESS";
    assert_eq!(serve(&|serve| _ = serve.env(variable, "9")), (false, 404, 405));
}

#[test]
fn a_wrong_file_of_settings_is_told_with_line_and_column() {
    let (folder, [file]) = acceptance::places(["muninn.toml"]);
    for (text, words) in [
        ("listen = \"127.0.0.1:0\"\nliston = 3\n", "muninn.toml:2:1: there is no setting `liston`"),
        ("\nworkers = \"3\"", "muninn.toml:2:11: `workers`: expected integer, found string"),
        ("listen = 'ä', x", "muninn.toml:1:13: "),
        ("pages = \"maybe\"", "muninn.toml:1:9: invalid value 'maybe' for '--pages"),
        (
            "\nlog = \"warning\"",
            "muninn.toml:2:7: invalid value 'warning' for '--log <LOG>': `warning` is not a level",
        ),
        ("config = \"other.toml\"", "muninn.toml:1:1: there is no setting `config`"),
        ("\ncache-mib = 0", "muninn.toml:2:13: invalid value '0' for '--cache-mib"),
        ("cache-mib = 17592186044416", "muninn.toml:1:13: invalid value '17592186044416'"),
        ("matches-mib = 4294967296", "muninn.toml:1:15: invalid value '4294967296'"),
        ("workers = 513", "muninn.toml:1:11: invalid value '513' for '--workers"),
    ] {
        fs::write(&file, text).expect("it can be written");
        wrong(muninn().current_dir(&folder).args(["serve", "--config", "muninn.toml"]), &[words]);
        wrong(muninn().arg("serve").env("MUNINN_CONFIG", &file), &[words]);
    }
    wrong(muninn().args(["serve", "--config", "nowhere.toml"]), &["nowhere.toml: No such file"]);
    // Words are read after the store was opened, and wrong ones are wrong settings too: a unit does not try again.
    fs::write(&file, "words = \"nowhere\"").expect("it can be written");
    let mut serve = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--log", "off", "--data"]);
    wrong(serve.arg(folder.path().join("data")).arg("--config").arg(&file), &["nowhere"]);
}

#[test]
fn health_asks_a_server_whether_it_is_ready() {
    let server = Process::alone(&[]);
    let address = format!("0.0.0.0:{}", server.address.port());
    let out = run(muninn().args(["health", "--listen", &address])).ok();
    assert_eq!(out, "{\"status\":\"ok\",\"damaged\":0}\n");
    server.stop();
    run(muninn().args(["health", "--listen", &address])).refused(&["does not respond"]);
    // It may take a connection and say nothing.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = silent.local_addr().expect("an address").to_string();
    let said = run(muninn().args(["health", "--seconds", "1", "--listen", &address]));
    said.refused(&[]);
    let expected = format!("error: {address} does not respond: there was no answer within 1 s\n");
    assert_eq!(said.error, expected);
}

#[test]
fn a_service_manager_is_told_when_the_server_is_ready() {
    let (folder, [path]) = acceptance::places(["notify"]);
    let manager = UnixDatagram::bind(&path).expect("a socket");
    let serve = |socket: &std::path::Path| {
        let mut serve = Process::command(&folder.path().join("data"));
        Process::spawn(serve.env("NOTIFY_SOCKET", socket))
    };
    let server = serve(&path);
    let mut told = [0; 64];
    let length = manager.recv(&mut told).expect("it is told");
    assert_eq!(&told[..length], b"READY=1");
    assert_eq!(server.client().get("/readyz").status, 200);
    server.stop();
    let server = serve(&folder.path().join("nobody"));
    assert_eq!(server.client().get("/readyz").status, 200, "it serves all the same");
    server.stop();
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = run(muninn().args(["man", "--out"]).arg(folder.path().join("man")));
    assert_eq!((said.code, said.out + &said.error), (Some(0), String::new()));
    let page = |name: &str| fs::read_to_string(folder.path().join("man").join(name));
    let first = page("muninn.1").expect("a page");
    assert!(page("muninn-serve.1").expect("a page").contains("MUNINN_TRUSTED_PROXIES"));
    for shell in ["bash", "zsh", "fish"] {
        let script = run(muninn().args(["completions", shell])).ok();
        assert!(script.contains("trusted-proxies"), "{shell}");
        for command in ["serve", "verify", "export", "health", "completions", "man"] {
            assert!(script.contains(command) && first.contains(command), "{shell}, {command}");
        }
    }
    wrong(muninn().args(["completions", "tcsh"]), &["tcsh", "bash"]);
}

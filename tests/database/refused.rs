//! A database that cannot be used: one line says why, and no line has a password.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use acceptance::process::Process;
use acceptance::{muninn, run};
use tempfile::TempDir;

use crate::postgres;

fn serve(address: &str, folder: &TempDir) -> Command {
    let mut serve = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--log", "info", "--store", address, "--data"]);
    serve.arg(folder.path().join("derived"));
    serve
}

/// It does not start: the exit code is 1, and one line has these words.
#[track_caller]
pub(crate) fn refused(mut serve: Command, words: &[&str]) {
    let said = run(&mut serve);
    said.refused(words);
    let line = said.error;
    assert_eq!(line.lines().count(), 1, "one line: {line}");
    assert!(line.starts_with("error: ") && !line.contains("hunter2"), "{line}");
}

#[test]
fn what_cannot_be_used_ends_with_1_and_one_line() {
    let Some(address) = postgres::empty() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let address = address.replace("muninn@", "muninn:hunter2@");
    let refused = |address: &str, words: &[&str]| refused(serve(address, &folder), words);
    refused("postgres://me:hunter2@127.0.0.1:1/muninn", &["the database muninn at 127.0.0.1"]);
    refused(
        "postgres://me@127.0.0.1:1/muninn?hunter2=hunter2",
        &["its address cannot be understood"],
    );
    refused(&format!("{address}x"), &["does not exist"]);
    refused(&address, &["has no store of Muninn with schema", "run `muninn migrate`"]);

    let migrate = || run(muninn().args(["migrate", "--store", &address])).out;
    let told = [migrate(), migrate()];
    assert!(told[0].starts_with("postgres://muninn@"), "{told:?}");
    assert!(told[0].ends_with(": migrated to schema 2\n"), "{told:?}");
    assert!(told[1].ends_with(": is up to date\n"), "{told:?}");

    let set =
        |what: &str| drop(postgres::sql(&address, &format!("UPDATE muninn.store SET {what}")));
    for (what, words) in [
        ("schema = 1", "run `muninn migrate`"),
        ("schema = 3", "its schema is 3, and this program knows 2"),
        ("schema = -1", "its store is being restored, or a restoration was cut off"),
        ("schema = 2, format = 2", "the store has format 2"),
    ] {
        set(what);
        refused(&address, &[words]);
        // A program that is older than the store, or meets one that is not all there, leaves it alone.
        if what != "schema = 1" {
            let migrated = run(muninn().args(["migrate", "--store", &address]));
            migrated.failed(1, &["cannot use the database"]);
        }
    }
    set("schema = 2, format = 1");
    let file = folder.path().join("muninn.toml");
    fs::write(&file, "store = \"db:hunter2\"").expect("it can be written");
    let wrong = run(muninn().args(["serve", "--config"]).arg(&file));
    wrong.failed(2, &["muninn.toml:1:9: `store`: its address cannot be understood"]);
    assert!(!wrong.error.contains("hunter2"), "{}", wrong.error);
    let name = address.rsplit('/').next().expect("a name");
    let read_only = |on: &str| {
        let set = format!("ALTER DATABASE {name} SET default_transaction_read_only = {on}");
        postgres::sql(&address.replace(name, "postgres"), &set);
    };
    read_only("on");
    refused(&address, &["does not allow writes"]);
    read_only("off");

    // The folder beside it may have nothing but what is derived, and one server.
    let first = Process::spawn(&mut serve(&address, &folder));
    refused(&address, &["derived is in use by another process"]);
    first.stop();
    fs::write(folder.path().join("derived/FORMAT"), "muninn 1\n").expect("a file");
    refused(&address, &["derived has a store of its own"]);
}

#[test]
fn passwords_come_from_the_address_the_environment_or_a_file() {
    let Some((cluster, address)) = postgres::alone() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let socket = address.split_once('@').expect("a host").1.split_once('/').expect("a name").0;
    let rules = PathBuf::from(socket.replace("%2F", "/")).join("data/pg_hba.conf");
    let before = fs::read_to_string(&rules).expect("a file");
    cluster.psql(&address, "CREATE ROLE wary SUPERUSER LOGIN PASSWORD 'hunter2 @%'");
    // Whose process this is: the user of an address that names none.
    let me = Command::new("id").arg("-un").output().expect("there is id").stdout;
    let me = String::from_utf8(me).expect("text").trim().to_owned();
    let create = format!("CREATE ROLE \"{me}\" SUPERUSER LOGIN PASSWORD 'hunter2 mine'");
    cluster.psql(&address, &create);
    let wary = format!("local all wary scram-sha-256\nlocal all \"{me}\" scram-sha-256\n{before}");
    fs::write(&rules, wary).expect("it is ours");
    cluster.psql(&address, "SELECT pg_reload_conf()");

    let of = |user: &str| address.replace("muninn@", user);
    let wrong = "password authentication failed for user \"wary\"";
    refused(serve(&of("wary:hunter1@"), &folder), &[wrong]);
    refused(serve(&of("wary@"), &folder), &["password"]);
    let file = folder.path().join("passwords");
    let socket = socket.replace("%2F", "/");
    let lines = ["elsewhere:*:*:*:no", "localhost:*:*:wary:hunter2 @%"].map(str::to_owned);
    let lines = [&lines[..], &[format!("{socket}:*:*:{me}:hunter2 mine\n")]].concat().join("\n");
    fs::write(&file, lines).expect("a file");
    let with_file = |user: &str| {
        let mut serve = serve(&of(user), &folder);
        serve.env("PGPASSFILE", &file);
        serve
    };
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("it is ours");
    refused(with_file("wary@"), &["password"]);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let mut by_variable = serve(&of("wary@"), &folder);
    by_variable.env("PGPASSWORD", "hunter2 @%");
    let in_address = serve(&of("wary:hunter2%20%40%25@"), &folder);
    // What is empty is not set.
    let mut without_password = with_file("wary@");
    without_password.env("PGPASSWORD", "");
    fs::copy(&file, folder.path().join(".pgpass")).expect("its mode is copied too");
    let mut at_home = serve(&of("wary@"), &folder);
    at_home.env("PGPASSFILE", "").env("HOME", folder.path());
    let by_file = [with_file("wary@"), with_file(""), without_password, at_home];
    for mut serve in [in_address, by_variable].into_iter().chain(by_file) {
        let log = folder.path().join("log");
        serve.stderr(fs::File::create(&log).expect("a file"));
        let server = Process::spawn(&mut serve);
        server.client().get("/readyz").ok();
        server.stop();
        let log = fs::read_to_string(log).expect("a log");
        assert!(log.contains("serving") && !log.contains("hunter2"), "{log}");
    }
}

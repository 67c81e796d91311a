//! The archive moves a store out of a folder into PostgreSQL, and back.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use acceptance::process::Process;
use acceptance::{Client, files, muninn, until};
use serde_json::json;

use crate::answers::{asked, same};
use crate::world::{World, play};
use crate::{Said, backup, restore, run};

#[expect(dead_code, reason = "the tests of the store need more of it")]
#[path = "../../store/tests/it/cluster.rs"]
mod postgres;

/// Runs a command on the store in a database.
fn at(address: &str, args: &[&str]) -> Said {
    let said = run(muninn().args(args).args(["--store", address]));
    assert!(!said.error.contains("hunter2") && !said.out.contains("hunter2"), "{}", said.error);
    said
}

fn text(path: &Path) -> String {
    path.to_str().expect("a name").to_owned()
}

#[test]
fn a_store_answers_every_request_as_before_in_postgresql_and_back_in_a_folder() {
    let Some(address) = postgres::database() else { return };
    let address = address.replace("muninn@", "muninn:hunter2@");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let world = World::fill(&path("one"));
    backup(&path("one"), &path("archive"), None).ok();
    let archive = text(&path("archive"));

    // An archive that ends early leaves nothing behind.
    let whole = fs::read(path("archive")).expect("a file");
    fs::write(path("torn"), &whole[..whole.len() / 2]).expect("a file");
    assert_eq!(at(&address, &["restore", "--from", &text(&path("torn"))]).code, Some(1));
    let told = at(&address, &["restore", "--from", &archive]).ok();
    assert!(told.starts_with("postgres://muninn@"), "{told}");
    at(&address, &["restore", "--from", &archive]).refused(&["its store is not empty"]);

    assert!(at(&address, &["verify"]).ok().contains("nothing differs"));
    at(&address, &["backup", "--out", &text(&path("again"))]).ok();
    assert!(whole == fs::read(path("again")).expect("a file"), "byte for byte the same");
    restore(&[&path("again")], &path("two"), &[]).ok();

    let first = asked(&path("one"), &[], &world);
    assert!(first.len() > 500, "{}", first.len());
    same(&first, &asked(&path("derived"), &["--store", &address], &world));
    same(&first, &asked(&path("two"), &[], &world));
}

#[test]
fn the_other_commands_find_in_postgresql_what_they_find_in_a_folder() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let simulate = ["simulate", "--game", "voluspa", "--matches", "20", "--threads", "1"];
    at(&address, &simulate).ok();
    at(&address, &["backup", "--out", &text(&path("archive"))]).ok();
    restore(&[&path("archive")], &path("data"), &[]).ok();
    let (data, derived) = (text(&path("data")), text(&path("derived")));
    let here = |args: &[&str]| run(muninn().args(args).args(["--data", &data])).ok();
    let there = |args: &[&str]| at(&address, args).ok();

    assert_eq!(there(&["verify"]), here(&["verify"]));
    assert_eq!(there(&["stats", "--data", &derived]), here(&["stats"]));
    let count = "SELECT game, count(*), sum(commit_count) FROM matches GROUP BY game";
    assert_eq!(there(&["query", "--data", &derived, count]), here(&["query", count]));
    let audit = ["audit", "--game", "voluspa", "--edition", "1"];
    assert_eq!(there(&audit), here(&audit));
    let export = |out: &str| ["export", "--format", "csv", "--out", out].map(str::to_owned);
    let tables = ["here", "there"].map(|name| text(&path(name)));
    here(&export(&tables[0]).each_ref().map(String::as_str));
    there(&export(&tables[1]).each_ref().map(String::as_str));
    let [ours, theirs] = tables.map(|out| {
        let mut files = files::read(Path::new(&out));
        // But for those that tell of the export itself.
        files.retain(|path, _| !path.to_string_lossy().starts_with('_'));
        files
    });
    assert!(ours.len() > 3, "{}", ours.len());
    assert!(ours == theirs, "the same tables");

    // What is derived is nobody else's, and no store's.
    let both = run(muninn().args(["verify", "--data", &data, "--store", &address]));
    assert_eq!(both.code, Some(2));
    assert!(both.error.contains("cannot be used together"), "{}", both.error);
    // The environment may be that of a server: what the command says goes first.
    let image = run(muninn().args(["verify", "--store", &address]).env("MUNINN_DATA", &data));
    assert_eq!(image.ok(), there(&["verify"]));
    let mut copy = muninn();
    copy.args(["verify", "--data", &data]).env("MUNINN_STORE", "postgres://no");
    assert_eq!(run(&mut copy).ok(), here(&["verify"]));
    let copy = run(copy.env("MUNINN_DATA", &data));
    assert_eq!(copy.ok(), here(&["verify"]), "it does though its variable says the same");
    at(&address, &["stats", "--data", &data]).refused(&["has a store of its own"]);
}

/// What was derived from the database has names of players.
#[test]
fn what_a_simulation_left_that_was_killed_is_removed_by_the_next_one() {
    let Some(address) = postgres::database() else { return };
    let (_folder, [scratch]) = acceptance::places(["scratch"]);
    fs::create_dir_all(scratch.join("muninn-copy-1-0.tmp")).expect("a folder");
    let simulate = ["simulate", "--game", "rosenkoenig", "--matches", "1", "--store", &address];
    run(muninn().args(simulate).env("TMPDIR", &scratch)).ok();
    assert_eq!(fs::read_dir(&scratch).expect("a folder").count(), 0);
}

/// It would follow a store that is not all there, and keep what it made of that; and play for the bots of a simulation.
#[test]
fn what_fills_a_store_waits_until_no_server_uses_it() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    play(&path("one"), 3, 10);
    backup(&path("one"), &path("archive"), None).ok();
    let archive = text(&path("archive"));
    let server = Process::serve(&path("derived"), &["--store", &address]);
    // Once it plays for bots, it has its leases.
    let bots = json!({"game": "rosenkoenig", "seats": [{"bot": "random"}, {"bot": "random"}]});
    let id = server.client().open(&bots).created()["match"].as_str().expect("an id").to_owned();
    until("a bot acts", || server.client().info(&id).ok()["commit"].as_u64() > Some(1));
    let simulate = ["simulate", "--game", "rosenkoenig", "--matches", "3"];
    at(&address, &simulate).refused(&["a server uses it"]);
    at(&address, &["restore", "--from", &archive])
        .refused(&["a server uses it", "stop all servers"]);
    server.stop();
    at(&address, &["restore", "--from", &archive]).refused(&["its store is not empty"]);
}

/// No archive is made of it, and the message leads to the match.
#[test]
fn a_damaged_commit_is_named_when_its_store_is_backed_up() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    play(&path("one"), 1, 4);
    backup(&path("one"), &path("archive"), None).ok();
    at(&address, &["restore", "--from", &text(&path("archive"))]).ok();
    let damage = "UPDATE muninn.commits SET bytes = set_byte(bytes, 4, 9) WHERE number = 3";
    postgres::sql(&address, damage);
    let said = at(&address, &["backup", "--out", &text(&path("again"))]);
    said.refused(&["position 3: match ", ", commit 3: ", "a record's checksum differs"]);
    assert!(!path("again").exists());
}

/// How many sessions hold a server's lock, or what else is asked of them.
fn servers(address: &str, asked: &str) -> String {
    let held = "FROM pg_locks WHERE locktype = 'advisory' AND classid = 7828 AND objid = 16
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    postgres::sql(address, &format!("SELECT {asked} {held}"))
}

/// It was paused, so its session had ended, and the restoration did not see it. It ends by itself, and what it is started with again is derived
/// from the new store alone.
#[test]
fn a_server_whose_store_was_restored_ends_and_derives_everything_anew() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    play(&path("one"), 3, 10);
    backup(&path("one"), &path("archive"), None).ok();
    let restore = || at(&address, &["restore", "--from", &text(&path("archive"))]).ok();
    let serve = |log: &str| {
        let mut serve = Process::command(&path("derived"));
        serve.args(["--store", &address]).env("MUNINN_LOG", "warn");
        Process::spawn(serve.stderr(File::create(path(log)).expect("a file")))
    };
    let said = |log: &str| fs::read_to_string(path(log)).expect("a log");
    let list = |client: &Client| client.get("/v1/matches").ok();

    let server = serve("first");
    until("it has its session", || servers(&address, "count(*)") != "0");
    server.signal("STOP");
    servers(&address, "count(pg_terminate_backend(pid, 5000))");
    restore();
    server.signal("CONT");
    let ended = server.wait(Duration::from_secs(60)).expect("it ends by itself");
    assert_eq!(ended.code(), Some(1), "{}", said("first"));
    let error = "error: the database has another store now: its store was restored or made anew";
    assert!(said("first").contains(error), "{}", said("first"));

    let one = Process::serve(&path("one"), &[]);
    let server = serve("second");
    until("it lists what is there", || list(&server.client()) == list(&one.client()));
    server.stop();
    // The same commits in yet another store: who followed it may have seen a part of it.
    postgres::sql(&address, "DROP SCHEMA muninn CASCADE");
    at(&address, &["migrate"]).ok();
    restore();
    let server = serve("third");
    until("it lists what is there", || list(&server.client()) == list(&one.client()));
    until("its file is thrown away", || said("third").contains("it was made from another store"));
    server.stop();
    one.stop();
}

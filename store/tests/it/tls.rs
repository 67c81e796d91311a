//! TLS to a server that has a certificate of its own, which only one root knows.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use store::Store;

use crate::engines::cluster::Cluster;

fn openssl(folder: &Path, args: &str) {
    let mut openssl = Command::new("openssl");
    let output = openssl.args(args.split(' ')).current_dir(folder).output().expect("openssl runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A root, and a certificate of `localhost` that it has signed; another root, which has signed nothing.
fn certificates(folder: &Path) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for name in ["root", "other"] {
        let subject = format!("-subj /CN={name} -keyout {name}.key -out {name}.crt");
        openssl(folder, &format!("req -x509 {key} -days 2 {subject}"));
    }
    openssl(folder, &format!("req {key} -subj /CN=localhost -keyout server.key -out server.csr"));
    fs::write(folder.join("names"), "subjectAltName=DNS:localhost\n").expect("a file");
    let root = "-CA root.crt -CAkey root.key -CAcreateserial";
    openssl(
        folder,
        &format!("x509 -req -in server.csr {root} -days 2 -extfile names -out server.crt"),
    );
    let owner = fs::metadata(folder).expect("it is there").uid();
    for name in ["server.key", "server.crt"] {
        let file = folder.join(name);
        chown(&file, Some(owner), Some(owner)).expect("it is ours");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it is ours");
    }
}

/// Waits until it is so, for half a minute.
#[track_caller]
pub(crate) fn until(is_so: impl Fn() -> bool) {
    let is_so = (0..600).any(|_| {
        is_so() || {
            thread::sleep(Duration::from_millis(50));
            false
        }
    });
    assert!(is_so, "it comes about");
}

#[test]
fn a_certificate_is_accepted_by_its_root_and_by_no_other() {
    // Whoever takes the port meanwhile makes this test fail.
    let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("one").port();
    let Some(cluster) = Cluster::start_with(port, |folder| {
        certificates(folder);
        vec!["listen_addresses=localhost".to_owned()]
    }) else {
        return;
    };
    let here = cluster.empty();
    let (place, name) = here.rsplit_once('/').expect("a name");
    let folder = place.split_once('@').expect("a host").1;
    let address = |host: &str, more: &str| format!("postgres://muninn@{host}:{port}/{name}?{more}");
    let root = |name: &str| format!("sslrootcert={folder}%2F{name}.crt");
    let with =
        |mode: &str, name: &str| address("localhost", &format!("sslmode={mode}&{}", root(name)));
    let by_number =
        |more: &str| format!("postgres://muninn@/{name}?hostaddr=127.0.0.1&port={port}&{more}");
    let in_tls = || {
        let sessions = "SELECT count(*) FILTER (WHERE ssl) > 0 FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE datname = current_database()";
        cluster.psql(&here, sessions) == "t"
    };
    let switch = |ssl: &str| {
        cluster.psql(&here, &format!("ALTER SYSTEM SET ssl = {ssl}"));
        cluster.psql(&here, "SELECT pg_reload_conf()");
        until(|| cluster.psql(&here, "SHOW ssl") == ssl);
    };
    cluster.psql(&here, "ALTER SYSTEM SET ssl_cert_file = '../server.crt'");
    cluster.psql(&here, "ALTER SYSTEM SET ssl_key_file = '../server.key'");
    switch("on");
    Store::migrate(&with("verify-full", "root")).expect("it can be migrated");
    for (address, is_secret) in [
        (with("verify-full", "root"), true),
        (with("require", "root"), true),
        (address("localhost", "sslmode=require"), true),
        (address("127.0.0.1", "sslmode=require"), true),
        (address("localhost", ""), true),
        (by_number("sslmode=require"), true),
        (by_number("sslmode=disable"), false),
        (with("verify-full", "root") + "&hostaddr=127.0.0.1", true),
        (address("localhost", "sslmode=disable"), false),
    ] {
        let store = Store::connect(&address).unwrap_or_else(|why| panic!("{address}: {why}"));
        assert!(store.headers(None, 1).expect("readable").is_empty());
        assert_eq!(in_tls(), is_secret, "{address}");
        drop(store);
        until(|| !in_tls());
    }
    let elsewhere = with("verify-full", "root").replace("localhost", "127.0.0.1");
    for (address, words) in [
        (with("verify-full", "other"), "certificate"),
        (with("require", "other"), "certificate"),
        (address("localhost", "sslmode=verify-full"), "certificate"),
        (elsewhere, "certificate"),
        (by_number(&format!("sslmode=verify-full&{}", root("root"))), "certificate"),
        (format!("host=localhost port={port} user=muninn dbname={name}"), "cannot be understood"),
        (with("verify-full", "missing"), "missing.crt"),
        (address("localhost", "sslmode=verify"), "disable, prefer, require or verify-full"),
    ] {
        let refused = Store::connect(&address).expect_err(&address).to_string();
        assert!(refused.contains(words) && !refused.contains('\n'), "{address}: {refused}");
    }
    switch("off");
    drop(Store::connect(&address("localhost", "sslmode=prefer")).expect("it need not be secret"));
    Store::connect(&address("localhost", "sslmode=require")).expect_err("it must be");
}

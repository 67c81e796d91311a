//! PostgreSQL for tests: one cluster of this process alone, and a database in it for each test.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use store::Store;

/// The name of a standby that never is.
const NOBODY: &str = "nobody";

/// PostgreSQL in a folder of its own, reached by a socket there.
pub(crate) struct Cluster {
    programs: PathBuf,
    folder: PathBuf,
    user: Option<u32>,
    port: u16,
    /// Its input is open as long as this process lives.
    _shell: Option<Child>,
}

static CLUSTER: LazyLock<Option<Cluster>> = LazyLock::new(|| {
    let cluster = Cluster::start();
    if cluster.is_none() {
        let said = "NOT TESTED: PostgreSQL is not installed, so the store is not tested on it\n";
        let is_needed = env::var("TESTS_NEED")
            .is_ok_and(|needed| needed.split_whitespace().any(|one| one == "postgresql"));
        assert!(!is_needed, "{said}");
        // Past the capture of the tests' output.
        drop(io::stderr().write_all(said.as_bytes()));
    }
    cluster
});

/// The address of a new database with an empty store.
pub(crate) fn database() -> Option<String> {
    let address = CLUSTER.as_ref()?.empty();
    Store::migrate(&address).expect("it can be migrated");
    Some(address)
}

/// The address of a new database without anything.
pub(crate) fn empty() -> Option<String> {
    Some(CLUSTER.as_ref()?.empty())
}

/// A cluster for one test alone, whose settings may be changed, and the address of an empty store in it.
pub(crate) fn alone() -> Option<(Cluster, String)> {
    let cluster = Cluster::start()?;
    let address = cluster.empty();
    Store::migrate(&address).expect("it can be migrated");
    Some((cluster, address))
}

/// Lets the cluster do some SQL in the database at an address.
pub(crate) fn sql(address: &str, sql: &str) -> String {
    CLUSTER.as_ref().expect("it runs").psql(address, sql)
}

/// Waits until nobody else has a session in the database at an address.
pub(crate) fn settle(address: &str) {
    let others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    while sql(address, others) != "0" {
        thread::sleep(Duration::from_millis(20));
    }
}

impl Cluster {
    fn start() -> Option<Cluster> {
        Cluster::start_with(5432, |_| Vec::new())
    }

    /// Starts it on a port, with the settings that `prepare` has made ready in its folder.
    pub(crate) fn start_with(
        port: u16,
        prepare: impl FnOnce(&Path) -> Vec<String>,
    ) -> Option<Cluster> {
        let mut versions: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
            .ok()?
            .flatten()
            .map(|version| version.path().join("bin"))
            .filter(|programs| programs.join("initdb").exists())
            .collect();
        versions.sort();
        let mut cluster = Cluster::empty_folder(versions.pop()?, port);
        let mut initdb = cluster.command("initdb");
        initdb.args(["-U", "muninn", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
        run(initdb.arg("-D").arg(cluster.folder.join("data")));
        let settings = prepare(&cluster.folder);
        cluster._shell = Some(cluster.serve(&settings));
        Some(cluster)
    }

    fn empty_folder(programs: PathBuf, port: u16) -> Cluster {
        let folder = tempfile::tempdir().expect("a folder").keep();
        // PostgreSQL does not run as root; whoever has the number of `nobody` may.
        let is_root = fs::metadata(&folder).expect("it is there").uid() == 0;
        let user = is_root.then_some(65_534);
        chown(&folder, user, user).expect("root may");
        Cluster { programs, folder, user, port, _shell: None }
    }

    /// A standby of this one, which follows it with these settings.
    pub(crate) fn standby(&self, settings: &[&str]) -> Cluster {
        let mut standby = Cluster::empty_folder(self.programs.clone(), self.port);
        let mut copy = standby.command("pg_basebackup");
        copy.args(["-U", "muninn", "-c", "fast", "-R", "-D", "data", "-h"]);
        run(copy.arg(&self.folder));
        let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
        standby._shell = Some(standby.serve(&settings));
        standby
    }

    /// Stops it, lets `change` do something to its data, and starts it again.
    pub(crate) fn restarted(mut self, change: impl FnOnce(&Path)) -> Cluster {
        run(self.command("pg_ctl").args(["-D", "data", "-m", "fast", "-w", "stop"]));
        change(&self.folder.join("data"));
        let shell = self.serve(&[]);
        // The one before would remove the folder: it ends with this process.
        std::mem::forget(self._shell.replace(shell));
        self
    }

    /// Restarts it with a commit that it fails over: the length of its bytes says that they are packed, and they begin with a way to pack that there is
    /// not. `row`: which commit, in SQL; one that is neither short nor long, for then its bytes lie elsewhere.
    pub(crate) fn with_an_odd_row(self, address: &str, row: &str) -> Cluster {
        // Where pages have checksums, the whole page would be refused.
        self.psql(address, "ALTER SYSTEM SET ignore_checksum_failure = on");
        let bytes = format!("SELECT encode(bytes, 'hex') FROM muninn.commits WHERE {row}");
        let hex = self.psql(address, &bytes);
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal");
        let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
        assert!((127..1_900).contains(&bytes.len()), "{} bytes", bytes.len());
        let table = self.psql(address, "SELECT pg_relation_filepath('muninn.commits')");
        self.restarted(|data| {
            let path = data.join(table);
            let mut file = fs::read(&path).expect("it is there");
            let at = file.windows(bytes.len()).position(|found| found == bytes);
            let at = at.expect("the row is on the disk");
            // The four bytes before have the length, and in the last two bits how it is kept; the way to pack is in the first two of the fourth byte.
            file[at - 4] |= 0b10;
            file[at + 3] |= 0b1100_0000;
            fs::write(&path, file).expect("it can be written");
        })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.current_dir(&self.folder).stdin(Stdio::null());
        self.own(&mut command);
        command
    }

    fn own(&self, command: &mut Command) {
        command.env("PGPORT", self.port.to_string());
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
    }

    /// Starts it. A shell ends it and removes its folder when this process has ended, however it does: then its input ends.
    fn serve(&self, settings: &[String]) -> Child {
        let script = "\"$1/postgres\" -D data -k \"$PWD\" $3 >log 2>&1 & \
             read -r _; kill -QUIT $!; wait; cd /; rm -rf \"$2\"";
        let usual = ["listen_addresses=", "fsync=off", "max_connections=300"];
        let settings = usual.into_iter().chain(settings.iter().map(String::as_str));
        let settings: String = settings.map(|setting| format!("-c {setting} ")).collect();
        let mut shell = Command::new("sh");
        shell.args(["-c", script, "sh"]).arg(&self.programs).arg(&self.folder).arg(settings);
        shell.current_dir(&self.folder).stdin(Stdio::piped()).stdout(Stdio::null());
        self.own(&mut shell);
        // Who ends all processes of the test leaves it time to tidy up.
        shell.process_group(0);
        let shell = shell.stderr(Stdio::null()).spawn().expect("there is a shell");
        let start = Instant::now();
        let mut ready = self.command("pg_isready");
        ready.arg("-q").arg("-h").arg(&self.folder);
        while !ready.status().expect("it can be asked").success() {
            assert!(start.elapsed() < Duration::from_secs(60), "PostgreSQL does not start");
            thread::sleep(Duration::from_millis(50));
        }
        shell
    }

    pub(crate) fn empty(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test{}", COUNT.fetch_add(1, Ordering::Relaxed));
        self.psql(&self.address("postgres"), &format!("CREATE DATABASE {name}"));
        self.address(&name)
    }

    /// The address of a database in it.
    pub(crate) fn address(&self, database: &str) -> String {
        address(&self.folder, database)
    }

    /// From now on each commit waits for this standby, `*` for any; for none if there is no name.
    pub(crate) fn wait_for(&self, address: &str, standby: &str) {
        self.psql(address, &format!("ALTER SYSTEM SET synchronous_standby_names = '{standby}'"));
        self.psql(address, "SELECT pg_reload_conf()");
        if standby != NOBODY {
            return thread::sleep(Duration::from_millis(500));
        }
        // Until a commit waits, which may be a while: the database hears of it by a signal to another of its processes.
        let waits = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !waits.load(Ordering::Acquire) {
                    self.psql(address, "SELECT pg_logical_emit_message(true, 'muninn', 'quorum?')");
                }
            });
            let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%quorum?%' AND pid <> pg_backend_pid()";
            let is_waiting = (0..600).any(|_| {
                thread::sleep(Duration::from_millis(50));
                self.psql(address, &format!("SELECT count(*) {waiting}")) != "0"
            });
            waits.store(true, Ordering::Release);
            self.psql(address, &format!("SELECT count(pg_cancel_backend(pid)) {waiting}"));
            assert!(is_waiting, "a commit waits for its quorum");
        });
    }

    pub(crate) fn psql(&self, address: &str, sql: &str) -> String {
        run(self.command("psql").args(["-qAtX", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql]))
    }
}

fn address(folder: &Path, database: &str) -> String {
    let host = folder.display().to_string().replace('/', "%2F");
    format!("postgres://muninn@{host}/{database}")
}

/// A socket in a folder, in the place of that of the server of an address; the path of the latter, and the new address.
pub(crate) fn socket_before(address: &str, folder: &Path) -> (UnixListener, PathBuf, String) {
    const SOCKET: &str = ".s.PGSQL.5432";
    let (_, place) = address.split_once('@').expect("a user");
    let (host, database) = place.split_once('/').expect("a name");
    let server = Path::new(&host.replace("%2F", "/")).join(SOCKET);
    let listener = UnixListener::bind(folder.join(SOCKET)).expect("a socket");
    (listener, server, self::address(folder, database))
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

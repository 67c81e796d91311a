//! The real server in this process, and the program.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use actix_web::rt;
use canvas::Picture;
use kernel::AnyGame;
use muninn::{LimitArgs, LogFormat, Muninn, OnOff, ServeArgs, SqlArgs, Stop};

use crate::client::{Client, Pool};

/// The games of a server.
pub type Games = &'static [&'static dyn AnyGame];

/// A server inside this process; it stops when it is dropped.
pub struct Server {
    address: SocketAddr,
    door: SocketAddr,
    pool: Pool,
    running: Option<(Stop, JoinHandle<()>)>,
}

impl Server {
    /// Starts it on a free port. If another one had the folder before, waits until it has let go.
    pub fn start(folder: &Path, games: Games) -> Self {
        Self::start_limited(folder, games, LimitArgs::default())
    }

    /// The same with limits of how often one may ask.
    pub fn start_limited(folder: &Path, games: Games, limits: LimitArgs) -> Self {
        Self::start_shown(folder, games, catalog::PICTURES, limits, OnOff::Off)
    }

    /// One that answers SQL.
    pub fn asked(folder: &Path, games: Games) -> Self {
        Self::start_shown(folder, games, catalog::PICTURES, LimitArgs::default(), OnOff::On)
    }

    /// One with these pictures and limits, which answers SQL or not.
    pub fn start_shown(
        folder: &Path,
        games: Games,
        pictures: &'static [&'static Picture],
        limits: LimitArgs,
        query: OnOff,
    ) -> Self {
        if let Ok(file) = File::open(folder.join("FORMAT")) {
            file.lock().expect("a file can be locked");
        }
        // Words of more languages are in the store's folder, where a test has put some there.
        let words = Some(folder.join("words")).filter(|words| words.is_dir());
        let args = ServeArgs {
            config: None,
            words,
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            operator_listen: vec!["127.0.0.1:0".parse().expect("a loopback address")],
            data: folder.to_owned(),
            store: None,
            log: String::new(),
            log_format: LogFormat::Human,
            #[cfg(feature = "otel")]
            otlp: None,
            workers: 2,
            matches_mib: 32,
            cache_mib: 8,
            heartbeat: Duration::from_secs(1),
            bot_pause: Duration::from_millis(1),
            demo: false,
            wait_for_projections: false,
            limits,
            pages: OnOff::On,
            sql: SqlArgs {
                query,
                query_seconds: 2,
                query_rows: 1000,
                query_mib: 24,
                query_program: Some(muninn().get_program().into()),
            },
        };
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || {
            rt::System::new().block_on(async {
                let muninn = Muninn::build(&args, games, pictures).expect("the server starts");
                let door = muninn.doors.first().and_then(|door| address_of(door));
                let door = door.expect("an address");
                sender.send((muninn.address, door, muninn.stop())).expect("the test waits");
                muninn.run().await.expect("the server runs");
            });
        });
        let (address, door, stop) = receiver.recv().expect("the server starts");
        Server { address, door, pool: Pool::default(), running: Some((stop, thread)) }
    }

    pub fn client(&self) -> Client {
        Client::new(self.address, Pool::clone(&self.pool))
    }

    /// Who comes by the operator's door.
    pub fn operator(&self) -> Client {
        Client::new(self.door, Pool::default())
    }

    /// Stops it, gracefully.
    pub fn stop(mut self) {
        self.end();
    }

    /// Stops one in which something has panicked: it says so at its end.
    pub fn stop_panicked(mut self) {
        assert!(self.ended().is_some_and(|ended| ended.is_err()), "it says nothing of a panic");
    }

    fn end(&mut self) {
        let is_well = self.ended().is_none_or(|ended| ended.is_ok());
        assert!(is_well || thread::panicking(), "the server panicked");
    }

    /// How it ended, unless it was stopped before.
    fn ended(&mut self) -> Option<thread::Result<()>> {
        let (stop, thread) = self.running.take()?;
        self.pool.lock().expect("no test panics here").clear();
        rt::System::new().block_on(stop.gracefully());
        Some(thread.join())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// The address of a server that listens on `http://...`.
pub(crate) fn address_of(url: &str) -> Option<SocketAddr> {
    url.strip_prefix("http://")?.parse().ok()
}

/// The program.
pub fn muninn() -> Command {
    // Tests and benches lie in a folder beside the program.
    let own = std::env::current_exe().expect("a test is a program");
    let folder = own.ancestors().nth(2).expect("a test lies in a folder");
    let name = format!("muninn-tested{}", std::env::consts::EXE_SUFFIX);
    let mut command = Command::new(folder.join(name));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("MUNINN_") {
            command.env_remove(name);
        }
    }
    // Whoever tests limits says so by a flag: all tests come from one address.
    for limit in [
        "RATE_LIMIT_ADDRESS",
        "RATE_LIMIT_TOKEN",
        "STREAMS_PER_ADDRESS",
        "CONNECTIONS_PER_ADDRESS",
        "MATCHES_PER_ADDRESS",
        "BOT_MATCHES_PER_ADDRESS",
    ] {
        command.env(format!("MUNINN_{limit}"), "0");
    }
    command
}

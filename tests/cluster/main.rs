//! Two servers, the real program, on one PostgreSQL: each shows what the other was told, and of two who race one wins.
//!
//! Where PostgreSQL is not installed, every test says so and passes.

mod bots;
mod counted;
mod forgetting;
mod history;
mod late;
mod linear;
mod newer;
mod playing;
mod racing;
#[expect(dead_code, reason = "the tests of the store need more of it")]
#[path = "../../store/tests/it/cluster.rs"]
mod postgres;
mod streams;

use std::path::Path;
use std::process::Command;
use std::sync::Barrier;
use std::thread;

use acceptance::Client;
use acceptance::process::Process;
use tempfile::TempDir;

/// Two servers on one database, each with a folder of its own for what it derives.
pub(crate) struct Two {
    servers: [Process; 2],
    pub(crate) database: String,
    _folders: [TempDir; 2],
}

impl Two {
    pub(crate) fn start() -> Option<Two> {
        Two::start_with(&[])
    }

    /// The same with more flags.
    pub(crate) fn start_with(more: &[&str]) -> Option<Two> {
        Two::start_each(|_, server| {
            server.args(more);
        })
    }

    /// The same with what `more` gives to each of them.
    pub(crate) fn start_each(more: impl Fn(usize, &mut Command)) -> Option<Two> {
        let address = postgres::database()?;
        let folders = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
        let servers = [0, 1].map(|at: usize| {
            let mut server = serve(&address, folders[at].path());
            more(at, &mut server);
            Process::spawn(&mut server)
        });
        Some(Two { servers, database: address, _folders: folders })
    }

    pub(crate) fn clients(&self) -> [Client; 2] {
        self.servers.each_ref().map(Process::client)
    }

    /// Who comes by the operators' doors.
    pub(crate) fn operators(&self) -> [Client; 2] {
        self.servers.each_ref().map(Process::operator)
    }

    /// Kills the first server; the second goes on.
    pub(crate) fn kill_first(&mut self) {
        let first = &mut self.servers[0].child;
        first.kill().expect("it can be killed");
        first.wait().expect("it ends");
    }
}

/// A server on a database, with a folder for what it derives.
pub(crate) fn serve(address: &str, folder: &Path) -> Command {
    let mut command = Process::command(folder);
    command.args(["--store", address]).env("MUNINN_LOG", "warn");
    let unlimited = ["--rate-limit-address", "--rate-limit-token", "--matches-per-address"];
    unlimited.iter().for_each(|limit| {
        command.args([limit, "0"]);
    });
    command
}

/// Does the same at both servers at once.
pub(crate) fn at_both<T: Send>(clients: &[Client; 2], act: impl Fn(&Client) -> T + Sync) -> [T; 2] {
    let start = Barrier::new(2);
    thread::scope(|scope| {
        let threads = clients.each_ref().map(|client| {
            let (start, act) = (&start, &act);
            scope.spawn(move || {
                start.wait();
                act(client)
            })
        });
        threads.map(|thread| thread.join().expect("it does not panic"))
    })
}

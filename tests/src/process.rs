//! `muninn serve` as a process.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::client::{Client, Pool};
use crate::said::{Said, run_on};
use crate::server::{address_of, muninn};

/// `muninn serve` in a process of its own; it is killed when it is dropped.
pub struct Process {
    pub child: Child,
    pub address: SocketAddr,
    door: Option<SocketAddr>,
    pool: Pool,
    // Open as long as the process lives: it must not write into a closed pipe.
    _output: BufReader<ChildStdout>,
    // Removed when the process has ended.
    _folder: Option<TempDir>,
}

impl Process {
    /// `muninn serve` on a free port, with a door for its operator on another; it logs errors.
    pub fn command(folder: &Path) -> Command {
        let mut command = muninn();
        command.args(["serve", "--listen", "127.0.0.1:0", "--operator-listen", "127.0.0.1:0"]);
        command.env("MUNINN_LOG", "error").arg("--data").arg(folder);
        command
    }

    /// Starts it, with these arguments besides.
    pub fn serve(folder: &Path, more: &[&str]) -> Self {
        Self::spawn(Self::command(folder).args(more))
    }

    /// The same in a folder of its own, which is there as long as this.
    pub fn alone(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut process = Self::serve(folder.path(), more);
        process._folder = Some(folder);
        process
    }

    /// The same with everything logged into a file, in this format.
    pub fn serve_logging(folder: &Path, log: &Path, format: &str) -> Self {
        let mut command = Self::command(folder);
        command.args(["--log-format", format, "--query", "on"]).env("MUNINN_LOG", "trace");
        Self::spawn(command.stderr(File::create(log).expect("a file for the log")))
    }

    /// Runs a command that becomes `muninn serve`, and waits until it is ready.
    pub fn spawn(command: &mut Command) -> Self {
        Self::try_spawn(command).unwrap_or_else(|ended| panic!("it does not start: {ended:?}"))
    }

    /// The same where it may not start: then its exit code, and its standard error if that is piped.
    pub fn try_spawn(command: &mut Command) -> Result<Self, (Option<i32>, String)> {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program is there");
        let mut output = BufReader::new(child.stdout.take().expect("the output is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("it says that it is ready");
        if line.is_empty() {
            let ended = child.wait_with_output().expect("it ends");
            let message = String::from_utf8_lossy(&ended.stderr).into_owned();
            return Err((ended.status.code(), message));
        }
        let address = line.trim_end().strip_prefix("listening on ").and_then(address_of);
        let door = command.get_args().any(|arg| arg == "--operator-listen").then(|| {
            let mut line = String::new();
            output.read_line(&mut line).expect("it says where its door is");
            address_of(line.trim_end().trim_start_matches("operator's door on "))
        });
        Ok(Process {
            address: address.unwrap_or_else(|| panic!("no address: {line:?}")),
            door: door.flatten(),
            child,
            pool: Pool::default(),
            _output: output,
            _folder: None,
        })
    }

    pub fn client(&self) -> Client {
        Client::new(self.address, Pool::clone(&self.pool))
    }

    /// Who comes by the operator's door, if that is a port.
    pub fn operator(&self) -> Client {
        Client::new(self.door.expect("a door on a port"), Pool::default())
    }

    /// Sends a signal, by name.
    pub fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }

    /// Waits for the end of the process, not for ever.
    pub fn wait(mut self, most: Duration) -> Option<ExitStatus> {
        self.pool.lock().expect("no test panics here").clear();
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            let child = &mut self.child;
            let id = child.id();
            scope.spawn(move || {
                let status = child.wait().expect("it can be waited for");
                // Nobody listens any more if it took too long.
                sender.send(status).unwrap_or_default();
            });
            let status = receiver.recv_timeout(most).ok();
            if status.is_none() {
                signal(id, "KILL");
            }
            status
        })
    }

    /// Stops it by SIGTERM; it must end well.
    pub fn stop(self) {
        self.signal("TERM");
        let status = self.wait(Duration::from_secs(20));
        assert_eq!(status.and_then(|status| status.code()), Some(0));
    }

    /// Kills it, without a chance to do anything.
    pub fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The processes that run queries for it. One that is only just begun is still a copy of the server.
    pub fn queries(&self) -> Vec<u32> {
        let parent = self.id().to_string();
        let is_query = |id: &u32| {
            let of = |name| fs::read_to_string(format!("/proc/{id}/{name}")).unwrap_or_default();
            let stat = of("stat");
            let (_, state) = stat.rsplit_once(") ").unwrap_or_default();
            state.split(' ').nth(1) == Some(&parent) && of("cmdline").contains("run-query")
        };
        let all = fs::read_dir("/proc").expect("Linux").flatten();
        all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_query).collect()
    }

    /// How much memory it holds, in KiB.
    pub fn resident_kib(&self) -> u64 {
        memory_kib(self.child.id(), "VmRSS:").expect("the process lives")
    }

    /// The most memory that it ever held, in KiB.
    pub fn peak_kib(&self) -> u64 {
        memory_kib(self.child.id(), "VmHWM:").expect("the process lives")
    }

    /// How much memory it holds, in MB.
    pub fn resident_mb(&self) -> f64 {
        megabytes(1024 * self.resident_kib())
    }

    /// The most memory that it ever held, in MB.
    pub fn peak_mb(&self) -> f64 {
        megabytes(1024 * self.peak_kib())
    }

    /// The peak begins anew.
    pub fn forget_peak(&self) {
        let path = format!("/proc/{}/clear_refs", self.child.id());
        fs::write(path, "5").expect("the process is ours");
    }

    /// CPU time that it has used, with that of processes that it has waited for, in seconds.
    pub fn cpu(&self) -> f64 {
        let id = self.child.id().to_string();
        cpu(&id) + ticks(&id, 13)
    }
}

/// Sends a process a signal, by name.
pub fn signal(process: u32, name: &str) {
    let kill = format!("kill -{name} {process}");
    let status = Command::new("sh").args(["-c", &kill]).status();
    assert!(status.expect("sh is there").success());
}

/// A size that the system tells of a process, in KiB; none when it has ended.
pub fn memory_kib(process: u32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// Bytes in MB, of which each is a million. What the system tells in KiB has 1,024 bytes each.
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// CPU time that a process has used, in seconds; `self` or a number.
pub fn cpu(process: &str) -> f64 {
    ticks(process, 11)
}

/// CPU time of all children of this process that have ended, in seconds.
pub fn cpu_of_children() -> f64 {
    ticks("self", 13)
}

/// Two fields of a process's state, user and system, in seconds.
fn ticks(process: &str, first: usize) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("Linux");
    let (_, fields) = stat.rsplit_once(')').expect("a name");
    let fields = fields.split_whitespace().skip(first).take(2);
    fields.map(|ticks| ticks.parse::<f64>().expect("a number") / 100.0).sum()
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended long ago.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// What `muninn verify` says of a folder, findings and errors, and its exit code.
pub fn verify(folder: &Path) -> (Option<i32>, String) {
    let Said { code, out, error } = run_on(folder, &["verify"]);
    let said = out + &error;
    // Damage is no bug of the engine, and no place in its source is of use to an operator.
    for of_engine in ["PLEASE REPORT", "backtrace", ".rs:"] {
        assert!(!said.contains(of_engine), "{said}");
    }
    (code, said)
}

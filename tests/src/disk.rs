//! A small disk, for tests that fill one, and whether a folder is on one at all.

use std::fs;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::process::Process;
use crate::server::muninn;
use crate::untested::not_tested;

/// A disk of a few MiB; it lives in a name space of its own as long as this does.
pub struct Disk {
    keeper: Child,
    /// How who is to reach it by its own path enters that name space.
    way: &'static [&'static str],
    /// Where it is to be reached.
    pub path: PathBuf,
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

impl Disk {
    /// One of so many MiB, on a folder that is there. `None` where no disk can be made: that is said, and nothing is tested.
    #[track_caller]
    pub fn new(folder: &Path, mib: u32) -> Option<Self> {
        let disk = Self::mounted(folder, mib);
        if disk.is_none() {
            not_tested("disk", "no disk can be mounted here, so none can be full");
        }
        disk
    }

    fn mounted(folder: &Path, mib: u32) -> Option<Self> {
        // For root as it is; for others in a name space where they are root.
        for (rights, way) in
            [("-m", ["-m"].as_slice()), ("-rm", &["-U", "--preserve-credentials", "-m"])]
        {
            let mut inside = Command::new("unshare");
            let script =
                format!("mount -t tmpfs -o size={mib}m none \"$0\" && echo ready && exec cat");
            inside.args([rights, "sh", "-c", &script]).arg(folder);
            inside.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut keeper = inside.stderr(Stdio::null()).spawn().ok()?;
            let mut line = String::new();
            let output = keeper.stdout.take().expect("the output is piped");
            let read = BufReader::new(output).read_line(&mut line);
            let root = PathBuf::from(format!("/proc/{}/root", keeper.id()));
            let path = root.join(folder.strip_prefix("/").expect("it is absolute"));
            let disk = Disk { keeper, way, path };
            if read.is_ok() && line == "ready\n" {
                return Some(disk);
            }
        }
        None
    }

    /// A server whose store lies there, on the folder that the disk was made on.
    pub fn serve(&self, folder: &Path, more: &[&str]) -> Process {
        let mut inside = Command::new("nsenter");
        inside.arg("-t").arg(self.keeper.id().to_string()).args(self.way);
        inside.arg(muninn().get_program()).args(["serve", "--listen", "127.0.0.1:0"]);
        inside.args(["--operator-listen", "127.0.0.1:0", "--log", "off", "--data"]);
        Process::spawn(inside.arg(folder.join("store")).args(more).stderr(Stdio::null()))
    }
}

/// Ends the program, with one line and exit code 2, where this folder is in memory: what is measured there is no disk. For a bench.
pub fn refuse_memory(folder: &Path) {
    let whole = std::path::absolute(folder).expect("a path");
    let real = whole.ancestors().find_map(|place| place.canonicalize().ok());
    // Where there is no such list, nobody says what a folder is on.
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    if let Some(kind) = in_memory(&mounts, &real.expect("a root")) {
        let told = format!(
            "{} is on {kind}, in memory: set TMPDIR to a folder on a disk\n",
            folder.display()
        );
        // Whoever closed it does not want to know.
        drop(io::stderr().write_all(told.as_bytes()));
        std::process::exit(2);
    }
}

/// The file system that a folder is on, if that is one in memory; by the system's list of mounts.
pub fn in_memory<'a>(mounts: &'a str, folder: &Path) -> Option<&'a str> {
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        let (place, kind) = (words.next()?, words.next()?);
        folder.starts_with(place).then_some((place.len(), kind))
    });
    // Of two at one place the later one covers the other.
    let (_, kind) = mounts.max_by_key(|(length, _)| *length)?;
    ["tmpfs", "ramfs"].contains(&kind).then_some(kind)
}

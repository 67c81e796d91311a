//! The power is cut under a real file system: ext4 on a device of its own is shut down, and mounted again. It needs root, loop devices and the
//! tools of ext4; where one of them is missing, the test says so.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::Round;
use crate::crowd::Crowd;
use acceptance::process::{Process, verify};
use acceptance::{Dice, not_tested};

/// Until nobody has the old file system any more.
const PATIENCE: Duration = Duration::from_secs(120);

/// A disk in a file, mounted; it is unmounted when this is dropped.
pub(crate) struct Ext4 {
    image: PathBuf,
    pub(crate) mounted: PathBuf,
    tool: PathBuf,
}

/// Runs a command; an error says what it said.
pub(crate) fn run(program: &str, arguments: &[&Path]) -> Result<(), String> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    output.status.success().then_some(()).ok_or_else(|| format!("{program}: {said}"))
}

impl Ext4 {
    /// Of 256 MiB, of which the file takes what was written.
    pub(crate) fn new(folder: &Path, image: PathBuf) -> Result<Self, String> {
        let [mounted, tool] = ["mounted", "cut"].map(|name| folder.join(name));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("faults/cut.c");
        run("cc", &["-o".as_ref(), &tool, &source])?;
        let file = File::create(&image).and_then(|file| file.set_len(256 << 20));
        file.map_err(|error| error.to_string())?;
        run("mkfs.ext4", &["-q".as_ref(), &image])?;
        fs::create_dir(&mounted).map_err(|error| error.to_string())?;
        let disk = Ext4 { image, mounted, tool };
        disk.mount()?;
        Ok(disk)
    }

    pub(crate) fn mount(&self) -> Result<(), String> {
        let start = Instant::now();
        loop {
            run("mount", &["-o".as_ref(), "loop".as_ref(), &self.image, &self.mounted])?;
            // A process with a copy of all mounts, as `unshare` makes them, keeps a file system that was shut down, and then it is mounted again.
            match fs::write(self.mounted.join("probe"), "") {
                Ok(()) => return Ok(()),
                Err(error) if start.elapsed() > PATIENCE => return Err(error.to_string()),
                Err(_) => self.unmount()?,
            }
            thread::sleep(Duration::from_millis(100));
        }
    }

    fn cut(&self, how: &str) {
        run(&self.tool.to_string_lossy(), &[&self.mounted, how.as_ref()]).expect("it is cut");
    }

    pub(crate) fn unmount(&self) -> Result<(), String> {
        run("umount", &[&self.mounted])
    }
}

impl Drop for Ext4 {
    fn drop(&mut self) {
        // It may not be mounted.
        drop(self.unmount());
    }
}

#[test]
fn what_was_acknowledged_survives_a_power_cut_of_ext4() {
    let (rounds, seed) = crate::rounds(4);
    let folder = tempfile::tempdir().expect("a folder");
    let disk = match Ext4::new(folder.path(), folder.path().join("image")) {
        Ok(disk) => disk,
        Err(why) => return not_tested("ext4", &format!("no power cut of ext4: {why}")),
    };
    let data = disk.mounted.join("data");
    let mut dice = Dice::new(seed);
    let mut crowd = Crowd::new(8, 3);
    for round in 0..rounds {
        let named = Round(format!("round {round}, seed {seed}"));
        let server = Process::serve(&data, &["--log", "off", "--cache-mib", "4"]);
        crowd.check(&server);
        let how = ["1", "2", "2"][dice.below(3)];
        crowd.play(&server, 300, &mut dice, || {
            disk.cut(how);
            server.signal("KILL");
        });
        server.kill();
        disk.unmount().expect("nobody uses it");
        disk.mount().expect("it is repaired by its journal");
        drop(named);
    }
    let server = Process::serve(&data, &[]);
    crowd.check_all(&server);
    server.stop();
    let (code, text) = verify(&data);
    assert_eq!(code, Some(0), "seed {seed}: {text}");
}

//! A device that promises more space than there is behind it: what ext4 took is refused when it is written out. It needs root, loop devices and
//! the tools of ext4; where one of them is missing, the test says so.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::Round;
use crate::follower::Follower;
use crate::full_disk::{check, cut_off, fill, play_until_full};
use crate::power_cut_ext4::{Ext4, run};
use acceptance::process::{Process, verify};
use acceptance::{Dice, Table, not_tested};

/// What lies behind the device, in MiB, and how much more later.
const BEHIND: usize = 48;
const MORE: usize = 16;

/// A small file system for the file of the device; it is unmounted when this is dropped.
struct Behind(PathBuf);

impl Behind {
    fn new(folder: &Path) -> Result<Self, String> {
        let at = folder.join("behind");
        fs::create_dir(&at).map_err(|error| error.to_string())?;
        mount(&format!("size={BEHIND}m"), &at)?;
        Ok(Behind(at))
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        // It may still be used by a device that is just being given up.
        drop(run("umount", &["-l".as_ref(), &*self.0]));
    }
}

fn mount(options: &str, at: &Path) -> Result<(), String> {
    let words = ["-t", "tmpfs", "-o", options, "none"].map(Path::new);
    run("mount", &[&words[..], &[at]].concat())
}

#[test]
fn a_device_that_has_less_than_it_promised_leaves_a_log_that_opens() {
    let (rounds, seed) = crate::rounds(1);
    let mut dice = Dice::new(seed);
    for round in 0..rounds {
        let named = Round(format!("round {round}, seed {seed}"));
        let folder = tempfile::tempdir().expect("a folder");
        let made = Behind::new(folder.path())
            .and_then(|behind| Ok((Ext4::new(folder.path(), behind.0.join("image"))?, behind)));
        let (disk, behind) = match made {
            Ok(made) => made,
            Err(why) => {
                return not_tested("ext4", &format!("no device of less than it promises: {why}"));
            }
        };
        run_out(&disk, &behind, &mut dice);
        drop(named);
    }
}

fn run_out(disk: &Ext4, behind: &Behind, dice: &mut Dice) {
    let data = disk.mounted.join("data");
    let server = Process::serve(&data, &["--log", "off"]);
    let filler = File::create(behind.0.join("filler")).expect("it can be made");
    fill(&filler, &behind.0, (3 << 20) + dice.below(8 << 20) as u64);
    let (client, mut follower) = (server.client(), Follower::default());
    let (tables, failed) = follower.follow_during(&client, || play_until_full(&client, dice));
    cut_off(&failed);
    server.kill();
    disk.unmount().expect("nobody uses it");
    let more = format!("remount,size={}m", BEHIND + MORE);
    mount(&more, &behind.0).expect("it can grow");
    disk.mount().expect("it is repaired by its journal");
    let server = Process::serve(&data, &[]);
    check(&server.client(), &tables);
    follower.check(&server);
    Table::rosenkoenig(&server.client()).play(dice, 3);
    server.stop();
    let (code, text) = verify(&data);
    assert_eq!(code, Some(0), "{text}");
}

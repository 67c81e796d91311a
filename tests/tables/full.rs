//! Exports onto a disk that is full: they say so, leave nothing half, and go on when there is space.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use acceptance::disk::Disk;
use acceptance::files::names;

use crate::folder::{export, simulate, try_export};
use crate::read::tables;

/// A disk of two MiB.
struct Small(Disk);

impl Small {
    /// Takes all space but so many bytes.
    fn fill(&self, left: u64) {
        let mut filler = File::create(self.0.path.join("filler")).expect("it can be made");
        let block = [7; 4096];
        while fs2::available_space(&self.0.path).expect("a disk has space") > left
            && filler.write_all(&block).is_ok()
        {}
    }

    fn free(&self) {
        fs::remove_file(self.0.path.join("filler")).expect("it can be removed");
    }
}

/// The export fails, and names the file and the cause.
#[track_caller]
fn is_refused(data: &Path, out: &Path, name: &str) {
    try_export(data, out, &[]).refused(&["cannot", name, "No space left on device"]);
}

#[test]
fn an_export_onto_a_full_disk_goes_on_when_there_is_space() {
    let (folder, [data, once]) = acceptance::places(["data", "once"]);
    let mount = folder.path().join("disk");
    fs::create_dir(&mount).expect("a folder");
    let Some(disk) = Disk::new(&mount, 2).map(Small) else { return };
    let out = disk.0.path.join("out");
    simulate(&data, "rosenkoenig", 2, 2, 1);
    // Not even the manifest fits: the folder is the export's all the same.
    disk.fill(0);
    is_refused(&data, &out, "_export.json");
    assert!(names(&out).is_empty());
    disk.free();
    // As if it had been killed there.
    fs::write(out.join("_export.json.new"), "{").expect("a file");
    export(&data, &out, &[]);
    let before = names(&out);
    let manifest = fs::read(out.join("_export.json")).expect("a manifest");

    simulate(&data, "rosenkoenig", 2, 60, 2);
    export(&data, &once, &[]);
    for left in [200 << 10, 100 << 10, 24 << 10, 8 << 10, 0] {
        disk.fill(left);
        // The manifest is written first; where it does not fit, it is what is named.
        let name = if left == 0 { "_export.json" } else { ".parquet" };
        is_refused(&data, &out, name);
        assert_eq!(names(&out), before, "{left} bytes left");
        let kept = fs::read(out.join("_export.json")).expect("a manifest");
        assert!(kept == manifest, "the manifest is as it was");
        disk.free();
    }
    export(&data, &out, &[]);
    assert_eq!(tables(&out), tables(&once));
}

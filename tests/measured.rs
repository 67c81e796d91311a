//! What benches say is what they measured.

use std::path::Path;

use acceptance::disk::in_memory;
use acceptance::process::megabytes;

use crate::{none, read, rust};

#[test]
fn a_megabyte_is_a_million_bytes() {
    assert_eq!(format!("{:.2}", megabytes(64 << 20)), "67.11");
    // Whoever shifts by ten or twenty bits has KiB and MiB, and may not call them MB.
    let benches = rust().into_iter().filter(|(name, _)| name.contains("/benches/"));
    let wrong = benches.filter(|(_, text)| {
        text.contains(" MB") && [">> 10", ">> 20"].iter().any(|shift| text.contains(shift))
    });
    none(&wrong.map(|(name, _)| format!("{name} says MB and shifts")).collect::<Vec<_>>());
}

#[test]
fn benches_of_a_disk_refuse_a_folder_in_memory() {
    let mounts = "/dev/vda / ext4 rw 0 0\nproc /proc proc rw 0 0\ntmpfs /run tmpfs rw 0 0\n/dev/vdb /run/disk ext4 rw 0 0\n\
                  tmpfs /tmp tmpfs rw 0 0\n/dev/vdc /tmp xfs rw 0 0\nnone /dev/shm ramfs rw 0 0\n";
    let found = |folder: &str| in_memory(mounts, Path::new(folder));
    assert_eq!(found("/run/bench"), Some("tmpfs"));
    assert_eq!(found("/dev/shm"), Some("ramfs"));
    for on_disk in ["/", "/var/tmp", "/runs", "/run/disk/bench", "/tmp/bench"] {
        assert_eq!(found(on_disk), None, "{on_disk}");
    }
    let wrong = ["cluster", "http", "load", "start"].map(|bench| {
        let main = format!("tests/benches/{bench}/main.rs");
        let asks = read(&main).contains("refuse_memory(");
        (!asks).then(|| format!("{main} takes any folder for a disk"))
    });
    none(&wrong.into_iter().flatten().collect::<Vec<_>>());
}

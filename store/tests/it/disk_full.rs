//! A disk that is full: writes are refused, nothing that was acknowledged is lost. A limit on the size of files stands in
//! for the disk.

use std::process::Command;

use store::{Config, Store};

use crate::child::{self, Line};
use crate::content;

#[test]
fn a_full_disk_makes_the_store_unavailable_and_loses_nothing() {
    // Before the first commit there are 3 MiB of zeros and a little more.
    for kib in [3_700, 4_700, 6_345] {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = child::command(folder.path(), 4, u64::MAX / 2);
        // The shell counts in blocks of 512 bytes. Ignored, the signal becomes an error of the write.
        let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", 2 * kib);
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, "sh"]);
        let mut limited = child::under(shell, &writer);
        let lines = child::lines(limited.spawn().expect("sh is there"), |_, _| {});
        let refused = lines.iter().filter(|line| **line == Line::Unavailable).count();
        assert_eq!(refused, 4, "each writer learns of it, at {kib} KiB");

        let store = Store::open(folder.path(), Config::default())
            .expect("it opens when there is space again");
        content::assert_whole(&store);
        let acknowledged = child::assert_acknowledged(&store, &lines);
        assert!(acknowledged > 0, "the disk was full before anything was written, at {kib} KiB");
        for stream in (0..4).map(content::stream) {
            let last = store.last(stream).expect("readable").map_or(0, |stored| stored.number);
            // Nothing is left of what was refused: the next commit finds its note free, and its header.
            assert!(store.submit(content::write(stream, last + 1)).wait().is_ok());
        }
        content::assert_whole(&store);
    }
}

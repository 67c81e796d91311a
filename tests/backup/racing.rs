//! Several who make a store in the same place at the same instant: one makes it, and the others take nothing of it away.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use acceptance::{muninn, process};
use archive::portable::{Failed, back_up_file};

use crate::world::play;
use crate::{backup, names};

const RACERS: usize = 6;
const ROUNDS: usize = 6;

fn begun(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program runs")
}

/// Runs a command several times at once; one of them makes `new`, which is whole.
#[track_caller]
fn race(command: impl Fn() -> Command, new: &Path) {
    let racers: Vec<Child> = (0..RACERS).map(|_| begun(&mut command())).collect();
    let ends = racers.into_iter().map(|racer| racer.wait_with_output().expect("it ends"));
    let ends: Vec<Output> = ends.collect();
    let said: Vec<String> =
        ends.iter().map(|end| String::from_utf8_lossy(&end.stderr).into_owned()).collect();
    let made = ends.iter().filter(|end| end.status.success()).count();
    assert_eq!(made, 1, "one makes it: {said:?}");
    for (end, said) in ends.iter().zip(&said).filter(|(end, _)| !end.status.success()) {
        assert_eq!((end.status.code(), end.stdout.len()), (Some(1), 0), "{said}");
        let is_clear = said.contains("remove it first") || said.contains("is not empty");
        assert!(is_clear && said.contains("new"), "place and reason: {said}");
    }
    let (code, found) = process::verify(new);
    assert_eq!(code, Some(0), "{found}");
}

#[test]
fn of_several_who_restore_or_repair_into_one_folder_one_does() {
    let (folder, [data, archive, new]) = acceptance::places(["data", "archive", "new"]);
    play(&data, 2, 8);
    backup(&data, &archive, None).ok();
    for _ in 0..ROUNDS {
        race(
            || {
                let mut restore = muninn();
                restore.arg("restore").arg("--from").arg(&archive).arg("--data").arg(&new);
                restore
            },
            &new,
        );
        fs::remove_dir_all(&new).expect("it is there");
        race(
            || {
                let mut repair = muninn();
                repair.arg("repair").arg("--data").arg(&data).arg("--out").arg(&new);
                repair
            },
            &new,
        );
        fs::remove_dir_all(&new).expect("it is there");
    }
    assert_eq!(names(folder.path()), [archive, data], "nothing is left half done");
}

#[test]
fn a_file_that_came_while_a_backup_was_made_stays() {
    const THEIRS: &str = "of somebody else";
    let (folder, [out]) = acceptance::places(["archive"]);
    let made = back_up_file(&out, |file| {
        file.write_all(b"an archive").expect("it takes it");
        fs::write(&out, THEIRS).expect("written");
        Ok(())
    });
    assert!(matches!(made, Err(Failed::File { .. })));
    assert_eq!(fs::read_to_string(&out).expect("a file"), THEIRS);
    assert_eq!(names(folder.path()), [out], "nothing is left half done");
}

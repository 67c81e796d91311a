//! A query whose process hangs holds up neither who fills the tables, nor who asks whether they are answered from.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::thread;

use archive::Archive;
use tables::sql::asker;
use tables::{Catalogue, QueryError, Question, Shape, Sql};

use crate::folder::{LIMITS, simulate};
use acceptance::{places, until};

/// Makes a program that is told to look at the tables, which it says by a file, and never answers. A shell writes it: a child of this process that
/// is just being started would have it open, and then it could not be run.
fn hanging(program: &Path, told: &Path) {
    let told = told.display();
    let text = format!("#!/bin/sh\nread -r job\nread -r look\n: > '{told}'\nexec sleep 600\n");
    let write = "printf '%s' \"$2\" > \"$1\" && chmod +x \"$1\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", write, "sh"]).arg(program).arg(text);
    assert!(shell.status().expect("sh is there").success());
}

#[test]
fn a_query_whose_process_hangs_holds_up_nobody_else() {
    let (_folder, [data, program, told]) = places(["data", "program", "told"]);
    simulate(&data, "rosenkoenig", 2, 3, 1);
    hanging(&program, &told);
    let sql = Sql::beside(&data, Catalogue::new(catalog::games()), Some(program));
    let archive = Archive::open(&data, catalog::games(), 8 << 20).expect("the store opens");
    let fill = || {
        let prepared = sql.prepare(&archive).expect("the file can be opened");
        prepared.refresh(1, &mut |_, _| ControlFlow::Continue(())).expect("it is filled");
    };
    fill();
    let question = Question { sql: "SELECT 1".to_owned(), ..Question::default() };
    let (waiting, asked) = asker();
    thread::scope(|scope| {
        let query = scope.spawn(|| sql.query(&question, Shape::Json, &LIMITS, asked));
        until("the process is told to look", || told.exists());
        assert!(!sql.is_refused());
        fill();
        // It was not given up before: who asked it goes away now.
        drop(waiting);
        let answer = query.join().expect("it ends");
        assert!(matches!(answer, Err(QueryError::HungUp)), "{answer:?}");
    });
}

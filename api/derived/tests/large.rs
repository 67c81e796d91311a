//! A file of more than a gibibyte. There SQLite leaves one page alone, on which it locks.

use derived::{Derived, Source};

#[test]
fn a_file_of_more_than_a_gibibyte_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.sqlite");
    let source = Source { layout: "large", end: 9, mark: &|_| Ok(None) };
    let create = |db: &rusqlite::Connection| {
        db.execute_batch(
            "CREATE TABLE meta (key TEXT PRIMARY KEY, value); CREATE TABLE large (bytes)",
        )
    };
    // The page is passed in the second transaction, and comes into the file from the log.
    for position in 1..=3 {
        let file = Derived::new("test", path.clone());
        let (mut opened, begun) = file.open(&source, &create).expect("it opens");
        assert_eq!((begun, opened.position), (None, position - 1), "it is whole");
        opened.begin().expect("it begins");
        let insert = "INSERT INTO large VALUES (zeroblob(600000000))";
        if position < 3 {
            opened.db.execute(insert, []).expect("it is written");
        }
        opened.commit(position, &source).expect("it is stored");
        opened.close(&Ok(()));
    }
    let length = std::fs::metadata(&path).expect("a file").len();
    assert!(length > 1_100_000_000, "{length}");
}

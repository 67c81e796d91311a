//! The data dictionary is fresh.

use std::fs;
use std::path::Path;

#[test]
fn the_dictionary_describes_the_tables_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/dictionary.md");
    let fresh = tables::dictionary(&tables::Catalogue::new(catalog::GAMES));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, &fresh).expect("docs/dictionary.md can be written");
    }
    let written = fs::read_to_string(&path).expect("docs/dictionary.md is there");
    assert!(written == fresh, "stale: UPDATE_SNAPSHOTS=1 cargo test -p acceptance --test tables");
}

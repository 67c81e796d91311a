//! The data dictionary is fresh, and its names are good ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

#[test]
fn the_dictionary_describes_the_tables_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/dictionary.md");
    let fresh = tables::dictionary(&tables::Catalogue::new(catalog::games()));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, &fresh).expect("docs/dictionary.md can be written");
    }
    let written = fs::read_to_string(&path).expect("docs/dictionary.md is there");
    assert!(written == fresh, "stale: UPDATE_SNAPSHOTS=1 cargo test -p acceptance --test tables");
}

#[test]
fn a_column_begins_with_what_its_field_means() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi/openapi.json");
    let document = fs::read_to_string(path).expect("openapi.json is there");
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let schemas = &document["components"]["schemas"];
    let catalogue = tables::Catalogue::new(catalog::games());
    let (events, _) = catalogue.find("events").expect("a table of every game");
    let shared = |name: &str| events.columns.iter().any(|column| column.name == name);
    for game in catalogue.games() {
        let event = &schemas[format!("{}Event", kernel::pascal(game))];
        let kinds = event["discriminator"]["mapping"].as_object().expect("the types of events");
        for (kind, schema) in kinds {
            let named = format!("`{kind}`: ");
            let table = catalogue.wide(game).find(|table| table.about.starts_with(&named));
            let table = table.unwrap_or_else(|| panic!("{game} has no table of {kind}"));
            let schema = schema.as_str().and_then(|path| path.rsplit('/').next());
            let fields = &schemas[schema.expect("a reference")]["properties"];
            let fields = fields.as_object().expect("fields");
            for column in table.columns.iter().filter(|column| !shared(&column.name)) {
                let own = column.name.strip_prefix("event_").unwrap_or(&column.name);
                let of = |name: &str| own == name || own.starts_with(&format!("{name}_"));
                let field = fields.iter().filter(|(name, _)| of(name));
                let (_, field) = field.max_by_key(|(name, _)| name.len()).expect("its field");
                let means = field["description"].as_str().expect("what it means");
                let means = means.split_whitespace().collect::<Vec<_>>().join(" ");
                let about = &column.about;
                assert!(about.starts_with(&means), "{}.{}: {about}", table.name, column.name);
            }
        }
    }
}

#[test]
fn no_column_has_a_word_of_sql_for_a_name() {
    let catalogue = tables::Catalogue::new(catalog::games());
    for (table, _) in catalogue.all() {
        for column in &table.columns {
            let name = &*column.name;
            assert!(!tables::WORDS.contains(&name), "{}.{name}", table.name);
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(name.chars().all(plain), "{}.{name}", table.name);
        }
    }
    let old = ["as", "from", "to", "by", "rows", "order", "left", "match"];
    assert!(old.iter().all(|word| tables::WORDS.contains(word)));
}

#[test]
fn a_name_means_the_same_in_all_tables() {
    let catalogue = tables::Catalogue::new(catalog::games());
    let mut common = BTreeMap::new();
    for (table, column) in
        catalogue.basic().iter().flat_map(|t| t.columns.iter().map(move |c| (&t.name, c)))
    {
        let (first, kind, about) =
            *common.entry(&*column.name).or_insert((table, column.kind, &*column.about));
        let found = (column.kind, &*column.about);
        assert_eq!(found, (kind, about), "{} in {first} and {table}", column.name);
    }
    for game in catalogue.games() {
        let mut own = BTreeMap::new();
        for (table, column) in
            catalogue.wide(game).flat_map(|t| t.columns.iter().map(move |c| (&t.name, c)))
        {
            let known = common.get(&*column.name).map(|(table, kind, _)| (*table, *kind));
            let (first, kind) =
                *own.entry(&*column.name).or_insert(known.unwrap_or((table, column.kind)));
            assert_eq!(column.kind, kind, "{} in {first} and {table}", column.name);
        }
    }
}

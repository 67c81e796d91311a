//! Errors of the database that may be of what it reads, or of itself.

use store::{Commit, ReadError, Store, Stored, Write};

use crate::content::{self, Dice};
use crate::engines::cluster;

/// The numbers of the commits that were read; otherwise whether it is the store that cannot be read.
fn numbers(read: Result<Vec<Stored>, ReadError>) -> Result<Vec<u64>, bool> {
    let read = read.map_err(|error| error.is_of_store())?;
    Ok(read.iter().map(|stored| stored.number).collect())
}

/// Where pages have no checksums, the database does not know that a length was changed on its disk: it tells of an error of its own.
#[test]
fn a_row_that_the_database_fails_over_is_damaged_alone() {
    let Some((cluster, address)) = cluster::alone() else { return };
    let store = Store::connect(&address).expect("it opens");
    let (stream, mut dice) = (content::stream(1), Dice(1));
    for number in 1..=3 {
        // Noise is not packed.
        let bytes = (0..500).map(|_| dice.below(256) as u8).collect();
        let commit = Commit { stream, number, bytes, header: None };
        store.submit(Write { commit: Some(commit), ..Write::default() }).wait().expect("stored");
    }
    drop(store);
    let cluster = cluster.with_an_odd_row(&address, "number = 2");
    let fails =
        "DO $$ BEGIN PERFORM max(encode(bytes, 'hex')) FROM muninn.commits; RAISE 'it is read';
        EXCEPTION WHEN internal_error THEN NULL; END $$";
    cluster.psql(&address, fails);

    let store = Store::connect(&address).expect("it opens");
    for (after, limit, read) in
        [(0, 1, Ok(vec![1])), (1, 1, Err(false)), (2, 1, Ok(vec![3])), (0, 3, Err(false))]
    {
        assert_eq!(numbers(store.commits(stream, after, limit)), read);
        assert_eq!(numbers(store.feed(after, limit)), read);
    }
    let places = store.feed_places(0, 3).expect("nothing of the bytes is read");
    let read = store.at_places(&places).map(|read| numbers(read.map(|stored| vec![stored])));
    assert_eq!(read.collect::<Vec<_>>(), [Ok(vec![1]), Err(false), Ok(vec![3])]);
    assert!(store.trouble().is_none(), "{:?}", store.trouble());
    assert_eq!(store.submit(content::write(content::stream(2), 1)).wait(), Ok(4));
}

/// An error that passes, or of which the store is not free either, says nothing of what was read. Here a view in the place of a table fails.
#[test]
fn an_error_is_of_a_row_if_it_comes_twice_and_the_store_can_be_read() {
    let Some(address) = cluster::database() else { return };
    let store = Store::connect(&address).expect("it opens");
    let stream = content::stream(1);
    content::append(&store, stream, 1..=1);
    cluster::sql(
        &address,
        "ALTER TABLE muninn.headers RENAME TO kept; CREATE SEQUENCE muninn.asked;
        CREATE FUNCTION muninn.fail() RETURNS bytea LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE VIEW muninn.headers AS SELECT stream, coalesce(muninn.fail(), bytes) AS bytes FROM muninn.kept",
    );
    let failing = |code: &str, when: &str| {
        let fail = format!("RAISE EXCEPTION 'it fails' USING ERRCODE = '{code}'");
        let body = format!("BEGIN IF {when} THEN {fail}; END IF; RETURN NULL; END");
        let head = "CREATE OR REPLACE FUNCTION muninn.fail() RETURNS bytea LANGUAGE plpgsql";
        cluster::sql(&address, &format!("{head} AS $$ {body} $$"));
        store.header(stream).map_err(|error| error.is_of_store())
    };
    let once = "nextval('muninn.asked') % 2 = 1";
    for code in ["XX000", "54000"] {
        assert_eq!(failing(code, once), Ok(Some(content::header(stream))), "{code}");
        assert_eq!(failing(code, "true"), Err(false), "{code}");
    }
    // It has no memory left.
    assert_eq!(failing("53200", "true"), Err(true));
    cluster::sql(&address, "ALTER TABLE muninn.store RENAME TO gone");
    assert_eq!(failing("XX000", "true"), Err(true));
}

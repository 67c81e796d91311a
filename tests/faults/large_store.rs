//! A store that is too large for its list to be made before the server listens.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use acceptance::process::Process;
use acceptance::{Client, Table, copies};

use crate::derived_files::write;
use crate::list_killed::FILES;

/// The start waits a second for the list of a store of more than 20,000 commits. This one takes longer.
const MATCHES: usize = 30_000;

fn without_its_list(data: &Path) {
    write(data, &FILES, &BTreeMap::new());
}

/// Asks until the list is there; how often the answer was that it is not complete.
fn refusals(client: &Client, known: &str) -> usize {
    let until = Instant::now() + Duration::from_secs(120);
    let mut refused = 0;
    loop {
        let page = client.matches("limit=1");
        if page.status == 200 {
            return refused;
        }
        assert_eq!(
            (page.status, page.json()["code"].as_str()),
            (503, Some("unavailable")),
            "{}",
            page.text()
        );
        assert!(page.header("retry-after").is_some(), "{}", page.text());
        assert_eq!(client.info(known).status, 200, "a match does not need the list");
        refused += 1;
        assert!(Instant::now() < until, "the list is never complete");
    }
}

fn listed(client: &Client) -> usize {
    Table::pages(1_000, |query| client.matches(query).ok()).len()
}

#[test]
fn a_list_that_is_not_complete_is_not_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let (mut matches, mut refused) = (0, 0);
    // A faster machine gets a larger store.
    while refused == 0 {
        assert!(matches < 4 * MATCHES, "the list of {matches} matches is complete at once");
        copies::make(data, 1, MATCHES);
        matches += MATCHES;
        let server = Process::serve(data, &["--wait-for-projections"]);
        let items = server.client().matches("limit=1").ok();
        let known = items["items"][0]["match"].as_str().expect("an id").to_owned();
        server.stop();

        without_its_list(data);
        let server = Process::serve(data, &[]);
        let ready = server.client().get("/readyz");
        refused = refusals(&server.client(), &known);
        assert!(
            refused == 0 || ready.json()["behind"]["list"].as_u64() > Some(0),
            "{}",
            ready.text()
        );
        assert_eq!(listed(&server.client()), matches);
        assert!(server.client().get("/readyz").json()["behind"].get("list").is_none());
        server.stop();
    }
    // Its file is there; or it is waited for.
    for more in [[].as_slice(), &["--wait-for-projections"]] {
        let server = Process::serve(data, more);
        assert_eq!(listed(&server.client()), matches);
        server.stop();
        without_its_list(data);
    }
}

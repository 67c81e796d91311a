//! The list of matches: newest first, filters, cursor.

use serde_json::{Value, json};

use crate::{restarted, server};
use acceptance::{Dice, Table};

fn ids(items: &[Value]) -> Vec<&str> {
    items.iter().filter_map(|item| item["match"].as_str()).collect()
}

#[test]
fn matches_are_listed_by_page_and_filter() {
    let (server, folder) = server();
    let client = server.client();
    let open = |first: Value| {
        Table::open(&client, &json!({"game": "rosenkoenig", "seats": [first, {"name": "Sif"}]}))
    };
    let mut tables: Vec<Table> = (0..7).map(|_| open(json!({"name": "Thor"}))).collect();
    tables.push(open(json!({"open": true})));
    tables.push(open(json!({})));
    tables[2].finish(&mut Dice::new(81));
    tables[3].owner().close(&tables[3].id).ok();
    let newest: Vec<&str> = tables.iter().rev().map(|table| table.id.as_str()).collect();
    let check = |client: &acceptance::Client| {
        for limit in [1, 4, 9, 100] {
            let items = Table::pages(limit, |query| client.matches(query).ok());
            assert_eq!(ids(&items), newest, "by {limit}");
        }
        for (query, expected) in [
            ("status=open", vec![1]),
            ("status=finished", vec![6]),
            ("status=abandoned", vec![5]),
            ("status=running", vec![0, 2, 3, 4, 7, 8]),
            ("player=Thor", vec![2, 3, 4, 5, 6, 7, 8]),
            ("player=Thor&status=finished&game=rosenkoenig", vec![6]),
            ("player=%20Thor", vec![2, 3, 4, 5, 6, 7, 8]),
            ("player=thor", vec![]),
            ("game=chess", vec![]),
        ] {
            let items = client.matches(query).items();
            let expected: Vec<&str> = expected.into_iter().map(|n: usize| newest[n]).collect();
            assert_eq!(ids(&items), expected, "{query}");
        }
        for item in client.matches("").items() {
            let info = client.info(item["match"].as_str().expect("an id")).ok();
            for name in ["game", "status", "seats", "version", "created_at", "updated_at"] {
                assert_eq!(item[name], info[name], "{name}");
            }
        }
    };
    check(&client);
    let server = restarted(server, &folder);
    check(&server.client());
}

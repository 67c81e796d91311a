//! Downloads of tables: few for one address, and they leave the disk to the store.

use std::net::Ipv4Addr;

use acceptance::disk::Disk;
use acceptance::process::Process;
use acceptance::{Answer, Connection, Request, until};

use crate::turns::simulated;

/// Asks for a large table from an address of this machine, and reads its head alone.
fn begin(server: &Process, from: u8) -> (Connection, Answer) {
    let own = Ipv4Addr::new(127, 0, 0, from);
    let mut connection = Connection::open_from(own, server.address).expect("it listens");
    let request = Request::new("GET", "/v1/tables/events.ndjson?hashes=true");
    let request = request.header("Accept-Encoding", "identity");
    request.leave(&mut connection).expect("it is sent");
    let head = connection.read_head().expect("an answer");
    (connection, head)
}

#[test]
fn an_address_has_two_downloads_at_once_and_all_of_them_have_four() {
    let folder = tempfile::tempdir().expect("a folder");
    simulated(folder.path(), "rosenkoenig", 400);
    let server = Process::serve(folder.path(), &[]);
    let refused = |from: u8, status: u16, code: &str| {
        let (mut connection, head) = begin(&server, from);
        let problem = connection.read_body(head, false).expect("a body").problem(status, code);
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("downloads")));
    };
    let two = |from: u8| -> Vec<_> { (0..2).map(|_| begin(&server, from)).collect() };
    let held = two(1);
    assert!(held.iter().all(|(_, head)| head.status == 200));
    refused(1, 429, "rate_limited");
    let others = two(2);
    assert!(others.iter().all(|(_, head)| head.status == 200), "others have their places");
    refused(3, 503, "unavailable");
    let counted = server.operator().figure("muninn_limits_hit_total{limit=\"downloads\"}");
    assert_eq!(counted, 2);
    drop(held);
    until("the place of a client that is gone", || begin(&server, 3).1.status == 200);
}

#[test]
fn a_disk_that_is_nearly_full_takes_no_download() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = Disk::new(folder.path(), 200) else { return };
    let server = disk.serve(folder.path(), &[]);
    let client = server.client();
    // A match that is over, so that there is something to send.
    let bots = serde_json::json!([{"bot": "greedy"}, {"bot": "greedy"}]);
    let over =
        serde_json::json!({"game": "rosenkoenig", "seats": bots, "sandbox": {"fast_forward": {}}});
    client.open(&over).created();
    let problem = client.get("/v1/tables.tar").problem(503, "unavailable");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("disk")), "{problem}");
    // What needs no space there is sent, and the store goes on.
    assert_eq!(client.get("/v1/tables/matches.csv").status, 200);
    acceptance::Table::rosenkoenig(&client).play(&mut acceptance::Dice::new(1), 3);
}

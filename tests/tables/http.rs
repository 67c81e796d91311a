//! Tables over HTTP: the same rows as an export, in spans, and nothing that is not for everybody.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};

use crate::folder::{export, simulate, three_games};
use crate::read::{Row, read, tables};
use acceptance::server::Server;
use acceptance::{Answer, Client, Dice, Request, Table};

pub(crate) fn names(client: &Client) -> Vec<String> {
    let listed = client.get("/v1/tables").ok();
    let items = listed["items"].as_array().expect("a list");
    let name = |item: &Value| item["name"].as_str().expect("a name").to_owned();
    items.iter().map(name).collect()
}

/// The rows of a table in one format, read as a file of this format.
pub(crate) fn rows(client: &Client, folder: &Path, file: &str, query: &str) -> Vec<Row> {
    let answer = client.get(&format!("/v1/tables/{file}?{query}"));
    assert_eq!(answer.status, 200, "{file}?{query}");
    let path = folder.join(file);
    fs::write(&path, &answer.body).expect("a file");
    read(&path)
}

/// The end of the span of an answer.
fn end(client: &Client, path: &str) -> u64 {
    let answer = client.get(path);
    let position = answer.header("feed-position").expect("a position");
    position.parse().expect("a number")
}

#[test]
fn each_table_is_that_of_an_export_in_every_format() {
    let (folder, [data]) = acceptance::places(["data"]);
    three_games(&data);
    let exported: BTreeMap<&str, _> = ["ndjson", "csv", "parquet"]
        .into_iter()
        .map(|format| {
            let out = folder.path().join(format);
            export(&data, &out, &["--format", format]);
            (format, tables(&out))
        })
        .collect();
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let names = names(&client);
    for (format, exported) in &exported {
        assert!(exported.keys().all(|name| names.contains(name)));
        // How a format writes rows does not depend on the table: of two of them some tables are enough.
        let step = if *format == "ndjson" { 1 } else { 6 };
        for name in names.iter().step_by(step) {
            let mut found = rows(&client, folder.path(), &format!("{name}.{format}"), "");
            // Parquet has the rows of a game together.
            found.sort_by_key(|row| {
                row["match_no"].to_string().trim_matches('"').parse::<u64>().ok()
            });
            let mut told = exported.get(name).cloned().unwrap_or_default();
            for row in &mut told {
                row.remove("month").expect("a month");
            }
            assert!(found == told, "{name}.{format}");
        }
    }
    // The columns are those that are listed, those of hashes only where they are asked for.
    for hashes in [false, true] {
        let listed = client.get(&format!("/v1/tables?hashes={hashes}")).ok();
        let mut all = Vec::new();
        for table in listed["items"].as_array().into_iter().flatten() {
            let name = table["name"].as_str().expect("a name");
            let asked = format!("/v1/tables/{name}.csv?until=0&hashes={hashes}");
            let csv = client.get(&asked).text();
            let columns = table["columns"].as_array().expect("columns").iter();
            let columns: Vec<&str> = columns.filter_map(|column| column["name"].as_str()).collect();
            assert_eq!(csv.trim_end(), columns.join(","), "{name}");
            all.extend(columns.iter().map(|column| format!("{name}.{column}")));
        }
        for column in ["matches.head_hash", "commits.hash", "states.position_hash"] {
            assert_eq!(all.iter().any(|name| name == column), hashes, "{column}");
        }
        if !hashes {
            assert_eq!(client.get("/v1/tables").ok(), listed);
        }
    }
    let csv = client.get("/v1/tables/commits.csv?hashes=true").text();
    let hash = csv.lines().nth(1).and_then(|line| line.split(',').next_back());
    assert!(hash.is_some_and(|hash| hash.len() == 64), "{csv}");
}

#[test]
fn spans_of_the_feed_join_to_the_whole() {
    let (_folder, [data]) = acceptance::places(["data"]);
    three_games(&data);
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let whole = client.get("/v1/tables/events.ndjson").lines();
    let last = end(&client, "/v1/tables/events.ndjson");
    assert_eq!(json!(last), client.get("/v1/tables").ok()["position"]);
    let (mut joined, mut after) = (Vec::new(), 0);
    while after < last {
        let path = format!("/v1/tables/events.ndjson?after={after}&until={}", after + 97);
        joined.extend(client.get(&path).lines());
        after = end(&client, &path);
    }
    assert!(joined == whole, "each row once, in order");
    assert_eq!(client.get(&format!("/v1/tables/events.ndjson?after={last}")).text(), "");
    // What ends later follows.
    let table = Table::open(&client, &json!({"game": "rosenkoenig", "seats": [{}, {}]}));
    table.finish(&mut Dice::new(5));
    let path = format!("/v1/tables/matches.ndjson?after={last}");
    let later = client.get(&path).lines();
    assert_eq!(later.len(), 1);
    assert_eq!(later[0]["match_id"], json!(table.id));
    for (query, count) in [
        ("game=copenhagen", 3),
        ("from=2000-01-01&to=2999-12-31", 10),
        ("to=2000-01-01", 0),
        ("from=2999-12-31", 0),
    ] {
        let found = client.get(&format!("/v1/tables/matches.ndjson?{query}")).lines();
        assert_eq!(found.len(), count, "{query}");
    }
    // Both days belong to the span.
    let all = client.get("/v1/tables/matches.ndjson").lines();
    let day = |row: &Value| row["finished_at"].as_str().expect("a time")[..10].to_owned();
    let (first, last) = (day(&all[0]), day(all.last().expect("a match")));
    let found = client.get(&format!("/v1/tables/matches.ndjson?from={first}&to={last}")).lines();
    assert_eq!(found, all);
    let around = |day: &str| {
        let day: chrono::NaiveDate = day.parse().expect("a day");
        (day.pred_opt().expect("a day"), day.succ_opt().expect("a day"))
    };
    let (before, after) = (around(&first).0, around(&last).1);
    for outside in [format!("to={before}"), format!("from={after}")] {
        let found = client.get(&format!("/v1/tables/matches.ndjson?{outside}")).lines();
        assert!(found.is_empty(), "{outside}");
    }
}

/// Takes the archive apart, as `tar x` does; what is not whole at its end is left out.
fn unpack(archive: &[u8], folder: &Path) {
    let mut archive = tar::Archive::new(archive);
    for entry in archive.entries().expect("an archive") {
        let Ok(mut entry) = entry else { return };
        let mut bytes = Vec::new();
        if entry.read_to_end(&mut bytes).is_err() {
            return;
        }
        let path = folder.join(entry.path().expect("a path"));
        fs::create_dir_all(path.parent().expect("it is below")).expect("a folder");
        if bytes.len() as u64 == entry.size() {
            fs::write(path, bytes).expect("a file");
        }
    }
}

/// The positions of an archive in order, each with its mark.
fn marks(archive: &[u8]) -> Vec<(u64, Option<String>)> {
    let mut archive = tar::Archive::new(archive);
    let mut marks = Vec::new();
    for entry in archive.entries().expect("an archive") {
        let mut entry = entry.expect("it is whole");
        if entry.path().expect("a path") != Path::new("_position") {
            continue;
        }
        let mut mark = None;
        for told in entry.pax_extensions().expect("a header of pax").into_iter().flatten() {
            let told = told.expect("a record");
            if told.key() == Ok("comment") {
                mark = told.value().ok().map(str::to_owned);
            }
        }
        let mut text = String::new();
        entry.read_to_string(&mut text).expect("it is whole");
        marks.push((text.trim().parse().expect("a position"), mark));
    }
    marks
}

#[test]
fn the_archive_of_all_tables_is_an_export() {
    let (folder, [data]) = acceptance::places(["data"]);
    three_games(&data);
    // Long enough for more than one group.
    simulate(&data, "voluspa", 5, 300, 2);
    let out = folder.path().join("out");
    export(&data, &out, &[]);
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let archive = client.get("/v1/tables.tar");
    assert_eq!(archive.header("content-type"), Some("application/x-tar"));
    // It says how far it goes, and whether that is all.
    let reach = |answer: &Answer| {
        let header = |name| answer.header(name).expect("a header").to_owned();
        (header("feed-position"), header("feed-end"), header("complete"))
    };
    let end = client.get("/v1/tables").ok()["feed_end"].to_string();
    assert_eq!(reach(&archive), (end.clone(), end.clone(), "true".to_owned()));
    let part = client.get("/v1/tables.tar?until=5");
    assert_eq!(reach(&part), ("5".to_owned(), end, "false".to_owned()));
    let told = tables(&out);
    // All tables are there, also those without rows.
    let same = |unpacked: &Path| assert!(tables(unpacked) == told, "{}", unpacked.display());
    // Each group ends with its position, in front of all is where they begin, and whoever goes on can compare what stands there.
    let marks = marks(&archive.body);
    assert!(marks.len() > 3, "several groups");
    assert_eq!(marks[0], (0, None));
    assert!(marks.iter().skip(1).all(|(_, mark)| mark.is_some()), "{marks:?}");
    for mark in &marks {
        let rest = client.get(&format!("/v1/tables.tar?after={}", mark.0));
        assert_eq!(self::marks(&rest.body).first(), Some(mark));
    }
    let places: BTreeSet<_> = marks.iter().map(|(position, _)| position).collect();
    let distinct: BTreeSet<_> = marks.iter().map(|(_, mark)| mark).collect();
    assert_eq!(distinct.len(), places.len());
    let whole = folder.path().join("whole");
    unpack(&archive.body, &whole);
    same(&whole);
    let mut dice = Dice::new(4);
    for round in 0..6 {
        let unpacked = folder.path().join(format!("cut{round}"));
        fs::create_dir(&unpacked).expect("a folder");
        unpack(&archive.body[..dice.below(archive.body.len())], &unpacked);
        let position = fs::read_to_string(unpacked.join("_position")).unwrap_or("0".to_owned());
        let rest = client.get(&format!("/v1/tables.tar?after={}", position.trim()));
        unpack(&rest.body, &unpacked);
        same(&unpacked);
    }
}

/// What the documentation says to do with an answer that was cut off.
#[test]
fn an_answer_that_was_cut_off_is_gone_on_with() {
    let (_folder, [data]) = acceptance::places(["data"]);
    three_games(&data);
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let whole = client.get("/v1/tables/awards.ndjson");
    let mut dice = Dice::new(8);
    for _ in 0..20 {
        let cut = dice.below(whole.body.len());
        let text = String::from_utf8_lossy(&whole.body[..cut]).into_owned();
        // Without the line that was cut, and the rows of the last match.
        let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let mut kept: Vec<Value> =
            lines.map(|line| serde_json::from_str(line).expect("a row")).collect();
        let last = kept.last().map(|row| row["match_no"].clone());
        kept.retain(|row| Some(&row["match_no"]) != last.as_ref());
        let after = kept.last().map_or(json!(0), |row| row["match_no"].clone());
        let path = format!("/v1/tables/awards.ndjson?after={after}");
        kept.extend(client.get(&path).lines());
        assert!(kept == whole.lines(), "cut at {cut}");
    }
}

#[test]
fn only_finished_public_matches_are_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), catalog::games());
    let client = server.client();
    let seats = json!([{}, {}]);
    let private = json!({"game": "rosenkoenig", "seats": seats, "visibility": "private"});
    Table::open(&client, &private).finish(&mut Dice::new(1));
    let closed = Table::rosenkoenig(&client);
    closed.play(&mut Dice::new(1), 4);
    assert_eq!(closed.owner().close(&closed.id).status, 200);
    Table::rosenkoenig(&client).play(&mut Dice::new(1), 4);
    for name in names(&client) {
        let found = client.get(&format!("/v1/tables/{name}.ndjson"));
        assert_eq!(found.lines(), [] as [Value; 0], "{name}");
    }
}

#[test]
fn what_is_asked_wrongly_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), catalog::games());
    let client = server.client();
    for path in ["events", "players.csv", "events.xml", "events.csv/more", ".csv"] {
        client.get(&format!("/v1/tables/{path}")).problem(404, "not_found");
    }
    client.get("/v1/tables/events.csv?game=chess").problem(404, "not_found");
    for (query, place) in [
        ("from=yesterday", "from"),
        ("to=2026-02-30", "to"),
        // Each day has one form.
        ("from=2026-1-1", "from"),
        ("from=%202026-11-01", "from"),
        ("from=-0001-01-01", "from"),
        ("to=%2B12026-01-01", "to"),
        ("from=2026-03-02&to=2026-03-01", "to"),
        ("after=-1", "after"),
        ("until=9007199254740992", "until"),
        ("after=9007199254740992", "after"),
        // The feed is empty: it is a position of another store.
        ("after=1", "after"),
        ("since=3", "since"),
    ] {
        let answer = client.get(&format!("/v1/tables/events.csv?{query}"));
        let problem = answer.problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], place, "{query}");
    }
    client.post("/v1/tables/events.csv", &json!({})).problem(405, "method_not_allowed");
    client.post("/v1/tables/events.xml", &json!({})).problem(404, "not_found");
    for kind in ["csv", "ndjson", "parquet"] {
        let path = format!("/v1/tables/seats.{kind}");
        let head = client.send(Request::new("HEAD", &path));
        let (told, get) = (head.header("content-type"), client.get(&path));
        assert!(told.is_none() || told == get.header("content-type"), "{kind}: {told:?}");
    }
}

/// Asks for a table from an address of this machine, and reads nothing.
fn deaf(client: &Client, path: &str, from: u8) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    let own = SocketAddr::from(([127, 0, 0, from], 0));
    socket.bind(&own.into()).expect("an address of this machine");
    socket.set_recv_buffer_size(2048).expect("a small buffer");
    socket.set_tcp_mss(600).expect("small segments");
    socket.connect(&client.address.into()).expect("it listens");
    let mut stream = TcpStream::from(socket);
    let request = format!("GET {path} HTTP/1.1\r\nHost: muninn\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it is sent");
    stream
}

#[test]
fn who_does_not_read_gives_the_place_back() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "copenhagen", 4, 150, 1);
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let path = "/v1/tables/events.ndjson";
    let size = client.get(path).body.len();
    assert!(size > 8 << 20, "more than the buffers on the way take: {size}");
    // Each address has two places.
    let deaf: Vec<TcpStream> = [2, 2, 3, 3].map(|from| deaf(&client, path, from)).into();
    for stream in &deaf {
        // It has its place when its answer begins.
        let mut head = [0; 12];
        assert_eq!(stream.peek(&mut head).expect("an answer"), head.len());
        assert_eq!(&head, b"HTTP/1.1 200");
    }
    let small = "/v1/tables/matches.csv?until=0";
    let answered = |status: u16| {
        (0..300).any(|_| {
            thread::sleep(Duration::from_millis(50));
            client.get(small).status == status
        })
    };
    assert!(answered(503), "there is room for four");
    client.get(small).problem(503, "unavailable");
    assert!(answered(200), "those who do not read are given up");
    let cut_off = |mut stream: TcpStream| {
        let mut rest = Vec::new();
        // It may be cut off by a reset.
        drop(stream.read_to_end(&mut rest));
        !rest.ends_with(b"0\r\n\r\n")
    };
    assert!(deaf.into_iter().any(cut_off), "an answer is cut off, not ended");
    assert_eq!(client.get(path).body.len(), size);
}

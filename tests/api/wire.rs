//! What may come over the wire: requests that never end, that are no HTTP, or that lead astray. Nobody waits, nothing breaks.

use std::io::Read;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::{client, server};
use acceptance::{Client, Connection, Dice, Table};

/// The longest that anybody may keep the server waiting.
const PATIENCE: Duration = Duration::from_secs(30);

/// Writes raw bytes and reads all that comes until the server closes.
fn raw(client: &Client, bytes: &[u8]) -> String {
    use std::io::Write;
    let mut stream = TcpStream::connect(client.address).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE + Duration::from_secs(5))).expect("a time");
    stream.write_all(bytes).expect("the server reads");
    let mut answer = Vec::new();
    // A reset after the answer is an end like another.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_body_that_never_ends_is_cut_off() {
    let (client, _server) = client();
    let head = "POST /v1/matches HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\n";
    let start = Instant::now();
    let mut waiting: Vec<Connection> = [
        format!("{head}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n"),
        format!("{head}Content-Length: 100\r\n\r\n{{"),
    ]
    .map(|request| {
        let mut connection = Connection::open(client.address).expect("the server listens");
        connection.write(request.as_bytes()).expect("it reads");
        connection
    })
    .into();
    // Drop by drop is no better.
    while start.elapsed() < Duration::from_secs(4) {
        waiting[0].write(b"1\r\n \r\n").expect("it reads");
        std::thread::sleep(Duration::from_millis(250));
    }
    for connection in &mut waiting {
        let answer = connection.read(false).expect("an answer");
        answer.problem(408, "request_timeout");
    }
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}

#[test]
fn a_client_of_http_1_0_gets_no_chunks() {
    let (client, _server) = client();
    Table::rosenkoenig(&client).play(&mut Dice::new(2), 4);
    let asked = b"GET /v1/events.ndjson HTTP/1.0\r\nHost: m\r\nConnection: keep-alive\r\n\r\n";
    let answer = raw(&client, asked);
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.0 200 OK\r\n"), "{head}");
    assert!(!head.to_lowercase().contains("transfer-encoding"), "{head}");
    // The body ends with the connection, and is what others get in chunks.
    assert_eq!(body, client.get("/v1/events.ndjson").text());
}

#[test]
fn a_head_that_never_ends_is_cut_off() {
    let (client, _server) = client();
    let start = Instant::now();
    let answer = raw(&client, b"GET /v1/games HTTP/1.1\r\nHost: m\r\nX-Slow: ");
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    // More than any head needs.
    let mut long = b"GET /v1/games HTTP/1.1\r\nHost: m\r\nX-Long: ".to_vec();
    long.resize(1 << 20, b'a');
    let answer = raw(&client, &long);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    client.get("/healthz").ok();
}

#[test]
fn what_is_no_http_is_refused() {
    let (client, _server) = client();
    for request in [
        "GET /v1/games HTTP/1.1\r\nHost: m\r\nContent-Length: -1\r\n\r\n",
        "GET /v1/games HTTP/1.1\r\nHost: m\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST /v1/matches HTTP/1.1\r\nHost: m\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        "POST /v1/matches HTTP/1.1\r\nHost: m\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /v1/matches HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: gzip\r\n\r\n{}",
        "GET /v1/games HTTP/1.1\r\nHost: m\r\nX-\u{0}: a\r\n\r\n",
        "GET /v1/games HTTP/1.1\r\n Host: m\r\n\r\n",
        "GET  HTTP/1.1\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let start = Instant::now();
        let answer = raw(&client, request.as_bytes());
        assert!(start.elapsed() < PATIENCE, "{request:?}");
        let refused = answer.is_empty() || answer.starts_with("HTTP/1.1 4");
        assert!(refused, "{request:?}: {answer}");
    }
    client.get("/healthz").ok();
    assert_eq!(client.matches("").ok()["items"], json!([]));
}

#[test]
fn old_and_odd_http_is_answered() {
    let (client, _server) = client();
    for request in [
        "GET /healthz HTTP/1.0\r\n\r\n",
        "GET http://example.org/healthz HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n",
        "GET /healthz?a=b HTTP/1.1\r\nHost: a, b\r\nConnection: close\r\n\r\n",
        "\r\nGET /healthz HTTP/1.1\r\nhost: m\r\nconnection: close\r\n\r\n",
    ] {
        let answer = raw(&client, request.as_bytes());
        assert!(answer.contains(" 200 OK\r\n"), "{request:?}: {answer}");
        assert!(answer.ends_with("{\"status\":\"ok\"}"), "{request:?}: {answer}");
    }
    for request in [
        "OPTIONS * HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n",
        "CONNECT m:1 HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n",
        "TRACE /v1/games HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n",
    ] {
        let answer = raw(&client, request.as_bytes());
        let known = ["HTTP/1.1 404", "HTTP/1.1 405", "HTTP/1.1 400"];
        let known = known.iter().any(|status| answer.starts_with(status));
        assert!(known, "{request:?}: {answer}");
    }
}

#[test]
fn paths_lead_nowhere_else() {
    let (server, folder) = server();
    let client = server.client();
    std::fs::write(folder.path().join("secret"), "gold").expect("a file");
    for path in [
        "/../secret",
        "/docs/../../secret",
        "/docs/..%2f..%2fsecret",
        "/docs/%2e%2e/%2e%2e/secret",
        "/problems/..%2fsecret",
        "/v1/games/..%2f..%2fsecret",
        "/v1/games/rosenkoenig%00",
        "/docs//etc/passwd",
        "/v1/matches/%0d%0aSet-Cookie:%20a=b",
        "/%0d%0aSet-Cookie:%20a=b",
    ] {
        let answer = client.get(path);
        answer.problem(404, "not_found");
        assert_eq!(answer.header("set-cookie"), None, "{path}");
        assert!(!answer.text().contains("gold"), "{path}");
    }
    // What a client says of itself is never a header of its own.
    for value in ["a\tb", "a b: c", "é"] {
        let answer = client.get_with("/v1/games", "X-Request-Id", value);
        assert_ne!(answer.header("x-request-id"), Some(value));
    }
    let table = Table::open(
        &client,
        &json!({"game": "rosenkoenig", "seats": [{"name": "a\" b: c'</script>"}, {}]}),
    );
    let name = &client.info(&table.id).ok()["seats"][0]["name"];
    assert_eq!(name, "a\" b: c'</script>");
    for name in ["a\r\nSet-Cookie: a=b", "a\u{7f}", "\u{0}"] {
        let body = json!({"game": "rosenkoenig", "seats": [{"name": name}, {}]});
        client.open(&body).problem(400, "malformed");
    }
}

#[test]
fn many_parameters_and_headers_are_bounded() {
    let (client, _server) = client();
    let parameters: String = (0..5000).map(|n| format!("a{n}=1&")).collect();
    let answer = client.get(&format!("/v1/matches?{parameters}"));
    answer.problem(400, "malformed");
    let again = "limit=1&".repeat(2000);
    client.get(&format!("/v1/matches?{again}")).problem(400, "malformed");
    let mut request = "GET /v1/games HTTP/1.1\r\nHost: m\r\n".to_owned();
    for n in 0..500 {
        request.push_str(&format!("X-{n}: a\r\n"));
    }
    let answer = raw(&client, (request + "\r\n").as_bytes());
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    client.get_with("/v1/games", "Authorization", &"a".repeat(20_000)).ok();
}

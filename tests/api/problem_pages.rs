//! Every problem's `type` leads to a page.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::client;
use acceptance::{Client, Request};

/// All codes of the document.
fn codes(client: &Client) -> BTreeSet<String> {
    let document = client.get("/openapi.json").ok();
    let codes = &document["components"]["schemas"]["ProblemCode"]["enum"];
    let codes = codes.as_array().expect("a list").iter();
    codes.map(|code| code.as_str().expect("a code").to_owned()).collect()
}

#[test]
fn every_code_has_a_page() {
    let (client, _server) = client();
    let index = client.get("/problems/");
    let codes = codes(&client);
    assert!(codes.len() > 20);
    for code in &codes {
        let link = format!("href=\"{code}\"");
        assert!(index.text().contains(&link), "{code} is not in the index");
        let page = client.get(&format!("/problems/{code}"));
        assert_eq!(page.status, 200, "{code}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        let policy = page.header("content-security-policy").unwrap_or("");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        let text = page.text();
        let parts = ["What it means", "What to do", "Does repeating the request help", "Example"];
        for part in parts {
            assert!(text.contains(part), "{code}: {part}");
        }
        // The example is a problem of this code.
        let (_, rest) = text.split_once("<pre><code>").expect("an example");
        let (example, _) = rest.split_once("</code>").expect("it ends");
        let example: Value =
            serde_json::from_str(&example.replace("&quot;", "\"")).expect("it is JSON");
        assert_eq!(example["code"], *code);
        assert_eq!(example["type"], format!("/problems/{code}"));
        let tag = page.header("etag").expect("a tag");
        let again = client.get_with(&format!("/problems/{code}"), "If-None-Match", tag);
        assert_eq!(again.status, 304);
    }
    let style = client.get("/problems/style.css");
    assert_eq!(style.header("content-type"), Some("text/css; charset=utf-8"));
}

#[test]
fn the_type_of_a_problem_leads_to_its_page() {
    let (client, _server) = client();
    let problem = client.get("/v1/games/chess").problem(404, "not_found");
    let page = client.get(problem["type"].as_str().expect("a path"));
    assert_eq!(page.status, 200);
    assert!(page.text().contains("GET /v1/games/{game}</code>"));
    assert_eq!(client.get("/problems").header("location"), Some("/problems/"));
    client.get("/problems/nothing").problem(404, "not_found");
    let post = client.send(Request::new("POST", "/problems/malformed"));
    post.problem(405, "method_not_allowed");
    assert_eq!(post.header("allow"), Some("GET, HEAD, OPTIONS"));
    let head = client.send(Request::new("HEAD", "/problems/malformed"));
    assert_eq!((head.status, head.body.len()), (200, 0));
}

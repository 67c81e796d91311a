//! The pages for people, and the words that they need.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::{client, server};
use acceptance::server::Server;
use acceptance::{Client, Request, Table};

const STRICT: &str = "script-src 'self'; style-src 'self'";

const LANGUAGES: [&str; 2] = ["en", "de"];

fn source(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../api/page/assets");
    std::fs::read_to_string(folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_page_is_one_document_under_a_strict_policy() {
    let (client, _server) = client();
    let nothing = "01890000-0000-7000-8000-000000000000";
    let of_match = [format!("/watch/{nothing}?at=3"), format!("/play/{nothing}")];
    let own = ["/", "/developers", "/watch"].map(str::to_owned);
    for path in own.into_iter().chain(of_match) {
        let page = client.get(&path);
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        let policy = page.header("content-security-policy").unwrap_or_default();
        assert!(policy.contains(STRICT) && !policy.contains("unsafe"), "{policy}");
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(page.text(), source("index.html"));
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        let tag = page.header("etag").expect("a tag");
        let again = client.get_with(&path, "If-None-Match", tag);
        assert_eq!((again.status, again.body.len()), (304, 0));
        client.send(Request::new("POST", &path)).problem(405, "method_not_allowed");
    }
}

/// What others install is what the page uses, to the byte.
#[test]
fn the_client_is_served_as_its_package_has_it() {
    let (client, _server) = client();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../clients/typescript/client/src");
    let mut served = 0;
    for entry in std::fs::read_dir(folder).expect("the client is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(".js") {
            continue;
        }
        let address = format!("/pages/client/{name}");
        let file = client.get(&address);
        assert_eq!(file.status, 200, "{name}");
        assert_eq!(file.text(), std::fs::read_to_string(&path).expect("a script"), "{name}");
        assert_eq!(file.header("content-type"), Some("text/javascript; charset=utf-8"));
        assert!(file.header("content-security-policy").is_some_and(|p| p.contains(STRICT)));
        let tag = file.header("etag").expect("a tag");
        let again = client.get_with(&address, "If-None-Match", tag);
        assert_eq!((again.status, again.body.len()), (304, 0));
        served += 1;
    }
    assert!(served >= 9, "{served}");
    // Pages of other origins import it from here.
    let elsewhere = client.get_with("/pages/client/index.js", "Origin", "http://elsewhere.example");
    assert_eq!(elsewhere.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn a_link_to_a_public_match_says_what_it_shows() {
    let (client, _server) = client();
    let seats = json!([{"name": "<b>A&B</b>"}, {}]);
    let opened = client.open(&json!({"game": "rosenkoenig", "seats": seats})).created();
    let id = opened["match"].as_str().expect("an id");
    let host = "localhost";
    let page = client.get(&format!("/watch/{id}"));
    let (text, title) = (page.text(), "Rosenkönig: &lt;b&gt;A&amp;B&lt;/b&gt; – Seat 1");
    let address = format!("http://{host}/watch/{id}");
    for line in [
        format!("<meta property=\"og:title\" content=\"{title}\">"),
        format!("<meta property=\"og:url\" content=\"{address}\">"),
        format!("content=\"http://{host}/v1/matches/{id}/board.svg?theme=light&amp;lang=en\">"),
    ] {
        assert!(text.contains(&line), "{line}\n{text}");
    }
    assert!(page.header("content-security-policy").is_some_and(|policy| policy.contains(STRICT)));
    let tag = page.header("etag").expect("a tag");
    let again = client.get_with(&format!("/watch/{id}"), "If-None-Match", tag);
    assert_eq!(again.status, 304);
    assert_eq!(page.header("content-language"), Some("en"));
    let german = |path: &str| client.get_with(path, "Accept-Language", "de");
    let said = german(&format!("/watch/{id}"));
    assert_eq!(said.header("content-language"), Some("de"));
    for told in [
        "\"Rosenkönig: &lt;b&gt;A&amp;B&lt;/b&gt; – Platz 1\"",
        "\"Eine Partie Rosenkönig, live oder von Anfang an.\"",
        "theme=light&amp;lang=de\"",
    ] {
        assert!(said.text().contains(told), "{told}");
    }
    let start = text.find("href=\"http").map(|at| &text[at + 6..]).expect("a link to oEmbed");
    let asked = start.split('"').next().unwrap_or_default().replace("&amp;", "&");
    let asked = asked.strip_prefix(&format!("http://{host}")).expect("here").to_owned();
    let rich = client.get(&asked).ok();
    assert_eq!((&rich["version"], &rich["type"]), (&json!("1.0"), &json!("rich")));
    assert_eq!(rich["title"], "Rosenkönig: <b>A&B</b> – Seat 1");
    assert_eq!(german(&asked).ok()["title"], "Rosenkönig: <b>A&B</b> – Platz 1");
    let html = rich["html"].as_str().expect("markup");
    assert!(html.contains(&format!("src=\"http://{host}/embed/{id}\"")), "{html}");
    assert!(!html.contains("<b>"), "{html}");
    let small = client.get(&format!("{asked}&maxwidth=300&maxheight=5000&unknown=1")).ok();
    assert_eq!((&small["width"], &small["height"]), (&json!(300), &rich["height"]));
    let huge = client.get(&format!("{asked}&maxwidth=99999999999")).ok();
    assert_eq!(huge["width"], rich["width"]);
    // Of several proxies the first one spoke with the client.
    for (proto, scheme) in [("https, http", "https"), ("HTTPS", "https"), ("http", "http")] {
        let by_proxy = client.get_with(&asked, "X-Forwarded-Proto", proto).ok();
        let html = by_proxy["html"].as_str().expect("markup");
        assert!(html.contains(&format!("src=\"{scheme}://{host}/embed/{id}\"")), "{html}");
    }
    let frame = client.get(&format!("/embed/{id}"));
    assert_eq!((frame.status, frame.text()), (200, source("embed.html")));
    let policy = frame.header("content-security-policy").unwrap_or_default();
    assert!(policy.contains(STRICT) && policy.contains("frame-ancestors *"), "{policy}");
    client.send(Request::new("POST", "/oembed")).problem(405, "method_not_allowed");
    client.get(&format!("{asked}&maxwidth=0")).problem(400, "malformed");
    client.get("/oembed").problem(400, "malformed");
    client.get(&asked.replace("format=json", "format=xml")).problem(501, "format_unknown");
    let elsewhere = [
        "http://elsewhere.example/watch/".to_owned() + id,
        format!("http://{host}/"),
        format!("http://{host}/play/{id}"),
        format!("ftp://{host}/watch/{id}"),
    ];
    for url in elsewhere {
        client.get(&format!("/oembed?url={url}")).problem(404, "not_found");
    }
}

#[test]
fn names_from_right_to_left_turn_no_title_around() {
    let (client, _server) = client();
    let names = ["\u{5d0}\u{5d1}\u{5d2}", "\u{5d3}\u{5d4}\u{5d5}"];
    let seats = names.map(|name| json!({"name": name}));
    let opened = client.open(&json!({"game": "rosenkoenig", "seats": seats})).created();
    let id = opened["match"].as_str().expect("an id");
    let [first, second] = names.map(|name| format!("\u{2068}{name}\u{2069}"));
    let title = format!("Rosenkönig: {first} – {second}");
    let text = client.get(&format!("/watch/{id}")).text();
    assert!(text.contains(&format!("property=\"og:title\" content=\"{title}\"")), "{text}");
    let rich = client.get(&format!("/oembed?url=http://localhost/watch/{id}")).ok();
    assert_eq!(rich["title"], title);
}

#[test]
fn a_link_to_a_private_match_says_nothing() {
    let (client, _server) = client();
    let opening = json!({"game": "voluspa", "seats": [{"name": "Ada"}, {"name": "Ben"}], "visibility": "private"});
    let opened = client.open(&opening).created();
    let id = opened["match"].as_str().expect("an id");
    assert_eq!(client.get(&format!("/watch/{id}")).text(), source("index.html"));
    client.get(&format!("/embed/{id}")).problem(401, "token_required");
    let url = format!("http://localhost/watch/{id}");
    client.get(&format!("/oembed?url={url}&format=json")).problem(401, "token_required");
    client.get("/embed/01890000-0000-7000-8000-000000000000").problem(404, "not_found");
}

/// Whatever the document and its scripts name is served, and nothing else of the folder.
#[test]
fn everything_that_a_page_loads_is_there() {
    let (client, _server) = client();
    let (mut known, mut due) = (BTreeSet::new(), vec!["index.html".to_owned()]);
    while let Some(path) = due.pop() {
        if !known.insert(path.clone()) {
            continue;
        }
        let file = client.get(&format!("/pages/{path}"));
        assert_eq!(file.status, 200, "{path}");
        let text = file.text();
        assert!(!text.contains("//cdn"), "{path} loads from elsewhere");
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for part in text.split(['"', '\'']) {
            if let Some(name) = part.strip_prefix("/pages/") {
                due.push(name.to_owned());
            } else if part.ends_with(".js") && part.starts_with('.') {
                let mut place: Vec<&str> = folder.split('/').filter(|f| !f.is_empty()).collect();
                for step in part.split('/') {
                    match step {
                        "." => {}
                        ".." => {
                            place.pop();
                        }
                        name => place.push(name),
                    }
                }
                due.push(place.join("/"));
            }
        }
    }
    assert!(known.len() > 20, "{known:?}");
    assert!(known.contains("client/match.js"), "the page uses the client: {known:?}");
    for path in [
        "README.md",
        "vendor/README.md",
        "nothing.js",
        "../Cargo.toml",
        "",
        "client/",
        "client/operations.d.ts",
        "client/../../package.json",
    ] {
        client.get(&format!("/pages/{path}")).problem(404, "not_found");
    }
}

/// What a developer needs for a beginning is on the server.
#[test]
fn the_client_in_20_lines_is_there_to_read_and_to_run() {
    let (client, _server) = client();
    for path in ["docs/clients.md", "docs/contract.md"] {
        let file = client.get(&format!("/pages/{path}"));
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        assert_eq!(file.text(), std::fs::read_to_string(own).expect("a document"), "{path}");
        assert_eq!(file.header("content-type"), Some("text/plain; charset=utf-8"));
    }
    let page = client.get("/developers/example");
    let policy = page.header("content-security-policy").unwrap_or_default();
    assert!(policy.contains("script-src 'self'; style-src 'self' 'unsafe-inline'"), "{policy}");
    let text = page.text();
    assert!(text.contains("<muninn-board>") && text.contains("/pages/example.js"), "{text}");
    assert!(client.get("/pages/example.js").text().contains("new Muninn(location.origin"));
    let post = Request::new("POST", "/developers/example");
    client.send(post).problem(405, "method_not_allowed");
}

/// The words of the page by language, in their order.
fn page_words(client: &Client) -> Value {
    let file = client.get("/pages/words.json");
    assert_eq!(file.header("content-type"), Some("application/json"));
    file.ok()
}

/// The entries of words, by path, each with the parts that it names.
fn entries(path: &str, words: &Value, all: &mut BTreeMap<String, BTreeSet<String>>) {
    let parts = |text: &str| -> BTreeSet<String> {
        let parts = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
        parts.map(|(name, _)| name.to_owned()).collect()
    };
    let Value::Object(words) = words else {
        all.insert(path.to_owned(), parts(words.as_str().expect("an entry is text")));
        return;
    };
    match words.get("other").and_then(Value::as_str) {
        // Which cases there are is the language's own matter.
        Some(text) if text.contains('{') => {
            all.insert(path.to_owned(), parts(text));
        }
        Some(_) | None => {
            words.iter().for_each(|(name, entry)| entries(&format!("{path}.{name}"), entry, all));
        }
    }
}

#[test]
fn the_page_speaks_whole_in_each_of_its_languages() {
    let (server, _folder) = server();
    let words = page_words(&server.client());
    let of = |language: &str| {
        let mut all = BTreeMap::new();
        entries("page", &words[language], &mut all);
        all
    };
    let english = of("en");
    assert!(english.len() > 100 && words.as_object().is_some_and(|all| all.len() == 2));
    assert_eq!(of("de"), english);
    // What the scripts say has an entry, and each entry is said.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../api/page/assets");
    let mut said = BTreeSet::new();
    for file in
        std::fs::read_dir(folder).expect("the page").map(|file| file.expect("a file").path())
    {
        if file.extension().is_none_or(|extension| extension != "js") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a script");
        let name = |rest: &str| -> String {
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
        };
        let section = |name: &str| ["front", "developers"].contains(&name);
        let words = text.split("const words = page.").nth(1).map(name).filter(|at| section(at));
        for rest in text
            .split("page.")
            .skip(1)
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        {
            let first = name(rest);
            let second =
                rest.strip_prefix(&format!("{first}.")).filter(|_| section(&first)).map(name);
            said.insert(
                second.map_or(format!("page.{first}"), |second| format!("page.{first}.{second}")),
            );
        }
        for rest in words.iter().flat_map(|_| text.split("words.").skip(1)) {
            said.insert(format!("page.{}.{}", words.as_deref().unwrap_or_default(), name(rest)));
        }
    }
    // The server says some in the head of the document.
    let head = source("../../server/src/routes/embed.rs");
    let named = head.split("said(\"").skip(1).filter_map(|rest| rest.split('"').next());
    said.extend(named.map(|name| format!("page.{name}")));
    let sections = ["statuses", "bots", "sitters", "problems", "developers.package"];
    let known = |entry: &&String| {
        let within = |section: &&str| entry.starts_with(&format!("page.{section}."));
        said.contains(*entry) || sections.iter().any(within)
    };
    let unsaid: Vec<_> = english.keys().filter(|entry| !known(entry)).collect();
    assert_eq!(unsaid, Vec::<&String>::new(), "nobody says these");
}

/// A third language of the page is a file, too, and what it lacks is left to English.
#[test]
fn a_third_language_of_the_page_is_one_file() {
    let (server, folder) = server();
    server.stop();
    let french = folder.path().join("words/fr");
    std::fs::create_dir_all(&french).expect("a folder");
    std::fs::create_dir_all(folder.path().join("words/it")).expect("a folder");
    let text = "matches = 'Parties'\n[front]\ngames = 'Les jeux'\n";
    std::fs::write(french.join("page.toml"), text).expect("a file");
    let server = Server::start(folder.path(), catalog::games());
    let words = page_words(&server.client());
    assert_eq!(words["fr"], json!({"matches": "Parties", "front": {"games": "Les jeux"}}));
    // One that only games speak.
    assert_eq!(words["it"], json!({}));
    assert_eq!(words["en"]["matches"], "Matches");
    // The page takes the first language for the complete one.
    let text = server.client().get("/pages/words.json").text();
    assert!(text.starts_with("{\"en\":{"), "{text}");
}

#[test]
fn a_match_tells_whose_token_was_sent() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    assert_eq!(client.info(&table.id).ok()["viewer"], "spectator");
    for seat in 0..2 {
        let token = table.seat_tokens[seat].clone().expect("a token");
        let info = client.with_token(&token).info(&table.id).ok();
        assert_eq!(info["viewer"], seat);
    }
    assert_eq!(table.owner().info(&table.id).ok()["viewer"], "spectator");
}

/// With those of the platform, which no schema of a game has.
#[test]
fn every_event_has_words_in_every_language() {
    let (client, _server) = client();
    let document = client.get("/openapi.json").ok();
    let mut wrong = Vec::new();
    let mut events = 0;
    for game in client.get("/v1/games").items() {
        let game = game["id"].as_str().expect("an id");
        for language in LANGUAGES {
            let words = client.get(&format!("/v1/games/{game}/words?lang={language}")).ok();
            for name in types(&document, game) {
                events += 1;
                if words["events"][&name].is_null() && words["commands"][&name].is_null() {
                    wrong.push(format!("{language}/{game}: {name}"));
                }
            }
        }
    }
    assert!(events > 200, "{events}");
    assert!(wrong.is_empty(), "without words:\n{}", wrong.join("\n"));
}

/// The types of all events and commands of a game in the document.
fn types(document: &Value, game: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let schemas = &document["components"]["schemas"];
    let mut title = game.to_owned();
    title[..1].make_ascii_uppercase();
    for kind in ["EventView", "Command"] {
        let all = &schemas[format!("{title}{kind}")];
        let all = all["oneOf"].as_array().or(all["anyOf"].as_array());
        for one in all.expect("a list of types") {
            let path = one["$ref"].as_str().expect("a reference");
            let one = &schemas[path.rsplit('/').next().expect("a name")];
            let name = one["properties"]["type"]["const"].as_str();
            names.insert(name.expect("a type").to_owned());
        }
    }
    names
}

/// The page shows the values of a list's items in its empty field, so what it shows must be what can be written there.
#[test]
fn what_the_page_shows_for_custom_types_opens_a_match() {
    assert!(source("open.js").contains("placeholder=${values.join(', ')}"), "the page has changed");
    let (client, _server) = client();
    let schema = client.game("voluspa").ok()["schemas"]["options"].clone();
    let resolve = |schema_of: &Value| {
        let name = schema_of["$ref"].as_str().and_then(|name| name.rsplit('/').next());
        name.map_or_else(|| schema_of.clone(), |name| schema["$defs"][name].clone())
    };
    let kinds = resolve(&resolve(&schema)["properties"]["custom_types"]["items"])["enum"].clone();
    let kinds: Vec<&str> =
        kinds.as_array().expect("words").iter().filter_map(Value::as_str).collect();
    // Both what the server calls them and how they are called in the language of the page may be written.
    let words = client.get("/v1/games/voluspa/words?lang=de").ok();
    assert_eq!(words["options"]["custom_types"]["table"], "expansion");
    let shown = kinds.join(", ");
    assert_eq!(shown, "hel, hermod, jotunn, sea_serpent, dwarf, freya, raven, niohoggr");
    let written: Vec<&str> = shown.split(", ").collect();
    let options = json!({"set": "custom", "custom_types": written});
    let opening = json!({"game": "voluspa", "seats": [{}, {}], "options": options});
    let opened = client.open(&opening).created();
    let id = opened["match"].as_str().expect("an id");
    assert_eq!(client.info(id).ok()["options"]["custom_types"], json!(written));
}

/// Who reads the schema of the options, or their words, learns that chosen types are to be named, and how none are.
#[test]
fn a_set_of_chosen_types_says_that_it_needs_them() {
    let (client, _server) = client();
    let open = |options: Value| {
        client.open(&json!({"game": "voluspa", "seats": [{}, {}], "options": options}))
    };
    let opened = open(json!({"set": "custom", "custom_types": []})).created();
    let id = opened["match"].as_str().expect("an id");
    assert_eq!(client.info(id).ok()["options"]["custom_types"], json!([]));
    open(json!({"set": "custom"})).refused("invalid_options", "V-102");
    open(json!({"custom_types": []})).refused("invalid_options", "V-102");
    let schema = client.game("voluspa").ok()["schemas"]["options"].clone();
    let asked = &schema["$defs"]["VoluspaOptionsAsked"]["properties"]["custom_types"];
    let told = asked["description"].as_str().expect("a description");
    assert!(told.contains("With `set` = `custom`, required"), "{told}");
    assert!(told.contains("`[]` for none"), "{told}");
    for (language, needed) in [("en", "Needed"), ("de", "Nötig")] {
        let words = client.get(&format!("/v1/games/voluspa/words?lang={language}")).ok();
        let help = words["options"]["custom_types"]["help"].as_str().expect("a help");
        assert!(help.starts_with(needed), "{help}");
    }
}

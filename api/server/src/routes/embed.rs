//! A match on other pages: what a link to it shows (Open Graph, oEmbed), and the board alone, which may stand in a frame. Only of public
//! matches: of others nothing is told. Like the pages these are no part of the document.

use std::fmt::Write;

use actix_web::http::header;
use actix_web::web::{self, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use canvas::plain::isolated;
use engine::Caller;
use page::{File, Page};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::language::wished;
use crate::parameters::Query;
use crate::problem::Problem;
use crate::request::{engine_of, loaded, up_to_date};
use crate::routes::legal::spoken;
use crate::routes::pages::{POLICY, only_get, tagged};
use crate::routes::words::Lexicons;

/// As for the other pages, but any page may frame it: it has no token and nothing to press.
const FRAMED: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors *";

const HTML: &str = "text/html; charset=utf-8";

/// The size of a frame if nobody asks for a smaller one, in CSS pixels.
const SIZE: (u32, u32) = (800, 600);

/// Registers what other pages ask for.
pub(crate) fn register(config: &mut ServiceConfig) {
    config
        .service(
            web::resource("/watch/{id}")
                .route(web::get().to(watch))
                .default_service(web::to(only_get)),
        )
        .service(
            web::resource("/embed/{id}")
                .route(web::get().to(framed))
                .default_service(web::to(only_get)),
        )
        .service(
            web::resource("/oembed")
                .route(web::get().to(oembed))
                .default_service(web::to(only_get)),
        );
}

/// What may be told of a match to everybody.
struct Told {
    id: String,
    /// Such as `Rosenkönig: Ada – Ben`.
    title: String,
    description: String,
    /// In which it is told.
    language: String,
}

impl Told {
    /// A match that is public.
    async fn of(request: &HttpRequest, id: &str) -> Result<Self, Problem> {
        let engine = engine_of(request);
        let lexicons = request.app_data::<Data<Lexicons>>().expect("every app has words");
        let page = request.app_data::<Data<Page>>().expect("who serves this has the page");
        let missing = || Problem::new("not_found", "there is no match with this id");
        let id = id.parse().map_err(|_| missing())?;
        let slot = loaded(&engine, id).await?;
        // Others may have sat down at another server.
        up_to_date(&engine).await?;
        slot.may_read(Caller::Stranger)?;
        let info = engine.info(&slot)?;
        let words = lexicons.of(slot.game().info().id)?.of(&wished(request, None));
        let language = words.language.clone();
        let said = |name: &str, part: &str, value: &str| {
            page.word(&language, name).replacen(&format!("{{{part}}}"), value, 1)
        };
        let game = words.table().get("title").and_then(Value::as_str);
        let game = game.unwrap_or(slot.game().info().title);
        let name = |(seat, of): (usize, Option<String>)| {
            of.map_or_else(|| said("seat", "seat", &seat.to_string()), |name| isolated(&name))
        };
        let names = info.seats.into_iter().map(|seat| seat.name).enumerate().map(name);
        let title = format!("{game}: {}", names.collect::<Vec<_>>().join(" – "));
        let description = said("matchOf", "game", game);
        Ok(Told { id: info.r#match.to_string(), title, description, language })
    }
}

/// The page of a match. If it is public, the head says to programs without scripts what it shows.
async fn watch(
    request: HttpRequest,
    files: Data<Page>,
    id: Path<String>,
) -> Result<HttpResponse, Problem> {
    let missing = || Problem::new("not_found", "there is no such page");
    let plain = files.file("index.html").ok_or_else(missing)?;
    let Ok(told) = Told::of(&request, &id).await else {
        // The page itself says why.
        return Ok(tagged(&request, plain, POLICY));
    };
    let document = String::from_utf8_lossy(&plain.bytes);
    let Some((head, rest)) = document.split_once("</head>") else {
        return Ok(tagged(&request, plain, POLICY));
    };
    let text = format!("{head}{}</head>{rest}", links(&base(&request), &told));
    let mut answer = tagged(&request, &File::new(HTML, text.as_bytes()), POLICY);
    spoken(&mut answer, &told.language);
    Ok(answer)
}

/// What goes into the head: the title and a picture, and where oEmbed is.
fn links(base: &str, told: &Told) -> String {
    let Told { id, title, description, language } = told;
    let asked = encoded(&format!("{base}/watch/{id}"));
    let (base, title) = (escaped(base), escaped(title));
    let properties = [
        ("type", "website".to_owned()),
        ("site_name", "Muninn".to_owned()),
        ("title", title.clone()),
        ("description", escaped(description)),
        ("url", format!("{base}/watch/{id}")),
        (
            "image",
            format!("{base}/v1/matches/{id}/board.svg?theme=light&amp;lang={}", escaped(language)),
        ),
        ("image:type", "image/svg+xml".to_owned()),
        ("image:alt", title.clone()),
    ];
    let mut head = String::new();
    for (name, value) in properties {
        let _ = writeln!(head, "<meta property=\"og:{name}\" content=\"{value}\">");
    }
    let _ = writeln!(
        head,
        "<link rel=\"alternate\" type=\"application/json+oembed\" href=\"{base}/oembed?url={asked}&amp;format=json\" title=\"{title}\">"
    );
    head
}

/// The board of a public match, for a frame.
async fn framed(
    request: HttpRequest,
    files: Data<Page>,
    id: Path<String>,
) -> Result<HttpResponse, Problem> {
    Told::of(&request, &id).await?;
    let missing = || Problem::new("not_found", "there is no such page");
    Ok(tagged(&request, files.file("embed.html").ok_or_else(missing)?, FRAMED))
}

/// What oEmbed asks. Programs may send more than this.
#[derive(Deserialize)]
struct Asked {
    url: Option<String>,
    format: Option<String>,
    maxwidth: Option<String>,
    maxheight: Option<String>,
}

/// The answer, oEmbed 1.0.
#[derive(Serialize)]
struct Rich {
    version: &'static str,
    r#type: &'static str,
    provider_name: &'static str,
    provider_url: String,
    title: String,
    html: String,
    width: u32,
    height: u32,
}

async fn oembed(request: HttpRequest, asked: Query<Asked>) -> Result<HttpResponse, Problem> {
    let Asked { url, format, maxwidth, maxheight } = asked.into_inner();
    if let Some(format) = format.filter(|format| format != "json") {
        return Err(Problem::new(
            "format_unknown",
            format!("only json is offered, not {}", format.escape_debug()),
        ));
    }
    let url =
        url.ok_or_else(|| Problem::malformed("url", "url is missing: the address of a match"))?;
    let (width, height) =
        (at_most("maxwidth", maxwidth, SIZE.0)?, at_most("maxheight", maxheight, SIZE.1)?);
    let missing = || Problem::new("not_found", "this is not the address of a match here");
    let id = match_of(&url, host(&request)).ok_or_else(missing)?;
    let told = Told::of(&request, id).await?;
    let base = base(&request);
    let html = format!(
        "<iframe src=\"{}/embed/{}\" width=\"{width}\" height=\"{height}\" title=\"{}\" loading=\"lazy\" style=\"border:0\"></iframe>",
        escaped(&base),
        told.id,
        escaped(&told.title)
    );
    let language = told.language;
    let rich = Rich {
        version: "1.0",
        r#type: "rich",
        provider_name: "Muninn",
        provider_url: base,
        title: told.title,
        html,
        width,
        height,
    };
    let mut answer =
        HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-cache")).json(rich);
    spoken(&mut answer, &language);
    Ok(answer)
}

/// The most that somebody takes, if it is less than ours.
fn at_most(name: &str, most: Option<String>, ours: u32) -> Result<u32, Problem> {
    let Some(most) = most else { return Ok(ours) };
    if most.is_empty() || !most.bytes().all(|b| b.is_ascii_digit()) || !most.contains(|c| c != '0')
    {
        return Err(Problem::malformed(name, "a number of pixels, 1 at least"));
    }
    // What does not fit is more than ours.
    Ok(most.parse().unwrap_or(ours).min(ours))
}

/// The match in the address of a page of this server. What stands behind the path is no matter, and addresses of seats are none.
fn match_of<'a>(url: &'a str, host: &str) -> Option<&'a str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let (authority, path) = rest.split_once('/')?;
    let path = path.split(['?', '#']).next()?;
    let id = path.strip_prefix("watch/").or_else(|| path.strip_prefix("embed/"))?;
    (authority.eq_ignore_ascii_case(host) && !id.contains('/')).then_some(id)
}

/// Under which name the server was asked.
fn host(request: &HttpRequest) -> &str {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    host.or_else(|| request.uri().authority().map(|authority| authority.as_str()))
        .unwrap_or("localhost")
}

/// The address of the server as the client wrote it; a proxy that does TLS says so.
fn base(request: &HttpRequest) -> String {
    let by_proxy = request.headers().get("x-forwarded-proto").and_then(|by| by.to_str().ok());
    // Of several proxies the first one spoke with the client.
    let first = by_proxy.and_then(|by| by.split(',').next()).unwrap_or_default();
    let is_safe = first.trim().eq_ignore_ascii_case("https");
    format!("{}://{}", if is_safe { "https" } else { "http" }, host(request))
}

/// Text within HTML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Text as a value of a query.
fn encoded(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            safe.push(char::from(byte));
        } else {
            let _ = write!(safe, "%{byte:02X}");
        }
    }
    safe
}

//! The pages that `type` of a problem leads to: what each code means, and what to do. For people; programs have `code`.

use actix_web::web::{self, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, guard};

use crate::answer::page;
use crate::document::Document;
use crate::problem::{KINDS, Kind, Problem};

const STYLE: &str = include_str!("problems/style.css");

/// Scripts, frames and other hosts are not for these pages.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Registers the pages. They are not part of the API, nor of its document.
pub(crate) fn register(config: &mut ServiceConfig) {
    // With a guard other methods go on to who answers them with 405.
    let get = |path| web::resource(path).guard(guard::Get());
    config
        .service(web::redirect("/problems", "/problems/"))
        .service(get("/problems/").to(index))
        .service(get("/problems/style.css").to(style))
        .service(get("/problems/{code}").to(problem));
}

async fn index(request: HttpRequest) -> HttpResponse {
    let rows: String = KINDS.iter().map(row).collect();
    let body = format!(
        "<h1>Problems</h1>\n<p>Every error is a <a href=\"https://www.rfc-editor.org/rfc/rfc9457\">problem</a>: JSON \
         with a <code>code</code> for programs, a <code>detail</code> for people, and a <code>type</code> that links here.</p>\n\
         <table>\n<tr><th>status</th><th>code</th><th>meaning</th></tr>\n{rows}</table>\n"
    );
    page(&request, "text/html; charset=utf-8", POLICY, html("Problems", &body))
}

fn row(kind: &Kind) -> String {
    let Kind { code, status, title, .. } = kind;
    format!(
        "<tr><td>{status}</td><td><a href=\"{code}\"><code>{code}</code></a></td><td>{title}</td></tr>\n"
    )
}

async fn style(request: HttpRequest) -> HttpResponse {
    page(&request, "text/css; charset=utf-8", POLICY, STYLE.to_owned())
}

async fn problem(
    request: HttpRequest,
    code: Path<String>,
    document: Data<Document>,
) -> Result<HttpResponse, Problem> {
    let kind = KINDS.iter().find(|kind| kind.code == *code);
    let kind =
        kind.ok_or_else(|| Problem::new("not_found", "there is no problem with this code"))?;
    let Kind { code, status, title, meaning, remedy, again, detail: _ } = kind;
    let (meaning, remedy, again) = (marked(meaning), marked(remedy), marked(again.text()));
    let operations: String = document
        .operations_with(code)
        .map(|operation| format!("<li><code>{}</code></li>\n", escaped(operation)))
        .collect();
    let example = serde_json::to_string_pretty(&kind.example());
    let example = escaped(&example.expect("a problem is plain data, which always has JSON"));
    let body = format!(
        "<p><a href=\"./\">All problems</a></p>\n<h1><code>{code}</code> <small>{status}</small></h1>\n<p class=\"title\">{title}</p>\n\
         <h2>What it means</h2>\n<p>{meaning}</p>\n<h2>What to do</h2>\n<p>{remedy}</p>\n<h2>Does repeating the request help?</h2>\n\
         <p>{again}</p>\n<h2>Example</h2>\n<pre><code>{example}</code></pre>\n<h2>Operations that answer it</h2>\n<ul>\n{operations}</ul>\n"
    );
    Ok(page(&request, "text/html; charset=utf-8", POLICY, html(code, &body)))
}

fn html(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, \
         initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} · Muninn</title>\n\
         <link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// What stands between backticks is code.
fn marked(text: &str) -> String {
    let parts = escaped(text);
    let parts = parts.split('`').enumerate();
    parts
        .map(|(number, part)| match number % 2 {
            0 => part.to_owned(),
            _ => format!("<code>{part}</code>"),
        })
        .collect()
}

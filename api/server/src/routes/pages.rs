//! The pages for people: `/`, `/developers`, `/watch` and `/play`, and the files they are made of. They use only the public API, so they are no part of
//! the document.

use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::{self, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use page::{File, Page};

use crate::answer::is_known;
use crate::observe::refuse_unknown;
use crate::problem::Problem;

/// Scripts, styles, pictures and requests come from this server alone; nothing is inline, and no other page may frame these.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The first client of a developer has a style of its own within it.
const EXAMPLE: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Registers the pages.
pub(crate) fn register(config: &mut ServiceConfig) {
    for path in ["/", "/developers", "/watch", "/play/{id}"] {
        config.service(
            web::resource(path).route(web::get().to(document)).default_service(web::to(only_get)),
        );
    }
    config.service(
        web::resource("/developers/example")
            .route(web::get().to(example))
            .default_service(web::to(only_get)),
    );
    config.service(
        web::resource("/pages/{path:.*}")
            .route(web::get().to(file))
            .default_service(web::to(only_get)),
    );
}

/// One document for all pages: it reads from its address what to show.
async fn document(request: HttpRequest, files: Data<Page>) -> Result<HttpResponse, Problem> {
    serve(&request, &files, "index.html", POLICY)
}

/// The client in 20 lines, at work on this server.
async fn example(request: HttpRequest, files: Data<Page>) -> Result<HttpResponse, Problem> {
    serve(&request, &files, "example.html", EXAMPLE)
}

async fn file(
    request: HttpRequest,
    files: Data<Page>,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    serve(&request, &files, &path, POLICY)
}

pub(crate) async fn only_get(request: HttpRequest) -> Result<HttpResponse, Problem> {
    refuse_unknown(&request, Some(&[Method::GET]))
}

/// A file under its tag: browsers ask again each time, and get 304 until the program is another.
fn serve(
    request: &HttpRequest,
    files: &Page,
    path: &str,
    policy: &'static str,
) -> Result<HttpResponse, Problem> {
    let missing = || Problem::new("not_found", format!("there is no {}", request.path()));
    Ok(tagged(request, files.file(path).ok_or_else(missing)?, policy))
}

/// A file under its tag and a policy.
pub(crate) fn tagged(request: &HttpRequest, file: &File, policy: &'static str) -> HttpResponse {
    let known = is_known(request, &file.tag);
    let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header((header::ETAG, file.tag.as_str()))
        .insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-cache")))
        .insert_header((header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy)));
    if known {
        response.finish()
    } else {
        response.content_type(file.content_type).body(file.bytes.clone())
    }
}

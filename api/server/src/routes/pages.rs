//! The pages for people: `/watch` and `/play`, and the files they are made of. They use only the public API, so they are no part of
//! the document. Their source is `examples/spectator`; it is in the binary.

use std::sync::LazyLock;

use actix_web::http::header::{self, HeaderValue};
use actix_web::web::{self, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use include_dir::{Dir, File, include_dir};
use journal::Bytes32;

use crate::problem::Problem;

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/spectator");

/// Scripts, styles, pictures and requests come from this server alone; nothing is inline, and no other page may frame these.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file with its entity tag, a hash of what is in it.
struct Asset {
    path: String,
    tag: String,
    bytes: &'static [u8],
    content_type: &'static str,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let mut assets = Vec::new();
    let mut folders = vec![&FOLDER];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        assets.extend(folder.files().filter_map(asset));
    }
    assets
});

/// The files that browsers ask for; notes for people are left out.
fn asset(file: &'static File<'static>) -> Option<Asset> {
    let path = file.path().to_str()?.replace('\\', "/");
    let content_type = match file.path().extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    let bytes = file.contents();
    Some(Asset {
        path,
        tag: format!("\"{}\"", &Bytes32::hash(&[bytes]).hex()[..16]),
        bytes,
        content_type,
    })
}

/// Registers the pages.
pub(crate) fn register(config: &mut ServiceConfig) {
    for path in ["/watch", "/watch/{id}", "/play/{id}"] {
        config.service(
            web::resource(path).route(web::get().to(page)).default_service(web::to(only_get)),
        );
    }
    config.service(
        web::resource("/pages/{path:.*}")
            .route(web::get().to(file))
            .default_service(web::to(only_get)),
    );
}

/// One document for all pages: it reads from its address what to show.
async fn page(request: HttpRequest) -> Result<HttpResponse, Problem> {
    serve(&request, "index.html")
}

async fn file(request: HttpRequest, path: Path<String>) -> Result<HttpResponse, Problem> {
    serve(&request, &path)
}

async fn only_get(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let detail = format!("{} is not allowed here, only GET, HEAD", request.method());
    Err(Problem::new("method_not_allowed", detail).header("Allow", "GET, HEAD"))
}

/// A file under its tag: browsers ask again each time, and get 304 until the program is another.
fn serve(request: &HttpRequest, path: &str) -> Result<HttpResponse, Problem> {
    let asset = ASSETS.iter().find(|asset| asset.path == path);
    let asset = asset
        .ok_or_else(|| Problem::new("not_found", format!("there is no {}", request.path())))?;
    let known = request.headers().get_all(header::IF_NONE_MATCH);
    let known = known
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == asset.tag || tag == "*");
    let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header((header::ETAG, asset.tag.as_str()))
        .insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-cache")))
        .insert_header((header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)));
    Ok(if known {
        response.finish()
    } else {
        response.content_type(asset.content_type).body(asset.bytes)
    })
}

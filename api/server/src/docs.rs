//! Swagger UI under `/docs/`. Opening an operation takes time with all that its document has, so it shows one game at a time, and follows
//! the references of an operation by a script of our own. Its files are packed in the program.

use std::io::Read;

use actix_web::guard::Get;
use actix_web::http::header::{AcceptEncoding, ContentEncoding, Encoding, Header as _, VARY};
use actix_web::web::{self, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use flate2::read::GzDecoder;
use utoipa_swagger_ui::{Config, SwaggerFile, Url, serve};

use crate::document::{Document, OfGame};
use crate::problem::{Problem, internal};
use crate::routes::pages::only_get;

const INITIALIZER: &str = "swagger-initializer.js";

/// Runs before the script that starts Swagger UI.
const OPERATION: &str = include_str!("docs/operation.js");

type Shown = Config<'static>;

/// What Swagger UI offers to show. It asks for addresses that last as long as the program: there are few of them. The document of all games
/// is not among them: an operation of it has hundreds of schemas, and would freeze the page. Each of the others has a link to it.
pub(crate) fn offered(document: &Document) -> Vec<Url<'static>> {
    let of_game = |of: &OfGame| {
        let address: &str = format!("/openapi.json?game={}", of.id).leak();
        Url::new(of.title, address)
    };
    document.of_games.iter().map(of_game).collect()
}

/// Registers the page and its files.
pub(crate) fn register(config: &mut ServiceConfig, documents: Vec<Url<'static>>) {
    let shown = Shown::new(documents).display_request_duration(true);
    let files = web::resource("/docs/{path:.*}").guard(Get());
    config
        .service(files.app_data(Data::new(shown)).to(file))
        .service(web::redirect("/docs", "/docs/"))
        .route("/docs/{path:.*}", web::to(only_get));
}

async fn file(
    request: HttpRequest,
    shown: Data<Shown>,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let file = serve(&path, shown.into_inner()).map_err(|error| internal(&error))?;
    let missing = || Problem::new("not_found", format!("there is no page /docs/{path}"));
    let SwaggerFile { bytes, content_type, gzpipped: packed, .. } = file.ok_or_else(missing)?;
    let mut answer = HttpResponse::Ok();
    answer.content_type(content_type);
    if *path == INITIALIZER {
        return Ok(answer.body([OPERATION.as_bytes(), &bytes].concat()));
    }
    if !packed {
        return Ok(answer.body(bytes.into_owned()));
    }
    // A browser takes it packed; whoever does not say so, such as curl, may not.
    let known = [Encoding::gzip(), Encoding::identity()];
    let accepted = AcceptEncoding::parse(&request).ok();
    let chosen = accepted.and_then(|accepted| accepted.negotiate(known.iter()));
    if chosen == Some(Encoding::gzip()) {
        answer.insert_header(ContentEncoding::Gzip).insert_header((VARY, "Accept-Encoding"));
        return Ok(answer.body(bytes.into_owned()));
    }
    let mut plain = Vec::new();
    GzDecoder::new(&*bytes).read_to_end(&mut plain).map_err(|error| internal(&error))?;
    Ok(answer.body(plain))
}

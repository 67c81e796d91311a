//! Swagger UI under `/docs/`. Opening an operation takes time with all that its document has, so it shows one game at a time, and follows
//! the references of an operation by a script of our own.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::guard::Get;
use actix_web::web::{self, Data, ServiceConfig};
use utoipa_swagger_ui::{Config, SwaggerUi, Url, serve};

use crate::document::{Document, OfGame};
use crate::problem::{Problem, internal};

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
    let script = web::resource(format!("/docs/{INITIALIZER}")).guard(Get());
    config
        .service(script.app_data(Data::new(shown.clone())).to(initializer))
        .service(SwaggerUi::new("/docs/{_:.*}").config(shown))
        .service(web::redirect("/docs", "/docs/"));
}

async fn initializer(shown: Data<Shown>) -> Result<HttpResponse, Problem> {
    let file = serve(INITIALIZER, Arc::clone(&shown)).map_err(|error| internal(&error))?;
    let missing = || Problem::new("not_found", format!("there is no {INITIALIZER}"));
    let script = [OPERATION.as_bytes(), &file.ok_or_else(missing)?.bytes].concat();
    Ok(HttpResponse::Ok().content_type("text/javascript; charset=utf-8").body(script))
}

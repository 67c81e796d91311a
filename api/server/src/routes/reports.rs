//! What a game's finished matches say to whoever designs it, as a page.

use actix_web::http::header;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, get};
use archive::{Archive, Reach, Unasked};
use report::Report;

use crate::meter;
use crate::problem::{Problem, internal};
use crate::request::Current;
use crate::routes::stats::StatsQuery;
use crate::routes::words::Lexicons;

/// A report over HTTP reads so many matches, the newest ones.
const MATCHES: usize = 1_000;

/// The page runs nothing and loads nothing; its own style is all it has.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/// Get a report on a game
///
/// A page of charts for people, in one file that loads nothing: lengths, points, what the seat, options and bots change, where points come from over a match, the
/// strongest first moves, and draws against what was to be expected. It is of the newest 1000 finished public matches of the game, of those that fit the
/// parameters, which are those of `GET /v1/stats/{game}`; `muninn report` has no such limit.
#[utoipa::path(
    operation_id = "getGameReport",
    tag = "stats",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(("game" = String, Path, description = "The id of the game"), StatsQuery),
    responses((status = 200, description = "The report", body = String, content_type = "text/html"))
)]
#[get("/v1/stats/{game}/report")]
pub(crate) async fn get_game_report(
    engine: Current,
    lexicons: Data<Lexicons>,
    path: Path<String>,
    query: Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    let game = engine.game(&path)?;
    let words = lexicons.of(game.info().id)?.of(&["en"]).clone();
    let report = Report::new(game, &query, words)
        .map_err(|Unasked { name, detail }| Problem::malformed(&name, detail))?;
    let archive = Archive::new(engine.journal());
    let page = meter::work(move || page(report, &archive)).await??;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .content_type("text/html; charset=utf-8")
        .body(page))
}

/// Reads the matches, and draws what they say.
fn page(mut report: Report, archive: &Archive) -> Result<String, Problem> {
    let away = || Problem::new("unavailable", "the store does not answer");
    let position = archive.position();
    let newest = report.newest(archive, position, MATCHES).map_err(|_| away())?;
    let read = newest.len();
    let damaged = report.read(archive, newest.into_iter().map(Ok), 1, &|_| ());
    if damaged.iter().any(journal::Damaged::is_away) {
        return Err(away());
    }
    let note = (read >= MATCHES).then(|| {
        format!(
            "Only the newest {MATCHES} matches of the game were read; `muninn report` reads all."
        )
    });
    let reach = Reach::new(position, position);
    let page = report.html(reach, damaged.len() as u64, note.as_deref());
    page.map_err(|broken| internal(&broken))
}

//! What a game's finished matches say to whoever designs it, as a page.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::http::header;
use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpResponse, get};
use archive::{Archive, Reach, Unasked};
use lru::LruCache;
use report::{Most, Newest, Report};

use crate::answer::fitting;
use crate::forgotten::Begun;
use crate::meter;
use crate::parameters::Query;
use crate::problem::{Problem, internal};
use crate::request::Current;
use crate::routes::stats::StatsQuery;
use crate::routes::words::Lexicons;

/// What a report over HTTP reads at most: it is of so many matches, found in so many events of the last so many commits, none of them longer than that.
const MOST: Most = Most { matches: 1_000, events: 500_000, commits: 1 << 20, longest: 20_000 };

/// How long to read before others have their turn.
const SLICE: Duration = Duration::from_millis(100);

/// So many reports are kept, each of at most so many bytes.
const KEPT: NonZeroUsize = NonZeroUsize::new(32).expect("it is not zero");
const KEPT_BYTES: usize = 256 << 10;

/// Of which game, with which parameters, at which end of the feed, and after how many names were forgotten.
type Asked = (&'static str, Vec<(String, String)>, u64, Begun);

/// The reports that were made last.
pub(crate) struct Reports(Mutex<LruCache<Asked, Bytes>>);

impl Reports {
    pub(crate) fn new() -> Self {
        Reports(Mutex::new(LruCache::new(KEPT)))
    }

    fn kept(&self, asked: &Asked) -> Option<Bytes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(asked).cloned()
    }

    fn keep(&self, asked: Asked, page: &Bytes) {
        if page.len() <= KEPT_BYTES {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).put(asked, page.clone());
        }
    }
}

/// The page runs nothing and loads nothing; its own style is all it has.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/// Get a report on a game
///
/// A page of charts for people, in one file that loads nothing: lengths, points, what the seat, options and bots change, where points come from over
/// a match, the strongest first moves, and draws compared with their expected frequencies. It covers the newest finished public matches of the game
/// that fit the parameters, which are those of `GET /v1/stats/{game}`: at most 1000, none with more than 20,000 events, and no sandboxes. To find
/// them, matches of at most 500,000 events together are read, from the last million commits of the feed; those that do not fit are among them. If
/// something was left out because of these limits, the page says so; `muninn report` has no such limits.
#[utoipa::path(
    operation_id = "getGameReport",
    tag = "stats",
    extensions(("x-problems" = json!(["not_found", "too_large", "unavailable"]))),
    params(("game" = String, Path, description = "The id of the game"), StatsQuery),
    responses((status = 200, description = "The report", body = String, content_type = "text/html"))
)]
#[get("/v1/stats/{game}/report")]
pub(crate) async fn get_game_report(
    engine: Current,
    lexicons: Data<Lexicons>,
    reports: Data<Reports>,
    path: Path<String>,
    query: Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    let game = engine.game(&path)?;
    let words = lexicons.of(game.info().id)?.of(&["en"]).clone();
    let mut parameters = query.into_inner();
    parameters.sort();
    let wanted = parameters.clone();
    let report = meter::work(move || Report::new(game, &wanted, words)).await?;
    let report =
        report.map_err(|wrong: Unasked| Problem::malformed(&wrong.name, wrong.detail()))?;
    // After it has waited: what is kept may have a name that was forgotten meanwhile.
    let begun = Begun::now(&engine);
    let archive = Archive::new(engine.journal());
    let position = archive.position();
    let asked = (game.info().id, parameters, position, begun);
    let page = match reports.kept(&asked) {
        Some(page) => page,
        None => {
            let newest = read(Newest::new(report, archive, position, MOST)).await?;
            let page = meter::work(move || page(newest, position)).await??;
            begun.unforgotten(&engine)?;
            reports.keep(asked, &page);
            page
        }
    };
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CONTENT_SECURITY_POLICY, POLICY));
    Ok(fitting(&mut response, "text/html; charset=utf-8", page))
}

/// Reads the matches, a slice at a time: each is paid, and ends the turn.
async fn read(mut newest: Newest) -> Result<Newest, Problem> {
    loop {
        let turn = meter::paid_turn().await;
        let slice = meter::in_turn(turn, move || {
            let start = Instant::now();
            let mut goes_on = Ok(true);
            while matches!(goes_on, Ok(true)) && start.elapsed() < SLICE {
                goes_on = newest.step();
            }
            goes_on.map(|goes_on| (goes_on, newest))
        });
        let read =
            slice.await?.map_err(|_| Problem::new("unavailable", "the store does not answer"));
        let goes_on;
        (goes_on, newest) = read?;
        if !goes_on {
            return Ok(newest);
        }
    }
}

/// Draws what the matches say.
fn page(newest: Newest, position: u64) -> Result<Bytes, Problem> {
    let (report, damaged, note) = newest.done();
    let page = report.html(Reach::new(position, position), damaged, note.as_deref());
    page.map(Bytes::from).map_err(|broken| internal(&broken))
}

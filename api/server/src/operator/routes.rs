//! What the operator may ask and do.

use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::Method;
use actix_web::web::{self, Data, Path, ServiceConfig};
use archive::Shown;
use engine::{Engine, Forgotten};
use journal::MatchId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tables::Sql;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use crate::answer::json;
use crate::metrics::{Metrics, Standing};
use crate::operator::backup::backup;
use crate::operator::verify::verify;
use crate::problem::Problem;
use crate::request::Body;
use crate::routes::operation;
use crate::routes::stream::Streams;
use crate::tasks::{block, to_the_end};

/// Every route with its method, for those who ask by another one.
pub(super) const PATHS: &[(&str, Method)] = &[
    ("/readyz", Method::GET),
    ("/settings", Method::GET),
    ("/log", Method::PUT),
    ("/metrics", Method::GET),
    ("/verify", Method::POST),
    ("/names/forget", Method::POST),
    ("/matches/{id}/close", Method::POST),
    ("/backup", Method::POST),
];

pub(super) fn register(config: &mut ServiceConfig) {
    config
        .route("/readyz", web::get().to(readyz))
        .route("/settings", web::get().to(settings))
        .route("/log", web::put().to(set_log))
        .route("/metrics", web::get().to(metrics))
        .route("/matches/{id}/close", web::post().to(close_match))
        .route("/backup", web::post().to(backup))
        .route("/verify", web::post().to(verify))
        .route("/names/forget", web::post().to(forget_name));
}

/// Changes what is logged, or says why it cannot be.
pub type SetLog = Box<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// The settings, and what is logged now.
pub(super) struct Settings {
    pub(super) settings: Value,
    pub(super) log: Mutex<String>,
    pub(super) set_log: SetLog,
}

/// The counters of the public port.
pub(super) struct Counters(pub(super) Arc<Metrics>);

/// What is derived from the feed, and where it is kept.
pub(super) struct Projections {
    pub(super) shown: Arc<Shown>,
    /// The file of the statistics.
    pub(super) statistics: PathBuf,
    /// The tables for SQL, if they are kept.
    pub(super) tables: Option<Arc<Sql>>,
    /// The turns to look for ages in the store.
    pub(super) turns: Arc<Semaphore>,
}

impl Projections {
    /// How far each of them is; `age` tells how old the commit after a feed position is.
    fn standing(
        &self,
        engine: &Engine,
        metrics: &Metrics,
        age: impl Fn(u64) -> u64,
    ) -> Vec<Standing> {
        let (end, forgettings) = (engine.position(), engine.forgettings());
        let tables = self.tables.iter().map(|sql| {
            let is_new = sql.has_forgotten(forgettings);
            ("tables", if is_new { metrics.tables_position() } else { 0 }, sql.path())
        });
        let counted = self.shown.get(forgettings).position();
        let statistics = ("statistics", counted, self.statistics.as_path());
        let list = engine.list_file();
        let reached = [("list", engine.list_position(), list.as_path()), statistics];
        let standing = |(name, position, file): (_, u64, &FilePath)| Standing {
            name,
            position,
            behind: end.saturating_sub(position),
            behind_seconds: if position < end { age(position) } else { 0 },
            file: Some(file.to_owned()),
        };
        reached.into_iter().chain(tables).map(standing).collect()
    }
}

/// The readiness in detail.
#[derive(Serialize)]
struct Ready {
    status: &'static str,
    /// The feed position of the last durable commit.
    position: u64,
    damaged: u64,
    projections: Vec<Standing>,
}

async fn readyz(
    engine: Data<Engine>,
    streams: Data<Streams>,
    projections: Data<Projections>,
    counters: Data<Counters>,
) -> Result<HttpResponse, Problem> {
    operation::ready(engine.trouble(), &engine, &streams, &counters.0)?;
    let projections = standing(&engine, &projections, &counters).await?;
    Ok(json(&Ready {
        status: "ok",
        position: engine.position(),
        damaged: engine.damaged_count(),
        projections,
    }))
}

/// So long a projection's age is looked for in the store.
const PATIENCE: Duration = Duration::from_secs(1);
/// So many look for it at once. Each may hang with the store, and the door has eight threads.
pub(super) const LOOKS: usize = 4;

/// How far each projection is. Where the store hangs, the ages are 0: that a database does not answer is said elsewhere.
async fn standing(
    engine: &Data<Engine>,
    projections: &Data<Projections>,
    counters: &Data<Counters>,
) -> Result<Vec<Standing>, Problem> {
    let (store, of, own) = (engine.clone(), projections.clone(), counters.clone());
    let Ok(turn) = Arc::clone(&projections.turns).try_acquire_owned() else {
        return Ok(projections.standing(engine, &counters.0, |_| 0));
    };
    let read = block(move || {
        let standing = of.standing(&store, &own.0, |position| store.age_after(position));
        drop(turn);
        Ok(standing)
    });
    match tokio::time::timeout(PATIENCE, read).await {
        Ok(read) => read,
        Err(_) => Ok(projections.standing(engine, &counters.0, |_| 0)),
    }
}

async fn settings(settings: Data<Settings>) -> HttpResponse {
    let mut all = settings.settings.clone();
    let log = settings.log.lock().unwrap_or_else(PoisonError::into_inner);
    all["log"] = Value::from(log.as_str());
    json(&all)
}

/// What to log.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Log {
    /// As the flag `--log`.
    log: String,
}

async fn set_log(settings: Data<Settings>, body: Body<Log>) -> Result<HttpResponse, Problem> {
    let Log { log } = &body.value;
    let mut known = settings.log.lock().unwrap_or_else(PoisonError::into_inner);
    (settings.set_log)(log).map_err(|error| Problem::malformed("/log", error))?;
    log.clone_into(&mut known);
    tracing::info!(log, "the operator has changed what is logged");
    Ok(json(&body.value))
}

async fn metrics(
    engine: Data<Engine>,
    projections: Data<Projections>,
    counters: Data<Counters>,
) -> Result<HttpResponse, Problem> {
    let standing = standing(&engine, &projections, &counters).await?;
    let text = block(move || Ok(counters.0.text(&engine, &standing)));
    let text = text.await?;
    Ok(HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(text))
}

/// The match that a path names, whoever may see it.
fn id_of(path: &str) -> Result<MatchId, Problem> {
    path.parse().map_err(|_| Problem::new("not_found", "there is no match with this id"))
}

/// Which name to forget.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Forget {
    name: String,
    /// Only in this match.
    r#match: Option<MatchId>,
}

async fn forget_name(engine: Data<Engine>, body: Body<Forget>) -> Result<HttpResponse, Problem> {
    let Forget { name, r#match } = body.value;
    // It looks at all names, and loads matches: the door has one thread, and others ask there.
    let here = Handle::current();
    let forgetting = block(move || here.block_on(engine.forget_name(&name, r#match)));
    let Forgotten { matches, names } = forgetting.await?;
    tracing::info!(matches, names, "the operator has let a name be forgotten");
    Ok(json(&serde_json::json!({"matches": matches, "names": names})))
}

async fn close_match(engine: Data<Engine>, path: Path<String>) -> Result<HttpResponse, Problem> {
    let id = id_of(&path)?;
    let loading = Arc::clone(&engine);
    let slot = block(move || loading.load(id)).await?;
    let engine = engine.into_inner();
    let closing = async move {
        engine.close_by_operator(&slot).await?;
        Ok(engine.info(&slot)?.told(engine::Caller::Stranger))
    };
    let info = to_the_end(closing).await?;
    tracing::info!(match.id = %id, "the operator has closed a match");
    Ok(json(&info))
}

//! SQL over the tables, where whoever runs the server allows it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use actix_web::http::header;
use actix_web::rt::time::timeout;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use archive::Reach;
use engine::Engine;
use flood::Flood;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use tables::sql::asker;
use tables::{Answer, Format, Limits, Parameter, QueryError, Question, Shape, Sql};
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use crate::answer::json;
use crate::meter;
use crate::parameters::{NoQuery, Query};
use crate::problem::{Problem, ProblemPlace, internal};
use crate::request::{Body, Current};
use crate::routes::tables::TableEntry;
use crate::threads::QUERIES;

/// What queries need of the server. One at a time is answered.
pub(crate) struct Queries {
    sql: Option<(Arc<Sql>, Limits)>,
    turn: Arc<Semaphore>,
}

impl Queries {
    /// Queries over these tables; none without.
    pub(crate) fn new(sql: Option<(Arc<Sql>, Limits)>) -> Self {
        Queries { sql, turn: Arc::new(Semaphore::new(QUERIES)) }
    }

    /// Are the tables kept?
    pub(crate) fn are_kept(&self) -> bool {
        self.sql.is_some()
    }

    /// Is every query refused since the tables are being made anew? Names have been forgotten so often.
    pub(crate) fn are_refused(&self, forgettings: u64) -> bool {
        let sql = self.sql.as_ref();
        sql.is_some_and(|(sql, _)| !sql.has_forgotten(forgettings) || sql.is_refused())
    }

    fn allowed(&self) -> Result<&(Arc<Sql>, Limits), Problem> {
        let off = || Problem::new("query_off", "this server does not answer SQL queries");
        self.sql.as_ref().ok_or_else(off)
    }

    async fn answer(
        &self,
        query: QueryRequest,
        shape: Shape,
        engine: &Engine,
    ) -> Result<(Answer, Reach), Problem> {
        let QueryRequest { sql, limit, parameters } = query;
        let question = Question { sql, parameters: values(&parameters)?, span: None };
        let (tables, limits) = self.allowed()?;
        let (tables, most) = (Arc::clone(tables), limits.rows);
        let rows = match limit.map(usize::try_from) {
            None => most,
            Some(Ok(limit)) if (1..=most).contains(&limit) => limit,
            Some(_) => {
                let detail = format!("limit must be a number from 1 to {most}");
                return Err(Problem::malformed("/limit", detail));
            }
        };
        let limits = Limits { rows, ..*limits };
        let turns = async {
            let own = meter::query_turn().await;
            let turn = Arc::clone(&self.turn).acquire_owned().await;
            turn.map(|turn| (own, turn)).map_err(|closed| internal(&closed))
        };
        let turn = timeout(limits.time, turns).await.map_err(|_| {
            let detail = "other queries are being answered; try again later";
            Problem::new("unavailable", detail)
        })??;
        let (feed_end, forgettings) = (engine.position(), engine.forgettings());
        if !tables.has_forgotten(forgettings) {
            return Err(forgotten());
        }
        // It is dropped with this future, when its client goes away.
        let (_asker, asked) = asker();
        let work = meter::elsewhere(move || {
            let answer = tables.query(&question, shape, &limits, asked);
            // The turn ends with the query, not with its client.
            drop(turn);
            answer
        });
        let answer = work.await?.map_err(problem)?;
        if engine.forgettings() != forgettings {
            return Err(forgotten());
        }
        let reach = Reach::new(answer.position, feed_end);
        if answer.position == 0 && !reach.complete {
            // Empty tables would look like a store without matches.
            return Err(problem(QueryError::NotReady));
        }
        Ok((answer, reach))
    }
}

/// A name was forgotten that the tables may still have.
fn forgotten() -> Problem {
    Problem::new("unavailable", "the tables are being filled anew")
}

fn problem(error: QueryError) -> Problem {
    let detail = error.to_string();
    let in_sql = |code, detail: String| Problem {
        errors: Some(vec![ProblemPlace { pointer: "/sql".to_owned(), detail: detail.clone() }]),
        ..Problem::new(code, detail)
    };
    match error {
        QueryError::Wrong { what: _, at: None } => in_sql("query_wrong", detail),
        QueryError::Wrong { what: _, at: Some(at) } => {
            in_sql("query_wrong", format!("{detail}, at byte {at}"))
        }
        QueryError::Forbidden(_) => in_sql("query_forbidden", detail),
        QueryError::TooMuch(_) => in_sql("query_too_much", detail),
        QueryError::NotReady | QueryError::HungUp => Problem::new("unavailable", detail),
        QueryError::Unread(why) => {
            UNREAD.line(|more| tracing::error!(%why, more, "the tables for SQL cannot be read"));
            Problem::new("unavailable", "the tables cannot be read now")
        }
        QueryError::Damaged(why) => {
            DAMAGED.line(|more| tracing::warn!(%why, more, "the tables for SQL are damaged"));
            Problem::new("unavailable", "the tables were damaged, and are being filled anew")
        }
        QueryError::Failed(error) => internal(&error),
    }
}

/// Each query finds it again.
static UNREAD: Flood = Flood::new();
static DAMAGED: Flood = Flood::new();

/// An SQL query.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryRequest {
    /// One SELECT statement in SQLite's SQL, at most 20,000 bytes.
    #[schema(min_length = 1, max_length = 20_000)]
    sql: String,
    /// The maximum number of rows. Default: as many as the server allows.
    #[schema(minimum = 1)]
    limit: Option<u32>,
    /// The values of the parameters of the statement, by name: a number, text, true, false or null for each `:name` in it.
    #[serde(default, deserialize_with = "each_once")]
    #[schema(required = false)]
    parameters: BTreeMap<String, Value>,
}

/// Values by name, none of which is there twice.
fn each_once<'de, D: Deserializer<'de>>(given: D) -> Result<BTreeMap<String, Value>, D::Error> {
    struct Once;

    impl<'de> Visitor<'de> for Once {
        type Value = BTreeMap<String, Value>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut values = BTreeMap::new();
            while let Some((name, value)) = map.next_entry::<String, Value>()? {
                if values.contains_key(&name) {
                    return Err(A::Error::custom(format!("duplicate field `{name}`")));
                }
                values.insert(name, value);
            }
            Ok(values)
        }
    }

    given.deserialize_map(Once)
}

/// The values of parameters.
fn values(given: &BTreeMap<String, Value>) -> Result<BTreeMap<String, Parameter>, Problem> {
    let value = |(name, value): (&String, &Value)| {
        let known = Parameter::of(value).map(|value| (name.clone(), value));
        known.ok_or_else(|| {
            let place = format!("/parameters/{}", name.replace('~', "~0").replace('/', "~1"));
            Problem::malformed(&place, "expected a number, text, true, false or null")
        })
    };
    given.iter().map(value).collect()
}

/// The result of a query.
#[derive(Serialize, ToSchema)]
struct QueryAnswer {
    /// The names of the columns, in order.
    columns: Vec<String>,
    /// The rows, each with a value for each column: numbers, text and null. Booleans are 0 and 1.
    #[schema(value_type = Vec<Vec<serde_json::Value>>)]
    rows: Box<RawValue>,
    /// Whether rows were left out: there were more than the limit, or than 4 MiB
    truncated: bool,
    /// The feed position up to which the tables were filled, about a second behind.
    position: u64,
    /// The end of the feed at the time of the request.
    feed_end: u64,
    /// Whether the tables were filled up to there. If not, rows are missing: retry later.
    complete: bool,
    /// The number of damaged matches, and of feed positions whose match is not known, that are left out. The table `damaged` lists them.
    damaged: u64,
    /// How long the query took, in milliseconds.
    took_ms: u64,
}

/// The tables that a query may read.
#[derive(Serialize, ToSchema)]
struct QuerySchema {
    items: Vec<TableEntry>,
}

/// Describe the tables for SQL
///
/// Those of `GET /v1/tables`, and `damaged` for the matches that are left out. Booleans are 0 and 1; times and JSON are text.
#[utoipa::path(
    operation_id = "getQuerySchema",
    tag = "tables",
    extensions(("x-problems" = json!(["query_off"]))),
    responses((status = 200, description = "All tables with their columns", body = QuerySchema))
)]
#[get("/v1/query/schema")]
pub(crate) async fn query_schema(
    queries: Data<Queries>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let (tables, _) = queries.allowed()?;
    let items = tables.schema().into_iter().map(|(table, games)| TableEntry::new(&table, games));
    Ok(json(&QuerySchema { items: items.collect() }))
}

/// Run an SQL query
///
/// Runs one SELECT over the tables of all finished public matches (`GET /v1/query/schema` describes them), and returns the result as JSON. Disabled
/// unless the operator of the server has enabled it; bounded in time, memory, rows and bytes. A query ends when its client closes the connection. While the tables are being filled, `complete` is
/// false; while they are empty, or if they were found damaged, the response is a 503.
#[utoipa::path(
    operation_id = "runQuery",
    tag = "tables",
    extensions(("x-problems" = json!([
        "query_off", "query_forbidden", "too_large", "unsupported_media_type",
        "query_wrong", "query_too_much", "unavailable"
    ]))),
    request_body = QueryRequest,
    responses((status = 200, description = "The result", body = QueryAnswer))
)]
#[post("/v1/query")]
pub(crate) async fn run_query(
    queries: Data<Queries>,
    engine: Current,
    body: Body<QueryRequest>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let (answer, reach) = queries.answer(body.value, Shape::Json, &engine).await?;
    let Answer { columns, body, rows: _, truncated, position: _, damaged, time } = answer;
    let rows = String::from_utf8(body).map_err(|error| internal(&error))?;
    let rows = RawValue::from_string(rows).map_err(|error| internal(&error))?;
    let Reach { position, feed_end, complete } = reach;
    Ok(json(&QueryAnswer {
        columns,
        rows,
        truncated,
        position,
        feed_end,
        complete,
        damaged,
        took_ms: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
    }))
}

/// Run an SQL query, get CSV
///
/// The same result as a file. The header Truncated says whether rows were left out.
#[utoipa::path(
    operation_id = "runQueryCsv",
    tag = "tables",
    extensions(("x-problems" = json!([
        "query_off", "query_forbidden", "too_large", "unsupported_media_type",
        "query_wrong", "query_too_much", "unavailable"
    ]))),
    request_body = QueryRequest,
    responses((
        status = 200, description = "CSV (RFC 4180) with a header line", body = String, content_type = "text/csv",
        headers(
            ("Feed-Position" = u64, description = "As `position` in JSON"),
            ("Feed-End" = u64, description = "As `feed_end` in JSON"),
            ("Complete" = bool, description = "As `complete` in JSON"),
            ("Truncated" = bool, description = "Whether rows were left out: there were more than the limit, or than 4 MiB"),
            ("Damaged" = u64, description = "The number of damaged matches, and of feed positions whose match is not known; they are left out"),
        )
    ))
)]
#[post("/v1/query.csv")]
pub(crate) async fn run_query_csv(
    queries: Data<Queries>,
    engine: Current,
    body: Body<QueryRequest>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let format = Format::Csv;
    file(format, queries.answer(body.value, Shape::File(format), &engine).await?)
}

/// Run an SQL query, get Parquet
///
/// The same result as a file. The header Truncated says whether rows were left out.
#[utoipa::path(
    operation_id = "runQueryParquet",
    tag = "tables",
    extensions(("x-problems" = json!([
        "query_off", "query_forbidden", "too_large", "unsupported_media_type",
        "query_wrong", "query_too_much", "unavailable"
    ]))),
    request_body = QueryRequest,
    responses((
        status = 200, description = "A Parquet file", body = String, content_type = "application/vnd.apache.parquet",
        headers(
            ("Feed-Position" = u64, description = "As `position` in JSON"),
            ("Feed-End" = u64, description = "As `feed_end` in JSON"),
            ("Complete" = bool, description = "As `complete` in JSON"),
            ("Truncated" = bool, description = "Whether rows were left out: there were more than the limit, or than 4 MiB"),
            ("Damaged" = u64, description = "The number of damaged matches, and of feed positions whose match is not known; they are left out"),
        )
    ))
)]
#[post("/v1/query.parquet")]
pub(crate) async fn run_query_parquet(
    queries: Data<Queries>,
    engine: Current,
    body: Body<QueryRequest>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let format = Format::Parquet;
    file(format, queries.answer(body.value, Shape::File(format), &engine).await?)
}

fn file(format: Format, (answer, reach): (Answer, Reach)) -> Result<HttpResponse, Problem> {
    let mut response = HttpResponse::Ok();
    response
        .content_type(format.media_type())
        .insert_header(("Feed-Position", reach.position))
        .insert_header(("Feed-End", reach.feed_end))
        .insert_header(("Complete", reach.complete.to_string()))
        .insert_header(("Truncated", answer.truncated.to_string()))
        .insert_header(("Damaged", answer.damaged));
    if format == Format::Parquet {
        // It is compressed inside.
        response.insert_header((header::CONTENT_ENCODING, "identity"));
    }
    Ok(response.body(answer.body))
}

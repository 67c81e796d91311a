//! Finished matches as tables: which there are, and each as a stream that can be gone on with.

mod sending;

use std::sync::Arc;

use actix_web::http::header;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, get};
use archive::{Archive, Reach};
use engine::Engine;
use serde::{Deserialize, Serialize};
use tables::{Bundle, Column, Download, Format, Pieces, Selection, Table, VERSION, Wanted};
use utoipa::{IntoParams, ToSchema};

use crate::answer::json;
use crate::parameters::{Query, position};
use crate::problem::{Problem, internal};
use crate::request::{self, Current};

pub(crate) use sending::Tables;

/// All tables.
#[derive(Serialize, ToSchema)]
struct TableList {
    /// The version of the common tables. Within a version columns are only ever added.
    version: u32,
    /// The feed position up to which matches are in the tables.
    position: u64,
    /// The end of the feed at the time of the request.
    feed_end: u64,
    /// Whether the tables go up to `feed_end`. They always do: matches that have no rows yet are read from the store.
    complete: bool,
    /// The number of damaged matches, of which those that have ended are in no table, and of feed positions whose match is not known.
    /// `GET /v1/damaged` names them.
    damaged: u64,
    items: Vec<TableEntry>,
}

/// A table.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableEntry {
    /// Its name.
    name: String,
    /// What each row stands for.
    about: String,
    /// The games that have rows in the table.
    games: Vec<&'static str>,
    /// Its columns, in order.
    columns: Vec<ColumnEntry>,
}

impl TableEntry {
    pub(crate) fn new(table: &Table, games: Vec<&'static str>) -> Self {
        TableEntry {
            name: table.name.to_string(),
            about: table.about.to_string(),
            games,
            columns: table.columns.iter().map(ColumnEntry::from).collect(),
        }
    }
}

/// A column of a table.
#[derive(Serialize, ToSchema)]
struct ColumnEntry {
    /// Its name.
    name: String,
    /// The type of its values: `integer`, `text`, `boolean`, `time` in UTC with milliseconds, `integers` and `texts` for lists, or `JSON`.
    r#type: &'static str,
    /// Whether a value may be missing.
    nullable: bool,
    /// What the column contains.
    about: String,
}

/// Which matches.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TableQuery {
    /// Only matches of this game.
    game: Option<String>,
    /// Only matches that ended on this day (UTC) or later: `2026-11-01`.
    #[param(pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", format = Date)]
    from: Option<String>,
    /// Only matches that ended on this day (UTC) or before.
    #[param(pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", format = Date)]
    to: Option<String>,
    /// Only matches that ended after this feed position: `Feed-Position` of the previous response.
    #[param(default = 0)]
    after: Option<u64>,
    /// Only matches that ended up to this feed position. Default: the current end of the feed.
    until: Option<u64>,
    /// Whether to include the columns of hashes: `hash`, `head_hash` and `position_hash`. Default: false.
    #[param(inline)]
    hashes: Option<bool>,
}

/// Which columns.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// Whether to include the columns of hashes: `hash`, `head_hash` and `position_hash`. Default: false.
    #[param(inline)]
    hashes: Option<bool>,
}

/// List the tables
///
/// Finished matches as tables: eight tables that are the same for every game, and one for each type of event of each game. Every table has
/// the columns `game`, `match_no` (the feed position where the match ended) and `match_id`.
#[utoipa::path(
    operation_id = "listTables",
    tag = "tables",
    params(ListQuery),
    extensions(("x-problems" = json!(["malformed", "unavailable"]))),
    responses((status = 200, description = "All tables", body = TableList))
)]
#[get("/v1/tables")]
pub(crate) async fn list_tables(
    engine: Current,
    tables: Data<Tables>,
    query: Query<ListQuery>,
) -> HttpResponse {
    let entry = |(table, games): (&Table, Vec<&'static str>)| {
        let mut entry = TableEntry::new(table, games);
        entry.columns.insert(0, ColumnEntry::from(&Column::GAME));
        entry
    };
    let end = engine.position();
    let Reach { position, feed_end, complete } = Reach::new(end, end);
    json(&TableList {
        version: VERSION,
        position,
        feed_end,
        complete,
        damaged: engine.damaged_count(),
        items: tables
            .catalogue_of(query.into_inner().hashes.unwrap_or_default())
            .all()
            .map(entry)
            .collect(),
    })
}

/// The format of table files.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FileFormat {
    /// Apache Parquet, compressed with Zstandard.
    #[default]
    Parquet,
    /// JSON lines.
    Ndjson,
    /// RFC 4180 with a line of names.
    Csv,
}

/// Which matches, and how.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct BundleQuery {
    /// The format of the files. Default: `parquet`.
    #[param(inline)]
    format: Option<FileFormat>,
    /// Only matches of this game.
    game: Option<String>,
    /// Only matches that ended on this day (UTC) or later: `2026-11-01`.
    #[param(pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", format = Date)]
    from: Option<String>,
    /// Only matches that ended on this day (UTC) or before.
    #[param(pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", format = Date)]
    to: Option<String>,
    /// Only matches that ended after this feed position: the last `_position` of the previous response.
    #[param(default = 0)]
    after: Option<u64>,
    /// Only matches that ended up to this feed position. Default: the current end of the feed.
    until: Option<u64>,
    /// Whether to include the columns of hashes: `hash`, `head_hash` and `position_hash`. Default: false.
    #[param(inline)]
    hashes: Option<bool>,
}

/// Get all tables
///
/// All tables of all public matches that ended in the given span, in one pass: an archive (tar) of files, laid out like an export,
/// `<table>/game=<game>/month=<month>/part-<match_no>.<format>`. It is sent in groups, each of which ends with the file `_position`, the
/// feed position up to which everything is there; the first `_position` is `after`. In the archive each has a comment (pax), which is another one in another store. To continue a response that was cut off, remove the files whose `<match_no>` is greater than
/// the last `_position`, since their group is incomplete, and send that `_position` as `after`. Damaged matches are left out, and counted in the header `Damaged`. If a match is
/// found to be damaged while the response is being sent, the response is cut off, and the match is counted in the next response.
#[utoipa::path(
    operation_id = "getTablesTar",
    tag = "tables",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(BundleQuery),
    responses((
        status = 200, description = "An archive", body = String, content_type = "application/x-tar",
        headers(
            ("Feed-Position" = u64, description = "The feed position up to which the response goes: the value of `after` in the next request"),
            ("Feed-End" = u64, description = "Where the feed ended at the time of the request"),
            ("Complete" = bool, description = "Whether the response goes up to `Feed-End`"),
            ("Damaged" = u64, description = "The number of damaged matches of any game, and of feed positions whose match is not known, that are or may be in the span and are left out"),
        )
    ))
)]
#[get("/v1/tables.tar")]
pub(crate) async fn get_tables_tar(
    request: HttpRequest,
    query: Query<BundleQuery>,
) -> Result<HttpResponse, Problem> {
    let BundleQuery { format, game, from, to, after, until, hashes } = query.into_inner();
    let format = match format.unwrap_or_default() {
        FileFormat::Parquet => Format::Parquet,
        FileFormat::Ndjson => Format::Ndjson,
        FileFormat::Csv => Format::Csv,
    };
    let Current(engine) = Current::of(&request).await?;
    let feed_end = engine.position();
    let (wanted, span) =
        TableQuery { game, from, to, after, until, hashes }.read(&engine, feed_end)?;
    let (start, end) = (span.start, span.end);
    let open = |tables: &Tables| {
        let catalogue = tables.catalogue_of(hashes.unwrap_or_default());
        let bundle = Bundle::new(
            Archive::new(engine.journal()),
            catalogue,
            format,
            wanted,
            span,
            tables.scratch.clone(),
        );
        Ok(Box::new(bundle) as Box<dyn Pieces>)
    };
    let (damaged, pieces) = sending::begin(&request, open).await?;
    let name = format!("tables-{start}-{end}.tar");
    let mut response = sent("application/x-tar", &name, Reach::new(end, feed_end), damaged);
    if format == Format::Parquet {
        // The files are compressed inside.
        response.insert_header((header::CONTENT_ENCODING, "identity"));
    }
    Ok(response.streaming(pieces))
}

/// Get a table as CSV
///
/// The rows of all public matches that ended in the given span, match by match in the order in which they ended. To continue a response
/// that was cut off, drop the rows of the last `match_no`, and send the `match_no` before it as `after`. Damaged matches are left out, and
/// counted in the header `Damaged`. If a match is found to be damaged while the response is being sent, the response is cut off, and the
/// match is counted in the next response.
#[utoipa::path(
    operation_id = "getTableCsv",
    tag = "tables",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(("table" = String, Path, description = "The name of the table"), TableQuery),
    responses((
        status = 200, description = "CSV (RFC 4180) with a header line", body = String, content_type = "text/csv",
        headers(
            ("Feed-Position" = u64, description = "The feed position up to which the response goes: the value of `after` in the next request"),
            ("Feed-End" = u64, description = "Where the feed ended at the time of the request"),
            ("Complete" = bool, description = "Whether the response goes up to `Feed-End`"),
            ("Damaged" = u64, description = "The number of damaged matches of any game, and of feed positions whose match is not known, that are or may be in the span and are left out"),
        )
    ))
)]
#[get("/v1/tables/{table}.csv")]
pub(crate) async fn get_table_csv(
    request: HttpRequest,
    path: Path<String>,
    query: Query<TableQuery>,
) -> Result<HttpResponse, Problem> {
    answer(&request, Format::Csv, path.into_inner(), query).await
}

/// Get a table as JSON lines
///
/// The same rows as in CSV, each as an object.
#[utoipa::path(
    operation_id = "getTableNdjson",
    tag = "tables",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(("table" = String, Path, description = "The name of the table"), TableQuery),
    responses((
        status = 200, description = "JSON lines, each a row", body = TableRow, content_type = "application/x-ndjson",
        headers(
            ("Feed-Position" = u64, description = "The feed position up to which the response goes: the value of `after` in the next request"),
            ("Feed-End" = u64, description = "Where the feed ended at the time of the request"),
            ("Complete" = bool, description = "Whether the response goes up to `Feed-End`"),
            ("Damaged" = u64, description = "The number of damaged matches of any game, and of feed positions whose match is not known, that are or may be in the span and are left out"),
        )
    ))
)]
#[get("/v1/tables/{table}.ndjson")]
pub(crate) async fn get_table_ndjson(
    request: HttpRequest,
    path: Path<String>,
    query: Query<TableQuery>,
) -> Result<HttpResponse, Problem> {
    answer(&request, Format::Ndjson, path.into_inner(), query).await
}

/// Get a table as Parquet
///
/// The same rows as in CSV, grouped by game. A Parquet file that is cut off cannot be read: request a large table in spans, with `until`.
#[utoipa::path(
    operation_id = "getTableParquet",
    tag = "tables",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(("table" = String, Path, description = "The name of the table"), TableQuery),
    responses((
        status = 200, description = "A Parquet file", body = String, content_type = "application/vnd.apache.parquet",
        headers(
            ("Feed-Position" = u64, description = "The feed position up to which the response goes: the value of `after` in the next request"),
            ("Feed-End" = u64, description = "Where the feed ended at the time of the request"),
            ("Complete" = bool, description = "Whether the response goes up to `Feed-End`"),
            ("Damaged" = u64, description = "The number of damaged matches of any game, and of feed positions whose match is not known, that are or may be in the span and are left out"),
        )
    ))
)]
#[get("/v1/tables/{table}.parquet")]
pub(crate) async fn get_table_parquet(
    request: HttpRequest,
    path: Path<String>,
    query: Query<TableQuery>,
) -> Result<HttpResponse, Problem> {
    answer(&request, Format::Parquet, path.into_inner(), query).await
}

/// A row of a table, with a field for each of its columns as `GET /v1/tables` lists them.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it documents the lines of an answer")]
struct TableRow {
    /// The game.
    game: String,
    /// The number of the match: the feed position of its last commit. It joins all tables, and is greater for matches that ended later in this store.
    match_no: u64,
    /// The id of the match in the API.
    match_id: String,
}

impl From<&Column> for ColumnEntry {
    fn from(column: &Column) -> Self {
        ColumnEntry {
            name: column.name.to_string(),
            r#type: column.kind.name(),
            nullable: column.nullable,
            about: column.about.to_string(),
        }
    }
}

impl TableQuery {
    /// The matches, and the span of the feed, which goes up to `end` at most.
    fn read(self, engine: &Engine, end: u64) -> Result<(Wanted, std::ops::Range<u64>), Problem> {
        let TableQuery { game, from, to, after, until, hashes: _ } = self;
        let read = |name: &str, text: Option<String>| {
            let read = text.map(|text| day(&text)).transpose();
            read.map_err(|detail| Problem::malformed(name, detail))
        };
        let wanted =
            Wanted { game, from: read("from", from)?, to: read("to", to)?, private: false };
        if let (Some(from), Some(to)) = (&wanted.from, &wanted.to)
            && from > to
        {
            return Err(Problem::malformed("to", format!("{to} is before {from}")));
        }
        if let Some(game) = &wanted.game {
            engine.game(game)?;
        }
        let after = request::after(after)?;
        if after > end {
            let detail = format!("the feed ends at {end}: {after} is a position of another store");
            return Err(Problem::malformed("after", detail));
        }
        let until = until.map_or(Ok(end), |until| position("until", until))?;
        let until = until.min(end);
        Ok((wanted, after..until.max(after)))
    }
}

/// The head of an answer that is a file.
fn sent(kind: &'static str, name: &str, reach: Reach, damaged: u64) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .content_type(kind)
        .insert_header(("Feed-Position", reach.position))
        .insert_header(("Feed-End", reach.feed_end))
        .insert_header(("Complete", reach.complete.to_string()))
        .insert_header(("Damaged", damaged))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")));
    response
}

async fn answer(
    request: &HttpRequest,
    format: Format,
    table: String,
    query: Query<TableQuery>,
) -> Result<HttpResponse, Problem> {
    let Current(engine) = Current::of(request).await?;
    let query = query.into_inner();
    let hashes = query.hashes.unwrap_or_default();
    let feed_end = engine.position();
    let (wanted, span) = query.read(&engine, feed_end)?;
    let (start, end) = (span.start, span.end);
    let name = format!("{table}-{start}-{end}.{}", format.name());
    let open = |tables: &Tables| {
        let catalogue = tables.catalogue_of(hashes);
        let unknown = format!("there is no table {table}: GET /v1/tables lists them");
        let selection = Selection { table, wanted, span };
        let download = Download::new(Archive::new(engine.journal()), catalogue, format, selection);
        let download = download.map_err(|error| internal(&error))?;
        let download = download.ok_or_else(|| Problem::new("not_found", unknown))?;
        Ok(Box::new(match &tables.sql {
            // Hashes are not in the file, but perhaps a name that was forgotten.
            Some((sql, limits)) if !hashes && sql.has_forgotten(engine.forgettings()) => {
                download.stored_in(Arc::clone(sql), *limits)
            }
            Some(_) | None => download,
        }) as Box<dyn Pieces>)
    };
    let (damaged, pieces) = sending::begin(request, open).await?;
    let mut response = sent(format.media_type(), &name, Reach::new(end, feed_end), damaged);
    if format == Format::Parquet {
        // It is compressed inside.
        response.insert_header((header::CONTENT_ENCODING, "identity"));
    }
    Ok(response.streaming(pieces))
}

/// A day (UTC) such as `2026-11-01`.
///
/// # Errors
/// If it is none.
pub fn day(text: &str) -> Result<String, String> {
    let day = chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d").map(|day| day.to_string());
    // Days are compared as texts: each has one form, of four digits for the year.
    day.ok()
        .filter(|day| day == text && text.starts_with(|c: char| c.is_ascii_digit()))
        .ok_or_else(|| "expected a day such as 2026-11-01".to_owned())
}

//! Every point, explained.

use actix_web::{HttpRequest, HttpResponse, get};
use engine::Ledger;
use kernel::Seat;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::answer::{at_version, text};
use crate::parameters::Query;
use crate::problem::Problem;
use crate::request::{Access, after, limit, viewer};
use crate::tasks::block;

/// Which entries, up to when, and as whom.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct LedgerQuery {
    /// Only the points of this seat.
    #[param(minimum = 0, maximum = 7)]
    seat: Option<u8>,
    /// The version up to which entries are listed. Default: the latest.
    #[param(minimum = 1)]
    at: Option<u64>,
    /// The viewer: the number of a seat, or `spectator`. Points are open, so everybody sees the same.
    #[param(pattern = "^([0-7]|spectator)$")]
    viewer: Option<String>,
    /// Only entries after this one: `next` of the previous page.
    #[param(default = 0)]
    after: Option<u64>,
    /// The maximum number of items, 1 to 1000.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// Explain every point
///
/// The ledger of the match: what gave or took points, by which rule, and how they were counted. The sum of the entries up to any version is the score
/// at that version. Entries that a take-back cancels are entered again with the opposite sign.
#[utoipa::path(
    operation_id = "getLedger",
    tag = "history",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "version_unknown", "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), LedgerQuery),
    responses((status = 200, description = "A page of the ledger", body = Ledger)),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/ledger")]
pub(crate) async fn get_ledger(
    request: HttpRequest,
    access: Access,
    query: Query<LedgerQuery>,
) -> Result<HttpResponse, Problem> {
    let LedgerQuery { seat, at, viewer: asked, after, limit: most } = query.into_inner();
    let (limit, asked) = (limit(most)?, viewer(asked.as_deref())?);
    let query = engine::LedgerQuery { at, seat: seat.map(Seat), after: self::after(after)?, limit };
    let Access { engine, slot, caller } = access;
    let finished = slot.status() == journal::Status::Finished;
    let ledger = block(move || engine.ledger(&slot, caller, asked, query)).await?;
    let fixed = finished && at.is_some();
    Ok(at_version(&request, ledger.version, fixed, text(&ledger)))
}

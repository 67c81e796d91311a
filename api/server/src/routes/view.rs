//! Looking at the table.

use actix_web::{HttpRequest, HttpResponse, get};
use engine::{Part, Seen, Slot};
use kernel::{Seat, Viewer};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::answer::{seen, tag_at, tag_of, tagged};
use crate::commits::PatchStep;
use crate::parameters::{LookQuery, NoQuery, Query};
use crate::problem::Problem;
use crate::request::{Access, named, viewer};
use crate::tasks::{at_once, block};

/// At which version, as whom, and since when.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ViewQuery {
    /// The version. Default: the latest.
    #[param(minimum = 1)]
    at: Option<u64>,
    /// The viewer: the number of a seat, or `spectator`. In a finished match any viewer, otherwise the caller's own seat or `spectator`.
    #[param(pattern = "^([0-7]|spectator)$")]
    viewer: Option<String>,
    /// As of `/view/patch`.
    #[param(ignore)]
    since: Option<u64>,
    /// What to include in addition to the view: `pieces` with their ids.
    #[param(pattern = "^pieces$")]
    include: Option<String>,
}

/// Since when, at which version, and as whom.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PatchQuery {
    /// The version that the client has: at most 256 versions back.
    #[param(required = true, nullable = false, minimum = 1)]
    since: Option<u64>,
    /// The version. Default: the latest.
    #[param(minimum = 1)]
    at: Option<u64>,
    /// The viewer, as for the view.
    #[param(pattern = "^([0-7]|spectator)$")]
    viewer: Option<String>,
}

/// Get the view
///
/// The table as the caller sees it, at any version.
#[utoipa::path(
    operation_id = "getView",
    tag = "play",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "too_large", "version_unknown", "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), ViewQuery),
    responses((status = 200, description = "The view", body = engine::by_game::View)),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/view")]
pub(crate) async fn get_view(
    request: HttpRequest,
    access: Access,
    query: Query<ViewQuery>,
) -> Result<HttpResponse, Problem> {
    let ViewQuery { at, viewer: asked, since, include } = query.into_inner();
    let asked = viewer(asked.as_deref())?;
    let pieces = !named("include", include.as_deref(), &["pieces"])?.is_empty();
    let Access { engine, slot, caller } = access;
    if let Some(since) = since {
        if pieces {
            return Err(Problem::malformed("include", "a patch takes no include"));
        }
        return patch(&request, Access { engine, slot, caller }, since, at, asked).await;
    }
    let is_at_hand = engine.has_at_hand(&slot, at);
    if pieces {
        let is_quick = is_at_hand && engine.has_pieces_at_hand(&slot);
        let look = move || {
            let view = engine.view(&slot, caller, at, asked)?;
            engine.with_pieces(&slot, view)
        };
        let view = if is_quick { at_once(look).await? } else { block(look).await? };
        return Ok(seen(&request, view));
    }
    let look = move || engine.view(&slot, caller, at, asked);
    let view = match at {
        None => look()?,
        Some(_) if is_at_hand => at_once(look).await?,
        Some(_) => block(look).await?,
    };
    Ok(seen(&request, view))
}

/// Get what has changed in the view
///
/// A JSON Patch (RFC 6902) between the views of the same viewer at two versions.
#[utoipa::path(
    operation_id = "getViewPatch",
    tag = "play",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "too_large", "version_unknown", "version_gone", "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), PatchQuery),
    responses((status = 200, description = "What has changed", body = Vec<PatchStep>, content_type = "application/json-patch+json")),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/view/patch")]
pub(crate) async fn get_view_patch(
    request: HttpRequest,
    access: Access,
    query: Query<PatchQuery>,
) -> Result<HttpResponse, Problem> {
    let PatchQuery { since, at, viewer: asked } = query.into_inner();
    // Who asks comes before what is wrong with the rest.
    let since = since.ok_or_else(|| Problem::malformed("since", "`since` is needed"))?;
    patch(&request, access, since, at, viewer(asked.as_deref())?).await
}

/// The address of the view that the patch would have led to, and how it is related to the patch.
fn whole_view(slot: &Slot, at: Option<u64>, asked: Option<Viewer>) -> (String, &'static str) {
    let at = at.map(|at| format!("at={at}"));
    let asked = asked.map(|viewer| match viewer {
        Viewer::Seat(Seat(seat)) => format!("viewer={seat}"),
        Viewer::Spectator => "viewer=spectator".to_owned(),
    });
    let rel = if at.is_some() { "alternate" } else { "latest-version" };
    let query: Vec<String> = at.into_iter().chain(asked).collect();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    (format!("/v1/matches/{}/view{query}", slot.id()), rel)
}

async fn patch(
    request: &HttpRequest,
    Access { engine, slot, caller }: Access,
    since: u64,
    at: Option<u64>,
    asked: Option<Viewer>,
) -> Result<HttpResponse, Problem> {
    let is_at_hand = engine.has_at_hand(&slot, at) && engine.has_at_hand(&slot, Some(since));
    let (whole, rel) = whole_view(&slot, at, asked);
    let compare = move || engine.changes(&slot, caller, since, at, asked);
    let compared = if is_at_hand { at_once(compare).await } else { block(compare).await };
    let Seen { version, json, fixed } = compared.map_err(|mut problem| match problem.code {
        "version_gone" => {
            problem.detail = format!("{}: {whole}", problem.detail);
            problem.header("Link", format!("<{whole}>; rel=\"{rel}\""))
        }
        _ => problem,
    })?;
    let patch = Box::<str>::from(json).into_string();
    let tag = tag_at(version, &patch);
    Ok(tagged(request, &tag, fixed, "application/json-patch+json", patch))
}

/// Get the part of the view that never changes
///
/// The fields that are the same for every viewer in every view of the match, such as the map of Delphi. A request with their ETag gets a 304; only
/// another release of the server may show them in another form.
#[utoipa::path(
    operation_id = "getFixedView",
    tag = "play",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "not_found", "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match")),
    responses((status = 200, description = "Some fields of the view", body = Object)),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/view/fixed")]
pub(crate) async fn get_fixed_view(
    request: HttpRequest,
    access: Access,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let Access { engine, slot, caller } = access;
    let Seen { json, .. } = engine.part_of_view(&slot, caller, None, None, Part::Fixed)?;
    let json = Box::<str>::from(json).into_string();
    // In this match it never changes, but another release may show it in another form, and with it what changes.
    Ok(tagged(&request, &tag_of(&json), false, "application/json", json))
}

/// Get the part of the view that changes
///
/// The view without the fields that never change in a match. Together with `/view/fixed` it is the complete view.
#[utoipa::path(
    operation_id = "getChangingView",
    tag = "play",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "too_large", "version_unknown", "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), LookQuery),
    responses((status = 200, description = "The other fields of the view", body = Object)),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/view/changing")]
pub(crate) async fn get_changing_view(
    request: HttpRequest,
    access: Access,
    query: Query<LookQuery>,
) -> Result<HttpResponse, Problem> {
    let LookQuery { at, viewer: asked } = query.into_inner();
    let asked = viewer(asked.as_deref())?;
    let Access { engine, slot, caller } = access;
    let is_at_hand = engine.has_at_hand(&slot, at);
    let look = move || engine.part_of_view(&slot, caller, at, asked, Part::Changing);
    let view = match at {
        None => look()?,
        Some(_) if is_at_hand => at_once(look).await?,
        Some(_) => block(look).await?,
    };
    Ok(seen(&request, view))
}

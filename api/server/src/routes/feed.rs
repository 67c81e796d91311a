//! The feed of the whole store.

use actix_web::web::Bytes;
use actix_web::{HttpResponse, get};
use engine::{FeedFilter, FeedLine, FeedPage as Page, FeedPlace};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

use crate::answer::{json, text};
use crate::parameters::Query;
use crate::problem::Problem;
use crate::request::{Current, limit};
use crate::tasks::block;

/// A page of the feed.
#[derive(Serialize, ToSchema)]
struct FeedPage {
    /// Events, and in their place damaged commits, which cannot be shown. A page may be empty although there is a next one, since it
    /// looks at a bounded number of commits, and a filter, or a private match, leaves nothing of them to show.
    items: Vec<FeedLine>,
    /// The parameter `after` for the next page; null at the current end, and only there.
    next: Option<String>,
    /// The feed position up to which the page looked. If `next` is null, continue to follow the feed with `after` = `position`.
    position: u64,
}

/// Which part of the feed.
#[derive(Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct FeedQuery {
    /// Only events after this feed position; or `next` of the previous page.
    #[param(pattern = r"^[0-9]{1,19}(\.[0-9]{1,9})?$", default = "0")]
    after: Option<String>,
    /// The maximum number of events, 1 to 1000. Without it a page has 100, and the lines of `/v1/events.ndjson` continue to the current end.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u64>,
    /// Only events of this game.
    game: Option<String>,
    /// Only events of this type.
    r#type: Option<String>,
}

impl FeedQuery {
    fn read(self) -> Result<(FeedPlace, FeedFilter, Option<usize>), Problem> {
        let FeedQuery { after, limit: most, game, r#type } = self;
        let place = after.map_or(Ok(FeedPlace::default()), |after| after.parse());
        let place = place.map_err(|_| {
            Problem::malformed("after", "after must be a feed position, or the `next` of a page")
        })?;
        let most = most.map(|most| limit(Some(most))).transpose()?;
        Ok((place, FeedFilter { game, kind: r#type }, most))
    }
}

/// Read the feed
///
/// The events of all public matches, in the order in which their commits became durable: in full for finished matches, otherwise as a
/// spectator sees them.
#[utoipa::path(
    operation_id = "listFeed",
    tag = "feed",
    extensions(("x-problems" = json!(["unavailable"]))),
    params(FeedQuery),
    responses((status = 200, description = "A page of events", body = FeedPage))
)]
#[get("/v1/events")]
pub(crate) async fn list_feed(
    Current(engine): Current,
    query: Query<FeedQuery>,
) -> Result<HttpResponse, Problem> {
    let (place, filter, most) = query.into_inner().read()?;
    let most = most.unwrap_or(100);
    let Page { entries, place, more, .. } =
        block(move || engine.feed(place, u64::MAX, &filter, most)).await?;
    Ok(json(&FeedPage {
        items: entries,
        next: more.then(|| place.to_string()),
        position: place.position,
    }))
}

/// Stream the feed
///
/// The feed as JSON lines, up to its current end or to `limit`. Without `limit` the header Feed-Position says where the lines end: use it
/// as `after` in the next request, even if a filter left no lines.
#[utoipa::path(
    operation_id = "getFeed",
    tag = "feed",
    extensions(("x-problems" = json!(["unavailable"]))),
    params(FeedQuery),
    responses((status = 200, description = "JSON lines, each an event or a damaged commit", body = FeedLine, content_type = "application/x-ndjson",
        headers(("Feed-Position" = u64, description = "The feed position up to which the lines go; only without `limit`"))))
)]
#[get("/v1/events.ndjson")]
pub(crate) async fn get_feed(
    Current(engine): Current,
    query: Query<FeedQuery>,
) -> Result<HttpResponse, Problem> {
    const PAGE: usize = 100;
    let (place, filter, most) = query.into_inner().read()?;
    let until = engine.position();
    let mut response = HttpResponse::Ok();
    if most.is_none() {
        response.insert_header(("Feed-Position", until));
    }
    let start = Some((place, most.unwrap_or(usize::MAX)));
    let lines = stream::unfold(start, move |state| {
        let (engine, filter) = (Arc::clone(&engine), filter.clone());
        async move {
            let (place, left) = state?;
            let page = block(move || engine.feed(place, until, &filter, left.min(PAGE))).await;
            match page {
                Ok(Page { entries, place, more, .. }) => {
                    let left = left - entries.len();
                    let lines: String = entries.iter().map(|entry| text(entry) + "\n").collect();
                    Some((Ok(Bytes::from(lines)), (more && left > 0).then_some((place, left))))
                }
                Err(problem) => Some((Err(problem), None)),
            }
        }
    });
    Ok(response.content_type("application/x-ndjson").streaming(lines))
}

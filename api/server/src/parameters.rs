//! Parameters that several requests have, and none.

use serde::Deserialize;
use utoipa::IntoParams;

/// No parameters: where a client may think that one filters, it is told that none does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoQuery {}

/// At which version, and as whom.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LookQuery {
    /// The version. Default: the latest.
    #[param(minimum = 1)]
    pub(crate) at: Option<u64>,
    /// The viewer: the number of a seat, or `spectator`. In a finished match any viewer, otherwise the caller's own seat or `spectator`.
    #[param(pattern = "^([0-7]|spectator)$")]
    pub(crate) viewer: Option<String>,
}

//! How the parameters of requests are read; those that several requests have, and none.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use kernel::Wrong;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use crate::problem::Problem;

/// The parameters of a request. One that is wrong is refused by its name.
pub(crate) struct Query<T>(T);

impl<T> Query<T> {
    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let pairs = form_urlencoded::parse(request.query_string().as_bytes());
        let read = serde_path_to_error::deserialize(serde_urlencoded::Deserializer::new(pairs));
        ready(read.map(Query).map_err(
            |error: serde_path_to_error::Error<serde_urlencoded::de::Error>| {
                let Wrong { pointer, detail } =
                    Wrong::of_query(&error.inner().to_string(), &error.path().to_string());
                Problem::malformed(&pointer, detail)
            },
        ))
    }
}

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

/// A place in a log: a number that JSON readers keep exactly.
pub(crate) fn position(name: &str, number: u64) -> Result<u64, Problem> {
    const MOST: u64 = (1 << 53) - 1;
    if number > MOST {
        let detail = format!("{name} must be a number from 0 to {MOST}");
        return Err(Problem::malformed(name, detail));
    }
    Ok(number)
}

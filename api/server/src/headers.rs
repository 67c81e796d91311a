//! Headers of requests that cost more to read than they can say.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;

use crate::problem::Problem;

/// Lists of wishes, which are taken apart before anybody pays for it. No browser sends longer ones.
const LISTS: [HeaderName; 4] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::ACCEPT_LANGUAGE,
    header::ACCESS_CONTROL_REQUEST_HEADERS,
];
const LONGEST: usize = 1_024;

/// A header that means one thing: of two, nobody would know which counts.
pub(crate) fn once<'a>(
    headers: &'a HeaderMap,
    name: &str,
) -> Result<Option<&'a HeaderValue>, Problem> {
    let mut all = headers.get_all(name);
    let first = all.next();
    if all.next().is_some() {
        return Err(Problem::malformed(name, format!("the header {name} is there twice")));
    }
    Ok(first)
}

/// The outermost middleware: a list that is too long is as none, and so is one that forbids to answer without a coding. That there is none need not
/// be said of an answer.
pub(crate) async fn shorten<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let headers = request.headers_mut();
    for name in &LISTS {
        if length(headers, name) > LONGEST {
            headers.remove(name);
        }
    }
    if forbids_plain(headers) {
        headers.remove(header::ACCEPT_ENCODING);
    }
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    if headers.get(header::CONTENT_ENCODING).is_some_and(|coding| coding == "identity") {
        headers.remove(header::CONTENT_ENCODING);
    }
    Ok(response)
}

fn length(headers: &HeaderMap, name: &HeaderName) -> usize {
    headers.get_all(name).map(|value| value.len()).sum()
}

fn forbids_plain(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).filter_map(|line| line.to_str().ok());
    let mut codings = lines.flat_map(|line| line.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().trim_start_matches("q=").parse::<f32>();
        matches!(name.trim(), "identity" | "*") && weight == Ok(0.0)
    })
}

//! Headers of requests that cost more to read than they can say.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName};
use actix_web::middleware::Next;

/// Lists of wishes, which are taken apart before anybody pays for it. No browser sends longer ones.
const LISTS: [HeaderName; 4] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::ACCEPT_LANGUAGE,
    header::ACCESS_CONTROL_REQUEST_HEADERS,
];
const LONGEST: usize = 1_024;

/// The outermost middleware: a list that is too long is as none, and so is one that forbids to answer without a coding.
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
    next.call(request).await
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

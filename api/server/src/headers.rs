//! Headers of requests that cost more to read than they can say.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    self, AcceptEncoding, Encoding, Header as _, HeaderMap, HeaderName, HeaderValue,
};
use actix_web::middleware::Next;

use crate::problem::Problem;

/// Lists of wishes, which are taken apart before anybody pays for it. No browser sends longer ones.
static LISTS: [HeaderName; 4] = [
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
    if forbids_plain(&request) {
        request.headers_mut().remove(header::ACCEPT_ENCODING);
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

/// Read as the middleware reads it that compresses: what it would refuse is found here.
fn forbids_plain(request: &ServiceRequest) -> bool {
    // Without a weight nothing is forbidden.
    let mut lists = request.headers().get_all(header::ACCEPT_ENCODING);
    if !lists.any(|list| list.as_bytes().contains(&b';')) {
        return false;
    }
    let wishes = AcceptEncoding::parse(request);
    wishes.is_ok_and(|wishes| wishes.negotiate([Encoding::identity()].iter()).is_none())
}

//! Bodies in chunks, whose length nobody knows before their end.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::{ConnectionType, Version};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage};
use futures_util::Stream;

/// A middleware, for responses. HTTP/1.0 knows no chunks (RFC 9112, 6.1): a body of unknown length ends with the connection.
pub(crate) async fn end<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let is_old = request.version() < Version::HTTP_11;
    let mut response = next.call(request).await?;
    if is_old && matches!(response.response().body().size(), BodySize::Stream) {
        let head = response.response_mut().head_mut();
        head.no_chunking(true);
        head.set_connection_type(ConnectionType::Close);
    }
    Ok(response)
}

/// A middleware, for requests. The connection would read on to the end of such a body, however long that takes, if whoever was to read it has
/// given it up. One that is still held when the answer is sent is not waited for: the connection closes.
pub(crate) async fn hold<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, Answer>>, Error> {
    if !request.chunked()? {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let held = Held(Rc::new(RefCell::new(request.take_payload())));
    request.set_payload(Payload::Stream { payload: Box::pin(held.clone()) });
    let response = next.call(request).await?.map_into_boxed_body();
    Ok(response.map_body(|_, body| EitherBody::right(Answer { body, _held: held })))
}

/// A body that is read through here, and also held elsewhere.
#[derive(Clone)]
struct Held(Rc<RefCell<Payload>>);

impl Stream for Held {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(context)
    }
}

/// An answer, with the body of the request until it is sent.
pub(crate) struct Answer {
    body: BoxBody,
    _held: Held,
}

impl MessageBody for Answer {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}

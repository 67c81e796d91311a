//! Bodies of answers, which are paid by whoever asked while they are sent.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, BoxBody, MessageBody, None as NoBody};
use actix_web::rt::time::{Sleep, sleep};
use actix_web::web::Bytes;

use crate::meter::{Meter, PAUSE, SMALL};

/// Sending so many bytes is a unit of work too.
const BYTES_OF_UNIT: usize = 256 << 10;

/// A body is sent in pieces of so many bytes: the next one when the client has taken the one before.
const PIECE: usize = 32 << 10;

/// A body that is made while it is sent, under the meter of its request.
struct MeteredBody {
    meter: Arc<Meter>,
    body: BoxBody,
    pause: Option<Pin<Box<Sleep>>>,
    /// What is sent live is not held up.
    live: bool,
}

impl MessageBody for MeteredBody {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let MeteredBody { meter, body, pause, live } = self.get_mut();
        if let Some(paused) = pause {
            ready!(paused.as_mut().poll(cx));
            *pause = None;
        } else if !*live && !meter.debt().is_zero() {
            let mut paused = Box::pin(sleep(meter.debt().min(PAUSE)));
            if paused.as_mut().poll(cx).is_pending() {
                *pause = Some(paused);
                return Poll::Pending;
            }
        }
        let next = meter.under(|| Pin::new(body).poll_next(cx));
        if let Poll::Ready(Some(Ok(bytes))) = &next {
            meter.pay(bytes.len() as f64 / BYTES_OF_UNIT as f64);
        }
        next
    }
}

/// A body that was made at once, and is held until it is sent.
struct HeldBody {
    rest: Bytes,
    _meter: Arc<Meter>,
}

impl MessageBody for HeldBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.rest.len() as u64)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        let next = PIECE.min(self.rest.len());
        Poll::Ready((next > 0).then(|| Ok(self.rest.split_to(next))))
    }
}

/// Pays for a body that was made at once, or goes on measuring one that is not.
pub(crate) fn body(meter: Arc<Meter>, body: BoxBody, live: bool) -> BoxBody {
    match body.size() {
        BodySize::None => body,
        // Nobody reads it, and nothing is known of its length.
        BodySize::Stream | BodySize::Sized(0) if meter.bodiless => BoxBody::new(NoBody::new()),
        BodySize::Sized(bytes) => {
            meter.pay(bytes as f64 / BYTES_OF_UNIT as f64);
            if bytes <= SMALL as u64 || meter.bodiless {
                return body;
            }
            let held = |rest| BoxBody::new(HeldBody { rest, _meter: meter });
            body.try_into_bytes().map_or_else(|body| body, held)
        }
        BodySize::Stream => BoxBody::new(MeteredBody { meter, body, pause: None, live }),
    }
}

//! What a request has done for it: on other threads, or to its end.

use std::future::Future;

use actix_web::rt;
use engine::Error;

use crate::meter;
use crate::problem::{Problem, internal};
use crate::trace::carried;

/// Work that computes at length or waits for a disk: off the workers that serve requests, when it is its turn.
pub(crate) async fn block<T, F>(work: F) -> Result<T, Problem>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Error> + Send + 'static,
{
    meter::work(work).await?.map_err(Problem::from)
}

/// The same for what those who play wait for: it waits only for what its own address asks for at the same time.
pub(crate) async fn at_once<T, F>(work: F) -> Result<T, Problem>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Error> + Send + 'static,
{
    meter::at_once(work).await?.map_err(Problem::from)
}

/// Work that writes, carried out to its end even if the client goes away meanwhile: what is on disk must be shown.
pub(crate) async fn to_the_end<T: 'static>(
    work: impl Future<Output = Result<T, Error>> + 'static,
) -> Result<T, Problem> {
    rt::spawn(carried(meter::inherited(work)))
        .await
        .map_err(|cause| internal(&cause))?
        .map_err(Problem::from)
}

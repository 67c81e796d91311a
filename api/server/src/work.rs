//! Work for other threads, off the workers that serve requests.
//!
//! It has one type, whatever is done and whatever comes of it: the tasks of a hundred kinds of work were an eighth of what this crate was
//! compiled to.

use std::sync::{Arc, Mutex, PoisonError};

use actix_web::web;

use crate::problem::{Problem, internal};

type Boxed = Box<dyn FnOnce() + Send>;

/// Something to do.
pub(crate) struct Work(Boxed);

/// Where it leaves what has come of it.
pub(crate) struct Done<T>(Arc<Mutex<Option<T>>>);

impl Work {
    pub(crate) fn of<T: Send + 'static>(
        work: impl FnOnce() -> T + Send + 'static,
    ) -> (Work, Done<T>) {
        let done = Done(Arc::default());
        let left = Arc::clone(&done.0);
        let work = move || {
            let done = work();
            *left.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        };
        (Work(Box::new(work)), done)
    }

    /// The same as a part of something else.
    pub(crate) fn within(self, whole: impl FnOnce(Boxed) + Send + 'static) -> Work {
        Work(Box::new(move || whole(self.0)))
    }

    /// The same, holding its turn until it ends, and not only until its client goes away.
    pub(crate) fn holding<T: Send + 'static>(self, turn: T) -> Work {
        self.within(move |work| {
            work();
            drop(turn);
        })
    }

    /// Does it on another thread, to its end even if nobody waits any more.
    ///
    /// # Errors
    /// If it panics, or the program ends.
    pub(crate) async fn run(self) -> Result<(), Problem> {
        web::block(self.0).await.map_err(|cause| internal(&cause))
    }
}

impl<T> Done<T> {
    /// Of work that was run to its end.
    pub(crate) fn take(self) -> T {
        let done = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        done.expect("work that did not panic leaves what has come of it")
    }
}

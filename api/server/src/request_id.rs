//! The id of the request that is being handled, for lines of the log about what failed in it.

use std::sync::Arc;

tokio::task_local! {
    static ID: Arc<str>;
}

/// Handles a request with this id.
pub(crate) async fn with<T>(id: &str, handling: impl Future<Output = T>) -> T {
    ID.scope(Arc::from(id), handling).await
}

/// The id, if a request is being handled here.
pub(crate) fn current() -> Option<Arc<str>> {
    ID.try_with(Arc::clone).ok()
}

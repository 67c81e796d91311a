//! The ids of matches, which say when they were opened.

use std::sync::{Mutex, PoisonError};

use journal::MatchId;
use uuid::{ContextV7, Timestamp, Uuid};

use crate::answered::opened_at;
use crate::clock::seconds_now;

/// What lets one id follow the other within a millisecond. Its time never goes back.
static CONTEXT: Mutex<ContextV7> = Mutex::new(ContextV7::new());

/// The id of a match that is opened now. It follows those before it, unless the clock was set back meanwhile: otherwise ids would have the time of the
/// earlier clock until the next start.
pub(crate) fn new_id() -> MatchId {
    let mut context = CONTEXT.lock().unwrap_or_else(PoisonError::into_inner);
    let id = Uuid::new_v7(Timestamp::now(&*context));
    if opened_at(id) <= seconds_now() + 1 {
        return id;
    }
    *context = ContextV7::new();
    Uuid::new_v7(Timestamp::now(&*context))
}

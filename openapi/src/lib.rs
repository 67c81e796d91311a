//! The OpenAPI document: its builder, the committed `openapi.json`, and the examples in it.
//!
//! [`document()`] completes what the routes declare; whoever starts a server hands it the result.
//!
//! Examples are recorded, not invented: [`record`] starts the real server, plays a scripted story against it over HTTP, and
//! keeps what was sent and answered. Ids, tokens, hashes and times, which differ each time, get stand-ins; everything else follows from
//! fixed seeds. So a new recording equals the committed one unless the server answers differently.

mod document;
mod session;
mod stand_ins;
mod story;

use std::error::Error;
use std::path::Path;

pub use document::{RECORDED, document, laid_out};
pub use stand_ins::StandIns;
pub use story::record;

/// What can go wrong while recording: the server does not start, or answers otherwise than the story expects.
pub type Failure = Box<dyn Error + Send + Sync>;

/// The folder of the committed files.
#[must_use]
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

//! Muninn over HTTP: routes, problems, limits, live streams.
//!
//! The server contains no rule and names no game. What it serves is handed to it: the matches, pictures and the document are parts of an [`App`].

pub mod problem;
mod chunked;
mod commits;
mod address;
mod budget;
mod work;
mod tasks;
mod threads;
mod meter;
mod paid;
mod connections;
mod parameters;
mod request;
mod request_id;
mod answer;
mod headers;
mod language;
mod forgotten;
mod limit;
mod routes;
mod trace;
mod observe;
mod metrics;
mod document;
mod docs;
mod fields;
mod operator;
mod priority;
mod lately;
mod app;

pub use app::{App, Bound, Stop};
pub use connections::Connections;
pub use document::{Document, Made, OfGame};
pub use fields::OPTIONAL as OPTIONAL_FIELDS;
pub use limit::Rates;
pub use meter::processor_time;
pub use metrics::{Metrics, Rebuilt};
pub use operator::{Door, Listen, OpenDoor, SetLog};
pub use priority::step_back;
pub use request::viewer;
pub use routes::declared;
pub use routes::pictures::seen;
pub use routes::tables::day;

//! Muninn over HTTP: routes, problems, live streams, the OpenAPI document, and the command line.
//!
//! The server contains no rule and names no game; `main` hands it the catalogue. Tests start what `main` starts: [`Muninn::build`].

mod flood;

mod problem;

mod request;

mod answer;

mod limit;

mod routes;

mod simulate;

mod statistics;

mod filling;

mod bots;

mod observe;

mod metrics;

mod openapi;

mod app;

mod config;

mod panics;

mod command;

mod draw;

mod export;

mod query;

pub use app::{BuildError, Muninn, Stop};
pub use command::run;
pub use config::{Cli, Command, LogFormat, OnOff, ServeArgs, SimulateArgs, VerifyArgs};
pub use draw::{Format, PictureArgs, ShapeArg, ThemeArg};
pub use export::ExportArgs;
pub use limit::LimitArgs;
pub use openapi::Document;
pub use problem::{Problem, ProblemPlace};
pub use query::QueryArgs;
pub use routes::query::SqlArgs;

//! The `muninn` program: its command line, and what works beside the server.
//!
//! `main` hands it the catalogue. Tests start what `main` starts: [`Muninn::build`].

mod audit;
mod background;
mod backup;
mod bots;
mod clock;
mod command;
mod config;
mod demo;
mod door;
mod draw;
mod export;
mod failure;
mod file;
mod filling;
mod games;
mod health;
mod idle;
mod import;
mod keys;
mod kit;
mod log;
mod made;
mod panics;
mod place;
mod progress;
mod projections;
mod query;
mod replaced;
mod report;
mod serve;
mod settings;
mod signals;
mod simulate;
mod span;
mod statistics;
mod stats;
mod threads;
#[cfg(feature = "otel")]
mod traces;
mod words;

pub use audit::{AuditArgs, AuditFormat};
pub use backup::{BackupArgs, RepairArgs, RestoreArgs};
pub use command::run;
pub use config::{
    Cli, Command, KitArgs, LimitArgs, MigrateArgs, OnOff, ServeArgs, SqlArgs, VerifyArgs,
};
pub use draw::{Format, PictureArgs, ShapeArg, ThemeArg};
pub use export::ExportArgs;
pub use health::HealthArgs;
pub use import::ImportArgs;
pub use log::LogFormat;
pub use place::StoreArgs;
pub use query::QueryArgs;
pub use report::ReportArgs;
pub use serve::{BuildError, Muninn};
pub use server::Stop;
pub use simulate::{At, SimulateArgs, SimulateFormat};
pub use span::Span;
pub use stats::StatsArgs;

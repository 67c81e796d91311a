//! What a game's finished matches say to whoever designs it: a page of charts and tables in one file, which loads nothing and runs nothing.
//!
//! Its figures are those of `GET /v1/stats/{game}` (docs/statistics.md), and what only the matches themselves tell: how points come in over a match, which
//! first moves win, and whether chance draws as it should.

mod chance;
mod chart;
mod compared;
mod drawn;
mod html;
mod matches;
mod newest;
mod page;
mod reading;

pub use chart::Broken;
pub use matches::Report;
pub use newest::{Most, Newest};

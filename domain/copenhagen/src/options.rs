//! The options of a match: there are none (C-202).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The requested options: an object without fields (C-202).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionsAsked {}

/// The options of a match: an object without fields (C-202).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {}

//! The options of a match: there are none (C-202).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The options of a match: an object without fields (C-202).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {}

// The derived schema of a struct without fields takes any.
impl PartialSchema for Options {
    fn schema() -> RefOr<Schema> {
        let none =
            ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(false)));
        none.description(Some("The options of a match: an object without fields (C-202).")).into()
    }
}

impl ToSchema for Options {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Options")
    }
}

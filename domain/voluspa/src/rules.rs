//! The rules that are quoted when something is refused.

use kernel::Rule;

pub(crate) const SEATS: Rule = Rule("V-101");
pub(crate) const OPTIONS: Rule = Rule("V-102");
pub(crate) const POSITION: Rule = Rule("V-109");
pub(crate) const FINISHED: Rule = Rule("V-201");
pub(crate) const COMMAND: Rule = Rule("V-202");
pub(crate) const NOT_ACTIVE: Rule = Rule("V-211");

//! Names that are forgotten while an answer is made.

use engine::Engine;

use crate::problem::Problem;

/// How often names had been forgotten when somebody began to read them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Begun(pub(crate) u64);

impl Begun {
    /// Before the first name is read.
    pub(crate) fn now(engine: &Engine) -> Self {
        Begun(engine.forgettings())
    }

    /// After the last one, when the answer is made.
    ///
    /// # Errors
    /// If a name was forgotten meanwhile, which the answer may still have: whoever let it be forgotten is promised that no answer has.
    pub(crate) fn unforgotten(self, engine: &Engine) -> Result<(), Problem> {
        if engine.forgettings() == self.0 {
            return Ok(());
        }
        let detail = "a name was forgotten while this was read: ask again";
        Err(Problem::new("unavailable", detail).header("Retry-After", "1"))
    }
}

//! Which matches somebody wants.

use archive::{Archive, Finish};
use journal::{Damaged, Visibility};

/// Which matches.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Only those of this game.
    pub game: Option<String>,
    /// Only those that ended on this day (`2026-11-01`, UTC) or later.
    pub from: Option<String>,
    /// Only those that ended on this day or before.
    pub to: Option<String>,
    /// Private ones too?
    pub private: bool,
}

impl Wanted {
    /// Does it belong to them?
    ///
    /// # Errors
    /// If the header of the match is damaged.
    pub(crate) fn wants(&self, archive: &Archive, finish: &Finish) -> Result<bool, Damaged> {
        let day = finish.finished_at.get(..10).unwrap_or_default();
        let early = self.from.as_deref().is_some_and(|from| day < from);
        let late = self.to.as_deref().is_some_and(|to| day > to);
        if early || late {
            return Ok(false);
        }
        let (game, visibility) = archive.outline(finish)?;
        let of_game = self.game.as_ref().is_none_or(|id| id == game.info().id);
        Ok(of_game && (self.private || visibility == Visibility::Public))
    }
}

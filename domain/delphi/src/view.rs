//! What a viewer may see (D-132): everything but the faces of islands that lie face down and that it has not looked at.
//!
//! A view is the JSON of the position less these: who sees which field is said where [`PositionForm`](crate::position::PositionForm) declares it.

use kernel::{Secret, Viewer};

pub use crate::position::{IslandView, View};

use crate::position::{Position, form};

impl Secret for Position {
    type Position = Position;
    type Seen = View;

    fn seen(&self, _: &Position, viewer: Viewer) -> View {
        form(self).seen(self, viewer)
    }
}

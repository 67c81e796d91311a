//! Who asks: the holder of a token, or a stranger.

use journal::{Bytes32, Header, People};
use kernel::Seat;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Nobody in particular.
    Stranger,
    /// The player of a seat.
    Seat(Seat),
    /// Who opened the match.
    Owner,
}

impl Caller {
    /// Whose token is it? All are compared, each in constant time.
    pub(crate) fn of(header: &Header, people: &People, token: Bytes32) -> Option<Self> {
        let hash = Bytes32::hash(&[&token.0]);
        let mut found = None;
        for (number, seat) in (0..).zip(&people.tokens) {
            if seat.is_some_and(|known| known.same(&hash)) {
                found = Some(Caller::Seat(Seat(number)));
            }
        }
        if header.owner_hash.same(&hash) {
            found = Some(Caller::Owner);
        }
        found
    }

    /// As whom the caller looks.
    #[must_use]
    pub fn viewer(self) -> kernel::Viewer {
        match self {
            Caller::Seat(seat) => kernel::Viewer::Seat(seat),
            Caller::Stranger | Caller::Owner => kernel::Viewer::Spectator,
        }
    }
}

//! Taking open seats, and closing matches: commits without a command.

use std::sync::Arc;

use journal::{
    Bytes32, CloseReason, ClosedBy, End, MatchClosed, Name, People, PlatformEvent, SeatTaken,
    Status, TableSeat, name_of_person, token_commitment, token_note,
};
use kernel::Seat;

use crate::append::platform_commit;
use crate::caller::Caller;
use crate::engine::{Engine, token_key};
use crate::error::Error;
use crate::live::{Head, Slot};
use crate::open::JoinRequest;
use crate::quotas::Opener;

impl Engine {
    /// Takes an open seat; resolves with its token when that is on disk.
    ///
    /// # Errors
    /// If there is no such seat, or it is taken, or the match is over, or who takes it has as many matches as they may.
    pub async fn take_seat(
        &self,
        slot: &Slot,
        seat: Seat,
        request: JoinRequest,
        joiner: Option<Opener>,
    ) -> Result<Bytes32, Error> {
        let JoinRequest { name, nonce } = request;
        let wrong = |detail: String| Error::malformed(detail, "/name");
        let name = name.map(|name| name_of_person(&name)).transpose().map_err(wrong)?;
        let name = name.map(Name::new);
        let _gate = slot.gate.lock().await;
        is_open(&slot.head(), seat)?;
        let joined = joiner.map(|joiner| self.counted.join(slot.id, joiner)).transpose()?;
        let taken = loop {
            let taken = self.take_seat_once(slot, seat, name.as_ref(), nonce).await;
            if let Some(taken) = taken.transpose() {
                break taken;
            }
        };
        let stored_nothing =
            taken.as_ref().is_err_and(|error| !matches!(error, Error::OutcomeUnknown(_)));
        if let (Some(joiner), Some(true), true) = (joiner, joined, stored_nothing) {
            self.counted.leave(slot.id, joiner);
        }
        taken
    }

    /// The same; nothing if another server has committed to the match meanwhile.
    async fn take_seat_once(
        &self,
        slot: &Slot,
        seat: Seat,
        name: Option<&Name>,
        nonce: Option<Bytes32>,
    ) -> Result<Option<Bytes32>, Error> {
        let head = slot.head();
        let place = is_open(&head, seat)?;
        let number = seat.index();
        let token = Bytes32::random();
        let hash = Bytes32::hash(&[&token.0]);
        let name_commitment = name.map(Name::commitment).or(place.name_commitment);
        let token_commitment = token_commitment(hash);
        let taken = SeatTaken { name_commitment, nonce, seat, token_commitment };
        let mut notes =
            vec![(token_key(token), slot.id.as_bytes().to_vec()), token_note(slot.id, seat, hash)];
        notes.extend(name.iter().map(|name| name.note(slot.id)));
        let mut people = People::clone(&head.people);
        people.tokens[number] = Some(hash);
        if name.is_some() {
            people.names[number] = name.cloned();
        }
        let next = platform_commit(&head, Some(seat), &PlatformEvent::SeatTaken(taken))?;
        let head = self.append_with(slot, &head, next, Arc::new(people), notes).await?;
        Ok(head.map(|_| token))
    }

    /// Closes a match for good: only its owner may.
    ///
    /// # Errors
    /// If the caller is not the owner, or the match was played to its end.
    pub async fn close(&self, slot: &Slot, caller: Caller) -> Result<(), Error> {
        match caller {
            Caller::Owner => {}
            Caller::Stranger => {
                return Err(Error::TokenRequired("closing a match needs the owner token"));
            }
            Caller::Seat(_) => {
                return Err(Error::NotYours("only the owner token may close a match"));
            }
        }
        self.close_by(slot, ClosedBy::Owner, CloseReason::Closed, &|_, _| true).await?;
        Ok(())
    }

    /// Closes a match for good, without its owner.
    ///
    /// # Errors
    /// If the match was played to its end.
    pub async fn close_by_operator(&self, slot: &Slot) -> Result<(), Error> {
        self.close_by(slot, ClosedBy::Operator, CloseReason::Closed, &|_, _| true).await?;
        Ok(())
    }

    /// Closes a match if that is `due`, by its status and the time of its last commit; says whether it did.
    pub(crate) async fn close_by(
        &self,
        slot: &Slot,
        by: ClosedBy,
        reason: CloseReason,
        due: &dyn Fn(Status, &str) -> bool,
    ) -> Result<bool, Error> {
        let _gate = slot.gate.lock().await;
        loop {
            if let Some(done) = self.close_once(slot, MatchClosed { by, reason }, due).await? {
                return Ok(done);
            }
        }
    }

    /// The same; nothing if another server has committed to the match meanwhile.
    async fn close_once(
        &self,
        slot: &Slot,
        closed: MatchClosed,
        due: &dyn Fn(Status, &str) -> bool,
    ) -> Result<Option<bool>, Error> {
        let head = slot.head();
        if !due(head.folded.status(), &head.updated_at) {
            return Ok(Some(false));
        }
        match head.folded.end() {
            Some(End::Closed) => return Ok(Some(false)),
            Some(end @ End::Finished) => return Err(Error::over(end, head.folded.version, None)),
            None => {}
        }
        let next = platform_commit(&head, None, &PlatformEvent::MatchClosed(closed))?;
        let head = self.append(slot, &head, next).await?;
        Ok(head.map(|_| true))
    }
}

/// The seat, if it can be taken.
fn is_open(head: &Head, seat: Seat) -> Result<&TableSeat, Error> {
    let current = head.folded.version;
    if let Some(end) = head.folded.end() {
        return Err(Error::over(end, current, None));
    }
    let place = head.folded.table.seats.get(seat.index());
    let place = place.ok_or(Error::NotFound("seat with this number"))?;
    if place.taken { Err(Error::SeatTaken { seat, current }) } else { Ok(place) }
}

//! Seeds that the server is bound to before it knows for what: tickets.
//!
//! A ticket and its seed both follow from one secret of the store and 16 random bytes, so that nothing is kept of a ticket until it is used.

use journal::{Bytes32, TICKET_SECRET};
use kernel::StreamError;
use serde::Serialize;
use store::{Write, WriteError};
use utoipa::ToSchema;

use crate::engine::Engine;
use crate::error::Error;

/// A seed that the server has committed to.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct SeedTicket {
    /// The ticket, which opens one match with this seed.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub ticket: Bytes32,
    /// SHA-256 of the seed.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub seed_commitment: Bytes32,
}

impl Engine {
    /// A ticket for a fresh seed.
    ///
    /// # Errors
    /// If the store cannot be read, or does not take its secret.
    pub async fn ticket(&self) -> Result<SeedTicket, Error> {
        let secret = self.seed_secret().await?;
        let ticket = ticket(secret, Bytes32::random());
        let seed_commitment = Bytes32::hash(&[&seed(secret, ticket).0]);
        Ok(SeedTicket { ticket, seed_commitment })
    }

    /// The seed of a ticket that was given out and not used yet. That it is used once, the store guarantees.
    pub(crate) async fn seed_of(&self, given: Bytes32) -> Result<Bytes32, Error> {
        let secret = self.seed_secret().await?;
        if !ticket(secret, given).same(&given) {
            return Err(Error::malformed("this server did not issue this ticket", "/ticket"));
        }
        Ok(seed(secret, given))
    }

    /// The secret of the store, made when it is first needed.
    async fn seed_secret(&self) -> Result<Bytes32, Error> {
        loop {
            if let Some(known) =
                self.reading(|journal| journal.store().note(TICKET_SECRET)).await??
            {
                let secret = known.try_into().map(Bytes32);
                return secret.map_err(|_| StreamError("the secret of tickets".to_owned()).into());
            }
            let notes = vec![(TICKET_SECRET.to_vec(), Bytes32::random().0.to_vec())];
            match self.journal.store().submit(Write { commit: None, notes }).await {
                // Of two who make it at the same time, one has.
                Ok(_) | Err(WriteError::NoteTaken { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The ticket with the first half of these bytes: the second half proves that it comes from here.
fn ticket(secret: Bytes32, random: Bytes32) -> Bytes32 {
    let (half, _) = random.0.split_at(16);
    let proof = Bytes32::hash(&[b"ticket", &secret.0, half]);
    let mut ticket = random;
    ticket.0[16..].copy_from_slice(&proof.0[..16]);
    ticket
}

fn seed(secret: Bytes32, ticket: Bytes32) -> Bytes32 {
    Bytes32::hash(&[b"seed", &secret.0, &ticket.0])
}

/// The note that says that a ticket was used, with the match that it opened.
pub(crate) fn used_key(ticket: Bytes32) -> Vec<u8> {
    [b"ticket/".as_slice(), &Bytes32::hash(&[&ticket.0]).0].concat()
}

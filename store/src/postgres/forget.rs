//! Removing notes that were read, beside the writer: in whatever order that comes with the writes, it removes nothing that is newer.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::error::WriteError;
use crate::postgres::Postgres;
use crate::postgres::database::big;
use crate::postgres::migrate::SCHEMA;
use crate::postgres::session::{Failure, Value};
use crate::stream::Note;
use crate::write::Ticket;

/// It removes nothing from a store of another schema, or from another store. Done twice it is done once.
const FORGET: &str =
    "DELETE FROM muninn.notes t USING unnest($1::bytea[], $2::bigint[]) AS n (key, place)
    WHERE t.key = n.key AND t.position = n.place
    AND EXISTS (SELECT FROM muninn.store s WHERE s.schema = $3 AND s.identity = $4::text::uuid)";

impl Postgres {
    pub(crate) fn forget_read(&self, notes: &[Note]) -> Ticket {
        let (answer, answered) = oneshot::channel();
        let (database, known) = (&self.shared.database, Arc::clone(&self.shared.known));
        let replaced = known.replaced().map(WriteError::Unavailable);
        if let Some(refusal) = replaced.or_else(|| known.refused().map(WriteError::Outdated)) {
            // Whoever asked waits for it, or has gone.
            drop(answer.send(Err(refusal)));
            return Ticket(answered);
        }
        let keys: Vec<Vec<u8>> = notes.iter().map(|note| note.key.clone()).collect();
        let places: Vec<i64> = notes.iter().map(|note| big(note.position)).collect();
        let identity = known.identity().to_owned();
        let values: Vec<Value> =
            vec![Box::new(keys), Box::new(places), Box::new(SCHEMA), Box::new(identity)];
        let pool = database.pool();
        database.spawn(async move {
            let removed = pool.ask_often(FORGET, &values).await;
            pool.note(&removed);
            let outcome = match removed {
                Ok(_) => Ok(known.get()),
                Err(Failure::Lost(why)) => Err(WriteError::Unknown(why)),
                Err(failure) => Err(WriteError::Unavailable(failure.what())),
            };
            drop(answer.send(outcome));
        });
        Ticket(answered)
    }
}

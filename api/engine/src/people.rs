//! Who is shown at a table when its next commit comes.

use std::sync::Arc;

use journal::People;

use crate::live::Head;

impl Head {
    /// Who is shown with the next commit: whoever sat there before, as they are shown now, for a name may have been forgotten since that one
    /// was read.
    pub(crate) fn people_of(&self, next: &Head) -> Arc<People> {
        let (before, after) = (&self.folded.table, &next.folded.table);
        if Arc::ptr_eq(before, after) {
            return Arc::clone(&self.people);
        }
        let mut people = People::clone(&next.people);
        let seats = before.seats.iter().zip(&after.seats);
        let shown = self.people.names.iter().zip(&mut people.names);
        for ((before, after), (shown, name)) in seats.zip(shown) {
            if before.name_commitment.is_some() && before.name_commitment == after.name_commitment {
                name.clone_from(shown);
            }
        }
        Arc::new(people)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    use std::thread;

    use kernel::{AnyGame, Erased, Seat};
    use testkit::Nim;

    use super::*;
    use crate::engine::{Config, Engine};

    pub(crate) static GAMES: &[&dyn AnyGame] = &[&Erased::<Nim>::NEW];

    /// Waits for what a disk does, without a runtime.
    pub(crate) fn done<T>(work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(done) => return done,
                Poll::Pending => thread::yield_now(),
            }
        }
    }

    /// Another server's commit brings the people as they were read; meanwhile a name was forgotten here.
    #[test]
    fn a_name_that_was_forgotten_does_not_come_back_with_the_next_commit() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
        let request =
            r#"{"game": "nim", "seats": [{"name": "Ada"}, {"name": "Ben"}, {"open": true}]}"#;
        let request = serde_json::from_str(request).expect("a request");
        let opened = done(engine.open(request, None, None)).expect("it is opened");
        let slot = engine.load(opened.r#match).expect("it is there");
        let before = slot.head();
        let joined = serde_json::from_str(r#"{"name": "Cora"}"#).expect("a request");
        done(engine.take_seat(&slot, Seat(2), joined, None)).expect("it is taken");
        let next = slot.head();
        let forgotten = |names: &[Option<&str>]| {
            let mut people = People::clone(&before.people);
            for (name, shown) in people.names.iter_mut().zip(names) {
                name.take_if(|_| shown.is_none());
            }
            let people = before.with(Arc::new(people)).people_of(&next);
            let names = people.names.iter().map(|name| Some(name.as_ref()?.name.clone()));
            (names.collect::<Vec<_>>(), people.tokens.clone())
        };
        let all = |names: [Option<&str>; 3]| names.map(|name| name.map(str::to_owned)).to_vec();
        let tokens = next.people.tokens.clone();
        assert_eq!(
            forgotten(&[Some("Ada"), Some("Ben")]),
            (all([Some("Ada"), Some("Ben"), Some("Cora")]), tokens.clone())
        );
        assert_eq!(
            forgotten(&[None, Some("Ben")]),
            (all([None, Some("Ben"), Some("Cora")]), tokens)
        );
    }
}

//! What readiness needs of the store: it is looked up once a second at most, however many ask, and on a thread that serves no requests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use journal::Trouble;
use tokio::sync::Mutex;

use crate::meter;
use crate::problem::Problem;

/// How long it is good for.
const LATELY: Duration = Duration::from_secs(1);

/// By how many commits something is behind.
pub(crate) type Behind = BTreeMap<&'static str, u64>;

/// What a look finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Why the store takes no writes, if it takes none.
    pub(crate) trouble: Option<Trouble>,
    pub(crate) behind: Behind,
}

/// What is known without a look. Where it has changed, what was found before is not told any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AtHand {
    /// Whether the store has taken its last writes, as [`engine::Engine::verdict`] counts it.
    pub(crate) verdict: u64,
    /// Whether SQL is refused since its tables are made anew.
    pub(crate) is_sql_refused: bool,
}

/// What was found at a time.
struct Known {
    at: Instant,
    at_hand: AtHand,
    found: Found,
}

/// What was found lately: anybody may ask, however often, and pays nothing.
pub(crate) struct Lately {
    good_for: Duration,
    known: Arc<Mutex<Option<Known>>>,
}

impl Default for Lately {
    /// Nothing was looked up yet.
    fn default() -> Self {
        Lately { good_for: LATELY, known: Arc::default() }
    }
}

impl Lately {
    /// What was found a moment ago, or is found now.
    pub(crate) async fn found(
        &self,
        at_hand: AtHand,
        look: impl FnOnce() -> Found + Send + 'static,
    ) -> Result<Found, Problem> {
        let mut known = Arc::clone(&self.known).lock_owned().await;
        let good = |known: &&Known| known.at.elapsed() < self.good_for && known.at_hand == at_hand;
        if let Some(known) = known.as_ref().filter(good) {
            return Ok(known.found.clone());
        }
        // The lock goes with the look: nobody else looks before its end, also where nobody waits for that any more.
        let looked = meter::quick(move || {
            let found = look();
            *known = Some(Known { at: Instant::now(), at_hand, found: found.clone() });
            found
        });
        looked.await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use actix_web::rt::System;
    use futures_util::FutureExt;
    use futures_util::future::join_all;

    use super::*;

    const NOTHING: Found = Found { trouble: None, behind: Behind::new() };

    /// What is found is good for ever.
    fn lately() -> Lately {
        Lately { good_for: Duration::MAX, ..Lately::default() }
    }

    /// A look that is counted.
    fn counted(looks: &Arc<AtomicUsize>) -> impl FnOnce() -> Found + Send + 'static + use<> {
        let looks = Arc::clone(looks);
        move || {
            looks.fetch_add(1, Ordering::AcqRel);
            NOTHING
        }
    }

    #[test]
    fn however_many_ask_one_looks() {
        System::new().block_on(async {
            let (lately, looks) = (lately(), Arc::new(AtomicUsize::new(0)));
            let ask = |at_hand| lately.found(at_hand, counted(&looks));
            let found = join_all((0..100).map(|_| ask(AtHand::default()))).await;
            assert!(found.into_iter().all(|found| found.is_ok_and(|found| found == NOTHING)));
            assert_eq!(looks.load(Ordering::Acquire), 1);
            // What has changed is looked up at once: whoever was refused asks why.
            let refused = AtHand { verdict: 1, ..AtHand::default() };
            for at_hand in [refused, AtHand { is_sql_refused: true, ..refused }] {
                let before = looks.load(Ordering::Acquire);
                assert!(ask(at_hand).await.is_ok());
                assert_eq!(looks.load(Ordering::Acquire), before + 1);
            }
        });
    }

    #[test]
    fn what_was_found_is_not_good_for_ever() {
        System::new().block_on(async {
            let looks = Arc::new(AtomicUsize::new(0));
            let lately = Lately { good_for: Duration::ZERO, ..Lately::default() };
            for nth in 1..4 {
                assert!(lately.found(AtHand::default(), counted(&looks)).await.is_ok());
                assert_eq!(looks.load(Ordering::Acquire), nth);
            }
        });
    }

    #[test]
    fn a_look_comes_to_its_end_though_nobody_waits_for_it() {
        System::new().block_on(async {
            let (lately, looks) = (lately(), Arc::new(AtomicUsize::new(0)));
            let (go, gate) = mpsc::channel();
            let look = counted(&looks);
            let slow = move || {
                gate.recv().expect("it is told to go on");
                look()
            };
            // Whoever asks goes away when the look has begun.
            assert!(lately.found(AtHand::default(), slow).now_or_never().is_none());
            go.send(()).expect("it waits");
            assert!(lately.found(AtHand::default(), counted(&looks)).await.is_ok());
            assert_eq!(looks.load(Ordering::Acquire), 1, "what it found is good");
        });
    }
}

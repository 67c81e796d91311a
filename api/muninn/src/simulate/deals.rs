//! Which deal is played next.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The numbers of all deals: each is taken once.
pub(crate) struct Deals {
    next: AtomicU64,
    all: u64,
    is_over: AtomicBool,
}

impl Deals {
    /// So many, from 0 on.
    pub(crate) fn new(all: u64) -> Self {
        Deals { next: AtomicU64::new(0), all, is_over: AtomicBool::new(false) }
    }

    /// The next one; `None` when all are taken, or one has failed.
    pub(crate) fn take(&self) -> Option<u64> {
        if self.is_over.load(Ordering::Relaxed) {
            return None;
        }
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|deal| *deal < self.all)
    }

    /// One has failed: nobody takes another one, since there is no result without it.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::Deals;

    #[test]
    fn each_is_taken_once_and_none_after_one_has_failed() {
        let deals = Deals::new(2);
        assert_eq!([(); 3].map(|()| deals.take()), [Some(0), Some(1), None]);
        let deals = Deals::new(2);
        assert_eq!(deals.take(), Some(0));
        deals.end();
        assert_eq!(deals.take(), None);
    }
}

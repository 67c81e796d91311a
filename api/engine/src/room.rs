//! What an answer may hold, in bytes.

/// A page ends once its items have so many bytes.
pub const PAGE_BYTES: usize = 1 << 20;

/// An answer in one piece has at most so many.
pub const ANSWER_BYTES: usize = 8 << 20;

/// What is left of a page or an answer.
pub(crate) struct Room(usize);

impl Room {
    pub(crate) fn of_page() -> Self {
        Room(PAGE_BYTES)
    }

    pub(crate) fn of_answer() -> Self {
        Room(ANSWER_BYTES)
    }

    /// Takes something in.
    pub(crate) fn take(&mut self, bytes: usize) {
        self.0 = self.0.saturating_sub(bytes);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.0 == 0
    }
}

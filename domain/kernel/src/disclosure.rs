//! What an event tells that was not known before.

/// To whom an event tells something new; the widest comes last.
///
/// # Example
/// ```
/// use kernel::Disclosure;
/// let (of_own_hand, drawn) = (Disclosure::ToOthers, Disclosure::ToAll);
/// assert_eq!(of_own_hand.max(drawn), Disclosure::ToAll);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Disclosure {
    /// To nobody: everybody could have known it.
    Nothing,
    /// To others than the seat whose command it follows: a tile of one's own hand is no news to oneself. Its commit cannot be taken back
    /// (M-83).
    ToOthers,
    /// To that seat too: an outcome of chance, or something that was hidden from it. A dry run ends before it, besides.
    ToAll,
}

//! What an event tells that was not known before.

/// To whom an event tells something new.
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

impl Disclosure {
    /// To all if it is so, else to nobody.
    ///
    /// # Example
    /// ```
    /// use kernel::Disclosure;
    /// let refill = Some("hold");
    /// assert_eq!(Disclosure::to_all_if(refill.is_some()), Disclosure::ToAll);
    /// ```
    #[must_use]
    pub fn to_all_if(is_so: bool) -> Self {
        if is_so { Disclosure::ToAll } else { Disclosure::Nothing }
    }

    /// To the others if it is so, else to nobody.
    #[must_use]
    pub fn to_others_if(is_so: bool) -> Self {
        if is_so { Disclosure::ToOthers } else { Disclosure::Nothing }
    }
}

//! Who may see what: said where a fact is declared.

use crate::json::Below;
use crate::{Bag, Disclosure, Edition, FormNumber, Seat, Set, Viewer};

/// Writes what viewers get of an event, and what it discloses: see [the trait](trait@Fact).
pub use derive::Fact;
/// Says that everybody may see all of a type: see [the trait](trait@Open).
pub use derive::Open;
/// Writes what viewers get of a struct with hidden fields: see [the trait](trait@Secret).
pub use derive::Secret;

/// Something that not everybody may see, and what viewers get in its place.
///
/// `#[derive(Secret)]` on a struct, or `#[derive(Fact)]` on the enum of events, reads from the declaration who may see which field and
/// writes the type `<Name>View` beside it: the same fields, documentation and JSON, but for those that are hidden. A position whose view is
/// the position less its hidden parts needs no other declaration of the view.
///
/// | attribute | of | it says |
/// |---|---|---|
/// | `#[secret(position = Position)]` | the type | which position of the game it belongs to |
/// | `#[secret(.., view = View)]` | the type | what viewers get is named `View`; bounds of its lists and numbers, which say what may be loaded, are left out |
/// | `#[open(seat, card)]` | the struct or variant | everybody sees these fields, and could have known them |
/// | `#[hidden(owner = seat)]` | a field | only the seat in the field `seat` sees it; the others get null |
/// | `#[hidden(unless = Hand::is_shown)]` | a field | null to the viewers of whom `fn(&Hand, Viewer) -> bool` is not true |
/// | `#[hidden(as = HandView)]` | a field, a [`Secret`] itself | viewers get this in its place |
/// | `#[news(others)]` | a field or a variant of an event | news to all but the seat whose command it follows ([`Disclosure::ToOthers`]) |
/// | `#[news(all)]` | a field or a variant of an event | news to that seat too ([`Disclosure::ToAll`]) |
///
/// `#[news(all, if = Option::is_some)]` on a field asks its value first; `#[hidden(.., doc = "...")]` documents what stands in its place,
/// `#[open(doc = "...")]` on a field documents it in the view, `#[open(as = Edition, by = function, ..)]` says what it is there, and `#[secret(.., doc = "...")]` the view itself.
///
/// A field of which nothing is said does not compile, nor does one that is shown as it is and is not [`Open`](trait@Open). What stands in the
/// place of a hidden field has its name, also by `#[serde(rename)]`; other attributes of serde there do not compile, but for those that only say
/// how it is read.
///
/// # Example
/// ```
/// use kernel::{Seat, Secret, Viewer};
///
/// struct Position;
///
/// /// An island.
/// #[derive(Clone, Debug, Secret)]
/// #[secret(position = Position, view = IslandView, doc = "An island as a viewer sees it.")]
/// #[open(seen_by)]
/// struct Island {
///     /// What lies there.
///     #[hidden(unless = Island::was_seen)]
///     treasure: u8,
///     /// Who knows.
///     seen_by: Vec<Seat>,
/// }
///
/// impl Island {
///     fn was_seen(&self, viewer: Viewer) -> bool {
///         self.seen_by.iter().any(|seat| viewer.is(*seat))
///     }
/// }
///
/// let island = Island { treasure: 7, seen_by: vec![Seat(1)] };
/// assert_eq!(island.seen(&Position, Viewer::Seat(Seat(1))).treasure, Some(7));
/// assert_eq!(island.seen(&Position, Viewer::Seat(Seat(0))).treasure, None);
/// ```
///
/// Nothing is said of `treasure`:
/// ```compile_fail
/// # use kernel::{Seat, Secret};
/// # struct Position;
/// #[derive(Clone, Debug, Secret)]
/// #[secret(position = Position)]
/// #[open(seen_by)]
/// struct Island { treasure: u8, seen_by: Vec<Seat> }
/// ```
///
/// It is said twice who sees `treasure`:
/// ```compile_fail
/// # use kernel::{Seat, Secret};
/// # struct Position;
/// #[derive(Clone, Debug, Secret)]
/// #[secret(position = Position)]
/// #[open(finder, owner)]
/// struct Island { finder: Seat, owner: Seat, #[hidden(owner = owner)] #[hidden(owner = finder)] treasure: u8 }
/// ```
///
/// A hidden field is called in the view what it is called in JSON:
/// ```
/// # use kernel::{Seat, Secret, Viewer};
/// # struct Position;
/// #[derive(Clone, Debug, serde::Serialize, Secret)]
/// #[secret(position = Position)]
/// #[open(owner)]
/// struct Island { owner: Seat, #[hidden(owner = owner)] #[serde(rename = "gold")] treasure: u8 }
///
/// let island = Island { owner: Seat(1), treasure: 7 };
/// let seen = island.seen(&Position, Viewer::Spectator);
/// assert_eq!(serde_json::to_string(&seen)?, r#"{"owner":1,"gold":null}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// Its fields would stand among the others, but not in the view:
/// ```compile_fail
/// # use kernel::{Seat, Secret};
/// # struct Position;
/// # #[derive(Clone, Debug, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
/// # struct Hoard { gold: u8 }
/// #[derive(Clone, Debug, serde::Serialize, Secret)]
/// #[secret(position = Position)]
/// #[open(owner)]
/// struct Island { owner: Seat, #[hidden(owner = owner)] #[serde(flatten)] hoard: Hoard }
/// ```
pub trait Secret {
    /// The position of the game that it is of.
    type Position;
    /// What viewers get.
    type Seen;

    /// What `viewer` gets.
    ///
    /// `position` is any position of the same match: only what never changes in a match may be used of it, its options.
    fn seen(&self, position: &Self::Position, viewer: Viewer) -> Self::Seen;
}

impl<T: Secret> Secret for Box<T> {
    type Position = T::Position;
    type Seen = Box<T::Seen>;

    fn seen(&self, position: &T::Position, viewer: Viewer) -> Box<T::Seen> {
        Box::new(T::seen(self, position, viewer))
    }
}

impl<T: Secret> Secret for Vec<T> {
    type Position = T::Position;
    type Seen = Vec<T::Seen>;

    fn seen(&self, position: &T::Position, viewer: Viewer) -> Vec<T::Seen> {
        self.iter().map(|one| one.seen(position, viewer)).collect()
    }
}

impl<T: Secret> Secret for Option<T> {
    type Position = T::Position;
    type Seen = Option<T::Seen>;

    fn seen(&self, position: &T::Position, viewer: Viewer) -> Option<T::Seen> {
        self.as_ref().map(|one| one.seen(position, viewer))
    }
}

impl<T: Secret, const N: usize> Secret for [T; N] {
    type Position = T::Position;
    type Seen = [T::Seen; N];

    fn seen(&self, position: &T::Position, viewer: Viewer) -> [T::Seen; N] {
        self.each_ref().map(|one| one.seen(position, viewer))
    }
}

/// An event of a game: an immutable fact, of which some may see less.
///
/// # Example
/// ```
/// use kernel::{Disclosure, Fact, Seat, Secret, Viewer};
///
/// struct Position;
///
/// #[derive(Clone, Debug, Fact)]
/// #[secret(position = Position)]
/// enum Event {
///     /// A card was drawn.
///     #[open(seat, left)]
///     CardDrawn {
///         /// Who drew it.
///         seat: Seat,
///         /// Which one.
///         #[hidden(owner = seat, doc = "Null: only the seat itself sees it.")]
///         #[news(all)]
///         card: u8,
///         /// How many are left.
///         left: u8,
///     },
///     /// A card of the hand was played.
///     #[open(seat)]
///     CardPlayed {
///         /// Who played it.
///         seat: Seat,
///         /// Which one.
///         #[news(others)]
///         card: u8,
///     },
/// }
///
/// let drawn = Event::CardDrawn { seat: Seat(1), card: 7, left: 20 };
/// assert_eq!(drawn.disclosure(), Disclosure::ToAll);
/// assert!(!drawn.is_open());
/// let EventView::CardDrawn { card, .. } = drawn.seen(&Position, Viewer::Spectator) else { panic!() };
/// assert_eq!(card, None);
/// let EventView::CardDrawn { card, .. } = drawn.seen(&Position, Viewer::Seat(Seat(1))) else { panic!() };
/// assert_eq!(card, Some(7));
/// ```
///
/// Nothing is said of `left`:
/// ```compile_fail
/// # use kernel::{Fact, Seat};
/// # struct Position;
/// #[derive(Clone, Debug, Fact)]
/// #[secret(position = Position)]
/// enum Event {
///     /// A card was drawn.
///     #[open(seat)]
///     CardDrawn { seat: Seat, left: u8 },
/// }
/// ```
///
/// It is hidden, but not said whether it is news:
/// ```compile_fail
/// # use kernel::{Fact, Seat};
/// # struct Position;
/// #[derive(Clone, Debug, Fact)]
/// #[secret(position = Position)]
/// enum Event {
///     /// A card was drawn.
///     #[open(seat)]
///     CardDrawn { seat: Seat, #[hidden(owner = seat)] card: u8 },
/// }
/// ```
///
/// A variant as a whole is not hidden, its fields are:
/// ```compile_fail
/// # use kernel::{Fact, Seat};
/// # struct Position;
/// #[derive(Clone, Debug, Fact)]
/// #[secret(position = Position)]
/// enum Event {
///     /// A card was drawn.
///     #[hidden(owner = seat)]
///     #[open(seat)]
///     CardDrawn { seat: Seat, #[news(all)] card: u8 },
/// }
/// ```
///
/// A variant as a whole has no value that could be asked:
/// ```compile_fail
/// # use kernel::{Fact, Seat};
/// # struct Position;
/// #[derive(Clone, Debug, Fact)]
/// #[secret(position = Position)]
/// enum Event {
///     /// A card was drawn.
///     #[news(all, if = Option::is_some)]
///     #[open(seat)]
///     CardDrawn { seat: Option<Seat> },
/// }
/// ```
///
/// A hand is a secret, and is shown as it is:
/// ```compile_fail,E0277
/// # use kernel::{Fact, Seat, Secret, Viewer};
/// # struct Position;
/// #[derive(Clone, Debug, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
/// struct Hand(Vec<u8>);
///
/// impl Secret for Hand {
///     type Position = Position;
///     type Seen = usize;
///
///     fn seen(&self, _: &Position, _: Viewer) -> usize {
///         self.0.len()
///     }
/// }
///
/// #[derive(Clone, Debug, Fact)]
/// #[secret(position = Position)]
/// enum Event {
///     /// The cards were dealt.
///     #[open(seat)]
///     HandDealt { seat: Seat, #[news(all)] hand: Option<Hand> },
/// }
/// ```
pub trait Fact: Secret {
    /// What it tells that was not known before.
    fn disclosure(&self) -> Disclosure;

    /// Does every viewer get all of it as it is? Only if nothing of it is declared as hidden, or is shown as something else: each field is of a
    /// type that is [`Open`](trait@Open) then.
    fn is_open(&self) -> bool;
}

/// What everybody may see as it is, with all that it is made of.
///
/// A field that is shown as it is must be of such a type. `#[derive(Open)]` on a struct or an enum wants each field named in `#[open(..)]`,
/// and of such a type as well: a new field does not compile before somebody says that everybody may see it.
///
/// # Example
/// ```
/// #[derive(kernel::Open)]
/// #[open(cards, coins)]
/// struct Price { cards: Vec<u8>, coins: u8 }
/// ```
///
/// Nothing is said of `reserve`:
/// ```compile_fail
/// #[derive(kernel::Open)]
/// #[open(cards, coins)]
/// struct Price { cards: Vec<u8>, coins: u8, reserve: u8 }
/// ```
///
/// It is of a type of which nothing is said:
/// ```compile_fail,E0277
/// struct Reserve(u8);
///
/// #[derive(kernel::Open)]
/// #[open(cards, reserve)]
/// struct Price { cards: Vec<u8>, reserve: Reserve }
/// ```
///
/// Not everybody sees all of it:
/// ```compile_fail
/// # use kernel::{Open, Seat, Secret};
/// # struct Position;
/// #[derive(Clone, Debug, Secret, Open)]
/// #[secret(position = Position)]
/// #[open(owner)]
/// struct Purse { owner: Seat, #[hidden(owner = owner)] coins: u8 }
/// ```
///
/// It is a number that JSON does not carry everywhere:
/// ```compile_fail,E0277
/// #[derive(kernel::Open)]
/// #[open(coins)]
/// struct Treasure { coins: u128 }
/// ```
pub trait Open {}

macro_rules! open {
    ($($plain:ty)*) => { $(impl Open for $plain {})* };
}

open!(bool u8 u16 u32 u64 usize i8 i16 i32 i64 String &'static str Seat Viewer Edition);

impl<T: Open> Open for Box<T> {}
impl<T: Open> Open for Vec<T> {}
impl<T: Open> Open for Option<T> {}
impl<T: Open, const N: usize> Open for [T; N] {}
impl<const N: u8> Open for FormNumber<N> {}
impl<const N: u8> Open for Below<N> {}
impl<T: Open> Open for Set<T> {}
impl<T: Open, const N: usize> Open for Bag<T, N> {}

/// A field that everybody sees, for the derives.
#[doc(hidden)]
pub fn open<T: Clone + Open>(value: &T) -> T {
    value.clone()
}

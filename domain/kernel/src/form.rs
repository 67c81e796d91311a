//! The forms that stored events have had, and the way from each to the next.

use std::convert::Infallible;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{OneOfBuilder, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::{Disclosure, Fact, Secret, Viewer};

/// The events of a game in one form, and the step from the form before.
///
/// A stored event is never rewritten: its hash is over its bytes. So an event whose form has changed is read in the form in which it was stored,
/// shown in that form to those who may see it, and lifted to the current form for the fold. [`Before`](Form::Before) has only the events that the
/// step changed, and those that an earlier step changed, each as it was, with its hidden fields declared as in any [`Fact`](trait@Fact): what is
/// lifted from the first form goes through every later one. A changed event names its form in a field `form` of type [`FormNumber`], from 2 on, so
/// no text fits two forms of it.
///
/// # Example
/// The points of a roll were once called its value:
/// ```
/// use kernel::{Fact, First, Form, FormNumber};
/// use serde::{Deserialize, Serialize};
/// use utoipa::ToSchema;
///
/// struct Position;
///
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, Fact)]
/// #[secret(position = Position)]
/// #[serde(tag = "type", deny_unknown_fields)]
/// enum Event {
///     /// A die was rolled.
///     #[open(form)]
///     Rolled {
///         /// The form of the event.
///         form: FormNumber<2>,
///         /// What it shows.
///         #[news(all)]
///         points: u8,
///     },
/// }
///
/// /// The events that form 2 changed, as they were before.
/// #[derive(Clone, Debug, Serialize, Deserialize, ToSchema, Fact)]
/// #[secret(position = Position)]
/// #[serde(tag = "type", deny_unknown_fields)]
/// enum Form1 {
///     /// A die was rolled.
///     Rolled {
///         /// What it shows.
///         #[news(all)]
///         value: u8,
///     },
/// }
///
/// impl Form for Event {
///     type Before = Form1;
///
///     fn lift(before: Form1) -> Event {
///         let Form1::Rolled { value } = before;
///         Event::Rolled { form: FormNumber, points: value }
///     }
/// }
///
/// impl Form for Form1 {
///     type Before = First<Position>;
///
///     fn lift(before: First<Position>) -> Form1 {
///         before.none()
///     }
/// }
///
/// let today = Event::Rolled { form: FormNumber, points: 4 };
/// assert_eq!(kernel::read_form::<Event>(r#"{"type": "Rolled", "value": 4}"#)?, today);
/// assert_eq!(kernel::read_form::<Event>(r#"{"type": "Rolled", "form": 2, "points": 4}"#)?, today);
/// assert!(kernel::read_form::<Event>(r#"{"type": "Rolled", "form": 3, "points": 4}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
/// Later a move changes too. The form before it has the move as it was, and the roll, which the first step had changed:
/// ```
/// # use kernel::{Fact, First, Form, FormNumber};
/// # use serde::{Deserialize, Serialize};
/// # use utoipa::ToSchema;
/// # struct Position;
/// # #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, Fact)]
/// # #[secret(position = Position)]
/// # #[serde(tag = "type", deny_unknown_fields)]
/// enum Event {
///     #[open(form, points)]
///     Rolled { form: FormNumber<2>, points: u8 },
///     #[open(form, steps)]
///     Moved { form: FormNumber<3>, steps: u8 },
/// }
/// # #[derive(Clone, Debug, Serialize, Deserialize, ToSchema, Fact)]
/// # #[secret(position = Position)]
/// # #[serde(tag = "type", deny_unknown_fields)]
/// enum Form2 {
///     #[open(form, points)]
///     Rolled { form: FormNumber<2>, points: u8 },
///     #[open(by)]
///     Moved { by: u8 },
/// }
/// # #[derive(Clone, Debug, Serialize, Deserialize, ToSchema, Fact)]
/// # #[secret(position = Position)]
/// # #[serde(tag = "type", deny_unknown_fields)]
/// enum Form1 {
///     #[open(value)]
///     Rolled { value: u8 },
/// }
///
/// impl Form for Event {
///     type Before = Form2;
///
///     fn lift(before: Form2) -> Event {
///         match before {
///             Form2::Rolled { form, points } => Event::Rolled { form, points },
///             Form2::Moved { by } => Event::Moved { form: FormNumber, steps: by },
///         }
///     }
/// }
///
/// impl Form for Form2 {
///     type Before = Form1;
///
///     fn lift(before: Form1) -> Form2 {
///         let Form1::Rolled { value } = before;
///         Form2::Rolled { form: FormNumber, points: value }
///     }
/// }
/// # impl Form for Form1 {
/// #     type Before = First<Position>;
/// #     fn lift(before: First<Position>) -> Form1 {
/// #         before.none()
/// #     }
/// # }
///
/// let rolled = Event::Rolled { form: FormNumber, points: 4 };
/// assert_eq!(kernel::read_form::<Event>(r#"{"type": "Rolled", "value": 4}"#)?, rolled);
/// let moved = Event::Moved { form: FormNumber, steps: 2 };
/// assert_eq!(kernel::read_form::<Event>(r#"{"type": "Moved", "by": 2}"#)?, moved);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub trait Form: Fact<Seen: Serialize + ToSchema> + Serialize + DeserializeOwned {
    /// Is there no form before? Only [`First`] says so.
    #[doc(hidden)]
    const NONE: bool = false;

    /// The events that this form or an earlier one changed, as they were before; [`First`] if no event was ever stored in another form.
    type Before: Form<Position = Self::Position>;

    /// The step: what was stored in the form before, in this form.
    fn lift(before: Self::Before) -> Self;
}

/// No events: what stands before the first form.
#[derive(Debug)]
pub struct First<P>(Infallible, PhantomData<fn() -> P>);

impl<P> First<P> {
    /// It never is.
    pub fn none<T>(self) -> T {
        match self.0 {}
    }
}

impl<P> Secret for First<P> {
    type Position = P;
    type Seen = Nothing;

    fn seen(&self, _: &P, _: Viewer) -> Nothing {
        match self.0 {}
    }
}

impl<P> Fact for First<P> {
    fn disclosure(&self) -> Disclosure {
        match self.0 {}
    }

    fn is_open(&self) -> bool {
        match self.0 {}
    }
}

impl<P> Serialize for First<P> {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        match self.0 {}
    }
}

impl<'de, P> Deserialize<'de> for First<P> {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("there is no form before the first"))
    }
}

impl<P> Form for First<P> {
    const NONE: bool = true;

    type Before = Self;

    fn lift(before: Self) -> Self {
        before
    }
}

/// What viewers see of no events.
#[doc(hidden)]
#[derive(Debug, Serialize)]
pub enum Nothing {}

impl PartialSchema for Nothing {
    fn schema() -> RefOr<Schema> {
        OneOfBuilder::new().into()
    }
}

impl ToSchema for Nothing {}

/// The number of the form of an event, from 2: the field `form` of an event whose form has changed. It reads no other number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormNumber<const N: u8>;

impl<const N: u8> Serialize for FormNumber<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(N)
    }
}

impl<'de, const N: u8> Deserialize<'de> for FormNumber<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        if number == N {
            return Ok(FormNumber);
        }
        Err(D::Error::custom(format!("form {number} of it is unknown: this program reads {N}")))
    }
}

impl<const N: u8> PartialSchema for FormNumber<N> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some([N])).into()
    }
}

impl<const N: u8> ToSchema for FormNumber<N> {}

/// Reads a stored event, and lifts it if it was stored in an older form.
///
/// # Errors
/// If it has none of the forms; the error is that of today's.
pub fn read_form<F: Form>(text: &str) -> Result<F, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| {
        if F::Before::NONE {
            return Err(error);
        }
        read_form::<F::Before>(text).map(F::lift).map_err(|_| error)
    })
}

/// What a viewer sees of a stored event, in the form that it was stored in.
pub(crate) fn seen<F: Form>(
    text: &str,
    position: &F::Position,
    viewer: Viewer,
) -> Result<Box<serde_json::value::RawValue>, serde_json::Error> {
    match serde_json::from_str::<F>(text) {
        Ok(fact) => serde_json::value::to_raw_value(&fact.seen(position, viewer)),
        Err(error) if F::Before::NONE => Err(error),
        Err(error) => seen::<F::Before>(text, position, viewer).map_err(|_| error),
    }
}

/// An event that was stored in an older form, lifted to today's.
pub(crate) fn lifted<F: Form>(text: &str) -> Option<F> {
    if F::Before::NONE || serde_json::from_str::<F>(text).is_ok() {
        return None;
    }
    read_form::<F::Before>(text).map(F::lift).ok()
}

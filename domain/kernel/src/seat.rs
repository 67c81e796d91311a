//! Who sits at the table, and who looks at it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// A player's place: 0-based, in clockwise order. JSON: the number.
///
/// # Example
/// ```
/// use kernel::Seat;
/// let points = [12, 30];
/// assert_eq!(points[Seat(1).index()], 30);
/// assert_eq!(Seat(1).to_string(), "1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into lists by seat.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialSchema for Seat {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::Integer))
            .description(Some("A player's place, 0-based, in clockwise order."))
            .minimum(Some(0))
            .maximum(Some(7))
            .into()
    }
}

impl ToSchema for Seat {}

/// Who looks: a seat, or a spectator. JSON: the seat's number, or `"spectator"`.
///
/// # Example
/// ```
/// use kernel::{Seat, Viewer};
/// assert!(Viewer::Seat(Seat(1)).is(Seat(1)));
/// assert!(!Viewer::Spectator.is(Seat(1)));
/// assert_eq!(serde_json::from_str::<Viewer>("1")?, Viewer::Seat(Seat(1)));
/// assert_eq!(serde_json::to_string(&Viewer::Spectator)?, r#""spectator""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Viewer {
    /// The player of this seat.
    Seat(Seat),
    /// Anybody else, who sees what everybody at the table sees.
    Spectator,
}

impl Viewer {
    /// Is the viewer this seat?
    #[must_use]
    pub fn is(self, seat: Seat) -> bool {
        self == Viewer::Seat(seat)
    }
}

impl Serialize for Viewer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Viewer::Seat(seat) => seat.serialize(serializer),
            Viewer::Spectator => serializer.serialize_str("spectator"),
        }
    }
}

impl<'de> Deserialize<'de> for Viewer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Word {
            Spectator,
        }
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a viewer must be the number of a seat, or spectator")]
        enum Form {
            Seat(Seat),
            Word(Word),
        }
        Form::deserialize(deserializer).map(|form| match form {
            Form::Seat(seat) => Viewer::Seat(seat),
            Form::Word(Word::Spectator) => Viewer::Spectator,
        })
    }
}

impl PartialSchema for Viewer {
    fn schema() -> RefOr<Schema> {
        let spectator = ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::String))
            .enum_values(Some(["spectator"]));
        OneOfBuilder::new()
            .item(Ref::from_schema_name("Seat"))
            .item(spectator)
            .description(Some("The viewer: a seat, or a spectator."))
            .into()
    }
}

impl ToSchema for Viewer {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Seat::name().into_owned(), Seat::schema()));
    }
}

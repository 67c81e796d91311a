//! A table for each type of event: its columns from the JSON Schema, its rows from the JSON, in one walk.
//!
//! A field that is a number, a text or a boolean is a column; an object of such fields is a column for each, `at_x` and `at_y`;
//! a list of numbers or of texts is a column of lists; everything else is a column of JSON. `null` is a missing value.

use std::borrow::Cow;
use std::collections::BTreeMap;

use journal::PlatformSchemas;
use kernel::Schemas;
use serde_json::Value;

use crate::batch::{Batch, Cell, Misfit};
use crate::column::{Column, Kind, Table};
use crate::in_commit::Event;
use crate::members::Members;
use crate::names::Names;
use crate::rows::{Rows, front};

/// An object with more fields stays JSON.
const MOST_PARTS: usize = 16;

/// A type of event with its table.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    pub(crate) kind: String,
    pub(crate) table: Table,
    fields: Vec<Field>,
}

/// Where a field of the event goes.
#[derive(Clone, Debug)]
enum Target {
    Column(usize, Kind),
    Parts(Vec<Field>),
}

#[derive(Clone, Debug)]
struct Field {
    name: String,
    target: Target,
}

/// What a schema comes down to.
enum Shape<'a> {
    Plain(Kind),
    Object(&'a Value),
}

impl Wide {
    /// All types of events of a game.
    pub(crate) fn all(game: &str, schemas: &Schemas) -> Vec<Wide> {
        let platform = PlatformSchemas::new();
        let names = Names::new();
        let own = Reader { components: &platform.components, names: &names };
        // A match that was closed is not finished, and in no table.
        let finished = platform.events.iter().filter(|(kind, _)| *kind != "MatchClosed");
        let own = finished.filter_map(|(_, variant)| own.wide(game, variant));
        let reader = Reader { components: &schemas.components, names: &names };
        let event = schemas.roles.get("event");
        let event = event.and_then(|name| schemas.components.get(name));
        let variants = event.and_then(|event| event.get("oneOf")?.as_array());
        variants
            .into_iter()
            .flatten()
            .filter_map(|variant| reader.wide(game, reader.resolve(variant)))
            .chain(own)
            .collect()
    }

    /// Appends the row of the event with these members.
    pub(crate) fn push<'m>(
        &self,
        rows: &Rows<'m>,
        event: Event<'m>,
        members: &[(&str, &str)],
        batch: &mut Batch,
    ) -> Result<(), Misfit> {
        let unfit = |what| format!("a {} does not have the form of its schema: {what}", self.kind);
        fill(&self.fields, members.iter().copied(), batch).map_err(unfit)?;
        rows.put_front(event, batch)?;
        batch.end_row().map_err(unfit)
    }
}

struct Reader<'a> {
    components: &'a BTreeMap<String, Value>,
    names: &'a Names,
}

impl<'a> Reader<'a> {
    /// Follows references.
    fn resolve(&self, mut schema: &'a Value) -> &'a Value {
        while let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            let name = name.rsplit('/').next().unwrap_or(name);
            let Some(target) = self.components.get(name) else {
                return &Value::Null;
            };
            schema = target;
        }
        schema
    }

    fn wide(&self, game: &str, variant: &'a Value) -> Option<Wide> {
        let properties = self.properties(variant);
        let (_, tag) = properties.iter().find(|(name, _)| *name == "type")?;
        let kind = match tag.get("enum").and_then(Value::as_array).map(Vec::as_slice) {
            Some([kind]) => kind.as_str()?,
            Some(_) => return None,
            None => tag.get("const")?.as_str()?,
        };
        let mut columns = front();
        let mut fields = Vec::new();
        for (name, property) in properties {
            if name != "type" {
                let target = self.target(&mut columns, name, property);
                let name = name.to_owned();
                fields.push(Field { name, target });
            }
        }
        let about = variant.get("description").and_then(Value::as_str);
        Some(Wide {
            kind: kind.to_owned(),
            table: Table {
                name: format!("{game}_{}", snake(kind)).into(),
                about: format!("`{kind}`: {}", sentence(about)).into(),
                columns,
            },
            fields,
        })
    }

    /// The fields of a variant; one that wraps a struct is that struct and the tag, in two parts.
    fn properties(&self, variant: &'a Value) -> Vec<(&'a str, &'a Value)> {
        let parts = variant.get("allOf").and_then(Value::as_array);
        let parts = parts.map_or(std::slice::from_ref(variant), Vec::as_slice);
        let parts = parts.iter().filter_map(|part| {
            let properties = self.resolve(part).get("properties")?;
            properties.as_object()
        });
        parts.flatten().map(|(name, property)| (name.as_str(), property)).collect()
    }

    fn target(&self, columns: &mut Vec<Column>, name: &str, property: &'a Value) -> Target {
        let (schema, nullable) = self.without_null(property);
        let about = self.about(property);
        match self.shape(schema) {
            Shape::Plain(kind) => self.column(columns, name, kind, nullable, about),
            Shape::Object(parts) => {
                let parts = parts.as_object().into_iter().flatten();
                let fields = parts.map(|(part, property)| {
                    let (schema, null) = self.without_null(property);
                    let Shape::Plain(kind) = self.shape(schema) else {
                        unreachable!("an object with columns of its own has plain parts");
                    };
                    let full = format!("{name}_{part}");
                    let about = format!("{about} {}", self.about(property));
                    let about = about.trim().to_owned();
                    Field {
                        name: part.clone(),
                        target: self.column(columns, &full, kind, nullable || null, about),
                    }
                });
                Target::Parts(fields.collect())
            }
        }
    }

    fn column(
        &self,
        columns: &mut Vec<Column>,
        name: &str,
        kind: Kind,
        nullable: bool,
        about: String,
    ) -> Target {
        let name = self.names.of(name, kind);
        columns.push(Column { name: name.into(), kind, nullable, about: Cow::Owned(about) });
        Target::Column(columns.len() - 1, kind)
    }

    /// What a field means: its own words, which stand beside the reference where it may be `null`, otherwise those of its type.
    fn about(&self, property: &'a Value) -> String {
        let (value, _) = or_null(property);
        let places = [property, value, self.resolve(value)];
        sentence(places.into_iter().find_map(|place| place.get("description")?.as_str()))
    }

    /// The schema of what is there when it is not `null`, and whether it may be.
    fn without_null(&self, property: &'a Value) -> (&'a Value, bool) {
        let (value, nullable) = or_null(property);
        (self.resolve(value), nullable)
    }

    /// The kind of a list of numbers or of texts; none of them may be missing.
    fn list(&self, schema: &Value) -> Option<Kind> {
        let (item, missing) = self.without_null(schema.get("items")?);
        let is_array = match schema.get("type")? {
            Value::String(name) => name == "array",
            Value::Array(names) => names.iter().any(|name| name == "array"),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
        };
        match plain(item)? {
            Kind::Int if is_array && !missing => Some(Kind::Ints),
            Kind::Text if is_array && !missing => Some(Kind::Texts),
            Kind::Int
            | Kind::Text
            | Kind::Bool
            | Kind::Real
            | Kind::Time
            | Kind::Json
            | Kind::Ints
            | Kind::Texts => None,
        }
    }

    fn shape(&self, schema: &'a Value) -> Shape<'a> {
        if let Some(kind) = plain(schema) {
            return Shape::Plain(kind);
        }
        if let Some(kind) = self.list(schema) {
            return Shape::Plain(kind);
        }
        let parts = schema.get("properties").filter(|_| {
            // A choice beside the properties would add fields that have no column.
            schema.get("oneOf").is_none() && schema.get("allOf").is_none()
        });
        let fits = |parts: &&'a Value| {
            let parts = parts.as_object();
            parts.is_some_and(|parts| {
                (1..=MOST_PARTS).contains(&parts.len())
                    && parts.values().all(|part| plain(self.without_null(part).0).is_some())
            })
        };
        parts.filter(fits).map_or(Shape::Plain(Kind::Json), Shape::Object)
    }
}

/// What a field says of its value when it is not `null`, with references as they stand, and whether it may be.
fn or_null(property: &Value) -> (&Value, bool) {
    let null = |schema: &Value| schema.get("type").and_then(Value::as_str) == Some("null");
    for choice in ["anyOf", "oneOf"] {
        let Some([first, second]) =
            property.get(choice).and_then(Value::as_array).map(Vec::as_slice)
        else {
            continue;
        };
        if null(second) {
            return (first, true);
        }
        if null(first) {
            return (second, true);
        }
    }
    let types = property.get("type").and_then(Value::as_array);
    (property, types.is_some_and(|types| types.iter().any(|t| t == "null")))
}

/// The kind of a schema of a single value.
fn plain(schema: &Value) -> Option<Kind> {
    let kind = |name: &str| match name {
        "integer" => Some(Kind::Int),
        "string" => Some(Kind::Text),
        "boolean" => Some(Kind::Bool),
        _ => None,
    };
    match schema.get("type")? {
        Value::String(name) => kind(name),
        Value::Array(names) => match names.as_slice() {
            [one, null] if null == "null" => kind(one.as_str()?),
            [null, one] if null == "null" => kind(one.as_str()?),
            _ => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// `TilePlaced` to `tile_placed`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// A description on one line.
fn sentence(text: Option<&str>) -> String {
    let text = text.unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Puts the values of an object where they go.
fn fill<'a>(
    fields: &[Field],
    object: impl Iterator<Item = (&'a str, &'a str)>,
    batch: &mut Batch,
) -> Result<(), Misfit> {
    // The fields of the schema and those of canonical JSON are both in order of their names: mostly the next one fits.
    let mut next = 0;
    for (name, value) in object {
        let at = |from: usize| fields[from..].iter().position(|field| field.name == name);
        let Some(found) = at(next).map(|at| next + at).or_else(|| at(0)) else {
            continue;
        };
        next = found + 1;
        match &fields[found].target {
            // Where all of its parts may be missing.
            Target::Parts(_) if value == "null" => {}
            Target::Parts(_) if !value.starts_with('{') => {
                return Err(format!("{value} is no object"));
            }
            Target::Parts(fields) => parts(fields, value, batch)?,
            Target::Column(column, kind) => set(*kind, value, *column, batch)?,
        }
    }
    Ok(())
}

fn parts(fields: &[Field], value: &str, batch: &mut Batch) -> Result<(), Misfit> {
    fill(fields, Members::of(value), batch)
}

fn set(kind: Kind, value: &str, column: usize, batch: &mut Batch) -> Result<(), Misfit> {
    let unfit = || format!("{value} is no {}", kind.name());
    let cell = match (kind, value) {
        (_, "null") => Cell::Null,
        (Kind::Int, _) => Cell::Int(value.parse().map_err(|_| unfit())?),
        // No schema of an event has such a column.
        (Kind::Time | Kind::Real, _) => return Err(unfit()),
        (Kind::Bool, _) => Cell::Bool(value.parse().map_err(|_| unfit())?),
        (Kind::Text, _) if value.contains('\\') => {
            let text: String = serde_json::from_str(value).map_err(|_| unfit())?;
            return batch.set(column, Cell::Text(&text));
        }
        (Kind::Text, _) => {
            let text = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
            Cell::Text(text.ok_or_else(unfit)?)
        }
        (Kind::Json | Kind::Ints | Kind::Texts, _) => Cell::Json(value),
    };
    batch.set(column, cell)
}

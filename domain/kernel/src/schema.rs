//! The JSON Schemas of a game, for the OpenAPI document and for `GET /v1/games/{game}`.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::{Edition, Form, Game, Seat, Secret, Viewer};

/// Where references to schemas point in an OpenAPI document.
const COMPONENTS: &str = "#/components/schemas/";

/// All schemas of one game. Names begin with the game's name (`RosenkoenigCommand`), except those of the kernel.
///
/// # Example
/// ```
/// use kernel::{AnyGame, Erased};
/// use testkit::Nim;
///
/// let schemas = Erased::<Nim>::NEW.schemas();
/// assert_eq!(schemas.roles["command"], "NimCommand");
/// assert!(schemas.components.contains_key("NimCommand"));
/// ```
#[derive(Clone, Debug)]
pub struct Schemas {
    /// From role (`options`, `position`, `command`, `event`, `event_view`, `view`, `place`) to the name of its schema.
    pub roles: BTreeMap<&'static str, String>,
    /// From name to schema; references point to `#/components/schemas/<name>`.
    pub components: BTreeMap<String, Value>,
}

impl Schemas {
    pub(crate) fn of<G: Game>() -> Self {
        let prefix = pascal(G::INFO.id);
        let mut found = Vec::new();
        let roles = BTreeMap::from([
            ("options", add::<G::Options>(&mut found)),
            ("position", add::<G::PositionForm>(&mut found)),
            ("command", add::<G::Command>(&mut found)),
            ("event", add::<G::Event>(&mut found)),
            ("event_view", add::<G::EventView>(&mut found)),
            ("view", add::<G::View>(&mut found)),
            ("place", add::<G::Place>(&mut found)),
        ]);
        older::<G::Event>(&roles["event_view"], &mut found);
        let components = found
            .into_iter()
            .map(|(name, schema)| {
                let mut schema = serde_json::to_value(schema)
                    .expect("a schema is plain data, which always has JSON");
                rename(&mut schema, &prefix);
                (prefixed(&prefix, &name), schema)
            })
            .collect();
        let roles =
            roles.into_iter().map(|(role, name)| (role, prefixed(&prefix, &name))).collect();
        Schemas { roles, components }
    }
}

fn add<T: ToSchema>(found: &mut Vec<(String, RefOr<Schema>)>) -> String {
    T::schemas(found);
    found.push((T::name().into_owned(), T::schema()));
    T::name().into_owned()
}

/// Adds to the events that viewers see the older forms of these.
fn older<F: Form>(name: &str, found: &mut Vec<(String, RefOr<Schema>)>) {
    if F::Before::NONE {
        return;
    }
    <F::Before as Secret>::Seen::schemas(found);
    let events = found.iter_mut().find(|(found, _)| found == name);
    if let (Some((_, RefOr::T(Schema::OneOf(all)))), RefOr::T(Schema::OneOf(before))) =
        (events, <F::Before as Secret>::Seen::schema())
    {
        // What an earlier step changed stands in this form as it is today.
        let mut others = before.items;
        others.retain(|event| !all.items.contains(event));
        all.items.extend(others);
    }
    older::<F::Before>(name, found);
}

/// `some_name` to `SomeName`; `SomeName` stays.
///
/// # Example
/// ```
/// assert_eq!(kernel::pascal("some_name"), "SomeName");
/// assert_eq!(kernel::pascal("SomeName"), "SomeName");
/// ```
#[must_use]
pub fn pascal(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or(String::new(), |first| {
                first.to_ascii_uppercase().to_string() + letters.as_str()
            })
        })
        .collect()
}

/// Names of the kernel are the same in every game; a game's own get its name in front, once.
fn prefixed(prefix: &str, name: &str) -> String {
    let shared = [Edition::name(), Seat::name(), Viewer::name()];
    if shared.iter().any(|s| s == name) || name.starts_with(prefix) {
        name.to_owned()
    } else {
        format!("{prefix}{name}")
    }
}

fn rename(schema: &mut Value, prefix: &str) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                if let (true, Value::String(target)) = (key == "$ref", &mut *value)
                    && let Some(name) = target.strip_prefix(COMPONENTS)
                {
                    *target = format!("{COMPONENTS}{}", prefixed(prefix, name));
                } else {
                    rename(value, prefix);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, prefix)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

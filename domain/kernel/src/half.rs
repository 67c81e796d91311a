//! Half a command: what would complete it, and the rules that forbid the rest.

use std::collections::BTreeMap;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use crate::prospect::Unknown;
use crate::{Draft, Game, Refusal, choice, json as text};

/// How many ways to complete a command are tried,
const WAYS_MOST: usize = 8_000;

/// and how long half a command may be, in bytes: what it has is read again with each of them.
const HALF_BYTES: usize = 1_000;

/// The ways to complete half a command.
#[derive(Debug)]
pub struct Completions {
    /// Those of the legal commands that complete it.
    pub legal: Vec<Box<RawValue>>,
    /// What forbids the others, by rule; the rule that forbids most of them comes first. That about the form of commands is there only alone.
    pub refused: Vec<Against>,
    /// Were all ways tried?
    pub all: bool,
}

/// A rule that forbids some ways to complete a command.
#[derive(Debug)]
pub struct Against {
    /// What it says about the first of them.
    pub refusal: Refusal,
    /// How many it forbids.
    pub ways: u64,
    /// The first of these ways.
    pub example: Box<RawValue>,
}

/// The ways to complete `half`: a command of which fields are missing, with `type` or with the `spot` that it names, or with both. `None`
/// if nothing can complete it, and if it is too long. Every way is only tried as the active seat could try it.
pub(crate) fn complete<G: Game>(position: &G::Position, half: &RawValue) -> Option<Completions> {
    if half.get().len() > HALF_BYTES || text::repeats(half) {
        return None;
    }
    let mut given: Map<String, Value> = serde_json::from_str(half.get()).ok()?;
    let spot = match given.remove("spot") {
        None if given.contains_key("type") => None,
        Some(Value::String(spot)) => Some(spot),
        None | Some(_) => return None,
    };
    let names_it = |command: &G::Command| {
        let spot = spot.as_ref();
        spot.is_none_or(|spot| G::pointed(position, command).spots.contains(spot))
    };
    let listed = choice::legal::<G>(position);
    let fields = |command: &G::Command| serde_json::to_value(command).unwrap_or_default();
    let known: Vec<Value> = listed.iter().map(fields).collect();
    let fits = |fields: &Value| given.iter().all(|(name, value)| fields.get(name) == Some(value));
    let legal = listed.iter().zip(&known).filter(|(command, of)| fits(of) && names_it(command));
    let legal: Vec<_> = legal.filter_map(|(command, _)| to_raw_value(command).ok()).collect();
    let forms = Forms::of::<G>().fitting(&given, &known, spot.as_deref());
    let ways = forms.iter().map(Form::ways).fold(0, usize::saturating_add);
    let all = ways <= WAYS_MOST && forms.iter().all(|form| form.counted);
    let mut refused = BTreeMap::new();
    let most = budgets(&forms.iter().map(Form::ways).collect::<Vec<_>>());
    for way in forms.iter().zip(most).flat_map(|(form, most)| form.each().take(most)) {
        let Ok(command) = serde_json::from_value::<G::Command>(way) else { continue };
        if !names_it(&command) {
            continue;
        }
        let (mut after, mut events, mut chance) = (position.clone(), Vec::new(), Unknown);
        let mut draft = Draft::<G>::new(&mut after, &mut events, &mut chance);
        let Err(refusal) = G::decide(&mut draft, &command) else { continue };
        let example = to_raw_value(&command).ok()?;
        let first = Against { ways: 0, example, refusal };
        refused.entry(first.refusal.rule).or_insert(first).ways += 1;
    }
    // What is no command whatever the position is says little.
    if refused.len() > 1 {
        refused.remove(&G::INFO.forms.command);
    }
    let mut refused: Vec<Against> = refused.into_values().collect();
    refused.sort_by_key(|against| std::cmp::Reverse(against.ways));
    (!legal.is_empty() || !refused.is_empty()).then_some(Completions { legal, refused, all })
}

/// How many ways of each form are tried, where they have so many: `WAYS_MOST` in all, so that a form with very many leaves some to the others.
fn budgets(ways: &[usize]) -> Vec<usize> {
    let mut fewest_first: Vec<usize> = (0..ways.len()).collect();
    fewest_first.sort_by_key(|form| ways[*form]);
    let (mut budgets, mut left) = (vec![0; ways.len()], WAYS_MOST);
    for (done, form) in fewest_first.into_iter().enumerate() {
        budgets[form] = ways[form].min(left / (ways.len() - done));
        left -= budgets[form];
    }
    budgets
}

/// The forms that commands have, as their schema says.
struct Forms {
    root: Value,
    parts: BTreeMap<String, Value>,
}

impl Forms {
    fn of<G: Game>() -> Self {
        let mut parts = Vec::new();
        G::Command::schemas(&mut parts);
        let parts = parts.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
        Forms { root: json!(G::Command::schema()), parts }
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        name.and_then(|name| self.parts.get(name)).map_or(schema, |part| self.resolved(part))
    }

    /// Those that have fields for what is given, and are of its type if it has one.
    fn fitting(
        &self,
        given: &Map<String, Value>,
        known: &[Value],
        spot: Option<&str>,
    ) -> Vec<Form> {
        let forms = self.root["oneOf"].as_array().into_iter().flatten();
        let fields = forms.filter_map(|form| self.resolved(form)["properties"].as_object());
        let is_of_type = |fields: &Map<String, Value>, of: &Value| {
            let types = self.resolved(&fields["type"])["enum"].as_array();
            types.is_none_or(|types| types.contains(of))
        };
        let fitting = fields.filter(|fields| {
            given.keys().all(|name| fields.contains_key(name))
                && given.get("type").is_none_or(|of| is_of_type(fields, of))
        });
        let with_values = |fields: &Map<String, Value>| {
            let mut form = Form { fields: Vec::new(), counted: true };
            for (name, schema) in fields {
                let (values, counted) = match given.get(name) {
                    Some(value) => (vec![value.clone()], true),
                    None => self.values(schema, &seen(known, name), spot),
                };
                form.fields.push((name.clone(), values));
                form.counted &= counted;
            }
            form
        };
        fitting.map(with_values).collect()
    }

    /// What a field may be: all of it where that can be counted, otherwise what legal commands have there, and what the spot says. And
    /// whether it was counted.
    fn values(&self, schema: &Value, seen: &[Value], spot: Option<&str>) -> (Vec<Value>, bool) {
        let schema = self.resolved(schema);
        if let Some(values) = schema["enum"].as_array() {
            return (values.clone(), true);
        }
        if let Some(any) = ["oneOf", "anyOf", "allOf"].iter().find_map(|key| schema[key].as_array())
        {
            let (parts, counted): (Vec<_>, Vec<_>) =
                any.iter().map(|part| self.values(part, seen, spot)).unzip();
            return (parts.concat(), !counted.contains(&false));
        }
        let range = (schema["minimum"].as_i64(), schema["maximum"].as_i64());
        match (schema["type"].as_str(), range) {
            (Some("null"), _) => (vec![Value::Null], true),
            (Some("boolean"), _) => (vec![json!(false), json!(true)], true),
            (Some("integer"), (Some(least), Some(most))) if most - least < 64 => {
                ((least..=most).map(Value::from).collect(), true)
            }
            (Some("object"), _) => {
                (placed(schema, spot).map_or(seen.to_vec(), |at| vec![at]), false)
            }
            (Some("array"), _) => (seen.iter().cloned().chain([json!([])]).collect(), false),
            _ => (seen.to_vec(), false),
        }
    }
}

/// A form of a command, with what each of its fields may be.
struct Form {
    fields: Vec<(String, Vec<Value>)>,
    /// Are these all values that the fields may have?
    counted: bool,
}

impl Form {
    /// How many commands of this form there are, as far as the values of its fields were counted.
    fn ways(&self) -> usize {
        self.fields.iter().map(|(_, values)| values.len()).fold(1, usize::saturating_mul)
    }

    /// These commands one after the other: only the one that is tried is in memory.
    fn each(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.ways()).map(|number| {
            let mut left = number;
            // The last field changes first, like the last digit of a number.
            let fields = self.fields.iter().rev().map(|(name, values)| {
                let value = values[left % values.len()].clone();
                left /= values.len();
                (name.clone(), value)
            });
            Value::Object(fields.collect())
        })
    }
}

/// What legal commands have in a field, each once.
fn seen(known: &[Value], name: &str) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    for value in known.iter().filter_map(|command| command.get(name)) {
        if !seen.contains(value) {
            seen.push(value.clone());
        }
    }
    seen
}

/// A place, if the spot names one: `cell:3,-1`.
fn placed(schema: &Value, spot: Option<&str>) -> Option<Value> {
    let (_, place) = spot?.split_once(':')?;
    let numbers: Option<Vec<i64>> = place.split(',').map(|part| part.parse().ok()).collect();
    let (names, numbers) = (schema["properties"].as_object()?, numbers?);
    let place = names.keys().cloned().zip(numbers.iter().map(|number| json!(number)));
    (names.len() == numbers.len()).then(|| Value::Object(place.collect()))
}

#[cfg(test)]
mod tests {
    use super::{WAYS_MOST, budgets};

    #[test]
    fn a_form_with_very_many_ways_leaves_some_to_the_others() {
        assert_eq!(budgets(&[WAYS_MOST * 9, 10]), [WAYS_MOST - 10, 10]);
        assert_eq!(budgets(&[usize::MAX, 5_000, usize::MAX]), [2_667, 2_666, 2_667]);
        assert_eq!(budgets(&[3_000, 5_000]), [3_000, 5_000], "all of them where that is enough");
        assert_eq!(budgets(&[]), [0; 0]);
    }
}

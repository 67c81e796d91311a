//! What is asked: a statement, and the values of its parameters.

use std::collections::BTreeMap;
use std::ops::Range;

use rusqlite::Statement;
use rusqlite::types::Value;
use serde::{Deserialize, Serialize};

/// A statement has at most so many parameters.
pub(super) const MOST: i32 = 100;

/// A query with the values of its parameters, by their names without the mark.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Question {
    /// One SELECT statement. A parameter stands there as `:name`.
    pub sql: String,
    /// The values.
    pub parameters: BTreeMap<String, Parameter>,
    /// What is damaged is counted in this span of the feed, after its start up to and with its end; in all of it if there is none.
    pub span: Option<Range<u64>>,
}

/// The value of a parameter.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Parameter {
    /// No value.
    Null,
    /// True or false: 1 or 0.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number with a fraction.
    Real(f64),
    /// Text.
    Text(String),
}

impl Parameter {
    /// A value as JSON has it; none for what is neither a number nor text, `true`, `false` or `null`.
    #[must_use]
    pub fn of(value: &serde_json::Value) -> Option<Self> {
        Some(match value {
            serde_json::Value::Null => Parameter::Null,
            serde_json::Value::Bool(value) => Parameter::Bool(*value),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(value) => Parameter::Int(value),
                // Among them integers that are too large for SQLite, as in a statement.
                None => Parameter::Real(number.as_f64().filter(|value| value.is_finite())?),
            },
            serde_json::Value::String(text) => Parameter::Text(text.clone()),
            serde_json::Value::Array(_) | serde_json::Value::Object(_) => return None,
        })
    }

    fn value(&self) -> Value {
        match self {
            Parameter::Null => Value::Null,
            Parameter::Bool(value) => Value::Integer(i64::from(*value)),
            Parameter::Int(value) => Value::Integer(*value),
            Parameter::Real(value) => Value::Real(*value),
            Parameter::Text(text) => Value::Text(text.clone()),
        }
    }
}

impl Question {
    /// Gives the parameters of the statement their values. The answer is what is wrong with them.
    ///
    /// # Errors
    /// If a value is too long.
    pub(super) fn bind(&self, statement: &mut Statement<'_>) -> rusqlite::Result<Option<String>> {
        let mut unused: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
        for at in 1..=statement.parameter_count() {
            let name = statement.parameter_name(at).and_then(|name| name.strip_prefix(':'));
            let Some(name) = name.map(str::to_owned) else {
                return Ok(Some(format!("variable {at} has no name: write a parameter as :name")));
            };
            let Some(value) = self.parameters.get(&name) else {
                return Ok(Some(format!("the parameter :{name} has no value")));
            };
            unused.retain(|given| *given != name);
            statement.raw_bind_parameter(at, value.value())?;
        }
        let unused = unused.first();
        Ok(unused.map(|name| format!("there is no parameter :{name} in the statement")))
    }
}

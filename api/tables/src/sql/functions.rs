//! Functions that the engine lacks: mathematics, and statistics over the rows of a group.

use std::f64::consts::PI;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};

use super::moments::{Moments, Pairs};

/// What the groups of a query keep in memory, beside what the engine does.
#[derive(Clone, Debug)]
pub(super) struct Room {
    used: Arc<AtomicUsize>,
    most: usize,
}

impl Room {
    pub(super) fn new(most: usize) -> Self {
        Room { used: Arc::default(), most }
    }

    /// Takes room for so many bytes more, if there is some. It is also taken where there is none.
    fn take(&self, bytes: usize) -> rusqlite::Result<()> {
        self.used.fetch_add(bytes, Ordering::Relaxed);
        if self.is_full() { Err(wrong(FULL)) } else { Ok(()) }
    }

    fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn is_full(&self) -> bool {
        self.used.load(Ordering::Relaxed) > self.most
    }
}

/// What a query says whose groups keep too much.
pub(super) const FULL: &str = "median and quantile keep more values than there is memory for";

fn wrong(what: &str) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(what.into())
}

const FLAGS: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_DETERMINISTIC)
    .union(FunctionFlags::SQLITE_INNOCUOUS);

/// Adds the functions.
pub(super) fn add(db: &Connection, room: &Room) -> rusqlite::Result<()> {
    for (name, function) in ONE {
        db.create_scalar_function(*name, 1, FLAGS, move |context| {
            Ok(number(context.get_raw(0)).map(function).filter(|value| value.is_finite()))
        })?;
    }
    for (name, function) in TWO {
        db.create_scalar_function(*name, 2, FLAGS, move |context| {
            let both = number(context.get_raw(0)).zip(number(context.get_raw(1)));
            Ok(both.map(|(x, y)| function(x, y)).filter(|value| value.is_finite()))
        })?;
    }
    for (name, function) in WHOLE {
        db.create_scalar_function(*name, 1, FLAGS, move |context| {
            let value = context.get_raw(0);
            Ok(match value.as_i64() {
                Ok(value) => Value::Integer(value),
                Err(_) => number(value).map_or(Value::Null, |value| Value::Real(function(value))),
            })
        })?;
    }
    db.create_scalar_function("pi", 0, FLAGS, |_| Ok(PI))?;
    db.create_aggregate_function(
        "median",
        1,
        FLAGS,
        Quantile { at: Some(0.5), room: room.clone() },
    )?;
    db.create_aggregate_function("quantile", 2, FLAGS, Quantile { at: None, room: room.clone() })?;
    for (name, spread) in SPREADS {
        db.create_aggregate_function(*name, 1, FLAGS, Spread(*spread))?;
    }
    db.create_aggregate_function("corr", 2, FLAGS, Correlation)
}

type Function = fn(f64) -> f64;

const ONE: &[(&str, Function)] = &[
    ("sqrt", f64::sqrt),
    ("exp", f64::exp),
    ("ln", f64::ln),
    ("log", f64::log10),
    ("log10", f64::log10),
    ("log2", f64::log2),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("degrees", f64::to_degrees),
    ("radians", f64::to_radians),
];

type OfTwo = fn(f64, f64) -> f64;

const TWO: &[(&str, OfTwo)] = &[
    ("pow", f64::powf),
    ("power", f64::powf),
    ("log", |base, x| x.ln() / base.ln()),
    ("atan2", f64::atan2),
    ("mod", |x, y| x % y),
];

/// An integer stays one.
const WHOLE: &[(&str, Function)] =
    &[("floor", f64::floor), ("ceil", f64::ceil), ("ceiling", f64::ceil), ("trunc", f64::trunc)];

type Measure = fn(&Moments) -> Option<f64>;

const SPREADS: &[(&str, Measure)] = &[
    ("variance", Moments::variance),
    ("stddev", |moments| moments.variance().map(f64::sqrt)),
    ("stddev_samp", |moments| moments.variance().map(f64::sqrt)),
    ("stddev_pop", Moments::deviation),
];

/// A number; what is missing and what is text is none.
fn number(value: ValueRef<'_>) -> Option<f64> {
    match value {
        #[expect(
            clippy::cast_precision_loss,
            reason = "SQL's own arithmetic with both kinds does it"
        )]
        ValueRef::Integer(value) => Some(value as f64),
        ValueRef::Real(value) => Some(value),
        ValueRef::Null | ValueRef::Text(_) | ValueRef::Blob(_) => None,
    }
}

/// `quantile(x, p)`, between two values by their distance; `median(x)` is the one at a half.
struct Quantile {
    at: Option<f64>,
    room: Room,
}

/// The values of a group.
struct Kept {
    values: Vec<f64>,
    at: f64,
    room: Room,
}

impl Kept {
    fn push(&mut self, value: f64) -> rusqlite::Result<()> {
        if self.values.len() == self.values.capacity() {
            let more = self.values.capacity().max(4);
            self.room.take(more * size_of::<f64>())?;
            self.values.reserve_exact(more);
        }
        self.values.push(value);
        Ok(())
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.room.give_back(self.values.capacity() * size_of::<f64>());
    }
}

impl Aggregate<Kept, Option<f64>> for Quantile {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Kept> {
        Ok(Kept { values: Vec::new(), at: self.at.unwrap_or(0.5), room: self.room.clone() })
    }

    fn step(&self, context: &mut Context<'_>, kept: &mut Kept) -> rusqlite::Result<()> {
        if self.at.is_none() {
            let at = number(context.get_raw(1)).filter(|at| (0.0..=1.0).contains(at));
            kept.at = at.ok_or_else(|| wrong("quantile(x, p): p must be a number from 0 to 1"))?;
        }
        number(context.get_raw(0)).map_or(Ok(()), |value| kept.push(value))
    }

    fn finalize(&self, _: &mut Context<'_>, kept: Option<Kept>) -> rusqlite::Result<Option<f64>> {
        Ok(kept.and_then(|mut kept| {
            let at = kept.at;
            quantile(&mut kept.values, at)
        }))
    }
}

/// The value at a share of the way from the least to the greatest; between two of them in proportion.
fn quantile(values: &mut [f64], at: f64) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "there are far fewer than 2^52 values in memory"
    )]
    let place = at * last as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between 0 and the last index"
    )]
    let below = place.floor() as usize;
    let (low, high) = (values[below], values[(below + 1).min(last)]);
    Some(low + (high - low) * (place - place.floor()))
}

struct Spread(Measure);

impl Aggregate<Moments, Option<f64>> for Spread {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Moments> {
        Ok(Moments::default())
    }

    fn step(&self, context: &mut Context<'_>, moments: &mut Moments) -> rusqlite::Result<()> {
        number(context.get_raw(0)).into_iter().for_each(|value| moments.add(value));
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, all: Option<Moments>) -> rusqlite::Result<Option<f64>> {
        Ok(all.and_then(|moments| (self.0)(&moments)))
    }
}

struct Correlation;

impl Aggregate<Pairs, Option<f64>> for Correlation {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Pairs> {
        Ok(Pairs::default())
    }

    fn step(&self, context: &mut Context<'_>, pairs: &mut Pairs) -> rusqlite::Result<()> {
        let pair = number(context.get_raw(0)).zip(number(context.get_raw(1)));
        pair.into_iter().for_each(|(x, y)| pairs.add(x, y));
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, all: Option<Pairs>) -> rusqlite::Result<Option<f64>> {
        Ok(all.and_then(|pairs| pairs.correlation()))
    }
}

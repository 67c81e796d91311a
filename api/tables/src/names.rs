//! Names of columns: none is a word of SQL, and a name means the same in all tables.

use crate::column::Kind;
use crate::rows;

/// Words that SQLite, DuckDB, PostgreSQL, ClickHouse or Spark do not take as a name, or not everywhere, without quotes.
#[rustfmt::skip]
pub const WORDS: &[&str] = &[
    "abort", "action", "add", "after", "all", "alter", "always", "analyse", "analyze", "and",
    "any", "anti", "array", "as", "asc", "asof", "asymmetric", "attach", "authorization",
    "autoincrement", "before", "begin", "between", "binary", "both", "by", "cascade", "case",
    "cast", "check", "collate", "collation", "column", "commit", "concurrently", "conflict",
    "constraint", "create", "cross", "cube", "current", "current_catalog", "current_date",
    "current_role", "current_schema", "current_time", "current_timestamp", "current_user",
    "cursor", "database", "date", "day", "default", "deferrable", "deferred", "delete", "desc",
    "describe", "detach", "distinct", "do", "drop", "each", "else", "end", "escape", "except",
    "exclude", "exclusive", "exists", "explain", "extract", "fail", "false", "fetch", "filter",
    "first", "following", "for", "foreign", "freeze", "from", "full", "function", "generated",
    "glob", "grant", "group", "grouping", "groups", "having", "hour", "if", "ignore", "ilike",
    "immediate", "in", "index", "indexed", "initially", "inner", "insert", "instead", "intersect",
    "interval", "into", "is", "isnull", "join", "key", "lambda", "last", "lateral", "leading",
    "left", "like", "limit", "localtime", "localtimestamp", "macro", "map", "match",
    "materialized", "merge", "minus", "minute", "month", "natural", "no", "not", "nothing",
    "notnull", "null", "nulls", "of", "offset", "on", "only", "or", "order", "others", "out",
    "outer", "over", "overlaps", "partition", "pivot", "placing", "plan", "pragma", "preceding",
    "primary", "qualify", "query", "raise", "range", "recursive", "references", "regexp",
    "reindex", "release", "rename", "replace", "restrict", "returning", "right", "rollback",
    "rollup", "row", "rows", "savepoint", "second", "select", "semi", "session_user", "set",
    "show", "similar", "some", "struct", "summarize", "symmetric", "system_user", "table",
    "tablesample", "temp", "temporary", "then", "ties", "time", "timestamp", "to", "trailing",
    "transaction", "trigger", "true", "unbounded", "union", "unique", "unknown", "unpivot",
    "update", "user", "using", "vacuum", "values", "variadic", "verbose", "view", "virtual",
    "when", "where", "window", "with", "within", "without", "year",
];

/// Columns of the tables of every game that say the same of an event.
const SAME: [&str; 10] = [
    "edition",
    "engine",
    "points",
    "reason",
    "seat",
    "standing",
    "start_seat",
    "take_back",
    "visibility",
    "winners",
];

/// The name of the column for a field of an event. A word of SQL, and what means something else in the tables of every game, has `event_` before it.
pub(crate) struct Names {
    taken: Vec<String>,
}

impl Names {
    pub(crate) fn new() -> Self {
        let columns = rows::tables(true).into_iter().flat_map(|table| table.columns);
        let names = columns.map(|column| column.name.into_owned());
        Names { taken: names.filter(|name| !SAME.contains(&name.as_str())).collect() }
    }

    pub(crate) fn of(&self, field: &str, kind: Kind) -> String {
        let word = WORDS.contains(&field) || field == crate::column::GAME;
        match (field, kind) {
            // Of the platform: who sits there. A game counts them.
            ("seats", Kind::Json) => "seated".to_owned(),
            _ if word || self.taken.iter().any(|taken| taken == field) => format!("event_{field}"),
            _ => field.to_owned(),
        }
    }
}

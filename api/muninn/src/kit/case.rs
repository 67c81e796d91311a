//! A case: a task for a client, the requests that it is to send with the answers that it gets, and what it is to hold in the end.

use serde_json::{Value, json};

use super::house::Answer;

/// A case as it is written.
pub(crate) struct Case {
    pub(crate) name: String,
    title: &'static str,
    task: Value,
    exchanges: Vec<Exchange>,
    result: Value,
}

impl Case {
    pub(crate) fn new(name: impl Into<String>, title: &'static str, task: Value) -> Self {
        Case { name: name.into(), title, task, exchanges: Vec::new(), result: Value::Null }
    }

    pub(crate) fn exchange(mut self, exchange: Exchange) -> Self {
        self.exchanges.push(exchange);
        self
    }

    /// What the client holds in the end.
    pub(crate) fn result(mut self, result: Value) -> Self {
        self.result = result;
        self
    }

    pub(crate) fn json(self) -> Value {
        let Case { name, title, task, exchanges, result } = self;
        let exchanges: Vec<Value> = exchanges.into_iter().map(|exchange| exchange.0).collect();
        json!({"name": name, "title": title, "task": task, "exchanges": exchanges, "result": result})
    }
}

/// A request that a client sends, and what it is answered: the first time with the first of `answers`, and so on.
pub(crate) struct Exchange(Value);

impl Exchange {
    pub(crate) fn get(path: &str) -> Self {
        Exchange(json!({
            "request": {"method": "GET", "paths": [path], "query": {}, "may": {"lang": "*"}, "token": null},
            "answers": [],
            "least": 1,
        }))
    }

    pub(crate) fn post(path: &str, body: &Value) -> Self {
        let mut exchange = Exchange::get(path);
        exchange.0["request"]["method"] = json!("POST");
        exchange.0["request"]["body"] = body.clone();
        exchange
    }

    fn with(mut self, name: &str, value: Value) -> Self {
        self.0["request"][name] = value;
        self
    }

    /// Another path for the same.
    pub(crate) fn or(mut self, path: &str) -> Self {
        if let Some(paths) = self.0["request"]["paths"].as_array_mut() {
            paths.push(json!(path));
        }
        self
    }

    /// The parameters that it has.
    pub(crate) fn query(self, query: Value) -> Self {
        self.with("query", query)
    }

    /// Parameters that it may have; `*` is any value.
    pub(crate) fn may(mut self, name: &str, value: impl ToString) -> Self {
        self.0["request"]["may"][name] = json!(value.to_string());
        self
    }

    /// The token that it carries; null is none.
    pub(crate) fn token(self, token: &Value) -> Self {
        self.with("token", token.clone())
    }

    /// It has an idempotency key of at least so many characters, the same at each attempt.
    pub(crate) fn key(self, least: usize) -> Self {
        self.with("key", json!(least))
    }

    /// The version from which a stream goes on.
    pub(crate) fn resume(self, after: u64) -> Self {
        self.with("resume", json!(after))
    }

    /// Fields that the body may have beside the others.
    pub(crate) fn body_may(self, fields: Value) -> Self {
        self.with("body_may", fields)
    }

    /// It may be left out, and sent as often as one likes.
    pub(crate) fn optional(mut self) -> Self {
        self.0["least"] = json!(0);
        self.0["most"] = Value::Null;
        self.with("token", json!("any"))
    }

    pub(crate) fn answer(self, answer: &Answer) -> Self {
        self.told(answer.recorded())
    }

    /// The request arrives, and its answer is lost.
    pub(crate) fn lost(self) -> Self {
        self.told(json!({"lost": true}))
    }

    /// Each answer is given once; one more request is a mistake.
    pub(crate) fn told(mut self, answer: Value) -> Self {
        let mut count = 0;
        if let Some(answers) = self.0["answers"].as_array_mut() {
            answers.push(answer);
            count = answers.len();
        }
        if self.0["least"] != json!(0) {
            self.0["least"] = json!(count);
            self.0["most"] = json!(count);
        }
        self
    }
}

//! The AsyncAPI document: what the server sends without being asked again, made from the finished OpenAPI document.

use serde_json::{Map, Value, json};
use server::OPTIONAL_FIELDS;

use super::operations::id_of;
use super::references::{names, reach, reference};
use super::shape::each_object;

/// A stream: the operation that it answers, and what it is called here.
struct Channel {
    /// In the OpenAPI document.
    operation: &'static str,
    name: &'static str,
    message: &'static str,
    /// The schema of a message, in the OpenAPI document.
    payload: &'static str,
    /// What the document of requests does not say.
    how: &'static str,
}

const CHANNELS: &[Channel] = &[
    Channel {
        operation: "getStream",
        name: "stream",
        message: "commit",
        payload: "CommitEntry",
        how: "Server-sent events (text/event-stream): the field `id` is the last version of the commit, `data` is the payload in one line; \
            there is no event name, so a listener for `message` gets all of them. The first line is `retry: 2000`; comments are heartbeats. \
            A client that reconnects with Last-Event-ID misses nothing. When the match is over the stream ends, and the response to the next \
            request is 204, after which an EventSource does not reconnect.",
    },
    Channel {
        operation: "getReplay",
        name: "replay",
        message: "frame",
        payload: "Frame",
        how: "JSON lines (application/x-ndjson): each line is a payload. The response ends after the last version requested.",
    },
    Channel {
        operation: "getFeed",
        name: "feed",
        message: "event",
        payload: "FeedLine",
        how: "JSON lines (application/x-ndjson): each line is a payload. Without `limit` the response ends at the current end, and `after` = the \
            header `Feed-Position` continues from there. With `limit` it may end within a commit: `after` = the `position` of the \
            last line then skips the rest of that commit, and `after` = `56.3` continues after the first three events of the commit at position 57. \
            Events that `type` leaves out count too; with it, use `next` of the pages of `GET /v1/events`.",
    },
    Channel {
        operation: "getTableNdjson",
        name: "table",
        message: "row",
        payload: "TableRow",
        how: "JSON lines (application/x-ndjson): each line is a payload. The response ends at the feed position in the header Feed-Position; \
            a request with `after` = that position returns what has ended since.",
    },
];

/// The document, of a finished OpenAPI document.
pub(super) fn of(openapi: &Value) -> Value {
    let (mut channels, mut operations, mut messages) = (Map::new(), Map::new(), Map::new());
    for channel in CHANNELS {
        let (path, operation) = operation(openapi, channel.operation);
        let message = channel.message;
        let parameters = parameters(
            operation,
            "path",
            |parameter| json!({"description": parameter["description"]}),
        );
        channels.insert(
            channel.name.to_owned(),
            json!({
                "address": path,
                "title": operation["summary"],
                "description": operation["description"],
                "parameters": parameters,
                "messages": {message: {"$ref": format!("#/components/messages/{message}")}},
                "servers": [{"$ref": "#/servers/this"}],
            }),
        );
        operations.insert(
            channel.operation.to_owned(),
            json!({
                "action": "send",
                "channel": {"$ref": format!("#/channels/{}", channel.name)},
                "messages": [{"$ref": format!("#/channels/{}/messages/{message}", channel.name)}],
                "summary": operation["summary"],
                "description": channel.how,
                "tags": [{"name": operation["tags"][0]}],
                "bindings": {"http": {"method": "GET", "query": query(operation), "bindingVersion": "0.3.0"}},
            }),
        );
        messages.insert(message.to_owned(), self::message(channel, operation));
    }
    json!({
        "asyncapi": "3.0.0",
        "id": "urn:muninn:streams",
        "info": info(openapi),
        "defaultContentType": "application/json",
        "servers": {"this": {
            "host": "{host}",
            "protocol": "http",
            "description": "This server",
            "variables": {"host": {"default": "127.0.0.1:8080", "description": "The address of the server"}},
        }},
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": schemas(openapi)},
    })
}

fn info(openapi: &Value) -> Value {
    let mut info = openapi["info"].clone();
    info["title"] = json!("Muninn: streams");
    info["license"] = json!({"name": info["license"]["name"], "url": "https://spdx.org/licenses/"});
    info["description"] = json!(
        "What Muninn sends live and line by line. Everything is read with GET over HTTP; the parameters, and who may see what, are \
         in the OpenAPI document at /openapi.json. A token, if any, is sent as `Authorization: Bearer`."
    );
    if let Some(fields) = info.as_object_mut() {
        fields.remove("summary");
    }
    info["tags"] = json!([{"name": "history"}, {"name": "feed"}, {"name": "tables"}]);
    info
}

/// The path and the operation of this id.
fn operation<'a>(openapi: &'a Value, id: &str) -> (&'a str, &'a Value) {
    let paths = openapi["paths"].as_object().into_iter().flatten();
    let mut all = paths.flat_map(|(path, operations)| {
        let operations = operations.as_object().into_iter().flatten();
        operations.map(move |(_, operation)| (path.as_str(), operation))
    });
    all.find(|(_, operation)| id_of(operation) == id)
        .expect("the document has the operations of the streams")
}

/// The operation's parameters that stand there, by name, each as `told`.
fn parameters(
    operation: &Value,
    place: &str,
    told: impl Fn(&Value) -> Value,
) -> Map<String, Value> {
    let all = operation["parameters"].as_array().into_iter().flatten();
    all.filter(|parameter| parameter["in"] == place)
        .filter_map(|parameter| Some((parameter["name"].as_str()?.to_owned(), told(parameter))))
        .collect()
}

/// The parameters of the query as one schema.
fn query(operation: &Value) -> Value {
    let properties = parameters(operation, "query", |parameter| {
        let mut schema = parameter["schema"].clone();
        schema["description"] = parameter["description"].clone();
        schema
    });
    json!({"type": "object", "properties": properties})
}

fn message(channel: &Channel, operation: &Value) -> Value {
    let content = operation["responses"]["200"]["content"].as_object();
    let (content_type, media) =
        content.and_then(|content| content.iter().next()).expect("a stream has a media type");
    let events = content_type == "text/event-stream";
    let recorded = media["examples"].as_object().into_iter().flatten();
    let examples = recorded.filter_map(|(name, example)| {
        let (value, summary) = (&example["value"], &example["summary"]);
        if !events {
            return Some(json!({"name": name, "summary": summary, "payload": value}));
        }
        let payload: Value = serde_json::from_str(value["data"].as_str()?).ok()?;
        Some(json!({"name": name, "summary": summary, "headers": {"id": value["id"]}, "payload": payload}))
    });
    let mut message = json!({
        "name": channel.message,
        "title": channel.payload,
        "contentType": "application/json",
        "payload": reference(channel.payload),
        "examples": examples.collect::<Vec<_>>(),
    });
    if events {
        message["headers"] = json!({
            "type": "object",
            "description": "Fields of the server-sent event in addition to `data`.",
            "properties": {"id": {"type": "string", "pattern": "^[0-9]+$", "description": "The last version of the commit"}},
            "required": ["id"],
        });
    }
    message
}

/// The schemas that messages need. AsyncAPI's own form of schemas has a discriminator too, but only the name of the field.
fn schemas(openapi: &Value) -> Value {
    let all = &openapi["components"]["schemas"];
    let payloads = CHANNELS.iter().map(|channel| channel.payload.to_owned());
    let needed = reach(all, &names(&payloads.collect()));
    let mut schemas: Map<String, Value> =
        needed.into_iter().map(|name| (name.clone(), all[&name].clone())).collect();
    for schema in schemas.values_mut() {
        each_object(schema, &mut plain_discriminator);
    }
    // The parameter `fields` of the stream leaves some out; the OpenAPI document is of commits as they are without it.
    let commits = schemas.iter_mut().filter(|(name, _)| name.ends_with("CommitEntry"));
    for required in commits.filter_map(|(_, commit)| commit.get_mut("required")?.as_array_mut()) {
        required.retain(|name| name.as_str().is_none_or(|name| !OPTIONAL_FIELDS.contains(&name)));
    }
    Value::Object(schemas)
}

fn plain_discriminator(schema: &mut Value) {
    if let name @ Value::String(_) = schema["discriminator"]["propertyName"].clone() {
        schema["discriminator"] = name;
    }
}

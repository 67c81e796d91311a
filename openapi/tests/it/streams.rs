//! The AsyncAPI document.

use std::fs;

use openapi::RECORDED;
use serde_json::{Value, json};
use testkit::references;

use crate::document::document;

fn streams() -> Value {
    serde_json::from_str(&openapi::document(catalog::games(), Some(RECORDED)).asyncapi).unwrap()
}

#[test]
fn the_committed_document_is_fresh() {
    let committed = fs::read_to_string(openapi::folder().join("asyncapi.json")).unwrap();
    let fresh = openapi::document(catalog::games(), Some(RECORDED)).asyncapi;
    assert!(committed == *fresh, "openapi/asyncapi.json is stale: cargo run -p openapi");
}

#[test]
fn every_stream_of_the_openapi_document_is_a_channel() {
    let (streams, document) = (streams(), document());
    let channels = streams["channels"].as_object().unwrap();
    let addresses: Vec<&str> =
        channels.values().map(|channel| channel["address"].as_str().unwrap()).collect();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for operation in operations.as_object().unwrap().values() {
            let content = operation["responses"]["200"]["content"].as_object();
            let streamed = content.into_iter().flatten().any(|(media, _)| {
                ["text/event-stream", "application/x-ndjson"].contains(&media.as_str())
            });
            assert_eq!(streamed, addresses.contains(&path.as_str()), "{path}");
        }
    }
    assert_eq!(channels.len(), streams["operations"].as_object().unwrap().len());
}

/// The parameter `fields` leaves some out.
#[test]
fn a_commit_of_which_fields_are_left_out_fits_its_schema() {
    let streams = streams();
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "components": streams["components"],
        "allOf": [streams["components"]["messages"]["commit"]["payload"]],
    });
    let validator = jsonschema::validator_for(&schema).unwrap();
    for example in streams["components"]["messages"]["commit"]["examples"].as_array().unwrap() {
        let mut commit = example["payload"].as_object().unwrap().clone();
        for name in server::OPTIONAL_FIELDS {
            commit.remove(*name).unwrap();
        }
        assert!(validator.is_valid(&Value::Object(commit)));
    }
}

#[test]
fn every_reference_resolves_and_every_message_fits_its_schema() {
    let streams = streams();
    let all = references(&streams);
    assert!(all.len() > 100);
    for reference in all {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(streams.pointer(pointer).is_some(), "{reference} is missing");
    }
    for (name, message) in streams["components"]["messages"].as_object().unwrap() {
        // The form of AsyncAPI's schemas is that of draft 7, and more.
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "components": streams["components"],
            "allOf": [message["payload"]],
        });
        let validator = jsonschema::validator_for(&schema).unwrap();
        let examples = message["examples"].as_array().unwrap();
        assert!(!examples.is_empty(), "{name}");
        for example in examples {
            assert!(validator.is_valid(&example["payload"]), "{name}");
            assert!(!validator.is_valid(&json!({})), "{name}");
        }
    }
}

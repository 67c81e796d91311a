//! The schemas of each game against the JSON that it writes.

use std::collections::BTreeMap;

use jsonschema::Validator;
use kernel::{AnyGame, AnyMatch, Schemas, Seat, Seen, Viewer};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use testkit::{Dice, Step, greedy, play};

use crate::document::document;

/// The validators of a game's schemas, by role.
struct Roles(BTreeMap<&'static str, Validator>);

impl Roles {
    fn of(game: &dyn AnyGame, components: &Value) -> Self {
        let Schemas { roles, components: own } = game.schemas();
        let prefix = roles["event"].strip_suffix("Event").unwrap();
        for name in own.keys() {
            let of_kernel = ["Edition", "Seat", "Viewer"].contains(&name.as_str());
            assert!(name.starts_with(prefix) || of_kernel, "{name}");
        }
        // The options are asked for in part.
        let told = roles.iter().filter(|(role, _)| **role != "options");
        let validators = told.map(|(role, name)| {
            let reference = format!("#/components/schemas/{}", name.trim_end_matches("Form"));
            let schema = json!({"components": components, "$ref": reference});
            (*role, jsonschema::validator_for(&schema).unwrap())
        });
        Roles(validators.collect())
    }

    fn check(&self, role: &str, json: &RawValue) {
        let json: Value = serde_json::from_str(json.get()).unwrap();
        if let Err(error) = self.0[role].validate(&json) {
            panic!("{role}: {error} at {} in {json}", error.instance_path);
        }
    }

    /// A match after these events.
    fn check_match(&self, state: &dyn AnyMatch, events: &[Seen]) {
        let seats = (0..).take(state.seats()).map(|seat| Viewer::Seat(Seat(seat)));
        for viewer in seats.chain([Viewer::Spectator]) {
            self.check("view", &state.view(viewer));
            for event in events {
                self.check("event_view", &state.event_view(&event.full, viewer).unwrap());
            }
        }
        events.iter().for_each(|event| self.check("event", &event.full));
        self.check("position", &state.position());
        all(&state.legal_commands()).into_iter().for_each(|json| self.check("command", json));
        let standing = state.standing();
        let places = standing.as_deref().map(all).unwrap_or_default();
        places.into_iter().for_each(|json| self.check("place", json));
    }
}

fn all(list: &RawValue) -> Vec<&RawValue> {
    serde_json::from_str(list.get()).unwrap()
}

/// No object may have other fields than its own.
fn close(schema: &mut Value) {
    if schema["properties"].is_object() {
        schema["additionalProperties"] = json!(false);
    }
    schema.as_object_mut().into_iter().flatten().for_each(|(_, part)| close(part));
    schema.as_array_mut().into_iter().flatten().for_each(close);
}

#[test]
fn games_write_exactly_what_their_schemas_require() {
    let mut components = document()["components"].take();
    close(&mut components);
    for row in catalog::ROWS {
        let (game, info, mut dice) = (*row.game, row.game.info(), Dice::new(7));
        let roles = Roles::of(game, &components);
        let fixtures: Vec<BTreeMap<&str, &RawValue>> = serde_json::from_str(info.fixtures).unwrap();
        for fixture in fixtures {
            let state = game.load(fixture["position"], info.newest()).unwrap();
            roles.check_match(&*state, &[]);
            let legal = state.legal_commands();
            for command in all(&legal).into_iter().step_by(1 + state.legal_count() / 20) {
                let decided = state.decide(command, &mut dice).unwrap();
                roles.check_match(&*decided.state, &decided.events);
            }
        }
        for options in row.options {
            let seats = usize::from(*info.seats.end());
            play(game, options, seats, 7, &greedy, &mut |Step { state, events, .. }| {
                roles.check_match(state, events);
            });
        }
    }
}

#[test]
fn a_position_in_a_request_needs_no_edition_and_may_have_a_version() {
    let document = document();
    for game in catalog::games() {
        let name = game.schemas().roles["event"].replace("Event", "Position");
        let reference = format!("#/components/schemas/{name}");
        let schema = json!({"components": document["components"], "$ref": reference});
        let own = openapi::document(catalog::games(), None).schemas;
        let own: Value = serde_json::from_str(own[game.info().id].get()).unwrap();
        let validators = [&schema, &own["position"]].map(|s| jsonschema::validator_for(s).unwrap());
        let fixtures: Vec<Value> = serde_json::from_str(game.info().fixtures).unwrap();
        for fixture in fixtures {
            let mut position = fixture["position"].clone();
            position.as_object_mut().unwrap().remove("edition");
            position["version"] = json!(7);
            for validator in &validators {
                if let Err(error) = validator.validate(&position) {
                    panic!("{name}: {error} at {}", error.instance_path);
                }
            }
            let raw = serde_json::value::to_raw_value(&position).unwrap();
            assert!(game.load(&raw, game.info().newest()).is_ok(), "{name}");
        }
    }
}

//! Matches of other servers: imported, or refused.

use std::fs;

use archive::portable::published;
use serde_json::Value;
use testkit::Dice;

use crate::{Target, changed, spoiled};

#[test]
fn matches_are_taken_or_refused() {
    let target = Target::new("matches");
    let (_folder, [file]) = acceptance::places(["match.json"]);
    let whole = target.files();
    let documents: Vec<Value> =
        whole.iter().filter_map(|text| serde_json::from_slice(text).ok()).collect();
    let mut make = |dice: &mut Dice| match dice.below(8) {
        0 => spoiled(dice.of(&whole).clone(), dice),
        _ => {
            let (document, other) = (dice.of(&documents), dice.of(&documents));
            let pointer = format!("/commits/{}", dice.below(16));
            let pointer = *dice.of(&["/match", &pointer, &pointer]);
            let part = |whole: &Value| whole.pointer(pointer).cloned().unwrap_or_default();
            let (before, donor) = (part(document), part(other));
            let after = changed(&before, &donor, dice);
            // The part in its place, whether it is JSON or not.
            document.to_string().replacen(&before.to_string(), &after, 1).into_bytes()
        }
    };
    let mut accepted = 0;
    target.run(&mut make, &mut |input| {
        fs::write(&file, input).expect("written");
        match published(&file, catalog::games()) {
            Ok(_) => accepted += 1,
            Err(failed) => assert!(!failed.to_string().is_empty()),
        }
    });
    assert!(accepted > 0, "the corpus itself is taken");
}

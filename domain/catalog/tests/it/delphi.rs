//! The words and the picture of Delphi say and show what random matches seldom come to.

use serde_json::{Value, json};

use crate::matches::picture_of;
use crate::spots::languages;

/// What random matches seldom come to: two advances at once, and one that no god is left for (D-211).
#[test]
fn gods_that_rise_are_told_with_their_rows() {
    let (_, delphi) = picture_of("delphi");
    let advance = |steps: u8, gods: &[&str], reason: &str| json!({"kind": "advance_god", "steps": steps, "gods": gods, "reason": reason});
    let gods = ["ares", "hermes"];
    let opened =
        |decisions: &[Value]| json!({"type": "DecisionsOpened", "seat": 0, "decisions": decisions});
    let two = opened(&[advance(2, &gods, "windfall"), advance(1, &gods, "blessing")]);
    let none = opened(&[advance(1, &[], "consultation")]);
    let discarded = |cards: &[&str]| json!({"type": "InjuriesDiscarded", "seat": 0, "cards": cards, "reason": "god"});
    let (one_card, three) = (discarded(&["red"]), discarded(&["red", "red", "blue"]));
    for (language, event, text) in [
        (
            0,
            &two,
            "0 is to decide, if there is a choice: let gods rise by 2 rows in all (Ares, Hermes), let a god rise (Ares, Hermes).",
        ),
        (
            1,
            &two,
            "Für 0 steht an: Götter um insgesamt 2 Reihen aufsteigen lassen (Ares, Hermes), einen Gott aufsteigen lassen (Ares, Hermes).",
        ),
        (0, &none, "0 is to decide, if there is a choice: let a god rise."),
        (1, &none, "Für 0 steht an: einen Gott aufsteigen lassen."),
        (0, &one_card, "0 discards 1 injury (red) by a god."),
        (1, &one_card, "0 legt 1 Verletzung ab (Rot) durch einen Gott."),
        (0, &three, "0 discards 3 injuries (2 red, blue) by a god."),
    ] {
        assert_eq!(languages(delphi)[language].event(event), text);
    }
}

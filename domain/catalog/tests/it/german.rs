//! German declines what the words of English leave as they are.

use serde_json::{Value, json};

use crate::matches::picture_of;
use crate::spots::languages;

/// A command or an event of a game, in German.
fn said(game: &str, thing: &Value) -> String {
    let (_, game) = picture_of(game);
    let languages = languages(game);
    let german = languages.iter().find(|words| words.language == "de").expect("it is there");
    let kind = thing["type"].as_str().expect("a tag");
    if german.entry(&["commands", kind]).is_some() {
        german.command(thing.as_object().expect("an object").clone())
    } else {
        german.event(thing)
    }
}

#[test]
fn what_is_taken_is_declined_and_who_acts_is_not() {
    let at = json!({"x": 1, "y": 0});
    let place = |tile: &str, mode: &str| json!({"type": "PlaceTile", "tile": tile, "at": at, "mode": mode, "bump": null});
    let placed = |mode: &str, under: &Value| json!({"type": "TilePlaced", "seat": 0, "tile": "raven", "boost": 0, "at": at, "mode": mode, "under": under});
    let drawn = |tile: &Value| json!({"type": "TileDrawn", "seat": 0, "tile": tile});
    let begins = json!({"type": "StartTilePlaced", "tile": "dragon", "at": at});
    let hero = json!({"type": "TakeCompanion", "kind": "hero"});
    for (game, thing, text) in [
        ("delphi", hero, "Gefährten nehmen: Held"),
        ("voluspa", json!({"type": "DiscardTile", "tile": "raven"}), "Raben ablegen"),
        ("voluspa", place("dragon", "lay"), "Drachen auf (1, 0) legen"),
        ("voluspa", place("raven", "cover"), "Das Plättchen auf (1, 0) mit Raben überdecken"),
        ("voluspa", place("odin", "lay"), "Odin auf (1, 0) legen"),
        ("voluspa", placed("lay", &Value::Null), "0 legt Raben auf (1, 0)."),
        ("voluspa", placed("cover", &json!("dragon")), "0 überdeckt Drachen auf (1, 0) mit Raben."),
        ("voluspa", drawn(&json!("dragon")), "0 zieht Drachen."),
        ("voluspa", drawn(&Value::Null), "0 zieht ein Plättchen."),
        ("voluspa", begins, "Drache liegt zu Beginn auf (1, 0)."),
    ] {
        assert_eq!(said(game, &thing), text);
    }
}

#[test]
fn colours_are_said_as_german_says_them() {
    let flipped =
        json!({"type": "StoneFlipped", "seat": 0, "color": "white", "at": {"x": 1, "y": 2}});
    let text = "Der Stein auf (1, 2) wird gedreht und ist jetzt weiß.";
    assert_eq!(said("rosenkoenig", &flipped), text);
    let used = json!({
        "type": "AbilityUsed", "seat": 0, "ability": "change_of_colors", "from_color": "red", "to_color": "blue",
    });
    let text = "0 nutzt „Farbwechsel“: jede rote Karte gilt als blau.";
    assert_eq!(said("copenhagen", &used), text);
}

//! Positions of Rosenkönig from its specification.

use serde_json::{Value, json};

/// The start position of section 3: seat 0, red, has five plays and cannot draw.
pub(crate) fn start() -> Value {
    json!({
        "game": "rosenkoenig", "edition": 1,
        "options": {"colors": ["red", "white"], "start": "red", "show_draw_pile": false, "light": false},
        "phase": "turn", "active_seat": 0, "start_seat": 0,
        "board": [".........", ".........", ".........", ".........", ".........", ".........", ".........", ".........", "........."],
        "crown": {"x": 4, "y": 4},
        "hands": [["n1", "ne2", "s2", "sw2", "w2"], ["n2", "n3", "se2", "s1", "s3"]],
        "heroes": [4, 4], "stones_left": 52,
        "draw_pile": ["e3", "nw2", "se3", "w3", "se1", "e1", "e2", "ne1", "nw1", "nw3", "sw3", "ne3", "w1", "sw1"],
        "discard_pile": [], "end_reason": null,
    })
}

/// Position P2 of section 13: seat 1, red, has three commands: `ne2`, `e3` with its only hero, `DrawCard`.
pub(crate) fn p2() -> Value {
    json!({
        "game": "rosenkoenig", "edition": 1,
        "options": {"colors": ["white", "red"], "start": "random", "show_draw_pile": false, "light": false},
        "phase": "turn", "active_seat": 1, "start_seat": 1,
        "board": ["...w.....", "r..w.wrrr", "rw.wrrww.", "...rww..r", "...r.rwr.", ".r.ww.wr.", "...r.....", ".w.ww.rr.", ".w......."],
        "crown": {"x": 0, "y": 2},
        "hands": [["n1", "ne3", "se3", "sw2", "nw1"], ["ne2", "e3", "w1"]],
        "heroes": [0, 1], "stones_left": 18,
        "draw_pile": ["e1", "nw3", "sw3", "s2", "ne1", "se1", "w2", "n3", "se2", "e2", "s3", "n2", "sw1"],
        "discard_pile": ["s1", "w3", "nw2"], "end_reason": null,
    })
}

/// A match that begins from a position.
pub(crate) fn opening(position: &Value) -> Value {
    json!({"game": "rosenkoenig", "seats": [{}, {}], "position": position})
}

/// The same position with one field replaced.
pub(crate) fn with(position: Value, pointer: &str, value: Value) -> Value {
    let mut position = position;
    let field = position.pointer_mut(pointer);
    *field.expect("the position has this field") = value;
    position
}

pub(crate) fn play(card: &str, hero: bool) -> Value {
    json!({"type": "PlayCard", "card": card, "hero": hero})
}

pub(crate) fn draw() -> Value {
    json!({"type": "DrawCard"})
}

//! Changes of JSON documents: most of them keep the shape, so that they get past the reader and into the rules.

use serde_json::{Map, Value, json};

use crate::Dice;
use crate::pointers::{pointers, pointers_to};

/// Numbers at which something tends to break.
const EXTREMES: [i128; 26] = [
    0,
    1,
    2,
    3,
    5,
    8,
    12,
    100,
    1_000,
    -1,
    -2,
    i8::MAX as i128,
    u8::MAX as i128,
    u8::MAX as i128 + 1,
    u16::MAX as i128 + 1,
    i32::MAX as i128,
    i32::MAX as i128 - 1,
    i32::MIN as i128,
    i32::MIN as i128 + 1,
    i32::MAX as i128 + 1,
    i32::MIN as i128 - 1,
    u32::MAX as i128,
    u32::MAX as i128 + 1,
    i64::MAX as i128,
    i64::MIN as i128,
    u64::MAX as i128,
];

/// An array is not grown beyond this, one element at a time.
const LONGEST: usize = 400;

/// An array whose elements are all multiplied is not grown beyond this.
const CROWD: usize = 4_000;

/// Changes `document` in one place; `donor` is another document to take values from.
pub fn change(document: &mut Value, donor: &Value, dice: &mut Dice) {
    match dice.below(16) {
        0 | 1 => return translate(document, dice),
        2 => return multiply(document, dice),
        3 => return enlarge(document, dice),
        _ => {}
    }
    let pointers = pointers(document, String::new());
    let pointer = dice.of(&pointers).clone();
    let spare = spare(donor, &pointer, dice);
    let target = document.pointer_mut(&pointer).expect("the pointer was found in this document");
    match (dice.below(6), &mut *target) {
        (0, _) => *target = spare,
        (1, _) => *target = retyped(dice),
        (_, Value::Null) => *target = spare,
        (_, Value::Bool(value)) => *value = !*value,
        (_, Value::Number(_)) => change_number(target, dice),
        (_, Value::String(text)) => change_string(text, donor, dice),
        (_, Value::Array(items)) => change_array(items, spare, dice),
        (_, Value::Object(fields)) => change_object(fields, spare, dice),
    }
}

/// Changes a document as text: what is left may be JSON or not.
pub fn garble(text: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return String::new();
    }
    let at = dice.below(letters.len());
    let end = (at + 1 + dice.below(12)).min(letters.len());
    match dice.below(7) {
        0 => letters.truncate(at),
        1 => drop(letters.drain(at..end)),
        2 => {
            let piece = letters[at..end].to_vec();
            drop(letters.splice(at..at, piece));
        }
        3 => {
            letters[at] = *dice
                .of(&['{', '}', '[', ']', '"', ',', ':', '-', '.', 'e', '0', '9', '\\', '\0', 'ß'])
        }
        4 => drop(letters.splice(at..at, ['9'; 25])),
        5 => drop(letters.splice(at..at, ['['; 200])),
        _ => return duplicate_field(text, dice),
    }
    letters.into_iter().collect()
}

/// Adds the same amount to all numbers with the same key: the whole document moves, and stays what it is.
fn translate(document: &mut Value, dice: &mut Dice) {
    let pointers = pointers_to(document, Value::is_i64);
    if pointers.is_empty() {
        return;
    }
    let chosen = key(dice.of::<String>(&pointers)).to_owned();
    let far = i64::from(i32::MAX) - dice.below(20) as i64;
    let amount = *dice.of(&[1, -1, 5, -5, 120, -120, 900, -900, 70_000, far, -far]);
    for pointer in pointers.iter().filter(|pointer| key(pointer) == chosen) {
        let number = document.pointer_mut(pointer).expect("the pointer was found in this document");
        *number = json!(number.as_i64().unwrap_or(0).saturating_add(amount));
    }
}

/// Repeats every element of an array, or of all arrays with the same key: what is sorted stays so, and there is more of everything.
fn multiply(document: &mut Value, dice: &mut Dice) {
    let is_full = |value: &Value| value.as_array().is_some_and(|items| !items.is_empty());
    let arrays = pointers_to(document, is_full);
    if arrays.is_empty() {
        return;
    }
    let chosen = dice.of::<String>(&arrays).clone();
    let (alike, times) = (dice.below(3) == 0, *dice.of(&[2, 2, 3, 10, 100, CROWD]));
    // From the inside out, or the outer ones would have moved the inner ones away: pointers come in that order.
    for pointer in
        arrays.iter().filter(|other| **other == chosen || alike && key(other) == key(&chosen))
    {
        let array = document.pointer_mut(pointer).and_then(Value::as_array_mut);
        let items = array.expect("the array was found in this document");
        let times = times.min((CROWD / items.len()).max(1));
        *items = items.drain(..).flat_map(|item| std::iter::repeat_n(item, times)).collect();
    }
}

/// Makes a number much greater, or all numbers with the same key.
fn enlarge(document: &mut Value, dice: &mut Dice) {
    let numbers = pointers_to(document, Value::is_i64);
    if numbers.is_empty() {
        return;
    }
    let chosen = dice.of::<String>(&numbers).clone();
    let (alike, factor) = (dice.below(2) == 0, *dice.of(&[2, 10, 100, 1_000, 70_000, i64::MAX]));
    for pointer in
        numbers.iter().filter(|other| **other == chosen || alike && key(other) == key(&chosen))
    {
        let number = document.pointer_mut(pointer).expect("the number was found in this document");
        let now = number.as_i64().unwrap_or(0);
        *number = json!(if now == 0 { factor } else { now.saturating_mul(factor) });
    }
}

fn change_number(number: &mut Value, dice: &mut Dice) {
    let now = number.as_i64().unwrap_or(0);
    *number = match dice.below(5) {
        0 => json!(now.saturating_add(1)),
        1 => json!(now.saturating_sub(1)),
        2 => json!(now.saturating_mul(2)),
        _ => number_of(*dice.of(&EXTREMES)),
    };
}

fn number_of(wide: i128) -> Value {
    i64::try_from(wide)
        .map(Value::from)
        .or_else(|_| u64::try_from(wide).map(Value::from))
        .unwrap_or(Value::Null)
}

fn change_string(text: &mut String, donor: &Value, dice: &mut Dice) {
    let mut strings = Vec::new();
    collect_strings(donor, &mut strings);
    match dice.below(6) {
        0 => text.push('x'),
        1 => text.clear(),
        _ if strings.is_empty() => *text = "donor".to_owned(),
        _ => text.clone_from(dice.of(&strings)),
    }
}

fn change_array(items: &mut Vec<Value>, spare: Value, dice: &mut Dice) {
    if items.is_empty() {
        items.push(spare);
        return;
    }
    let (one, other) = (dice.below(items.len()), dice.below(items.len()));
    match dice.below(9) {
        0 | 1 => drop(items.remove(one)),
        2 => items.truncate(one),
        3 => items.swap(one, other),
        4 | 5 => items.insert(one, items[one].clone()),
        6 => items[one] = items[other].clone(),
        7 => items.insert(one, spare),
        _ => {
            let copies = dice.below(LONGEST.saturating_sub(items.len()) + 1);
            let item = items[one].clone();
            drop(items.splice(one..one, std::iter::repeat_n(item, copies)));
        }
    }
}

fn change_object(fields: &mut Map<String, Value>, spare: Value, dice: &mut Dice) {
    let keys: Vec<String> = fields.keys().cloned().collect();
    if keys.is_empty() {
        fields.insert("unknown_field".to_owned(), spare);
        return;
    }
    let (one, other) = (dice.of(&keys).clone(), dice.of(&keys).clone());
    match dice.below(6) {
        0 => drop(fields.remove(&one)),
        1 => drop(fields.insert("unknown_field".to_owned(), spare)),
        2 => {
            let value = fields.remove(&one).expect("the key was found in this object");
            fields.insert(format!("{one}s"), value);
        }
        3 => drop(fields.insert(one, spare)),
        _ => {
            let (left, right) = (fields[&one].clone(), fields[&other].clone());
            fields.insert(one, right);
            fields.insert(other, left);
        }
    }
}

/// A value of the donor: most often the one at the same place, or one with the same key.
fn spare(donor: &Value, pointer: &str, dice: &mut Dice) -> Value {
    if let (true, Some(value)) = (dice.below(3) > 0, donor.pointer(pointer)) {
        return value.clone();
    }
    let all = pointers(donor, String::new());
    let alike: Vec<&String> = all.iter().filter(|other| key(other) == key(pointer)).collect();
    let from =
        if !alike.is_empty() && dice.below(3) > 0 { *dice.of(&alike) } else { dice.of(&all) };
    donor.pointer(from).expect("the pointer was found in this document").clone()
}

fn retyped(dice: &mut Dice) -> Value {
    let far = number_of(*dice.of(&EXTREMES));
    dice.of(&[
        Value::Null,
        json!(true),
        json!(0),
        json!(1.5),
        json!("1"),
        json!([]),
        json!({}),
        json!([[]]),
        far,
    ])
    .clone()
}

/// Repeats the first field of some object of the text.
fn duplicate_field(text: &str, dice: &mut Dice) -> String {
    let braces: Vec<usize> = text.match_indices("{\"").map(|(at, _)| at).collect();
    if braces.is_empty() {
        return text.to_owned();
    }
    let at = dice.of(&braces) + 1;
    let key: String = text[at + 1..].chars().take_while(|letter| *letter != '"').collect();
    let value = dice.of(&["null", "0", "[]", "\"x\""]);
    format!("{}\"{key}\":{value},{}", &text[..at], &text[at..])
}

fn collect_strings(value: &Value, strings: &mut Vec<String>) {
    match value {
        Value::String(text) => strings.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_strings(item, strings)),
        Value::Object(fields) => fields.values().for_each(|field| collect_strings(field, strings)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The last part of a pointer: a field's name or an index.
fn key(pointer: &str) -> &str {
    pointer.rsplit('/').next().unwrap_or_default()
}

//! Portable archives: read, verified and restored, or refused.

use std::fs;

use acceptance::proof::{hex, sha256};
use archive::portable::{manifest, restore, verify};
use serde_json::Value;
use testkit::Dice;

use crate::{Target, changed, spoiled};

/// Restoring goes to the disk: one of so many is restored that nobody accepts.
const RESTORED: u64 = 64;

/// The lines with changes, and a manifest that says the sum of what is there now.
fn rewritten(lines: &[String], dice: &mut Dice) -> Vec<u8> {
    let mut lines = lines.to_vec();
    for _ in 0..=dice.below(2) {
        let (at, other) = (dice.below(lines.len()), dice.below(lines.len()));
        match dice.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.swap(at, other),
            2 => lines.insert(at, lines[other].clone()),
            _ => {
                let parsed =
                    |line: &String| serde_json::from_str::<Value>(line).unwrap_or_default();
                lines[at] = changed(&parsed(&lines[at]), &parsed(&lines[other]), dice);
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    if let Some(last) = lines.pop() {
        let before: String = lines.iter().map(|line| format!("{line}\n")).collect();
        lines.push(last);
        let sum = hex(&sha256(&[before.as_bytes()]));
        let last = lines.last_mut().expect("it was just put there");
        if let Ok(mut manifest) = serde_json::from_str::<Value>(last)
            && let Some(said) = manifest.pointer_mut("/manifest/sha256")
        {
            *said = sum.into();
            *last = manifest.to_string();
        }
    }
    lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
}

#[test]
fn archives_are_restored_or_refused() {
    let target = Target::new("archives");
    let (folder, [file]) = acceptance::places(["archive"]);
    let whole = target.files();
    let unpacked: Vec<Vec<String>> = whole
        .iter()
        .filter_map(|packed| String::from_utf8(zstd::decode_all(&packed[..]).ok()?).ok())
        .map(|text| text.lines().map(str::to_owned).collect())
        .collect();
    let mut make = |dice: &mut Dice| match dice.below(4) {
        0 => spoiled(dice.of(&whole).clone(), dice),
        _ => {
            let lines = rewritten(dice.of::<Vec<String>>(&unpacked), dice);
            zstd::encode_all(&lines[..], 1).expect("it is packed")
        }
    };
    let (mut round, mut accepted) = (0, 0);
    target.run(&mut make, &mut |input| {
        round += 1;
        fs::write(&file, input).expect("written");
        let files = [file.clone()];
        // What is said of an error is for people: that it says something is enough.
        if let Err(failed) = manifest(&file) {
            assert!(!failed.to_string().is_empty());
        }
        let fits = verify(&files, &mut |_, _| {});
        if fits.is_ok() || round % RESTORED == 0 {
            let data = folder.path().join("data");
            let restored = restore(&files, &data, None, &mut |_, _| {});
            assert_eq!(fits.is_ok(), restored.is_ok(), "{:?} {:?}", fits.err(), restored.err());
            accepted += u64::from(restored.is_ok());
            drop(fs::remove_dir_all(&data));
        }
    });
    assert!(accepted > 0, "the corpus itself is restored");
}

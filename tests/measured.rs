//! What benches say is what they measured.

use acceptance::process::megabytes;

use crate::{none, rust};

#[test]
fn a_megabyte_is_a_million_bytes() {
    assert_eq!(format!("{:.2}", megabytes(64 << 20)), "67.11");
    // Whoever shifts by ten or twenty bits has KiB and MiB, and may not call them MB.
    let benches = rust().into_iter().filter(|(name, _)| name.contains("/benches/"));
    let wrong = benches.filter(|(_, text)| {
        text.contains(" MB") && [">> 10", ">> 20"].iter().any(|shift| text.contains(shift))
    });
    none(&wrong.map(|(name, _)| format!("{name} says MB and shifts")).collect::<Vec<_>>());
}

//! Hexes: axial coordinates with pointy tops, q to the east, r to the south-east.

use delphi::seen::Hex;

/// From the middle of a hex to a corner.
pub(crate) const RADIUS: f64 = 40.0;
/// From the middle of a hex to that of its eastern neighbour: `RADIUS` times the square root of 3.
pub(crate) const ACROSS: f64 = 69.282;
/// From one row to the next.
pub(crate) const DOWN: f64 = 60.0;

/// As spots name it: `3,-1`.
pub(crate) fn name(at: Hex) -> String {
    format!("{},{}", at.q, at.r)
}

/// Half hexes to the east of (0, 0).
pub(crate) fn column(at: Hex) -> i64 {
    2 * i64::from(at.q) + i64::from(at.r)
}

/// The outline of a hex around the origin, with corners `radius` away.
pub(crate) fn outline(radius: f64) -> String {
    let (high, half) = (radius.round(), (radius / 2.0).round());
    let wide = (radius * ACROSS / RADIUS / 2.0).round();
    format!("M0-{high}L{wide}-{half}V{half}L0 {high}L-{wide} {half}V-{half}Z")
}

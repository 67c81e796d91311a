//! Hexes: axial coordinates with pointy tops, q to the east, r to the south-east.

use serde::Deserialize;

/// From the middle of a hex to a corner.
pub(crate) const RADIUS: f64 = 40.0;
/// From the middle of a hex to that of its eastern neighbour: `RADIUS` times the square root of 3.
pub(crate) const ACROSS: f64 = 69.282;
/// From one row to the next.
pub(crate) const DOWN: f64 = 60.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) struct Hex {
    pub(crate) q: i32,
    pub(crate) r: i32,
}

impl std::fmt::Display for Hex {
    /// As spots name it: `3,-1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.q, self.r)
    }
}

impl Hex {
    /// Half hexes to the east of (0, 0).
    pub(crate) fn column(self) -> i64 {
        2 * i64::from(self.q) + i64::from(self.r)
    }
}

/// The outline of a hex around the origin, with corners `radius` away.
pub(crate) fn outline(radius: f64) -> String {
    let (high, half) = (radius.round(), (radius / 2.0).round());
    let wide = (radius * ACROSS / RADIUS / 2.0).round();
    format!("M0-{high}L{wide}-{half}V{half}L0 {high}L-{wide} {half}V-{half}Z")
}

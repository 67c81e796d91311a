//! Long times on the command line.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The units, the longest first, in seconds.
const UNITS: [(&str, u64); 4] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)];

/// A time in days, hours, minutes or seconds, such as `7d` or `36h`; 0 is for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(u64);

impl Span {
    /// For ever.
    pub const EVER: Span = Span(0);

    /// How long; nothing for ever.
    #[must_use]
    pub fn duration(self) -> Option<Duration> {
        (self.0 > 0).then(|| Duration::from_secs(self.0))
    }
}

impl FromStr for Span {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str =
            "expected a time such as 7d, 36h, 90m or 30s, at most 36500d; 0: never";
        let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(split);
        let known = UNITS.iter().find(|(name, _)| *name == unit || unit.is_empty());
        let seconds =
            known.and_then(|(_, seconds)| number.parse::<u64>().ok()?.checked_mul(*seconds));
        seconds.filter(|seconds| *seconds <= 36_500 * UNITS[0].1).map(Span).ok_or(EXPECTED)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.iter().find(|(_, seconds)| self.0 > 0 && self.0.is_multiple_of(*seconds));
        match unit {
            Some((name, seconds)) => write!(f, "{}{name}", self.0 / seconds),
            None => f.write_str("0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_read_and_written() {
        for (text, seconds, written) in [
            ("7d", 604_800, "7d"),
            ("7", 604_800, "7d"),
            ("48h", 172_800, "2d"),
            ("36h", 129_600, "36h"),
            ("90m", 5_400, "90m"),
            ("2s", 2, "2s"),
            ("0", 0, "0"),
            ("0s", 0, "0"),
        ] {
            let span: Span = text.parse().unwrap();
            assert_eq!((span, span.to_string().as_str()), (Span(seconds), written));
            assert_eq!(written.parse(), Ok(span));
        }
        for wrong in
            ["", "d", "-1d", "1w", "1.5d", "1 d", "1d12h", "36501d", "99999999999999999999d"]
        {
            assert!(wrong.parse::<Span>().is_err(), "{wrong}");
        }
    }
}

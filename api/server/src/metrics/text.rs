//! The text format of Prometheus, for what is counted elsewhere: the registry writes its own families.

use std::fmt::{Display, Write};

use journal::Distribution;

/// The kind of a family.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Counter,
    Gauge,
}

/// Families in the making.
#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    fn family(&mut self, kind: &str, name: &str, help: &str) {
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} {kind}"));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a string takes everything");
    }

    /// A family without labels; none if there is no value.
    pub(super) fn value(
        &mut self,
        kind: Kind,
        name: &str,
        help: &str,
        value: impl Into<Option<f64>>,
    ) {
        self.values(kind, name, help, value.into().map(|value| (String::new(), value)));
    }

    /// A family with a value for each set of labels, such as `{game="nim"}`.
    pub(super) fn values(
        &mut self,
        kind: Kind,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = (String, f64)>,
    ) {
        let mut values = values.into_iter().peekable();
        if values.peek().is_some() {
            let kind = match kind {
                Kind::Counter => "counter",
                Kind::Gauge => "gauge",
            };
            self.family(kind, name, help);
        }
        for (labels, value) in values {
            self.line(format_args!("{name}{labels} {value}"));
        }
    }

    /// A histogram of numbers of which so many make one of the family's unit.
    pub(super) fn histogram(&mut self, name: &str, help: &str, found: &Distribution, unit: f64) {
        let Distribution { bounds, counts, sum } = found;
        self.family("histogram", name, help);
        let mut total = 0;
        for (number, count) in counts.iter().enumerate() {
            total += count;
            match bounds.get(number) {
                Some(bound) => {
                    let bound = real(*bound) / unit;
                    self.line(format_args!("{name}_bucket{{le=\"{bound}\"}} {total}"));
                }
                None => self.line(format_args!("{name}_bucket{{le=\"+Inf\"}} {total}")),
            }
        }
        self.line(format_args!("{name}_sum {}", real(*sum) / unit));
        self.line(format_args!("{name}_count {total}"));
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }
}

/// The labels of a value.
pub(super) fn label(name: &str, value: impl Display) -> String {
    format!("{{{name}=\"{value}\"}}")
}

/// Prometheus has no other numbers; above 2^53 they are not exact.
#[expect(clippy::cast_precision_loss, reason = "figures for people need no more than 53 bits")]
pub(super) fn real(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_cumulative() {
        let found =
            Distribution { bounds: &[500, 1_000_000], counts: vec![2, 0, 1], sum: 5_000_600 };
        let mut text = Text::default();
        text.histogram("a_seconds", "Times", &found, 1e6);
        let expected = "# HELP a_seconds Times\n# TYPE a_seconds histogram\na_seconds_bucket{le=\"0.0005\"} 2\n\
            a_seconds_bucket{le=\"1\"} 2\na_seconds_bucket{le=\"+Inf\"} 3\na_seconds_sum 5.0006\na_seconds_count 3\n";
        assert_eq!(text.into_string(), expected);
    }
}

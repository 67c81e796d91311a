//! Means and rates of matches, with 95 % intervals. docs/statistics.md has the formulas.
//!
//! The unit is the match: what its seats give is first brought together, so seats of one match are never taken for independent.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::student::{NORMAL, quantile};

/// Values of a quantity: some for each match. Each value is kept once, with how often it came: so they take no more memory the more matches there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    all: BTreeMap<i64, u64>,
    /// The values of a match by their sum and number, which give its mean.
    of_matches: BTreeMap<(i128, u64), u64>,
    count: u64,
    matches: u64,
}

/// How often matches were won.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    n: u64,
    count: f64,
    even: f64,
}

/// A mean over matches with its 95 % interval, and the spread of the values. Every figure except `n` and `values` is null if there are no values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Mean {
    /// The number of matches in the mean. Each counts once, however many of its seats have a value.
    pub n: u64,
    /// The number of values: one for each match, or one for each of its seats.
    pub values: u64,
    /// The sum of the values.
    pub sum: Option<i64>,
    /// The mean, over all matches, of the mean of each match.
    pub mean: Option<f64>,
    /// The standard error of the mean, robust for clusters, which are the matches; null for fewer than two matches.
    pub standard_error: Option<f64>,
    /// The lower end of the interval; null for fewer than two matches.
    pub low: Option<f64>,
    /// The upper end of the interval; null for fewer than two matches.
    pub high: Option<f64>,
    /// How the interval is computed: Student's t with n - 1 degrees of freedom.
    #[schema(value_type = String, pattern = "^student_t$")]
    pub method: &'static str,
    /// The standard deviation of the values; null for fewer than two.
    pub deviation: Option<f64>,
    /// The smallest value.
    pub least: Option<i64>,
    /// The lower quartile of the values.
    pub lower_quartile: Option<f64>,
    /// The median of the values.
    pub median: Option<f64>,
    /// The upper quartile of the values.
    pub upper_quartile: Option<f64>,
    /// The greatest value.
    pub most: Option<i64>,
}

/// How often matches were won, with its 95 % interval. If k seats share a win, each has 1/k of it. Every figure except `n` is null if there are no matches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Rate {
    /// The number of matches. Each counts once.
    pub n: u64,
    /// The sum of the wins; a match adds at most 1.
    pub count: Option<f64>,
    /// The rate, 0 to 1.
    pub rate: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// How the interval is computed: Wilson's score.
    #[schema(value_type = String, pattern = "^wilson$")]
    pub method: &'static str,
    /// The rate if every seat won equally often: the mean of 1 / seats.
    pub even: Option<f64>,
}

impl Values {
    /// Adds what one match has; nothing if that is nothing.
    pub(crate) fn add(&mut self, values: impl IntoIterator<Item = i64>) {
        let (mut sum, mut count) = (0, 0);
        for value in values {
            *self.all.entry(value).or_default() += 1;
            sum += i128::from(value);
            count += 1;
        }
        if count > 0 {
            *self.of_matches.entry((sum, count)).or_default() += 1;
            self.count += count;
            self.matches += 1;
        }
    }

    /// How many matches there are.
    pub(crate) fn matches(&self) -> u64 {
        self.matches
    }

    /// The mean of each match, with the number of matches that have it.
    fn means(&self) -> impl Iterator<Item = (f64, f64)> {
        let mean = |(sum, count): &(i128, u64)| *sum as f64 / *count as f64;
        self.of_matches.iter().map(move |(of, matches)| (mean(of), *matches as f64))
    }

    pub(crate) fn mean(&self) -> Mean {
        let n = self.matches as f64;
        let all = |sum: f64, (own, matches): (f64, f64)| sum + own * matches;
        let mean = (self.matches > 0).then(|| self.means().fold(0.0, all) / n);
        let error = mean.filter(|_| self.matches > 1).map(|mean| {
            let squares = self.means().map(|(own, matches)| ((own - mean).powi(2), matches));
            (squares.fold(0.0, all) / (n - 1.0) / n).sqrt()
        });
        let half = error.and_then(|error| Some(error * quantile(self.matches - 1)?));
        let ends = mean.zip(half);
        let times = |(value, times): (&i64, &u64)| i128::from(*value) * i128::from(*times);
        let sum: i128 = self.all.iter().map(times).sum();
        let sum = i64::try_from(sum).unwrap_or(if sum < 0 { i64::MIN } else { i64::MAX });
        Mean {
            n: self.matches,
            values: self.count,
            sum: mean.map(|_| sum),
            mean: mean.map(shown),
            standard_error: error.map(shown),
            low: ends.map(|(mean, half)| shown(mean - half)),
            high: ends.map(|(mean, half)| shown(mean + half)),
            method: "student_t",
            deviation: self.deviation().map(shown),
            least: self.all.keys().next().copied(),
            lower_quartile: self.quarter(1).map(shown),
            median: self.quarter(2).map(shown),
            upper_quartile: self.quarter(3).map(shown),
            most: self.all.keys().next_back().copied(),
        }
    }

    /// The standard deviation, from exact sums.
    fn deviation(&self) -> Option<f64> {
        let n = i128::from(self.count);
        let each =
            || self.all.iter().map(|(value, times)| (i128::from(*value), i128::from(*times)));
        let sum: i128 = each().map(|(value, times)| value * times).sum();
        let squares = each().map(|(value, times)| (value * value).saturating_mul(times));
        let squares = squares.fold(0, i128::saturating_add);
        let spread = n.saturating_mul(squares).saturating_sub(sum.saturating_mul(sum));
        (n > 1).then(|| (spread as f64 / (n * (n - 1)) as f64).sqrt())
    }

    /// The quantile of so many quarters: linear between the two nearest values (type 7 of Hyndman and Fan).
    fn quarter(&self, quarters: u64) -> Option<f64> {
        let place = self.count.checked_sub(1)? * quarters;
        let (low, part) = (place / 4, place % 4);
        let (below, above) = (self.at(low)?, self.at((low + 1).min(self.count - 1))?);
        Some(below as f64 + (i128::from(above) - i128::from(below)) as f64 * part as f64 / 4.0)
    }

    /// The value at a place in their order, from 0.
    fn at(&self, place: u64) -> Option<i64> {
        let mut before = 0;
        let of = self.all.iter().find(|(_, times)| {
            before += **times;
            before > place
        });
        of.map(|(value, _)| *value)
    }
}

impl Share {
    /// Adds one match of so many seats, with the part of its win that counts.
    pub fn add(&mut self, won: f64, seats: usize) {
        self.n += 1;
        self.count += won;
        self.even += 1.0 / seats as f64;
    }

    /// The rate of these matches.
    #[must_use]
    pub fn rate(&self) -> Rate {
        let (n, count) = (self.n as f64, self.count);
        let some = |figure: f64| (self.n > 0).then(|| shown(figure));
        let square = NORMAL * NORMAL;
        let centre = (count + square / 2.0) / (n + square);
        let inside = (count * (n - count)).max(0.0) / n + square / 4.0;
        let half = NORMAL * inside.sqrt() / (n + square);
        Rate {
            n: self.n,
            count: some(count),
            rate: some(count / n),
            low: some((centre - half).max(0.0)),
            high: some((centre + half).min(1.0)),
            method: "wilson",
            even: some(self.even / n),
        }
    }
}

/// To ten decimals, so that the last bits of a machine's mathematics do not show; as it is where it has not so many.
fn shown(number: f64) -> f64 {
    const SCALE: f64 = 1e10;
    let scaled = number * SCALE;
    if scaled.abs() < 9e15 { scaled.round() / SCALE } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_the_interval_of_the_textbook() {
        let mut values = Values::default();
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|value| values.add([value]));
        let mean = values.mean();
        // s = sqrt(32 / 7) = 2.13809; t with 7 degrees of freedom = 2.36462; t s / sqrt(8) = 1.78749.
        assert_eq!((mean.n, mean.values, mean.sum, mean.mean), (8, 8, Some(40), Some(5.0)));
        let [deviation, low, high] =
            [mean.deviation, mean.low, mean.high].map(Option::unwrap_or_default);
        assert!((deviation - 2.138_089_935_3).abs() < 1e-9);
        assert!((low - 3.212_511).abs() < 1e-5 && (high - 6.787_489).abs() < 1e-5, "{low} {high}");
        assert_eq!((mean.least, mean.most), (Some(2), Some(9)));
        // As numpy says.
        let quartiles = (mean.lower_quartile, mean.median, mean.upper_quartile);
        assert_eq!(quartiles, (Some(4.0), Some(4.5), Some(5.5)));
    }

    #[test]
    fn seats_of_one_match_count_once() {
        let mut values = Values::default();
        values.add([10, 20]);
        values.add([30, 40, 50]);
        let mean = values.mean();
        assert_eq!((mean.n, mean.values, mean.mean), (2, 5, Some(27.5)));
        // Two matches, 15 and 40.
        assert_eq!(mean.standard_error, Some(12.5));
        values.add([]);
        assert_eq!(values.matches(), 2);
    }

    #[test]
    fn one_match_has_no_interval_and_none_has_nothing() {
        let mut values = Values::default();
        let none = values.mean();
        assert_eq!(
            (none.n, none.sum, none.mean, none.least, none.median),
            (0, None, None, None, None)
        );
        values.add([7]);
        let one = values.mean();
        assert_eq!(
            (one.mean, one.median, one.low, one.deviation),
            (Some(7.0), Some(7.0), None, None)
        );
        let none = Share::default().rate();
        assert_eq!(
            (none.n, none.count, none.rate, none.low, none.even),
            (0, None, None, None, None)
        );
    }

    #[test]
    fn a_rate_has_the_interval_of_wilson() {
        let mut share = Share::default();
        (0..10).for_each(|at| share.add(f64::from(u8::from(at < 8)), 2));
        let rate = share.rate();
        // (8 + 1.92073) / 13.84146 = 0.71674; 1.95996 sqrt(1.6 + 0.96036) / 13.84146 = 0.22658.
        assert_eq!((rate.rate, rate.even), (Some(0.8), Some(0.5)));
        let [low, high] = [rate.low, rate.high].map(Option::unwrap_or_default);
        assert!(
            (low - 0.490_162_5).abs() < 1e-6 && (high - 0.943_317_8).abs() < 1e-6,
            "{low} {high}"
        );
    }

    #[test]
    fn matches_that_all_share_their_win_are_halves() {
        let mut share = Share::default();
        (0..4).for_each(|_| share.add(0.5, 2));
        assert_eq!((share.rate().count, share.rate().rate), (Some(2.0), Some(0.5)));
    }
}

//! Means and rates with their confidence intervals, in whole numbers until they are shown: the same on every machine.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Four decimals.
const SCALE: i128 = 10_000;

/// Sums of a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Moments {
    pub(crate) count: u64,
    pub(crate) sum: i64,
    pub(crate) squares: i64,
    pub(crate) least: i64,
    pub(crate) most: i64,
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Share {
    pub(crate) count: u64,
    pub(crate) of: u64,
}

/// A mean with its 95 % confidence interval (normal approximation), to four decimals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Mean {
    /// The number of values.
    pub count: u64,
    /// The sum of the values.
    pub sum: i64,
    /// The smallest value; 0 if there are none.
    pub least: i64,
    /// The greatest value; 0 if there are none.
    pub most: i64,
    /// The mean; null if there are no values.
    pub mean: Option<f64>,
    /// The standard deviation; null for fewer than two values.
    pub deviation: Option<f64>,
    /// The lower end of the interval; null for fewer than two values.
    pub low: Option<f64>,
    /// The upper end of the interval; null for fewer than two values.
    pub high: Option<f64>,
}

/// A rate with its 95 % confidence interval (Wilson), to four decimals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Rate {
    /// How often it happened.
    pub count: u64,
    /// The number of times it could have happened.
    pub of: u64,
    /// The rate, 0 to 1; null if `of` is 0.
    pub rate: Option<f64>,
    /// The lower end of the interval; null if `of` is 0.
    pub low: Option<f64>,
    /// The upper end of the interval; null if `of` is 0.
    pub high: Option<f64>,
}

impl Moments {
    pub(crate) fn add(&mut self, value: i64) {
        let (least, most) = if self.count == 0 {
            (value, value)
        } else {
            (self.least.min(value), self.most.max(value))
        };
        *self = Moments {
            count: self.count + 1,
            sum: self.sum.saturating_add(value),
            squares: self.squares.saturating_add(value.saturating_mul(value)),
            least,
            most,
        };
    }

    pub(crate) fn mean(&self) -> Mean {
        let (count, sum) = (i128::from(self.count), i128::from(self.sum));
        let mean = (count > 0).then(|| rounded(sum * SCALE, count));
        let spread = (count > 1).then(|| {
            // The variance times count × (count - 1), which is whole.
            let sums = count * i128::from(self.squares) - sum * sum;
            let deviation = (sums * SCALE * SCALE / (count * (count - 1))).isqrt();
            let half = (sums * 196 * 196 * SCALE / (count * (count - 1) * count)).isqrt();
            (deviation, half)
        });
        let ends = mean.zip(spread);
        Mean {
            count: self.count,
            sum: self.sum,
            least: self.least,
            most: self.most,
            mean: mean.map(shown),
            deviation: spread.map(|(deviation, _)| shown(deviation)),
            low: ends.map(|(mean, (_, half))| shown(mean - half)),
            high: ends.map(|(mean, (_, half))| shown(mean + half)),
        }
    }
}

impl Share {
    pub(crate) fn add(&mut self, happened: bool) {
        self.count += u64::from(happened);
        self.of += 1;
    }

    pub(crate) fn rate(&self) -> Rate {
        // z = 1.96, z² = 3.8416, times SCALE.
        const Z: i128 = 19_600;
        const Z_SQUARED: i128 = 38_416;
        let (k, n) = (i128::from(self.count), i128::from(self.of));
        let ends = (n > 0).then(|| {
            let below = n * SCALE + Z_SQUARED;
            let centre = rounded((k * SCALE + Z_SQUARED / 2) * SCALE, below);
            let root = (k * (n - k) * SCALE * SCALE / n + Z_SQUARED / 4 * SCALE).isqrt();
            let half = rounded(Z * root, below);
            ((centre - half).max(0), (centre + half).min(SCALE))
        });
        Rate {
            count: self.count,
            of: self.of,
            rate: (n > 0).then(|| shown(rounded(k * SCALE, n))),
            low: ends.map(|(low, _)| shown(low)),
            high: ends.map(|(_, high)| shown(high)),
        }
    }
}

/// A quotient, rounded half away from zero.
fn rounded(of: i128, by: i128) -> i128 {
    (2 * of + by * of.signum()) / (2 * by)
}

/// A number of ten-thousandths. One exact division, which every machine rounds alike.
fn shown(number: i128) -> f64 {
    number as f64 / SCALE as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_the_interval_of_the_textbook() {
        let mut moments = Moments::default();
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|value| moments.add(value));
        let mean = moments.mean();
        // s = sqrt(32 / 7) = 2.13809; 1.96 s / sqrt(8) = 1.48162.
        assert_eq!((mean.mean, mean.deviation), (Some(5.0), Some(2.138)));
        assert_eq!((mean.low, mean.high), (Some(3.5184), Some(6.4816)));
        assert_eq!((mean.least, mean.most, mean.sum), (2, 9, 40));
        assert_eq!(Moments::default().mean().mean, None);
    }

    #[test]
    fn a_rate_has_the_interval_of_wilson() {
        let rate = Share { count: 8, of: 10 }.rate();
        // (8 + 1.9208) / 13.8416 = 0.71674; 1.96 sqrt(1.6 + 0.9604) / 13.8416 = 0.22658.
        assert_eq!(rate.rate, Some(0.8));
        assert_eq!((rate.low, rate.high), (Some(0.4901), Some(0.9433)));
        assert_eq!(Share::default().rate().rate, None);
    }
}

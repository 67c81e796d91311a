//! Mean and spread of numbers that come one by one (Welford's way: no great sums are subtracted from each other).

/// How far numbers lie apart.
#[derive(Debug, Default)]
pub(super) struct Moments {
    count: f64,
    mean: f64,
    /// The sum of the squares of the distances from the mean.
    squares: f64,
}

impl Moments {
    pub(super) fn add(&mut self, value: f64) {
        self.count += 1.0;
        let distance = value - self.mean;
        self.mean += distance / self.count;
        self.squares += distance * (value - self.mean);
    }

    /// The variance of a sample: none of fewer than two numbers.
    pub(super) fn variance(&self) -> Option<f64> {
        (self.count > 1.0).then(|| self.squares / (self.count - 1.0))
    }

    /// The standard deviation of all there are: none of none.
    pub(super) fn deviation(&self) -> Option<f64> {
        (self.count > 0.0).then(|| (self.squares / self.count).sqrt())
    }
}

/// How two numbers go together.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    x: Moments,
    y: Moments,
    products: f64,
}

impl Pairs {
    pub(super) fn add(&mut self, x: f64, y: f64) {
        let distance = x - self.x.mean;
        self.x.add(x);
        self.y.add(y);
        self.products += distance * (y - self.y.mean);
    }

    /// Pearson's correlation: none of fewer than two pairs, and none where one of the numbers is always the same.
    pub(super) fn correlation(&self) -> Option<f64> {
        let scale = self.x.squares.sqrt() * self.y.squares.sqrt();
        (scale > 0.0).then(|| (self.products / scale).clamp(-1.0, 1.0))
    }
}

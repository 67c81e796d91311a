//! Whether chance draws as it should: each candidate of a draw is equally likely, and the counts of what was drawn are compared with that.

use std::collections::BTreeMap;

use archive::Drawn;
use serde_json::Value;

/// With fewer draws of each candidate to be expected the comparison says nothing.
pub(crate) const EXPECTED: u64 = 5;
/// Of draws among more candidates than these the single ones are not counted.
const CANDIDATES: u64 = 1_000;

/// What was drawn of a kind, among so many candidates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) draws: u64,
    /// How often each candidate was drawn, and its name, where it is always the same one.
    pub(crate) drawn: BTreeMap<u64, (u64, Option<Value>)>,
}

/// All draws, by kind and number of candidates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draws(pub(crate) BTreeMap<&'static str, BTreeMap<u64, Counts>>);

/// How well the draws of a kind fit what was to be expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fit {
    /// The draws that were compared.
    pub(crate) draws: u64,
    /// Pearson's statistic, summed over the numbers of candidates.
    pub(crate) squares: f64,
    /// Its degrees of freedom.
    pub(crate) freedom: u64,
    /// How often chance alone differs as much or more.
    pub(crate) probability: f64,
}

impl Draws {
    /// Takes a draw. One that was forced, or has one candidate, says nothing of chance.
    pub(crate) fn add(&mut self, drawn: &Drawn) {
        if drawn.forced || drawn.candidates < 2 || drawn.candidates > CANDIDATES {
            return;
        }
        let kind = self.0.entry(drawn.kind).or_default();
        let counts = kind.entry(drawn.candidates).or_default();
        counts.draws += 1;
        let first = || (0, Some(drawn.outcome.clone()));
        let (count, outcome) = counts.drawn.entry(drawn.index).or_insert_with(first);
        *count += 1;
        if outcome.as_ref().is_some_and(|known| *known != drawn.outcome) {
            *outcome = None;
        }
    }

    /// How well each kind fits; `None` where there are too few draws.
    pub(crate) fn fits(&self) -> impl Iterator<Item = (&'static str, u64, Option<Fit>)> {
        self.0.iter().map(|(kind, counts)| {
            (*kind, counts.values().map(|counts| counts.draws).sum(), fit(counts))
        })
    }

    /// Draws of a kind that always has the same few candidates, such as dice: how often each was drawn, by name.
    pub(crate) fn dice(&self) -> impl Iterator<Item = (&'static str, Vec<(String, u64)>, u64)> {
        const FACES: u64 = 20;
        self.0.iter().filter_map(|(kind, counts)| {
            let [(candidates, counts)] = counts.iter().collect::<Vec<_>>().try_into().ok()?;
            if *candidates > FACES || counts.draws < EXPECTED * candidates {
                return None;
            }
            let face = |at: u64| {
                let (count, outcome) = counts.drawn.get(&at).cloned().unwrap_or((0, None));
                let name = outcome.map(|outcome| match outcome {
                    Value::String(text) => text,
                    other @ (Value::Null
                    | Value::Bool(_)
                    | Value::Number(_)
                    | Value::Array(_)
                    | Value::Object(_)) => other.to_string(),
                });
                (name.unwrap_or_else(|| format!("no. {}", at + 1)), count)
            };
            // The names mean something only if a place always has the same one.
            let named = counts.drawn.values().all(|(_, outcome)| outcome.is_some());
            named.then(|| (*kind, (0..*candidates).map(face).collect(), counts.draws))
        })
    }
}

/// Pearson's test, for all numbers of candidates with enough draws.
fn fit(kind: &BTreeMap<u64, Counts>) -> Option<Fit> {
    let (mut draws, mut squares, mut freedom) = (0, 0.0, 0);
    for (candidates, counts) in kind {
        if counts.draws < EXPECTED * candidates {
            continue;
        }
        let expected = counts.draws as f64 / *candidates as f64;
        let drawn: f64 =
            counts.drawn.values().map(|(count, _)| (*count as f64 - expected).powi(2)).sum();
        let never = candidates - counts.drawn.len() as u64;
        squares += drawn / expected + never as f64 * expected;
        freedom += candidates - 1;
        draws += counts.draws;
    }
    (freedom > 0).then(|| Fit { draws, squares, freedom, probability: tail(squares, freedom) })
}

/// The probability that a chi-squared variable with so many degrees of freedom is at least `x`: the incomplete gamma function Q(freedom / 2, x / 2), by its
/// series below the mean and its continued fraction above (Abramowitz and Stegun 6.5.29 and 6.5.31).
fn tail(x: f64, freedom: u64) -> f64 {
    const ENOUGH: f64 = 1e-14;
    let (a, x) = (freedom as f64 / 2.0, x / 2.0);
    if x <= 0.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(freedom)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut at) = (1.0 / a, 1.0 / a, a);
        while term > sum * ENOUGH {
            at += 1.0;
            term *= x / at;
            sum += term;
        }
        return (1.0 - sum * scale).clamp(0.0, 1.0);
    }
    // Lentz's method.
    let (mut b, mut c, mut d) = (x + 1.0 - a, f64::INFINITY, 1.0 / (x + 1.0 - a));
    let mut fraction = d;
    let mut at = 1.0;
    loop {
        let above = -at * (at - a);
        b += 2.0;
        d = 1.0 / (above * d + b);
        c = b + above / c;
        fraction *= d * c;
        at += 1.0;
        if (d * c - 1.0).abs() < ENOUGH || at > 1e6 {
            return (fraction * scale).clamp(0.0, 1.0);
        }
    }
}

/// The logarithm of the gamma function of `twice / 2`, which is a product.
fn ln_gamma(twice: u64) -> f64 {
    let (mut at, mut sum) =
        if twice.is_multiple_of(2) { (2, 0.0) } else { (1, std::f64::consts::PI.sqrt().ln()) };
    while at < twice {
        sum += (at as f64 / 2.0).ln();
        at += 2;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_that_of_tables() {
        // The 5 % points of every table, and what SciPy's chi2.sf says elsewhere.
        for (x, freedom, probability) in [
            (3.841_458_820_694_124, 1, 0.05),
            (18.307_038_053_275_146, 10, 0.05),
            (124.342_113_404_004_08, 100, 0.05),
            (1.0, 2, 0.606_530_659_712_633_4),
            (0.0, 3, 1.0),
            (40.0, 4, 4.328_422_607_120_97e-8),
        ] {
            let told = tail(x, freedom);
            assert!((told - probability).abs() < 1e-12, "{x} {freedom}: {told}");
        }
    }

    fn drawn(candidates: u64, index: u64) -> Drawn {
        let outcome = Value::from(index);
        Drawn { kind: "die", candidates, index, outcome, forced: false }
    }

    #[test]
    fn a_die_that_is_loaded_is_found() {
        let mut draws = Draws::default();
        (0..600).for_each(|at| draws.add(&drawn(6, at % 6)));
        let [(kind, all, Some(fit))] = draws.fits().collect::<Vec<_>>()[..] else {
            panic!("one kind")
        };
        assert_eq!((kind, all, fit.draws, fit.freedom), ("die", 600, 600, 5));
        assert!(fit.squares.abs() < 1e-9 && (fit.probability - 1.0).abs() < 1e-9);
        (0..60).for_each(|_| draws.add(&drawn(6, 5)));
        let loaded = draws.fits().next().and_then(|(_, _, fit)| fit).expect("enough");
        assert!(loaded.probability < 1e-4, "{loaded:?}");
        let dice: Vec<_> = draws.dice().collect();
        assert_eq!(dice[0].1[5], ("5".to_owned(), 160));
    }

    #[test]
    fn a_face_that_never_comes_counts() {
        let mut draws = Draws::default();
        (0..100).for_each(|_| draws.add(&drawn(2, 0)));
        let fit = draws.fits().next().and_then(|(_, _, fit)| fit).expect("enough");
        // (100 - 50)² / 50 twice.
        assert!((fit.squares - 100.0).abs() < 1e-9, "{fit:?}");
    }

    #[test]
    fn few_draws_say_nothing() {
        let mut draws = Draws::default();
        (0..9).for_each(|at| draws.add(&drawn(2, at % 2)));
        draws.add(&Drawn { forced: true, ..drawn(2, 0) });
        draws.add(&drawn(1, 0));
        assert_eq!(draws.fits().collect::<Vec<_>>(), [("die", 9, None)]);
        assert_eq!(draws.dice().count(), 0);
    }
}

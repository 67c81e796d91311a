//! The quantile of Student's distribution that a 95 % interval needs, without a crate: for whole degrees of freedom its distribution function is a finite sum.

use std::f64::consts::PI;

/// The 97.5 % quantile of the normal distribution.
pub(crate) const NORMAL: f64 = 1.959_963_984_540_054;

/// Above so many degrees of freedom the expansion at the normal quantile is exact to the last bits.
const MANY: u64 = 1_000;

/// The 97.5 % quantile of Student's t with so many degrees of freedom, to at least twelve decimals; `None` for 0, where there is none.
///
/// For few degrees of freedom by Newton's method in the angle θ with tan θ = t / √ν: P(|T| ≤ t) is the finite sum of Abramowitz and Stegun,
/// 26.7.3 and 26.7.4, concave in θ, so from a start below the steps only go up. For many by their expansion 26.7.5.
pub(crate) fn quantile(degrees: u64) -> Option<f64> {
    match degrees {
        0 => None,
        1..=MANY => Some(of_few(degrees)),
        _ => Some(of_many(degrees)),
    }
}

fn of_few(degrees: u64) -> f64 {
    let root = (degrees as f64).sqrt();
    let odd = degrees % 2 == 1;
    // The density in θ is `scale` cos^(ν-1) θ.
    let mut scale = if odd { 2.0 / PI } else { 1.0 };
    for below in (1..degrees).filter(|below| below % 2 == degrees % 2) {
        scale *= (below + 1) as f64 / below as f64;
    }
    let power = i32::try_from(degrees - 1).unwrap_or(i32::MAX);
    let mut angle = (NORMAL / root).atan();
    for _ in 0..60 {
        let (sine, cosine) = angle.sin_cos();
        let inside = if odd {
            2.0 / PI * (angle + sine * series(cosine, cosine, 1, degrees))
        } else {
            sine * series(1.0, cosine, 0, degrees)
        };
        let step = (0.95 - inside) / (scale * cosine.powi(power));
        angle += step;
        if step.abs() < 1e-16 {
            break;
        }
    }
    root * angle.tan()
}

/// The terms up to cos^(ν-2), from the one of power `from`.
fn series(first: f64, cosine: f64, from: u64, degrees: u64) -> f64 {
    let (mut term, mut sum, mut power) = (first, 0.0, from);
    while power + 2 <= degrees {
        sum += term;
        power += 2;
        term *= cosine * cosine * (power - 1) as f64 / power as f64;
    }
    sum
}

fn of_many(degrees: u64) -> f64 {
    let (z, n) = (NORMAL, degrees as f64);
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5)
            - 1920.0 * z.powi(3)
            - 945.0 * z)
            / 92_160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / n) + z
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From 30 digits of the regularised incomplete beta function.
    const TABLE: &[(u64, f64)] = &[
        (1, 12.706_204_736_174_705),
        (2, 4.302_652_729_749_464),
        (3, 3.182_446_305_283_709_5),
        (4, 2.776_445_105_197_794_3),
        (5, 2.570_581_835_636_315_5),
        (7, 2.364_624_251_592_785_3),
        (10, 2.228_138_851_986_275),
        (29, 2.045_229_642_132_704_3),
        (30, 2.042_272_456_301_238),
        (99, 1.984_216_951_586_417_4),
        (100, 1.983_971_518_523_552_2),
        (500, 1.964_719_837_467_367_8),
        (999, 1.962_341_461_133_45),
        (1000, 1.962_339_080_826_408_5),
        (1001, 1.962_336_705_280_88),
        (5000, 1.960_438_551_706_508),
    ];

    #[test]
    fn the_quantile_is_that_of_the_tables() {
        for (degrees, known) in TABLE {
            let found = quantile(*degrees).expect("there is one");
            assert!((found - known).abs() < 1e-12, "{degrees}: {found} is not {known}");
        }
        assert_eq!(quantile(0), None);
    }

    #[test]
    fn more_degrees_of_freedom_give_less() {
        let all: Vec<f64> = (1..3_000).filter_map(quantile).collect();
        assert!(all.windows(2).all(|pair| pair[0] > pair[1]));
        assert!(all.last().is_some_and(|last| *last > NORMAL));
    }
}

//! Means of what was measured several times, with their errors.

/// A number that was measured several times, with the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean; not a number where nothing was measured.
    pub value: f64,
    /// Half the width of its interval; not a number where less than two were measured.
    pub half_width: f64,
}

impl Estimate {
    /// The geometric mean of ratios.
    pub fn of_ratios(ratios: &[f64]) -> Estimate {
        let count = ratios.len() as f64;
        let logarithms = || ratios.iter().map(|it| it.ln());
        let mean = logarithms().sum::<f64>() / count;
        let variance = logarithms().map(|it| (it - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Estimate {
            value: mean.exp(),
            half_width: mean.exp() * 1.96 * (variance / count).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_a_geometric_mean() {
        let even = Estimate::of_ratios(&[0.5, 2.0, 1.0]);
        assert!((even.value - 1.0).abs() < 1e-12);
        assert!(even.half_width > 0.0);
        assert!(Estimate::of_ratios(&[]).value.is_nan());
        assert!(Estimate::of_ratios(&[2.0]).half_width.is_nan());
    }
}

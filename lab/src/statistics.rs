//! Means of measurements, with their errors.

use super::outcome::Cell;

/// Half width of a 95 % interval, in standard errors.
pub const Z95: f64 = 1.96;

/// The mean of a measurement, with the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean; NaN without measurements.
    pub value: f64,
    /// Half width of its interval; NaN with fewer than two measurements.
    pub half_width: f64,
}

impl Estimate {
    /// The arithmetic mean.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Estimate {
        let numbers: Vec<f64> = numbers.into_iter().collect();
        let count = numbers.len() as f64;
        let value = numbers.iter().sum::<f64>() / count;
        let squares: f64 = numbers.iter().map(|it| (it - value).powi(2)).sum();
        Estimate {
            value,
            half_width: Z95 * (squares / (count - 1.0) / count).sqrt(),
        }
    }

    /// The geometric mean of ratios; its interval reaches from the mean divided by `half_width` to the mean times that.
    pub fn factors(ratios: impl IntoIterator<Item = f64>) -> Estimate {
        let logarithms = Estimate::of(ratios.into_iter().map(f64::ln));
        Estimate {
            value: logarithms.value.exp(),
            half_width: logarithms.half_width.exp(),
        }
    }

    /// The geometric mean of ratios; `half_width` is absolute: the mean times the half width of the logarithms.
    pub fn of_ratios(ratios: impl IntoIterator<Item = f64>) -> Estimate {
        let factors = Estimate::factors(ratios);
        Estimate {
            value: factors.value,
            half_width: factors.value * factors.half_width.ln(),
        }
    }

    /// The mean and the half width.
    pub fn cells(self) -> [Cell; 2] {
        [self.value, self.half_width].map(Cell::from)
    }
}

/// Ten parts of equal size, in order; fewer if there are fewer items.
pub fn tenths<T>(sorted: &[T]) -> impl Iterator<Item = &[T]> {
    let edge = |number: usize| number * sorted.len() / 10;
    let parts = (0..10).map(move |number| &sorted[edge(number)..edge(number + 1)]);
    parts.filter(|part| !part.is_empty())
}

/// Expected score of a player who is `points` ahead, by the definition of Elo.
pub fn elo_score(points: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-points / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_errors() {
        // Variance 4, of the mean 4/3.
        let mean = Estimate::of([2.0, 4.0, 6.0]);
        assert_eq!(mean.value, 4.0);
        assert!((mean.half_width - Z95 * (4.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!(Estimate::of([]).value.is_nan());
        assert!(Estimate::of([2.0]).half_width.is_nan());
    }

    #[test]
    fn ratios_have_a_geometric_mean() {
        let even = Estimate::factors([0.5, 2.0, 0.5, 2.0]);
        assert!((even.value - 1.0).abs() < 1e-12);
        // The logarithms' standard error is ln 2 · √(4/3) / 2.
        let expected = Z95 * 2.0_f64.ln() * (4.0_f64 / 3.0).sqrt() / 2.0;
        assert!((even.half_width - expected.exp()).abs() < 1e-9);
        let twice = Estimate::of_ratios([1.0, 4.0, 1.0, 4.0]).half_width;
        assert!((twice - 2.0 * expected).abs() < 1e-9);
    }
}

//! Accuracy of stated probabilities, on cases held back from learning.

use crate::outcome::{Cell, Plot, Table};
use crate::statistics::tenths;

/// A prediction and its outcome.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    /// The stated probability.
    pub stated: f64,
    /// Whether it came true.
    pub came: bool,
    /// The weight in means.
    pub weight: f64,
}

impl Forecast {
    /// A prediction that counts as much as `weight` predictions of weight 1.
    pub fn new(stated: f64, came: bool, weight: f64) -> Forecast {
        Forecast {
            stated,
            came,
            weight,
        }
    }
}

/// Means over the forecasts of one class.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Class {
    /// Mean stated probability.
    pub stated: f64,
    /// Observed frequency.
    pub came: f64,
}

/// Accuracy of forecasts.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// Mean square of the error (Brier, 1950): less is better.
    pub brier: f64,
    /// Mean distance of the stated probability from the observed frequency, by class: the expected calibration error.
    pub calibration_error: f64,
    /// The classes, by rising probability.
    pub classes: Vec<Class>,
}

/// The means of forecasts; `None` without any.
pub fn class(forecasts: &[Forecast]) -> Option<Class> {
    let all: f64 = forecasts.iter().map(|it| it.weight).sum();
    let mean = |of: &dyn Fn(&Forecast) -> f64| {
        forecasts.iter().map(|it| it.weight * of(it)).sum::<f64>() / all
    };
    (all > 0.0).then(|| Class {
        stated: mean(&|it| it.stated),
        came: mean(&|it| f64::from(it.came)),
    })
}

/// The accuracy of forecasts, in ten classes of rising probability.
pub fn judge(mut forecasts: Vec<Forecast>) -> Judgement {
    forecasts.sort_by(|a, b| a.stated.total_cmp(&b.stated));
    let all: f64 = forecasts.iter().map(|it| it.weight).sum();
    let square = |it: &Forecast| (it.stated - f64::from(it.came)).powi(2);
    let squares = forecasts.iter().map(|it| it.weight * square(it));
    let brier = squares.sum::<f64>() / all;
    let (mut classes, mut error) = (Vec::new(), 0.0);
    for part in tenths(&forecasts) {
        if let Some(class) = class(part) {
            let weight: f64 = part.iter().map(|it| it.weight).sum();
            error += weight / all * (class.stated - class.came).abs();
            classes.push(class);
        }
    }
    Judgement {
        brier,
        calibration_error: error,
        classes,
    }
}

/// Stated probabilities by tenths, and observed frequencies: a table with a picture.
pub fn reliability(id: &str, title: String, forecasts: Vec<Forecast>) -> Table {
    let headings = "stated, percent:1 | came, percent:1";
    let mut table = Table::new(id, title, headings);
    for class in judge(forecasts).classes {
        table.row([class.stated, class.came].map(|it| Cell::from(100.0 * it)));
    }
    let came = "came, percent";
    table.plotted(Plot::new("stated, percent", [came], came))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecasts(stated: f64, came: usize, of: usize) -> Vec<Forecast> {
        let forecast = |number| Forecast::new(stated, number < came, 1.0);
        (0..of).map(forecast).collect()
    }

    #[test]
    fn what_is_true_on_average_has_no_calibration_error() {
        let mut all = forecasts(0.2, 20, 100);
        all.extend(forecasts(0.9, 90, 100));
        // The order decides the tenths of equal forecasts, but does not change the Brier score.
        all.sort_by_key(|it| it.came);
        let judgement = judge(all.clone());
        assert!((judgement.brier - (0.16 + 0.09) / 2.0).abs() < 1e-9);
        let halves = [class(&all[..0]), class(&forecasts(0.2, 20, 100))];
        assert_eq!(halves[0], None);
        let Class { stated, came } = halves[1].unwrap();
        assert!((stated - came).abs() < 1e-9);
    }

    #[test]
    fn what_is_stated_too_boldly_has_one() {
        let judgement = judge(forecasts(0.9, 500, 1_000));
        // All forecasts are equal, so classes hold first those that came true, then the others.
        let error = judgement.calibration_error;
        assert!((error - 0.5).abs() < 1e-9, "{judgement:?}");
    }
}

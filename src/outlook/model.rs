//! Probabilities from features: logistic models of the features and their pairwise products.

use serde::{Deserialize, Serialize};

use super::features::{COUNT, Features};
use super::weights;

/// Number of a model's terms: 1, the features, and the products of any two, squares included.
pub const TERMS: usize = 1 + COUNT + COUNT * (COUNT + 1) / 2;

/// Probabilities, from 0 to 1, that more thinking changes nothing.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outlook {
    /// The probability that the same move is chosen after [`MORE_EFFORT`](super::MORE_EFFORT) times the effort.
    pub move_stays: f64,
    /// The probability that the value then is within [`NEAR`](super::NEAR) centipawns of the present one.
    pub value_stays: f64,
}

/// The logistic function: the probability whose odds have the natural logarithm `sum`.
pub fn probability(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

/// The terms of a model.
pub fn terms(features: &Features) -> [f64; TERMS] {
    let mut terms = [1.0; TERMS];
    terms[1..=COUNT].copy_from_slice(features);
    let products = (0..COUNT).flat_map(|i| (i..COUNT).map(move |j| (i, j)));
    for (term, (i, j)) in terms[1 + COUNT..].iter_mut().zip(products) {
        *term = features[i] * features[j];
    }
    terms
}

/// A weighted sum of terms.
pub fn sum(weights: &[f64; TERMS], terms: &[f64; TERMS]) -> f64 {
    weights.iter().zip(terms).map(|(w, t)| w * t).sum()
}

impl Outlook {
    /// The prediction from features.
    pub fn of(features: &Features) -> Outlook {
        let terms = terms(features);
        Outlook {
            move_stays: probability(sum(&weights::MOVE_STAYS, &terms)),
            value_stays: probability(sum(&weights::VALUE_STAYS, &terms)),
        }
    }
}

//! From features to chances: generalised linear models of the features and of the products of any two.

use super::features::{COUNT, Features};
use super::weights;

/// Numbers that a model weighs: 1, the features, and the products of any two, squares included.
pub const TERMS: usize = 1 + COUNT + COUNT * (COUNT + 1) / 2;

/// What more thinking is likely to change.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outlook {
    /// The probability that the same move is chosen after [`MORE_EFFORT`](super::MORE_EFFORT) times the effort.
    pub move_stays: f64,
    /// The probability that the value is within [`NEAR`](super::NEAR) centipawns of what it is now.
    pub value_stays: f64,
    /// What the move chosen by then is expected to be better than the one of now, in chances of winning, 0 to
    /// 1, as that longer search sees them.
    pub gain: f64,
}

/// How a weighted sum becomes a prediction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// The sum is the logarithm of the odds of a probability.
    Odds,
    /// The sum is the logarithm of an expectation.
    Logarithm,
}

impl Link {
    /// The prediction.
    pub fn prediction(self, sum: f64) -> f64 {
        match self {
            Link::Odds => 1.0 / (1.0 + (-sum).exp()),
            Link::Logarithm => sum.min(LARGEST).exp(),
        }
    }
}

/// Sums of [`Link::Logarithm`] count up to this, so that no prediction overflows.
const LARGEST: f64 = 5.0;

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
    /// What the features foretell.
    pub fn of(features: &Features) -> Outlook {
        let terms = terms(features);
        Outlook {
            move_stays: Link::Odds.prediction(sum(&weights::MOVE_STAYS, &terms)),
            value_stays: Link::Odds.prediction(sum(&weights::VALUE_STAYS, &terms)),
            gain: Link::Logarithm.prediction(sum(&weights::GAIN, &terms)),
        }
    }
}

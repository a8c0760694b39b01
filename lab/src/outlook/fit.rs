//! Fit of a logistic model's weights: iteratively reweighted least squares (P. `McCullagh` and J. A. Nelder,
//! *Generalized Linear Models*, 1989, section 2.5), with a ridge penalty that draws the weights towards 0.

use cassius::outlook::model::probability;

/// Steps of the iteration, more than it needs to converge.
const STEPS: usize = 12;
/// Least curvature of an observation, which keeps the first steps bounded.
const LEAST_CURVATURE: f64 = 1e-9;

/// The smallest part of a step to try.
const LEAST_PART: f64 = 1e-3;

/// A weighted observation.
pub struct Observation<const N: usize> {
    /// Terms of the prediction; the first is always 1.
    pub terms: [f64; N],
    /// The outcome, 0 to 1.
    pub outcome: f64,
    /// Its weight.
    pub weight: f64,
}

impl<const N: usize> Observation<N> {
    /// An observation that counts as much as `weight` observations of weight 1.
    pub fn new(terms: [f64; N], outcome: impl Into<f64>, weight: f64) -> Observation<N> {
        Observation {
            terms,
            outcome: outcome.into(),
            weight,
        }
    }
}

/// The maximum-likelihood weights, each but the first drawn to 0 by a penalty worth `ridge` observations.
pub fn fit<const N: usize>(observations: &[Observation<N>], ridge: f64) -> [f64; N] {
    let mut weights = [0.0; N];
    weights[0] = constant(observations);
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; N];
        let mut curvature = vec![0.0; N * N];
        for observation in observations {
            let (terms, weight) = (&observation.terms, observation.weight);
            let prediction = probability(dot(&weights, terms));
            let slope = prediction * (1.0 - prediction);
            let pull = weight * (observation.outcome - prediction);
            let bend = weight * slope.max(LEAST_CURVATURE);
            for (i, &term) in terms.iter().enumerate() {
                gradient[i] += pull * term;
                let row = &mut curvature[i * N..=i * N + i];
                for (cell, &other) in row.iter_mut().zip(terms) {
                    *cell += bend * term * other;
                }
            }
        }
        for i in 1..N {
            gradient[i] -= ridge * weights[i];
            curvature[i * N + i] += ridge;
        }
        curvature[0] += LEAST_CURVATURE;
        let step = solve(&mut curvature, gradient);
        let before = misfit(observations, ridge, &weights);
        let mut part = 1.0;
        // Where outcomes are rare the first steps may go too far.
        let next = loop {
            let next: [f64; N] = std::array::from_fn(|i| weights[i] + part * step[i]);
            if misfit(observations, ridge, &next) <= before || part < LEAST_PART {
                break next;
            }
            part /= 2.0;
        };
        weights = next;
    }
    weights
}

/// The dot product.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The negative logarithm of the likelihood, but for a constant, plus the ridge penalty.
fn misfit<const N: usize>(observations: &[Observation<N>], ridge: f64, weights: &[f64; N]) -> f64 {
    let of = |observation: &Observation<N>| {
        let sum = dot(weights, &observation.terms);
        // ln(1 + e^sum), without overflow where the sum is large.
        let expected = sum.max(0.0) + (-sum.abs()).exp().ln_1p();
        observation.weight * (expected - observation.outcome * sum)
    };
    let drawn: f64 = weights[1..].iter().map(|it| it * it).sum();
    observations.iter().map(of).sum::<f64>() + ridge * drawn / 2.0
}

/// The maximum-likelihood first weight while all others are 0.
fn constant<const N: usize>(observations: &[Observation<N>]) -> f64 {
    let all: f64 = observations.iter().map(|it| it.weight).sum();
    let sum: f64 = observations.iter().map(|it| it.weight * it.outcome).sum();
    let mean = (sum / all.max(f64::MIN_POSITIVE)).clamp(0.001, 0.999);
    (mean / (1.0 - mean)).ln()
}

/// Solves a symmetric system by Cholesky's method, which reads and overwrites the matrix's lower half.
fn solve(matrix: &mut [f64], mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for i in 0..n {
        for j in 0..=i {
            let (above, rest) = matrix.split_at_mut(i * n);
            let row_j = if i == j {
                &rest[..j]
            } else {
                &above[j * n..j * n + j]
            };
            let left = rest[j] - dot(&rest[..j], row_j);
            rest[j] = if i == j {
                left.max(LEAST_CURVATURE).sqrt()
            } else {
                left / above[j * n + j]
            };
        }
    }
    for i in 0..n {
        let dot: f64 = (0..i).map(|k| matrix[i * n + k] * right[k]).sum();
        right[i] = (right[i] - dot) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| matrix[k * n + i] * right[k]).sum();
        right[i] = (right[i] - dot) / matrix[i * n + i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius::random::Random;

    /// Observations whose expectation is a known function of two numbers.
    fn observations(truth: [f64; 3], count: usize) -> Vec<Observation<3>> {
        let mut random = Random::new(5);
        let mut unit = || f64::from(random.within(1.0));
        let mut observation = || {
            let terms = [1.0, unit(), unit()];
            let expected = probability(dot(&truth, &terms));
            let outcome = f64::from(0.5 + unit() / 2.0 < expected);
            Observation::new(terms, outcome, 1.0)
        };
        (0..count).map(|_| observation()).collect()
    }

    #[test]
    fn what_the_outcomes_were_made_with_is_found_again() {
        let truth = [-0.5, 1.5, -1.0];
        let found = fit(&observations(truth, 20_000), 0.01);
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 0.1, "{found} {truth}");
        }
    }

    /// One outcome in a hundred, which a large term predicts: undamped steps diverge.
    #[test]
    fn rare_outcomes_are_learnt_too() {
        let observation = |number: i32| Observation {
            terms: [1.0, if number % 100 == 0 { 9.0 } else { -9.0 }],
            outcome: f64::from(u8::from(number % 100 == 0 && number % 1_000 != 0)),
            weight: 1.0,
        };
        let observations: Vec<_> = (0..5_000).map(observation).collect();
        let found = fit(&observations, 0.1);
        let chance = |term: f64| probability(found[0] + term * found[1]);
        assert!((chance(9.0) - 0.9).abs() < 0.03, "{found:?}");
        assert!(chance(-9.0) < 0.01, "{found:?}");
    }

    #[test]
    fn nothing_to_learn_from_gives_finite_numbers() {
        let found = fit::<3>(&[], 1.0);
        assert!(found.iter().all(|it| it.is_finite()));
    }
}

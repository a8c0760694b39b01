//! Accuracy of a learnt scale, on errors it was not learnt from.

use super::layer::Hidden;
use super::scale::{Miss, common_log_scale, likelihood};
use super::weights::{Head, Weights};
use crate::statistics::tenths;
use cassius::games::chess::network::LOG_WIDTHS;

/// Upper ends of the simple model's classes of |value|, in centipawns.
const VALUE_CLASSES: [i16; 7] = [25, 50, 100, 200, 400, 800, i16::MAX];
/// Pieces in each of the simple model's classes of phase.
const PIECES_IN_CLASS: usize = 4;
/// Number of these classes.
const PHASES: usize = 32 / PIECES_IN_CLASS + 1;

/// Means over the predictions of one class.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Class {
    /// Mean predicted scale, in centipawns.
    pub scale: f64,
    /// Mean absolute error, in centipawns.
    pub error: f64,
    /// Mean of absolute error over scale: 2 ln 2 for a logistic distribution.
    pub ratio: f64,
}

/// Accuracy of a scale.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    /// Mean negative log-likelihood of an error, in nats, with the learnt scale.
    pub learnt: f64,
    /// Mean negative log-likelihood with one scale for all positions.
    pub common: f64,
    /// Mean negative log-likelihood with a scale for each class of |value| and number of pieces.
    pub simple: f64,
    /// The predictions by size, in classes of equal number.
    pub classes: Vec<Class>,
}

/// The simple model's class of a position.
fn simple_class(miss: &Miss) -> usize {
    let sample = &miss.0;
    let size = sample.score().saturating_abs();
    let value = VALUE_CLASSES.iter().position(|&end| size <= end);
    value.unwrap_or(0) * PHASES + sample.count() / PIECES_IN_CLASS
}

/// Compares a scale with held-back errors; the models beside it are fitted to the errors it was learnt from. Without
/// held-back errors all figures are NaN.
pub fn calibrate(
    weights: &Weights,
    head: &Head,
    learn: &[Miss],
    held_back: &[Miss],
) -> Calibration {
    let mean = |loss: &dyn Fn(&Miss) -> f64| {
        held_back.iter().map(loss).sum::<f64>() / held_back.len() as f64
    };
    let common = common_log_scale(learn);
    let mut classes: Vec<Vec<Miss>> = vec![Vec::new(); VALUE_CLASSES.len() * PHASES];
    for miss in learn {
        classes[simple_class(miss)].push(*miss);
    }
    let simple = classes.iter().map(|misses| match misses[..] {
        [] => common,
        _ => common_log_scale(misses),
    });
    let simple: Vec<f32> = simple.collect();
    let (weights, mut hidden) = (weights.with_output(head.clone()), Hidden::new(weights));
    let predict = |(sample, error): &Miss| {
        let output = hidden.of(&weights, sample);
        (output.clamp(LOG_WIDTHS.0, LOG_WIDTHS.1), error.abs())
    };
    let mut predicted: Vec<(f32, f32)> = held_back.iter().map(predict).collect();
    let loss = |error: f32, log_scale: f32| f64::from(likelihood(error, log_scale).0);
    let losses = predicted.iter();
    let losses = losses.map(|&(log_scale, error)| loss(error, log_scale));
    let learnt = losses.sum::<f64>() / held_back.len() as f64;
    predicted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let class = |part: &[(f32, f32)]| {
        let mean = |of: &dyn Fn(f32, f32) -> f32| {
            let numbers = part.iter();
            let numbers = numbers.map(|&(scale, error)| f64::from(of(scale, error)));
            numbers.sum::<f64>() / part.len() as f64
        };
        Class {
            scale: mean(&|log_scale, _| log_scale.exp()),
            error: mean(&|_, error| error),
            ratio: mean(&|log_scale, error| error / log_scale.exp()),
        }
    };
    Calibration {
        learnt,
        common: mean(&|miss| loss(miss.1, common)),
        simple: mean(&|miss| loss(miss.1, simple[simple_class(miss)])),
        classes: tenths(&predicted).map(class).collect(),
    }
}

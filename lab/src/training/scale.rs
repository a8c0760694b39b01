//! Learns the scale: the size of the value's errors.
//!
//! The errors of the value are modelled by a logistic distribution around 0. A second output of the same activations is
//! the logarithm of its scale in centipawns; the weights of the value stay as they are. The standard deviation is the
//! scale times pi over the root of 3, about 1.8 scales.

use std::io;

use super::batches::{Progress, Settings, Task, train};
use super::sample::Sample;
use super::weights::{Head, Weights};
use cassius::games::chess::network::LOG_WIDTHS;

/// A position and the error of its value in centipawns; the sign does not matter.
pub type Miss = (Sample, f32);

/// Halvings of [`LOG_WIDTHS`] to find the best common scale.
const HALVINGS: u32 = 40;

/// Negative log-likelihood of an error, and its derivative, for the logarithm of a scale.
pub(super) fn likelihood(error: f32, log_scale: f32) -> (f32, f32) {
    let (least, most) = LOG_WIDTHS;
    let within = log_scale.clamp(least, most);
    let size = error.abs() * (-within).exp();
    let loss = within + size + 2.0 * (-size).exp().ln_1p();
    let slope = 1.0 - size * (size / 2.0).tanh();
    // Outside the limits the loss is constant; only a gradient that leads back is kept.
    let outwards = (log_scale < least && slope > 0.0) || (log_scale > most && slope < 0.0);
    (loss, if outwards { 0.0 } else { slope })
}

/// The task whose loss is the negative log-likelihood of the errors.
struct ScaleTask;

impl Task for ScaleTask {
    type Item = Miss;
    const LEARNS_HIDDEN: bool = false;

    fn sample(item: &Miss) -> &Sample {
        &item.0
    }

    fn loss(&self, miss: &Miss, output: f32) -> (f32, f32) {
        likelihood(miss.1, output)
    }
}

/// Logarithm of the common scale of greatest likelihood.
pub(super) fn common_log_scale(misses: &[Miss]) -> f32 {
    let (mut low, mut high) = LOG_WIDTHS;
    for _ in 0..HALVINGS {
        let middle = f32::midpoint(low, high);
        let slope = |&(_, error): &Miss| f64::from(likelihood(error, middle).1);
        let slopes = misses.iter().map(slope);
        if slopes.sum::<f64>() < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f32::midpoint(low, high)
}

/// Learns the scale of the errors on top of the activations of `weights`, with the same number of buckets. Starts from
/// one common scale.
pub fn train_scale(
    weights: &Weights,
    learn: &[Miss],
    held_back: &[Miss],
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress),
) -> io::Result<Head> {
    let mut head = Head::zero(weights.hidden(), weights.output.buckets());
    head.bias.fill(common_log_scale(learn));
    let begin = weights.with_output(head);
    let learnt = train(&ScaleTask, begin, learn, held_back, settings, progress)?;
    Ok(learnt.output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::batches::{check_gradient, mean_loss};
    use crate::training::layer::plain_output;
    use crate::training::sample::random_sample;
    use cassius::random::Random;

    /// Mean loss on the errors: the negative log-likelihood of one, in nats.
    fn scale_loss(weights: &Weights, head: &Head, misses: &[Miss], threads: usize) -> f64 {
        let weights = weights.with_output(head.clone());
        mean_loss(&ScaleTask, &weights, misses, threads).unwrap()
    }

    /// Errors with a logistic distribution, which is much wider with many pieces.
    fn misses(count: usize, seed: u64) -> Vec<Miss> {
        let mut random = Random::new(seed);
        let draw = |random: &mut Random| {
            let sample = random_sample(random);
            let chance = f32::midpoint(random.within(0.999), 1.0);
            (sample, true_scale(&sample) * (chance / (1.0 - chance)).ln())
        };
        (0..count).map(|_| draw(&mut random)).collect()
    }

    fn true_scale(sample: &Sample) -> f32 {
        if sample.count() < 17 { 30.0 } else { 120.0 }
    }

    fn plain_loss(weights: &Weights, head: &[Vec<f64>], misses: &[Miss]) -> f64 {
        let double =
            |numbers: &[f32]| -> Vec<f64> { numbers.iter().map(|&it| it.into()).collect() };
        let (input, input_bias) = (double(&weights.input), double(&weights.input_bias));
        let losses = misses.iter().map(|(sample, error)| {
            let bucket = sample.bucket(head[1].len());
            let groups = [&input, &input_bias, &head[0], &head[1]].map(Vec::as_slice);
            let log_scale = plain_output(groups, sample, bucket);
            let size = f64::from(*error).abs() / log_scale.exp();
            log_scale + size + 2.0 * (-size).exp().ln_1p()
        });
        losses.sum::<f64>() / misses.len() as f64
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let misses = misses(40, 6);
        let mut weights = Weights::random(32, 2, 3);
        weights.output = Weights::random(32, 2, 4).output;
        weights.output.bias.fill(4.0);
        check_gradient(&ScaleTask, &mut weights.clone(), &misses, |head| {
            plain_loss(&weights, head, &misses)
        });
    }

    #[test]
    fn beyond_the_limits_only_what_pulls_back_is_felt() {
        assert!(likelihood(50.0, -1.0).1 < 0.0);
        assert_eq!(likelihood(0.1, -1.0), (likelihood(0.1, 0.0).0, 0.0));
        assert!(likelihood(50.0, 9.0).1 > 0.0);
        assert_eq!(likelihood(1e6, 9.0), (likelihood(1e6, 8.0).0, 0.0));
    }

    #[test]
    fn scales_are_learnt() {
        let (learn, held_back) = (misses(8000, 1), misses(4000, 2));
        let weights = Weights::random(32, 4, 3);
        let settings = Settings {
            epochs: 30.0,
            batch: 256,
            rate: 0.005,
            seed: 1,
            threads: 2,
        };
        let head = train_scale(&weights, &learn, &held_back, &settings, &mut |_| ()).unwrap();
        let least = |(sample, error): &Miss| likelihood(*error, true_scale(sample).ln()).0;
        let best = held_back.iter().map(|it| f64::from(least(it)));
        let best = best.sum::<f64>() / held_back.len() as f64;
        let mut one_scale = Head::zero(head.hidden(), head.buckets());
        one_scale.bias.fill(common_log_scale(&learn));
        let before = scale_loss(&weights, &one_scale, &held_back, 1);
        let after = scale_loss(&weights, &head, &held_back, 1);
        let is_learnt = after - best < 0.3 * (before - best);
        assert!(is_learnt, "{before} {after} {best}");
        // The number of threads changes nothing.
        let heads = [1, 2].map(|threads| {
            let short = Settings {
                epochs: 2.0,
                threads,
                ..settings.clone()
            };
            train_scale(&weights, &learn, &[], &short, &mut |_| ()).unwrap()
        });
        assert_eq!(heads[0], heads[1]);
    }
}

//! Learns the value of positions, as expected points.

use super::batches::Task;
use super::layer::sigmoid;
use super::sample::Sample;

/// The task whose loss is the squared difference of the expected points from a target.
pub(super) struct ValueTask {
    /// Fraction of the game's result in the target, 0 to 1; the rest is the points of the search's score.
    pub(super) result_share: f32,
    /// Centipawns of a score that multiply the odds by e.
    pub(super) score_scale: f32,
}

impl Task for ValueTask {
    type Item = Sample;
    const LEARNS_HIDDEN: bool = true;

    fn sample(item: &Sample) -> &Sample {
        item
    }

    fn loss(&self, sample: &Sample, output: f32) -> (f32, f32) {
        let seen = sigmoid(f32::from(sample.score()) / self.score_scale);
        let target = self.result_share * sample.points() + (1.0 - self.result_share) * seen;
        let points = sigmoid(output);
        let error = points - target;
        (error * error, 2.0 * error * points * (1.0 - points))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::batches::{Settings, check_gradient, train};
    use crate::training::layer::plain_output;
    use crate::training::sample::random_sample;
    use crate::training::weights::Weights;
    use cassius::random::Random;

    const TASK: ValueTask = ValueTask {
        result_share: 0.3,
        score_scale: 300.0,
    };

    fn samples(count: usize, seed: u64) -> Vec<Sample> {
        let mut random = Random::new(seed);
        (0..count).map(|_| random_sample(&mut random)).collect()
    }

    /// The loss by plain formulas in double precision.
    fn plain_loss(groups: &[Vec<f64>], samples: &[Sample]) -> f64 {
        let [output, bias, input, input_bias] = groups else {
            panic!()
        };
        let sigmoid = |value: f64| 1.0 / (1.0 + (-value).exp());
        let losses = samples.iter().map(|sample| {
            let bucket = (sample.count() - 2) * bias.len() / 31;
            let value = plain_output([input, input_bias, output, bias], sample, bucket);
            let share = f64::from(TASK.result_share);
            let seen = sigmoid(f64::from(sample.score()) / f64::from(TASK.score_scale));
            let target = share * f64::from(sample.points()) + (1.0 - share) * seen;
            (sigmoid(value) - target).powi(2)
        });
        losses.sum::<f64>() / samples.len() as f64
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let samples = samples(30, 8);
        let mut weights = Weights::random(32, 2, 3);
        check_gradient(&TASK, &mut weights, &samples, |groups| {
            plain_loss(groups, &samples)
        });
    }

    #[test]
    fn threads_do_not_change_what_is_learnt() {
        let samples = samples(3000, 21);
        let learn = |threads, seed| {
            let settings = Settings {
                epochs: 2.5,
                batch: 500,
                rate: 0.001,
                seed,
                threads,
            };
            let weights = Weights::random(32, 2, seed);
            let (learn, held_back) = samples.split_at(2500);
            train(&TASK, weights, learn, held_back, &settings, &mut |_| ()).unwrap()
        };
        let once = learn(1, 5);
        assert_eq!(once, learn(2, 5));
        assert_eq!(once, learn(7, 5));
        assert_ne!(once, learn(1, 6));
    }

    #[test]
    fn material_is_learnt() {
        let worth = [100, 300, 300, 500, 900, 0];
        let samples: Vec<Sample> = samples(8000, 33)
            .iter()
            .map(|sample| {
                let pieces: Vec<_> = sample.pieces().collect();
                let worth = pieces.iter().map(|&(_, code)| {
                    let worth = worth[usize::from(code & 7)];
                    if code & 8 == 0 { worth } else { -worth }
                });
                Sample::new(&pieces, worth.sum(), 1)
            })
            .collect();
        let task = ValueTask {
            result_share: 0.0,
            score_scale: 400.0,
        };
        let settings = Settings {
            epochs: 20.0,
            batch: 256,
            rate: 0.005,
            seed: 1,
            threads: 2,
        };
        let mut losses = Vec::new();
        let weights = Weights::random(32, 2, 1);
        let (learn, held_back) = samples.split_at(7500);
        train(&task, weights, learn, held_back, &settings, &mut |it| {
            losses.push(it.held_back_loss);
        })
        .unwrap();
        assert_eq!(losses.len(), 20);
        assert!(losses[19] < 0.002, "{losses:?}");
    }
}

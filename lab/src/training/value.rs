//! Learns the value of positions, as expected points.

use std::io;

use crate::training::adam::Group;
use crate::training::batches::{Parameters, Progress, Settings, Task, train};
use crate::training::layer::{Hidden, sigmoid};
use crate::training::sample::{Features, Sample};
use crate::training::weights::{LIMIT, Weights};

/// The task whose loss is the squared difference of the expected points from a target that mixes the game's result with
/// the points of the search's score.
struct ValueTask {
    shape: Weights,
    result_share: f32,
    score_scale: f32,
}

impl ValueTask {
    /// A task for networks of the shape of `weights`.
    fn new(weights: &Weights, settings: &Settings) -> ValueTask {
        ValueTask {
            shape: weights.zero(),
            result_share: settings.result_share,
            score_scale: settings.score_scale,
        }
    }

    fn target(&self, sample: &Sample) -> f32 {
        let seen = sigmoid(f32::from(sample.score()) / self.score_scale);
        self.result_share * sample.points() + (1.0 - self.result_share) * seen
    }

    /// Fills the hidden layer; returns the expected points and their excess over the target.
    fn points(
        &self,
        weights: &Weights,
        sample: &Sample,
        features: &Features,
        hidden: &mut Hidden,
    ) -> (f32, f32) {
        hidden.fill(weights, features);
        let bucket = sample.bucket(weights.output.buckets());
        let points = sigmoid(hidden.output(&weights.output, bucket));
        (points, points - self.target(sample))
    }
}

impl Task for ValueTask {
    type Item = Sample;
    type Learnt = Weights;
    type Room = Hidden;

    fn room(&self) -> Hidden {
        Hidden::new(&self.shape)
    }

    fn loss(&self, weights: &Weights, sample: &Sample, hidden: &mut Hidden) -> f64 {
        let (_, error) = self.points(weights, sample, &Features::of(sample), hidden);
        f64::from(error * error)
    }

    fn add_gradient(
        &self,
        weights: &Weights,
        sample: &Sample,
        hidden: &mut Hidden,
        gradient: &mut Weights,
    ) -> f64 {
        let features = Features::of(sample);
        let (points, error) = self.points(weights, sample, &features, hidden);
        let slope = 2.0 * error * points * (1.0 - points);
        let bucket = sample.bucket(weights.output.buckets());
        hidden.add_gradient(weights, &features, bucket, slope, gradient);
        f64::from(error * error)
    }
}

impl Parameters for Weights {
    fn zero(&self) -> Weights {
        Weights::zero(self.hidden(), self.output.buckets())
    }

    fn parts(&self) -> Vec<&[f32]> {
        vec![
            &self.input,
            &self.input_bias,
            &self.output.weights,
            &self.output.bias,
        ]
    }

    fn groups(&mut self) -> Vec<Group<'_>> {
        let group = |weights, limit, decays| Group {
            weights,
            limit,
            decays,
        };
        vec![
            group(&mut self.input, LIMIT, true),
            group(&mut self.input_bias, LIMIT, false),
            group(&mut self.output.weights, LIMIT, true),
            group(&mut self.output.bias, f32::MAX, false),
        ]
    }
}

/// Trains the weights of a network on samples, reporting also the loss on held-back ones. The weights determine the
/// network's sizes.
pub fn train_value(
    weights: Weights,
    learn: &[Sample],
    held_back: &[Sample],
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress),
) -> io::Result<Weights> {
    let task = ValueTask::new(&weights, settings);
    train(&task, weights, learn, held_back, settings, progress)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::batches::check_gradient;
    use crate::training::sample::random_sample;
    use cassius::random::Random;

    /// Size of the hidden layer.
    const HIDDEN: usize = 32;

    fn random_weights(settings: &Settings) -> Weights {
        Weights::random(HIDDEN, settings.buckets, settings.seed)
    }

    fn settings() -> Settings {
        Settings {
            buckets: 2,
            result_share: 0.3,
            score_scale: 300.0,
            ..Settings::default()
        }
    }

    fn samples(count: usize, seed: u64) -> Vec<Sample> {
        let mut random = Random::new(seed);
        (0..count).map(|_| random_sample(&mut random)).collect()
    }

    /// The loss by plain formulas in double precision; the weights in the order of their groups.
    fn plain_loss(groups: &[Vec<f64>], samples: &[Sample], settings: &Settings) -> f64 {
        let [input, input_bias, output, output_bias] = groups else {
            panic!()
        };
        let sigmoid = |value: f64| 1.0 / (1.0 + (-value).exp());
        let losses = samples.iter().map(|sample| {
            let features = Features::of(sample);
            let bucket = (sample.count() - 2) * settings.buckets / 31;
            let mut value = output_bias[bucket];
            for (view, inputs) in [features.us(), features.them()].into_iter().enumerate() {
                for unit in 0..HIDDEN {
                    let sums = inputs
                        .iter()
                        .map(|&i| input[usize::from(i) * HIDDEN + unit]);
                    let active = (input_bias[unit] + sums.sum::<f64>())
                        .clamp(0.0, 1.0)
                        .powi(2);
                    value += active * output[(2 * bucket + view) * HIDDEN + unit];
                }
            }
            let share = f64::from(settings.result_share);
            let seen = sigmoid(f64::from(sample.score()) / f64::from(settings.score_scale));
            let target = share * f64::from(sample.points()) + (1.0 - share) * seen;
            (sigmoid(value) - target).powi(2)
        });
        losses.sum::<f64>() / samples.len() as f64
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let settings = settings();
        let samples = samples(30, 8);
        let weights = Weights::random(HIDDEN, settings.buckets, 3);
        let task = ValueTask::new(&weights, &settings);
        check_gradient(&task, &weights, &samples, |groups| {
            plain_loss(groups, &samples, &settings)
        });
    }

    #[test]
    fn threads_do_not_change_what_is_learnt() {
        let samples = samples(3000, 21);
        let learn = |threads, seed| {
            let settings = Settings {
                batch: 500,
                epochs: 2.5,
                threads,
                seed,
                ..settings()
            };
            train_value(
                random_weights(&settings),
                &samples[..2500],
                &samples[2500..],
                &settings,
                &mut |_| (),
            )
            .unwrap()
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
            .filter_map(|sample| {
                let pieces: Vec<_> = sample.pieces().collect();
                let worth = pieces.iter().map(|&(_, code)| {
                    let worth = worth[usize::from(code & 7)];
                    if code & 8 == 0 { worth } else { -worth }
                });
                Sample::new(&pieces, worth.sum(), 1)
            })
            .collect();
        let settings = Settings {
            epochs: 20.0,
            batch: 256,
            rate: 0.005,
            result_share: 0.0,
            score_scale: 400.0,
            ..settings()
        };
        let mut losses = Vec::new();
        train_value(
            random_weights(&settings),
            &samples[..7500],
            &samples[7500..],
            &settings,
            &mut |progress| {
                losses.push(progress.held_back_loss);
            },
        )
        .unwrap();
        assert_eq!(losses.len(), 20);
        assert!(losses[19] < 0.002, "{losses:?}");
    }
}

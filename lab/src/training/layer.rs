//! The network's output for a position, and the gradient of the loss.
//!
//! The inner loops run over tiles of fixed size, which compile to vector instructions.

use super::sample::{Features, Sample};
use super::weights::{Head, Numbers, TILE, Weights, zeros};

/// A tile of the hidden layer.
type Tile = [f32; TILE];

fn tiles(values: &[f32]) -> &[Tile] {
    values.as_chunks().0
}

fn tiles_mut(values: &mut [f32]) -> &mut [Tile] {
    values.as_chunks_mut().0
}

/// The hidden layer for one position.
#[derive(Clone, Debug)]
pub struct Hidden {
    features: Features,
    /// The side to move's sums, then the opponent's.
    sums: Numbers,
    /// The sums, clipped to the range from 0 to 1 and squared.
    active: Numbers,
    /// Gradient of the loss with respect to the sums.
    slopes: Numbers,
}

impl Hidden {
    /// Memory for a hidden layer of the weights' size.
    pub fn new(weights: &Weights) -> Hidden {
        let length = 2 * weights.hidden();
        Hidden {
            features: Features::default(),
            sums: zeros(length),
            active: zeros(length),
            slopes: zeros(length),
        }
    }

    /// Computes the hidden layer for a position; returns the network's output.
    pub fn of(&mut self, weights: &Weights, sample: &Sample) -> f32 {
        self.features = Features::of(sample);
        let (us, them) = self.sums.split_at_mut(weights.hidden());
        add_up(weights, self.features.us(), us);
        add_up(weights, self.features.them(), them);
        for (active, sum) in self.active.iter_mut().zip(self.sums.iter()) {
            let clipped = clip(*sum);
            *active = clipped * clipped;
        }
        let bucket = sample.bucket(weights.output.buckets());
        let row = tiles(weights.output.row(bucket));
        let mut sums = [0.0; TILE];
        for (active, weights) in tiles(&self.active).iter().zip(row) {
            for ((sum, active), weight) in sums.iter_mut().zip(active).zip(weights) {
                *sum += active * weight;
            }
        }
        sums.iter().sum::<f32>() + weights.output.bias[bucket]
    }

    /// Adds the gradient of the loss with respect to the output's weights and biases to `gradient`; `slope` is its
    /// derivative with respect to the output. The last call of [`of`](Self::of) must have been for `sample`.
    pub fn add_output_gradient(&self, sample: &Sample, slope: f32, gradient: &mut Head) {
        let bucket = sample.bucket(gradient.buckets());
        gradient.bias[bucket] += slope;
        for (gradient, active) in gradient.row_mut(bucket).iter_mut().zip(self.active.iter()) {
            *gradient += slope * active;
        }
    }

    /// Adds the gradient of all weights likewise.
    pub fn add_gradient(
        &mut self,
        weights: &Weights,
        sample: &Sample,
        slope: f32,
        gradient: &mut Weights,
    ) {
        self.add_output_gradient(sample, slope, &mut gradient.output);
        let row = weights.output.row(sample.bucket(weights.output.buckets()));
        let outputs = row.iter().zip(self.sums.iter());
        for (out, (weight, sum)) in self.slopes.iter_mut().zip(outputs) {
            let inside = if *sum < 1.0 { clip(*sum) } else { 0.0 };
            *out = 2.0 * slope * weight * inside;
        }
        let (us, them) = self.slopes.split_at(weights.hidden());
        hand_down(self.features.us(), us, gradient);
        hand_down(self.features.them(), them, gradient);
    }
}

fn clip(sum: f32) -> f32 {
    sum.clamp(0.0, 1.0)
}

/// Sums the biases and the input weights of the active inputs.
fn add_up(weights: &Weights, features: &[u16], sums: &mut [f32]) {
    let rows = tiles(&weights.input);
    let width = weights.hidden() / TILE;
    let biases = tiles(&weights.input_bias);
    for (tile, (sums, bias)) in tiles_mut(sums).iter_mut().zip(biases).enumerate() {
        let mut total = *bias;
        for &feature in features {
            let row = &rows[usize::from(feature) * width + tile];
            for (total, weight) in total.iter_mut().zip(row) {
                *total += weight;
            }
        }
        *sums = total;
    }
}

/// Backpropagates the gradient of the sums to the input weights.
fn hand_down(features: &[u16], slopes: &[f32], gradient: &mut Weights) {
    let hidden = gradient.hidden();
    add(&mut gradient.input_bias, slopes);
    for &feature in features {
        add(
            &mut gradient.input[usize::from(feature) * hidden..][..hidden],
            slopes,
        );
    }
}

fn add(sums: &mut [f32], more: &[f32]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Expected points of the side to move for a value that is the logarithm of the odds.
pub fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The network's output for a position, by plain formulas in double precision. `groups` are the weights and the biases
/// of the hidden layer, then those of the output.
#[cfg(test)]
pub(super) fn plain_output(groups: [&[f64]; 4], sample: &Sample, bucket: usize) -> f64 {
    let [input, input_bias, output, bias] = groups;
    let (features, hidden) = (Features::of(sample), input_bias.len());
    let mut sum = bias[bucket];
    for (view, inputs) in [features.us(), features.them()].into_iter().enumerate() {
        for unit in 0..hidden {
            let inputs = inputs.iter().map(|&it| usize::from(it));
            let active = inputs.map(|it| input[it * hidden + unit]);
            let active = (input_bias[unit] + active.sum::<f64>()).clamp(0.0, 1.0);
            sum += active.powi(2) * output[(2 * bucket + view) * hidden + unit];
        }
    }
    sum
}

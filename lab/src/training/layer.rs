//! The network's output for a position, and its gradient.
//!
//! The inner loops run over tiles of fixed size, which compile to vector instructions.

use crate::training::sample::Features;
use crate::training::weights::{Head, Numbers, TILE, Weights, zeros};

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
    /// The side to move's sums, then the opponent's.
    sums: Numbers,
    /// The sums between 0 and 1, squared.
    active: Numbers,
    /// Gradient with respect to the sums.
    slopes: Numbers,
}

impl Hidden {
    /// Memory for a hidden layer of the weights' size.
    pub fn new(weights: &Weights) -> Hidden {
        let length = 2 * weights.hidden();
        Hidden {
            sums: zeros(length),
            active: zeros(length),
            slopes: zeros(length),
        }
    }

    /// Computes the hidden layer for a position.
    pub fn fill(&mut self, weights: &Weights, features: &Features) {
        let (us, them) = self.sums.split_at_mut(weights.hidden());
        add_up(weights, features.us(), us);
        add_up(weights, features.them(), them);
        for (active, sum) in self.active.iter_mut().zip(self.sums.iter()) {
            let clipped = clip(*sum);
            *active = clipped * clipped;
        }
    }

    /// The output of a head.
    pub fn output(&self, head: &Head, bucket: usize) -> f32 {
        let mut sums = [0.0; TILE];
        for (active, weights) in tiles(&self.active).iter().zip(tiles(head.row(bucket))) {
            for ((sum, active), weight) in sums.iter_mut().zip(active).zip(weights) {
                *sum += active * weight;
            }
        }
        sums.iter().sum::<f32>() + head.bias[bucket]
    }

    /// Adds the gradient of a head's weights to `gradient`; `slope` is the gradient with respect to the output.
    pub fn add_head_gradient(&self, slope: f32, bucket: usize, gradient: &mut Head) {
        gradient.bias[bucket] += slope;
        for (gradient, active) in gradient.row_mut(bucket).iter_mut().zip(self.active.iter()) {
            *gradient += slope * active;
        }
    }

    /// Adds the gradient of all weights to `gradient`; `slope` is the gradient with respect to the value.
    pub fn add_gradient(
        &mut self,
        weights: &Weights,
        features: &Features,
        bucket: usize,
        slope: f32,
        gradient: &mut Weights,
    ) {
        self.add_head_gradient(slope, bucket, &mut gradient.output);
        let outputs = weights.output.row(bucket).iter().zip(self.sums.iter());
        for (out, (weight, sum)) in self.slopes.iter_mut().zip(outputs) {
            let inside = if *sum < 1.0 { clip(*sum) } else { 0.0 };
            *out = 2.0 * slope * weight * inside;
        }
        let (us, them) = self.slopes.split_at(weights.hidden());
        for (features, slopes) in [(features.us(), us), (features.them(), them)] {
            hand_down(features, slopes, gradient);
        }
    }
}

fn clip(sum: f32) -> f32 {
    sum.clamp(0.0, 1.0)
}

/// Sums the input weights of the active inputs.
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

/// Expected points of the side to move for a value.
pub fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

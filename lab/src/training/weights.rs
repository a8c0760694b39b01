//! The weights of the network, and their initial values.

use aligned_vec::{AVec, ConstAlign, avec};

use super::adam::Group;
use cassius::games::chess::network::weights::INPUTS;
use cassius::random::Random;

/// The size of the hidden layer is a multiple of this.
pub const TILE: usize = 32;
/// Largest absolute weight of either layer. As 64ths, an output weight times an activation of 255 still fits 16 bits.
pub const LIMIT: f32 = 1.98;
/// Number of active inputs for which initial weights are scaled.
const USUAL_INPUTS: f32 = 32.0;

/// Numbers aligned to a cache line: vectors that straddle two lines are much slower.
pub type Numbers = AVec<f32, ConstAlign<64>>;

/// `length` zeros.
pub fn zeros(length: usize) -> Numbers {
    avec!([64]| 0.0; length)
}

/// A linear output of the activations, with weights for each bucket.
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    /// For each bucket the weights of the own activations, then of the opponent's.
    pub weights: Numbers,
    /// One for each bucket.
    pub bias: Numbers,
}

impl Head {
    /// A head with output 0.
    pub fn zero(hidden: usize, buckets: usize) -> Head {
        Head {
            weights: zeros(2 * hidden * buckets),
            bias: zeros(buckets),
        }
    }

    /// Size of the hidden layer, for either side.
    pub fn hidden(&self) -> usize {
        self.weights.len() / (2 * self.buckets())
    }

    /// Number of buckets.
    pub fn buckets(&self) -> usize {
        self.bias.len()
    }

    /// A bucket's weights.
    pub fn row(&self, bucket: usize) -> &[f32] {
        let length = self.weights.len() / self.bias.len();
        &self.weights[bucket * length..][..length]
    }

    /// A bucket's weights, mutable.
    pub fn row_mut(&mut self, bucket: usize) -> &mut [f32] {
        let length = self.weights.len() / self.bias.len();
        &mut self.weights[bucket * length..][..length]
    }
}

/// The weights of the network; the gradient has the same shape.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// Weights from each input to the hidden layer.
    pub input: Numbers,
    /// Biases of the hidden layer.
    pub input_bias: Numbers,
    /// The value output, in units that multiply the odds by e.
    pub output: Head,
}

impl Weights {
    /// Weights of 0. `hidden` is rounded up to a multiple of [`TILE`]; there is at least one bucket.
    pub fn zero(hidden: usize, buckets: usize) -> Weights {
        let hidden = hidden.max(1).next_multiple_of(TILE);
        Weights {
            input: zeros(INPUTS * hidden),
            input_bias: zeros(hidden),
            output: Head::zero(hidden, buckets.max(1)),
        }
    }

    /// Random initial weights, uniform up to one over the root of the number of inputs.
    pub fn random(hidden: usize, buckets: usize, seed: u64) -> Weights {
        let mut weights = Weights::zero(hidden, buckets);
        let mut random = Random::new(seed);
        let input_width = USUAL_INPUTS.sqrt().recip();
        let output_width = (2.0 * weights.hidden() as f32).sqrt().recip();
        let input = weights.input.iter_mut();
        for weight in input.chain(weights.input_bias.iter_mut()) {
            *weight = random.within(input_width);
        }
        for weight in weights.output.weights.iter_mut() {
            *weight = random.within(output_width);
        }
        weights
    }

    /// Size of the hidden layer.
    pub fn hidden(&self) -> usize {
        self.input_bias.len()
    }

    /// This hidden layer with another output.
    pub fn with_output(&self, output: Head) -> Weights {
        Weights {
            output,
            ..self.clone()
        }
    }

    /// The weights in groups: the output's, and those of the hidden layer if wanted.
    pub fn groups(&mut self, with_hidden: bool) -> Vec<Group<'_>> {
        let group = |weights, limit, decays| Group {
            weights,
            limit,
            decays,
        };
        let mut groups = vec![
            group(&mut self.output.weights, LIMIT, true),
            group(&mut self.output.bias, f32::MAX, false),
        ];
        if with_hidden {
            groups.push(group(&mut self.input, LIMIT, true));
            groups.push(group(&mut self.input_bias, LIMIT, false));
        }
        groups
    }
}

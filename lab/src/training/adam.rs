//! The optimiser: `AdamW` (Loshchilov and Hutter, 2019), with bounded weights.

/// Decay of the mean gradient per step (beta 1).
const MEAN_DECAY: f64 = 0.9;
/// Decay of the mean squared gradient per step (beta 2).
const SQUARE_DECAY: f64 = 0.999;
/// Fraction of a weight lost at each step, in units of the rate.
const WEIGHT_DECAY: f32 = 0.01;
/// Keeps steps finite when all gradients so far are 0 (epsilon).
const SMALLEST: f32 = 1e-8;

/// Parameters of a step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    rate: f32,
    /// Corrects the bias of the means, which begin at 0.
    unbias: f32,
    unbias_square: f32,
}

impl Step {
    /// Step `number`, from 1, at a rate, which is about the distance that each weight moves.
    pub fn new(number: u64, rate: f64) -> Step {
        let unbias = |decay: f64| (1.0 - decay.powf(number as f64)).recip() as f32;
        Step {
            rate: rate as f32,
            unbias: unbias(MEAN_DECAY),
            unbias_square: unbias(SQUARE_DECAY),
        }
    }
}

/// Running means of the gradients of a group of weights, and of their squares.
#[derive(Clone, Debug)]
pub struct Moments {
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// Weights with the same treatment.
#[derive(Debug)]
pub struct Group<'a> {
    pub weights: &'a mut [f32],
    /// Largest absolute value.
    pub limit: f32,
    /// Whether weight decay applies.
    pub decays: bool,
}

impl Moments {
    /// Zero means for `length` weights.
    pub fn new(length: usize) -> Moments {
        Moments {
            mean: vec![0.0; length],
            square: vec![0.0; length],
        }
    }

    /// Moves the weights one step against the gradient.
    pub fn step(&mut self, step: Step, group: &mut Group<'_>, gradient: &[f32]) {
        let (decay, square_decay) = (MEAN_DECAY as f32, SQUARE_DECAY as f32);
        let kept = if group.decays {
            1.0 - step.rate * WEIGHT_DECAY
        } else {
            1.0
        };
        let moments = self.mean.iter_mut().zip(&mut self.square);
        let weights = group.weights.iter_mut().zip(gradient);
        for ((mean, square), (weight, slope)) in moments.zip(weights) {
            *mean = decay * *mean + (1.0 - decay) * slope;
            *square = square_decay * *square + (1.0 - square_decay) * slope * slope;
            let size = (*square * step.unbias_square).sqrt() + SMALLEST;
            let moved = kept * *weight - step.rate * (*mean * step.unbias) / size;
            *weight = moved.clamp(-group.limit, group.limit);
        }
    }
}

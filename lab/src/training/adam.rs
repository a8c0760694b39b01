//! The optimiser: `AdamW` (Loshchilov and Hutter, 2019), with weights kept within limits.

/// Share of the mean gradient that stays from one step to the next.
const MEAN_DECAY: f64 = 0.9;
/// The same for the mean of its square.
const SQUARE_DECAY: f64 = 0.999;
/// Share of a weight that is lost at each step, in units of the rate.
const WEIGHT_DECAY: f32 = 0.01;
/// Keeps steps finite where the gradient has always been 0.
const SMALLEST: f32 = 1e-8;

/// How a step is made.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    rate: f32,
    /// What makes up for the means' having begun at 0.
    unbias: f32,
    unbias_square: f32,
}

impl Step {
    /// The step of this number, from 1, at a rate: about how far it moves each weight.
    pub fn new(number: u64, rate: f64) -> Step {
        let unbias = |decay: f64| (1.0 - decay.powf(number as f64)).recip() as f32;
        Step {
            rate: rate as f32,
            unbias: unbias(MEAN_DECAY),
            unbias_square: unbias(SQUARE_DECAY),
        }
    }
}

/// What is remembered of the gradients of some weights.
#[derive(Clone, Debug)]
pub struct Moments {
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// Weights that are treated alike, with their gradient.
#[derive(Debug)]
pub struct Group<'a> {
    pub weights: &'a mut [f32],
    /// Largest size they may have.
    pub limit: f32,
    /// Whether they are drawn towards 0.
    pub decays: bool,
}

impl Moments {
    /// Nothing yet, of this many weights.
    pub fn new(length: usize) -> Moments {
        Moments {
            mean: vec![0.0; length],
            square: vec![0.0; length],
        }
    }

    /// Moves the weights one step down their gradient.
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

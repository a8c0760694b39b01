//! Conversion of learnt weights to the playing network, in integers, and back.

use crate::training::weights::{Head, Weights};
use cassius::games::chess::network::weights::{
    ACTIVE, FormatError, MOST_OUTPUT_WEIGHT, MOST_SHIFT, Network, OUTPUT_UNIT, Output, Sums,
};

/// Largest absolute output weight.
const MOST_OUTPUT: f32 = MOST_OUTPUT_WEIGHT as f32;

/// The network in integers; `centipawns` is the value of an output of 1.
///
/// # Errors
/// If a weight is not finite or is out of range.
pub fn quantised(weights: &Weights, centipawns: i32) -> Result<Network, FormatError> {
    let Head {
        weights: outputs,
        bias,
    } = &weights.output;
    let all = [&weights.input, &weights.input_bias, outputs, bias];
    if !all.iter().all(|part| part.iter().all(|it| it.is_finite())) {
        return Err(FormatError::NotFinite);
    }
    let rounded = |weight: f32| (weight * ACTIVE as f32).round() as i16;
    let hidden = weights.hidden();
    let rows = weights.input.chunks(hidden);
    let input = rows.map(|row| padded(row, rounded)).collect();
    let input_bias = padded(&weights.input_bias, rounded);
    let value = output(&weights.output);
    Network::new(hidden, input, input_bias, value, centipawns, None)
}

/// The weights of a row, rounded, and zeros behind them.
fn padded(row: &[f32], rounded: impl Fn(f32) -> i16) -> Sums {
    let weight = |unit| row.get(unit).map_or(0, |&weight| rounded(weight));
    Sums(std::array::from_fn(weight))
}

/// An output with the largest shift at which its weights fit.
pub fn output(head: &Head) -> Output {
    let sizes = head.weights.iter().map(|it| it.abs());
    let most = sizes.fold(0.0, f32::max);
    let fits = |shift: &u32| most * (OUTPUT_UNIT << shift) as f32 <= MOST_OUTPUT;
    let shift = (0..=MOST_SHIFT).rev().find(fits).unwrap_or(0);
    let unit = (OUTPUT_UNIT << shift) as f32;
    let rounded = |weight: f32| (weight * unit).round().clamp(-MOST_OUTPUT, MOST_OUTPUT) as i16;
    let hidden = head.hidden();
    let halves = |weights: &[f32]| {
        let (own, others) = weights.split_at(hidden);
        [padded(own, rounded), padded(others, rounded)]
    };
    let bias = |bias: &f32| (bias * unit * ACTIVE as f32).round() as i32;
    Output {
        weights: head.weights.chunks(2 * hidden).map(halves).collect(),
        bias: head.bias.iter().map(bias).collect(),
        shift,
    }
}

/// The weights of a network, with `centipawns` for an output of 1.
pub fn dequantised(network: &Network, centipawns: i32) -> Weights {
    let mut weights = Weights::zero(network.hidden, network.value.bias.len());
    let hidden = weights.hidden();
    let active = ACTIVE as f32;
    for (row, sums) in weights.input.chunks_mut(hidden).zip(&network.input) {
        copy(row, sums, active);
    }
    copy(&mut weights.input_bias, &network.input_bias, active);
    // The same centipawns on another scale.
    let unit = network.value.unit() as f32 * centipawns as f32 / network.centipawns as f32;
    let rows = weights.output.weights.chunks_mut(2 * hidden);
    for (row, halves) in rows.zip(&network.value.weights) {
        for (row, half) in row.chunks_mut(hidden).zip(halves) {
            copy(row, half, unit / active);
        }
    }
    for (bias, &number) in weights.output.bias.iter_mut().zip(&network.value.bias) {
        *bias = number as f32 / unit;
    }
    weights
}

fn copy(weights: &mut [f32], numbers: &Sums, unit: f32) {
    for (weight, &number) in weights.iter_mut().zip(&numbers.0) {
        *weight = f32::from(number) / unit;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::training::data::sample;
    use crate::training::layer::Hidden;
    use crate::training::sample::Sample;
    use cassius::game::Game;
    use cassius::games::chess::Position;
    use cassius::games::chess::network::Learnt;
    use cassius::games::chess::network::weights::HIDDEN;
    use cassius::random::Random;
    use cassius::value::Value;

    /// The value of a sample by the weights.
    fn value(weights: &Weights, sample: &Sample) -> f32 {
        Hidden::new(weights).of(weights, sample)
    }

    #[test]
    fn the_network_that_plays_says_what_the_weights_say() {
        let mut random = Random::new(5);
        for (hidden, buckets) in [(HIDDEN, 1), (32, 4), (256, 8)] {
            let weights = Weights::random(hidden, buckets, buckets as u64);
            let network = Arc::new(quantised(&weights, 400).unwrap());
            let again = dequantised(&network, network.centipawns);
            let mut evaluation = Learnt::new(network);
            let mut position = Position::initial();
            for _ in 0..40 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
                let sample = sample(&position, Value::DRAW, 0.5);
                let exact = 400.0 * value(&weights, &sample);
                let rounded = evaluation.value(&position) as f32;
                assert!((exact - rounded).abs() < 5.0, "{exact} {rounded}");
                let back = 400.0 * value(&again, &sample);
                assert!((back - rounded).abs() < 1.5, "{back} {rounded}");
            }
        }
    }
}

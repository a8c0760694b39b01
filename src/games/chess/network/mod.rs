//! A network that estimates the value of a position, and the width of the error of that estimate.
//!
//! Each side sees the board from its own end, mirrored if its king stands on the files e to h. The network has an input
//! for each kind of own and opposing pieces on each square; a hidden layer of at most [`HIDDEN`] units, with the same
//! weights for both sides; squared clipped rectified activations; and two outputs with weights by the number of pieces:
//! the value, and the logarithm of the width of its error. All weights are integers. Efficiently updatable networks are
//! Y. Nasu's idea (2018).
//!
//! [`weights`] reads a network, `accumulators` updates the hidden layer from position to position,
//! [`Learnt`] is the evaluation. docs/evaluation.md tells how the network was made.

mod accumulators;
pub mod weights;

use std::sync::Arc;

use fearless_simd::{Simd, dispatch};

use super::Position;
use super::endings::adjusted_for_endings;
use crate::value::Value;
use accumulators::Accumulators;
use weights::{ACTIVE, HIDDEN, Output, Sums, bucket};

pub use weights::{FormatError, Network};

/// Least and greatest logarithm of a width in centipawns: 1 to about 3,000 centipawns.
pub const LOG_WIDTHS: (f32, f32) = (0.0, 8.0);

/// The evaluation by a network, with caches of recent positions.
#[derive(Clone, Debug)]
pub struct Learnt {
    network: Arc<Network>,
    accumulators: Accumulators,
    values: Cache,
}

impl Learnt {
    /// The evaluation by this network.
    pub fn new(network: Arc<Network>) -> Learnt {
        Learnt {
            accumulators: Accumulators::new(&network),
            values: Cache::new(),
            network,
        }
    }

    /// The value for the side to move in centipawns, without any look ahead.
    pub fn value(&mut self, position: &Position) -> i32 {
        let key = position.zobrist_key();
        if let Some(value) = self.values.get(key) {
            return value.into();
        }
        let output = output(
            &self.network,
            &self.network.value,
            &mut self.accumulators,
            position,
        );
        let centipawns = i64::from(output) * i64::from(self.network.centipawns)
            / i64::from(self.network.value.unit());
        let limit = i64::from(Value::MAX_CENTIPAWNS);
        let value = adjusted_for_endings(position, centipawns.clamp(-limit, limit) as i32);
        self.values.set(key, value as i16);
        value
    }

    /// The width of the error of a quiescence search's value, in centipawns, as the scale of a logistic distribution.
    /// `None` if the network has no output for it.
    pub fn width(&mut self, position: &Position) -> Option<f32> {
        let scale = self.network.scale.as_ref()?;
        let output = output(&self.network, scale, &mut self.accumulators, position);
        let logarithm = output as f32 / scale.unit() as f32;
        Some(logarithm.clamp(LOG_WIDTHS.0, LOG_WIDTHS.1).exp())
    }
}

/// Binary logarithm of the number of entries of a [`Cache`].
const CACHE_BITS: u32 = 15;

/// A cache of values by key: searches ask for the same position again and again. An entry holds the upper 48 bits of the
/// key, and the value in the lower 16. The lowest [`CACHE_BITS`] bits of the key are the entry's index.
#[derive(Clone, Debug)]
struct Cache {
    entries: Box<[u64]>,
}

impl Cache {
    fn new() -> Cache {
        Cache {
            entries: vec![0; 1 << CACHE_BITS].into_boxed_slice(),
        }
    }

    /// The value stored for `key`.
    #[inline]
    fn get(&self, key: u64) -> Option<i16> {
        let entry = self.entries[Cache::slot(key)];
        ((entry ^ key) >> 16 == 0).then_some(entry as i16)
    }

    /// Stores a value.
    #[inline]
    fn set(&mut self, key: u64, value: i16) {
        self.entries[Cache::slot(key)] = key >> 16 << 16 | u64::from(value as u16);
    }

    #[inline]
    fn slot(key: u64) -> usize {
        key as usize & ((1 << CACHE_BITS) - 1)
    }
}

/// An output for a position, in its units, by the widest vectors that the processor has.
fn output(
    network: &Network,
    output: &Output,
    accumulators: &mut Accumulators,
    position: &Position,
) -> i32 {
    dispatch!(accumulators.level, simd => output_by(simd, network, output, accumulators, position))
}

/// [`output`] by vectors of one kind. All functions below that work on vectors must be inlined here: elsewhere the
/// compiler may use only the instructions that every processor has.
#[inline(always)]
fn output_by<S: Simd>(
    _: S,
    network: &Network,
    output: &Output,
    accumulators: &mut Accumulators,
    position: &Position,
) -> i32 {
    let [us, them] = accumulators.of(network, position);
    let bucket = bucket(position.occupied().count(), output.bias.len());
    let [own, others] = &output.weights[bucket];
    let sum = weighted(us, own) + weighted(them, others);
    (sum / i64::from(ACTIVE)) as i32 + output.bias[bucket]
}

/// Number of hidden units whose weighted sum fits 32 bits.
const PART: usize = 256;

/// The sum of squared activations times weights. An activation times a weight (at most 127) fits 16 bits, and
/// the sum over [`PART`] units fits 32.
#[inline(always)]
fn weighted(sums: &Sums, weights: &Sums) -> i64 {
    const { assert!(PART as i64 * 127 * (ACTIVE as i64) * (ACTIVE as i64) <= i32::MAX as i64) };
    const { assert!(HIDDEN.is_multiple_of(PART)) };
    let (sums, weights) = (sums.0.as_chunks::<PART>().0, weights.0.as_chunks().0);
    let parts = sums.iter().zip(weights);
    parts
        .map(|(sums, weights)| {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            let part = weighted_by_dots(sums, weights);
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            let part = weighted_by_loop(sums, weights);
            i64::from(part)
        })
        .sum()
}

/// A part of [`weighted`] by WebAssembly's dot product of pairs, which the compiler does not find by itself.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn weighted_by_dots(sums: &[i16; PART], weights: &[i16; PART]) -> i32 {
    use std::arch::wasm32::{
        i16x8, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4, i32x4_add, i32x4_dot_i16x8,
        i32x4_extract_lane,
    };
    let (none, all) = (i16x8_splat(0), i16x8_splat(ACTIVE as i16));
    let mut total = i32x4(0, 0, 0, 0);
    let (sums, weights) = (sums.as_chunks::<8>().0, weights.as_chunks::<8>().0);
    for (&[a, b, c, d, e, f, g, h], &[i, j, k, l, m, n, o, p]) in sums.iter().zip(weights) {
        let sums = i16x8(a, b, c, d, e, f, g, h);
        let weights = i16x8(i, j, k, l, m, n, o, p);
        let active = i16x8_min(i16x8_max(sums, none), all);
        let dots = i32x4_dot_i16x8(i16x8_mul(active, weights), active);
        total = i32x4_add(total, dots);
    }
    i32x4_extract_lane::<0>(total)
        + i32x4_extract_lane::<1>(total)
        + i32x4_extract_lane::<2>(total)
        + i32x4_extract_lane::<3>(total)
}

/// A part of [`weighted`] as a plain loop, which the compiler vectorizes.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn weighted_by_loop(sums: &[i16; PART], weights: &[i16; PART]) -> i32 {
    let mut total = 0_i32;
    for (&sum, &weight) in sums.iter().zip(weights.iter()) {
        let active = sum.clamp(0, ACTIVE as i16);
        let product = active.wrapping_mul(weight);
        total = total.wrapping_add(i32::from(product) * i32::from(active));
    }
    total
}

#[cfg(test)]
mod tests;

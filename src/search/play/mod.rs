//! The searches that play: depth-first conspiracy-number search, and alpha-beta for comparison; statistics of moves and
//! static values for both.

pub mod alpha_beta;
pub(crate) mod correction;
pub mod depth_first;
pub(crate) mod history;
mod learnt;
pub(crate) mod ordering;
mod statistics;
#[cfg(test)]
mod tests;

use crate::value::Value;

/// Whether the static value at `ply` is known to be larger than at this side's last turn: if so, the side has moves
/// that work.
#[inline]
fn has_risen(ply: usize, static_value_at: impl Fn(usize) -> Option<Value>) -> bool {
    let before = ply.checked_sub(2).and_then(&static_value_at);
    matches!((before, static_value_at(ply)), (Some(before), Some(now)) if now > before)
}

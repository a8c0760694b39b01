//! What more thinking is likely to change: how probable it is that the move chosen stays the choice, and that
//! its value stays within half a pawn, if so many times the effort is spent ([`MORE_EFFORT`]).
//!
//! A [`Course`] follows a search from iteration to iteration. What it has seen becomes [`features`], numbers that
//! say how settled the search is; a [`model`] turns them into an [`Outlook`]. The numbers of the model
//! were learnt from searches that went on (`weights`): lab/docs/outlook.md says how, and how true they are.
//!
//! They hold for the search and the evaluation they were learnt from. Others settle in another way, so [`Course`]
//! is for the default search alone.

pub mod course;
pub mod features;
pub mod model;
pub(crate) mod weights;

pub use course::{Course, Scene};
pub use model::Outlook;

/// The outlook is for so many times the effort, in nodes.
pub const MORE_EFFORT: u64 = 16;

/// A value *stays* if it changes by so many centipawns at most.
pub const NEAR: i32 = 50;

/// Values count up to this, in centipawns: beyond, and where the game is decided, nothing is left to change.
pub(crate) const MOST: i32 = 1_500;

/// A value in centipawns as far as it counts.
pub fn counted(value: crate::value::Value) -> i32 {
    i32::from(value.get()).clamp(-MOST, MOST)
}

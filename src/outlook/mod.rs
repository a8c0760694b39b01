//! Expected changes by more thinking: the probability that the chosen move stays, and that its value stays within half
//! a pawn, when the effort is multiplied by [`MORE_EFFORT`].
//!
//! A [`SearchHistory`] follows a search from iteration to iteration and computes [`features`], numbers that tell its
//! stability; a [`model`] turns them into an [`Outlook`]. The model's weights were learnt from longer searches
//! (`weights`): lab/docs/outlook.md has the method and the accuracy.
//!
//! They hold for the search and the evaluation they were learnt from. Others stabilise differently, so
//! [`SearchHistory`] is for the default search only.

pub mod features;
pub mod history;
pub mod model;
pub(crate) mod weights;

pub use history::{Scene, SearchHistory};
pub use model::Outlook;

/// Factor of effort, in nodes, for which the outlook holds.
pub const MORE_EFFORT: u64 = 16;

/// Largest change of a value that *stays*, in centipawns.
pub const NEAR: i32 = 50;

/// Cap on values, in centipawns: beyond, and in decided games, changes do not matter.
pub(crate) const MOST: i32 = 1_500;

/// A value in centipawns, clamped to the cap.
pub fn counted(value: crate::value::Value) -> i32 {
    i32::from(value.get()).clamp(-MOST, MOST)
}

//! The trainer: a network from Cassius's own games.
//!
//! 1. [`data`] takes samples from recorded games ([`super::selfplay`]).
//! 2. [`value`] learns what a position is worth, [`scale`] on top of the same activations how far that
//!    may be wrong; both go through the batches of [`batches`] with the steps of [`adam`].
//! 3. [`quantise`] rounds what is learnt to the network that plays
//!    ([`network`](cassius::games::chess::network)).
//!
//! [`layer`] is the network itself, [`weights`] its numbers, [`sample`] what it sees of a position. Nothing is
//! left to chance: the same games and the same seed give the same network. docs/evaluation.md keeps the
//! recipe.

pub mod adam;
pub mod batches;
pub mod calibration;
pub mod command;
pub mod data;
pub mod layer;
pub mod quantise;
pub mod sample;
pub mod scale;
pub mod value;
pub mod weights;

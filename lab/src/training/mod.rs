//! The trainer: networks from Cassius's own games.
//!
//! 1. [`data`] takes samples from recorded games ([`super::selfplay`]).
//! 2. [`value`] learns the value of positions, [`scale`] on top of the same activations the size of its errors; both
//!    use the batches of [`batches`] with the steps of [`adam`].
//! 3. [`quantise`] rounds what is learnt to the network that plays ([`network`](cassius::games::chess::network)).
//!
//! [`layer`] computes the network, [`weights`] has its weights, [`sample`] its inputs. Training is deterministic: the
//! same games and seed give the same network. docs/evaluation.md has the recipe.

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

//! Effects of more thinking: recorded searches, and a model learnt from them for [`cassius::outlook`].
//!
//! [`sampling`] searches positions of recorded games and writes each search as a [`record`]; [`snapshots`] turns that
//! into cases to learn from. [`fit`] learns the model's weights, [`judging`] measures its accuracy on games held back,
//! [`command`] does both. [`marks`] learns likewise how often a mark on a move is right.

pub mod command;
pub mod fit;
pub mod judging;
pub mod marks;
pub mod record;
pub mod sampling;
pub mod snapshots;

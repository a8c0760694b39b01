//! Effects of more thinking: searches to the end, and a model learnt from them for
//! [`cassius::outlook`].
//!
//! [`sampling`] draws positions of recorded games and writes down how searches of them went,
//! [`record`] is what it writes. [`fit`] learns the model's numbers, [`judging`] says how true they are on games held back, [`command`]
//! does both. [`marks`] learns likewise how often a mark on a move is right.

pub mod command;
pub mod fit;
pub mod judging;
pub mod marks;
pub mod record;
pub mod sampling;
pub mod snapshots;

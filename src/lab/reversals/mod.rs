//! Where a search spends its nodes, and how often its answers there are overturned.
//!
//! [`sampling`] watches searches of positions from recorded games, and has a judge with much more effort answer some
//! of their questions again; [`record`] is what it writes. [`rates`] makes tables of it: by class of move and by
//! what was demanded, the share of the nodes, how many answers are overturned, and what a node spent there finds.
//! [`foretelling`] learns what tells which answers are overturned.

pub mod foretelling;
pub mod rates;
pub mod record;
pub mod sampling;

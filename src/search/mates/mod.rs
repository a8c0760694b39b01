//! Forced wins: the search that looks for nothing else, and the moves that are missing from a line to a mate.

pub(in crate::search) mod mate_line;
pub mod proof_number;

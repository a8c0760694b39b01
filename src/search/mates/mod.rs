//! Forced wins: proof-number search, and completing lines to a mate.

pub(in crate::search) mod mate_line;
pub mod proof_number;

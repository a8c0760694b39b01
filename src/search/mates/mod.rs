//! Forced wins: proof-number search, and completing and shortening lines to a mate.

pub(crate) mod mate_line;
pub mod proof_number;

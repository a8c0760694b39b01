//! The search with unit costs: exactly the papers' numbers. Every leaf is one conspirator, and conspirators add up.
//!
//! - `root`: questions about the root.
//! - `node`: one position and one question.

pub(super) mod node;
mod root;

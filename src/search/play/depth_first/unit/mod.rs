//! The search with unit costs: the papers' numbers exactly. Every leaf is one conspirator, conspirators add
//! up.
//!
//! - `root`: how the root is asked.
//! - `node`: one position and one question.

pub(super) mod node;
mod root;

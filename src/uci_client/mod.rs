//! A UCI client: other engines, started, asked and ended.
//!
//! An `engine` is a `process` (a `child` of ours) whose output a `conversation` parses.

mod child;
pub(crate) mod conversation;
pub(crate) mod engine;
pub(crate) mod process;

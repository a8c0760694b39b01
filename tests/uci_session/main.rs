//! Whole UCI sessions against the built binary: what GUIs, match runners and people at a terminal
//! expect of an engine.

// Helpers of tests are tests.
#![allow(clippy::unwrap_used)]

mod conversation;
mod engine;
mod info;
mod limits;
mod options;
mod strength;
mod torture;

//! Whole UCI sessions against the built binary: what GUIs, match runners and people at a terminal
//! expect of an engine.

mod conversation;
mod dialogues;
mod engine;
mod info;
mod limits;
#[cfg(target_os = "linux")]
mod memory;
mod options;
mod strength;
mod torture;

//! The UCI front end: the engine as a GUI, a match runner or a person at a terminal sees it.
//!
//! [`command`] turns lines into commands, [`options`] tells what can be set,
//! `time` turns clocks into limits, which `stability` moves as the search goes, `info` turns
//! reports into lines, [`crate::wdl`] values into chances, `observer` stands
//! between a running search and all of these, `control` tells the search to stop, `plan` is what a `go` asks for, `job` the search
//! that leads to its move, and
//! `session` is the loop that ties them together.

pub mod command;
mod control;
pub(crate) mod info;
mod job;
pub(crate) mod observer;
pub mod options;
pub(crate) mod output;
mod plan;
pub(crate) mod session;
pub(crate) mod stability;
pub(crate) mod time;

pub use session::{Hosted, Work, run};

//! The UCI front end, for GUIs, match runners and terminals.
//!
//! - Input: [`command`] parses lines, [`options`] declares and sets options, `session` is the event loop.
//! - A search: `plan` makes its limits from `go`, `time` computes time limits from the clock, `stability` adjusts them
//!   during the search; `job` runs and stops it.
//! - Output: `observer` receives the search's reports, `info` formats them, `output` writes lines.

pub mod command;
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

//! The UCI front end, for GUIs, match runners and terminals.
//!
//! - Input: [`command`] parses lines, [`options`] declares and sets options, `session` is the event loop.
//! - A search: `plan` makes its limits from `go`, `time_limits` computes its times from the clock, `stability` adjusts them
//!   during the search; `job` runs it on a thread of its own.
//! - `observer` ends the search by the clock or on `stop`, and receives its reports.
//! - Output: `info` formats reports, `output` writes lines.

pub mod command;
pub(crate) mod info;
mod job;
pub(crate) mod observer;
pub mod options;
pub(crate) mod output;
mod plan;
pub(crate) mod session;
pub(crate) mod stability;
pub(crate) mod time_limits;

pub use session::{Hosted, Work, run};

//! Trees to look at: `cassius explore`.
//!
//! - `record`: a tree as it is written, with all that is known of each node;
//! - `page`: the same tree in a browser, beside a board;
//! - [`growing`]: from a position to the page;
//! - `command`: from options to files.

#[cfg(feature = "cli")]
pub(crate) mod command;
pub mod growing;
pub(crate) mod page;
pub(crate) mod record;
#[cfg(test)]
mod tests;

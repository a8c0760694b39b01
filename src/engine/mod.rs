//! Code that the front ends share: chess searches set up for a user.
//!
//! UCI sessions, suites, analyses, the benchmark and the laboratory are front ends. Each chooses a
//! search, its memory and its limit, and shows its reports; none uses another for that.
//!
//! - [`settings`]: the settings of a search, from which it builds the searcher; `options` is the table
//!   of user options, [`spec`] reads a search with options from the command line.
//! - [`fault`]: panics of a search, turned into errors.
//! - [`memory`]: limits on memory, and the check that the machine has it.
//! - [`limit`]: limits of a search; [`stopwatch`] enforces that of time.
//! - [`mod@outlook`]: probabilities that more thinking changes the move or the value.
//! - [`tracker`]: what a search has reported so far.
//! - [`strength`]: play at a limited strength, and its scale in Elo.
//! - `analyst`: the profile of a position, with the certainty of its value; `kept_tree` the whole tree behind it.

pub mod analyst;
pub mod fault;
pub(crate) mod kept_tree;
pub mod limit;
pub mod memory;
pub(crate) mod options;
pub mod outlook;
pub mod settings;
pub mod spec;
pub mod stopwatch;
pub mod strength;
pub mod tracker;

//! The engine room: what the front ends have in common, all of them about chess and about a search that
//! somebody has asked for.
//!
//! UCI sessions, suites, analyses, the benchmark and the laboratory are front ends. Each names a
//! search, gives it memory and a limit, and shows what it says; none of them needs another for that.
//!
//! - [`settings`]: what is searched with, and how a searcher comes of it; `options` is the one table
//!   of the options that change it, and [`spec`] a search with options as the command line names it.
//! - [`fault`]: what a panic of a search costs, and how it is told.
//! - [`memory`]: how much memory searches may ask for, and whether the machine has it.
//! - [`limit`]: what ends a search; [`stopwatch`] keeps the part of it that is time.
//! - [`mod@outlook`]: for which searches it is known what more thinking is likely to change.
//! - [`strength`]: play at a limited strength, and its scale in Elo.
//! - `analyst`: a position's profile, how sure its value is and why; `kept_tree` the whole tree behind it.

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

//! What the search with unit costs and the graded one share.
//!
//! Each of these uses those below it only (`tests/architecture.rs` holds that):
//!
//! - `driver`: demands, the root, reports, and what a search must bring of its own.
//! - `line`: principal variations.
//! - `sharing`: one question at the root searched by several threads.
//! - `worker`: limits, counters, the path of one search under way.
//! - `settling`: which questions to ask for a demand.
//! - [`certificates`]: the table: what is known about positions, in bounded memory.

pub(crate) mod certificates;
pub(super) mod driver;
mod line;
pub(super) mod settling;
pub(super) mod sharing;
pub(super) mod worker;

//! Parts shared by the search with unit costs and the graded one.
//!
//! Each of these uses those below it only (`tests/architecture.rs` checks that):
//!
//! - `driver`: demands, the root, reports, and the trait of a search.
//! - `line`: principal variations.
//! - `worker`: limits, counters, the path of a running search.
//! - `settling`: the questions for a demand.
//! - [`certificates`]: the table of bounds and costs, in bounded memory.

pub(crate) mod certificates;
pub(super) mod driver;
mod line;
pub(super) mod settling;
pub(super) mod worker;

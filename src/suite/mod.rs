//! Test suites: positions with known answers, solved by several searches side by side.
//!
//! [`epd`] reads the positions, [`choice`] selects some. `player` has the contestants: our searches, and other
//! engines. `run` gives every position to every contestant in turn, [`results`] writes a file that survives a killed run,
//! [`compare`] counts and tests. `options` are those of [`command`], `cassius suite`.

pub mod choice;
pub mod command;
pub mod compare;
pub mod epd;
pub(crate) mod options;
pub(crate) mod player;
pub mod results;
pub(crate) mod run;

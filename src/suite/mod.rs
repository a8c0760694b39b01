//! Test suites: positions with known answers, solved by several searches side by side.
//!
//! [`epd`] reads the positions, [`choice`] says which of them are run, `player` makes contestants of
//! our searches and of external UCI `engine`s (each a `process`, whose words a `conversation` takes in), `run` puts every position to
//! every contestant in turn, [`results`] keeps what came of it in a file that survives being killed,
//! [`compare`] counts and compares, `options` is what people ask for, and [`command`] is `cassius suite` itself.

pub mod choice;
pub mod command;
pub mod compare;
pub(crate) mod conversation;
pub(crate) mod engine;
pub mod epd;
pub(crate) mod options;
pub(crate) mod player;
pub(crate) mod process;
pub mod results;
pub(crate) mod run;

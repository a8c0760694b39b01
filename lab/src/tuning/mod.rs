//! Tunes the constants of a search by games of its own: `cassius lab tune`.
//!
//! `spsa` is the method, which knows constants and results only; `course` has the games of each iteration played, and
//! keeps a file by which a killed run is continued; `games` plays them; [`command`] is the command and its tables.

pub mod command;
pub(crate) mod course;
pub(crate) mod games;
pub(crate) mod spsa;

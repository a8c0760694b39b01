//! Output of results for people and programs: tables for a terminal or a page, JSON lines and CSV for scripts, a
//! progress bar, and the provenance of results. `plain` keeps terminals from taking texts for commands. [`output_file`]
//! decides for all commands what happens to existing files; [`shard`] is one part of a run, [`flaws`] what went wrong.

#[cfg(feature = "cli")]
pub(crate) mod csv;
#[cfg(feature = "cli")]
pub mod flaws;
#[cfg(feature = "cli")]
pub mod json_lines;
#[cfg(feature = "cli")]
pub mod output_file;
#[cfg(feature = "cli")]
pub(crate) mod plain;
#[cfg(feature = "cli")]
pub mod progress;
pub mod provenance;
#[cfg(feature = "cli")]
pub mod shard;
pub mod table;

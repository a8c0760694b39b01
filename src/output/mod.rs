//! How results reach people and other programs: tables for a terminal or a page, JSON lines and CSV
//! for scripts, a progress bar, and where a result comes from. What becomes of files that are there already is
//! decided in [`output_file`], for all commands.

#[cfg(feature = "cli")]
pub(crate) mod csv;
#[cfg(feature = "cli")]
pub mod json_lines;
#[cfg(feature = "cli")]
pub mod output_file;
#[cfg(feature = "cli")]
pub mod progress;
pub mod provenance;
pub mod table;

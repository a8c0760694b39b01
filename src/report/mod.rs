//! How results reach people and other programs: tables for a terminal or a page, JSON lines and CSV
//! for scripts, a progress bar, and where a result comes from.

pub mod csv;
pub mod json_lines;
pub mod progress;
pub mod provenance;
pub mod table;

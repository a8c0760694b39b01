//! How results reach people and other programs: tables for a terminal, JSON lines and CSV for
//! scripts, and a progress bar.

pub mod csv;
pub mod json_lines;
pub mod progress;
pub mod table;

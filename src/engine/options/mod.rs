//! The engine's options: all user settings of a search, each declared once.
//!
//! An entry of [`OPTIONS`] has an option's name, kind, range, meaning and effect. The `option` lines for GUIs, the
//! validation, the error texts and the table in docs/options.md come from it; a new option is one more entry.
//! Defaults come from [`EngineSettings::default`]. `uci::options` has the options that only the protocol needs.
//!
//! Files: `table` has the entries, `kind` the kinds of options.
//!
//! [`EngineSettings::default`]: super::settings::EngineSettings::default

mod kind;
mod table;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use kind::{EngineOption, Kind, from_spin, set, to_spin, unknown};
pub(crate) use table::{FOR_EXPERIMENTS, OPTIONS, SURENESS_MARGIN};

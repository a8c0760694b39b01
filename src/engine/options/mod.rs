//! The engine's options: everything about a search that people can choose, declared once.
//!
//! [`OPTIONS`] is the only place that knows an option's name, kind, range and meaning, and what it
//! changes. What a GUI is told, the validation, the error texts and the table in docs/options.md all
//! come from it; a new option is one more entry. Defaults are not written there: they are what
//! [`EngineSettings::default`] says. The UCI front end has a second table, of what only it has to know.
//!
//! Files: `table` the entries, `kind` what the kinds of options have in common.
//!
//! [`EngineSettings::default`]: super::settings::EngineSettings::default

mod kind;
mod table;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use kind::{EngineOption, Kind, OptionError, set};
pub(crate) use kind::{from_spin, to_spin};
pub(crate) use table::SURENESS_MARGIN;
pub(crate) use table::{FOR_EXPERIMENTS, OPTIONS};

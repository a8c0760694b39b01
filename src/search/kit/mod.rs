//! Parts that searches of several rooms share: budgets and iterations, memory and tables, the path, threads, observers.

pub(crate) mod arena;
pub(in crate::search) mod budget;
pub(in crate::search) mod deepening;
pub(crate) mod forgetting;
pub(crate) mod memory;
pub(crate) mod path;
pub(crate) mod settings_text;
pub(in crate::search) mod sorting;
pub(in crate::search) mod sync;
pub mod team;
pub(crate) mod transposition_table;
pub mod watching;

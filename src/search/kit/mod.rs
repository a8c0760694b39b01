//! Parts that searches of several rooms share: budgets and iterations, memory and tables, the path, threads, who watches.

pub(in crate::search) mod budget;
pub(in crate::search) mod deepening;
pub mod forgetting;
pub mod memory;
pub mod path;
pub mod settings_text;
pub(in crate::search) mod sorting;
pub(in crate::search) mod sync;
pub mod table;
pub mod team;
pub mod watching;

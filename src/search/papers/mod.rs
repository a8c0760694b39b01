//! Searches of the papers: conspiracy numbers in all their forms, games with chance, and plain minimax as their
//! reference.

pub mod alpha_beta_conspiracy;
pub mod b_star;
pub mod best_first;
pub mod chance;
pub mod controlled;
pub mod minimax;
mod planted;
#[cfg(test)]
pub(super) mod tests;

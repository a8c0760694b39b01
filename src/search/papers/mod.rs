//! Searches of the papers that are here to be studied: conspiracy numbers in further forms, and plain
//! minimax as their reference.

pub mod alpha_beta_conspiracy;
pub mod b_star;
pub mod controlled;
pub mod minimax;
pub mod unit_costs;

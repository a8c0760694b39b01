//! Games the searches can play.

pub mod chess;
pub mod random_tree;
pub mod tic_tac_toe;

//! Games the searches can play.

mod board;
pub mod chess;
pub mod connect_four;
pub mod hex;
pub mod random_tree;
pub mod tic_tac_toe;

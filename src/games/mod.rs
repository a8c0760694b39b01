//! Games the searches can play.

mod board;
pub mod chess;
pub mod connect_four;
pub mod dice_race;
pub mod hex;
pub mod random_chance_tree;
pub mod random_tree;
pub mod tic_tac_toe;

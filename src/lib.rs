//! Cassius, a chess engine that searches by conspiracy numbers.

pub mod bench;
pub mod cli;
pub mod conspiracy;
pub mod game;
pub mod games;
pub mod search;
pub mod uci;
pub mod value;

//! Cassius, a chess engine that searches by conspiracy numbers.

pub mod conspiracy;
pub mod game;
pub mod games;
pub mod search;
pub mod value;

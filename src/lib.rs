//! Cassius, a chess engine that searches by conspiracy numbers.

pub mod analysis;
pub mod bench;
pub mod chance;
pub mod cli;
pub mod conspiracy;
pub mod engine;
pub mod game;
pub mod game_report;
pub mod games;
pub mod lab;
pub mod lines;
pub mod profile;
pub mod report;
pub mod search;
pub mod suite;
pub mod uci;
pub mod value;
pub mod version;
pub mod wdl;
pub mod workers;

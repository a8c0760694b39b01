//! Tests from outside, all in one program: linking ten takes minutes.
//!
//! A folder or file below is a group of tests; `cargo test --test integration suite::` runs one. Shared helpers are in
//! `common`. Some tests measure time, others keep all processors busy; `common::timed` and `common::busy` part them.

// Clippy lets only test functions unwrap; helpers of tests may, too.
#![allow(clippy::unwrap_used)]

mod alpha_beta;
mod analyze;
mod architecture;
mod best_first;
mod chess_rules;
mod cli;
mod common;
mod endgames;
mod epd;
mod examples;
mod explain;
mod explore;
mod games;
mod inputs;
mod manual;
mod puzzles;
mod search_limits;
mod suite;
mod threads;
mod uci_session;
mod version;

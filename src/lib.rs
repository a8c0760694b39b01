//! Cassius, a chess engine that searches by conspiracy numbers.
//!
//! # Where things stand
//!
//! Arrows point one way, from the top of this list to the bottom, the tools apart; `tests/architecture.rs` holds them.
//!
//! | room | what is there |
//! |---|---|
//! | [`cli`] | the command line: definitions only; the binary carries them out |
//! | [`uci`], [`suite`], [`analysis`], [`game_report`], [`lab`], [`bench`](mod@bench) | the front ends: a protocol, test suites, positions, games, the papers' experiments, a node count |
//! | [`engine`] | what front ends have in common: settings, options, limits, a clock, memory, faults |
//! | tools: [`report`], [`lines`](mod@lines), [`workers`], [`version`](mod@version) | tables and files, bounded lines of text, threads, the commit |
//! | [`games`] | games that can be searched; `games/chess` alone names the rules library |
//! | [`outlook`] | what more thinking is likely to change |
//! | [`search`] | the searches, generic over the game |
//! | [`profile`], [`conspiracy`] | how sure a value is; conspiracy numbers themselves |
//! | [`game`], [`chance`], [`value`], [`wdl`] | what a search needs of a game; values, windows, chances |
//!
//! # How data flow
//!
//! A front end reads text: a `go`, a line of EPD, a PGN. `games/chess` makes a
//! [`Root`](game::Root) of it, a position with its past. [`engine`] makes a
//! [`Searcher`](search::Searcher) of settings. The searcher gets the root, [`Limits`](search::Limits)
//! and an [`Observer`](search::Observer). It asks the observer whether to stop and tells it
//! [`Report`](search::Report)s; it prints nothing and reads no clock. The front end turns reports into
//! what its users read.

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
pub mod outlook;
pub mod profile;
pub mod report;
pub mod search;
pub mod suite;
pub mod uci;
pub mod value;
pub mod version;
pub mod wdl;
pub mod workers;

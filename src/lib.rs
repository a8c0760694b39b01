//! Cassius, a chess engine that searches by conspiracy numbers.
//!
//! Most programs that use it as a library need [`analysis`] alone: a position in; a verdict, and how sure it is,
//! out.
//!
//! ```
//! use cassius::analysis::{Analysis, Certainty};
//!
//! let problem = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";
//! let verdict = Analysis::of(problem)?.nodes(5_000).run()?;
//! // Fewest positions that would have to be misjudged together for another value.
//! assert!(matches!(verdict.certainty(), Certainty::Leaves(1..)));
//! # Ok::<(), cassius::analysis::Error>(())
//! ```
//!
//! `examples/` in the repository has a game of one's own, the profile of a position, and two searches compared.
//!
//! # What is stable
//!
//! Versions follow Semantic Versioning. These parts are promised to be stable:
//!
//! - [`analysis`] without `analysis::command`;
//! - [`game`] and [`value`]: what a search needs of a game of one's own;
//! - [`search`]: its traits, [`Limits`](search::Limits), [`Report`](search::Report), and
//!   [`registry`](search::registry), which makes searches by name;
//! - [`profile`] and [`conspiracy`]: how sure a value is, as data;
//! - of [`games::chess`] the types `Position`, `Move`, `Quiescence` and `Evaluation`, and `notation`.
//!
//! What is promised changes its meaning or its form only with a new major version.
//! `CHANGELOG.md` then says what to write instead. Settings of searches may get fields, so take the others from
//! `Default`. Which move a search prefers, how many positions it takes and what numbers it finds are not promised: they
//! get better. The names of UCI options, of commands and of fields in JSON are promised likewise.
//!
//! All else is public for the program itself, which is a binary over this library. It may change at any time, and
//! docs.rs leaves most of it out. The lint `missing_docs` holds for what is promised.
//!
//! # Without the command line
//!
//! The feature `cli`, which is on by default, has the program: the command line, test suites, and all that needs files,
//! processes, mapped memory or a terminal, tablebases too. With `default-features = false` the library takes few crates and
//! works from text to text, also for `wasm32-unknown-unknown`, where there is neither clock nor thread: limits there are in
//! nodes, unless the host lends a clock (`platform::lend`). [`analysis`] takes a FEN; `game_report::from_text` and
//! `puzzles::from_text` take the text of a PGN file, and `explorer::growing` a FEN, to make pages for a browser;
//! `uci::Hosted` is a conversation in UCI line by line. `web/` in the repository makes an npm package of that.
//!
//! # Where things stand
//!
//! Dependencies point from the top of this list to the bottom, the tools apart; `tests/architecture.rs` checks them.
//!
//! | module | what is there |
//! |---|---|
//! | `cli` | the command line: which commands there are |
//! | `uci`, `suite`, [`analysis`], `explorer`, `explanation`, `game_report`, `puzzles`, `bench` | the front ends: a protocol, test suites, positions, trees to look at, why a move was not found, games, puzzles from games, a node count |
//! | `uci_client` | other engines, for reports and suites |
//! | `engine` | what front ends have in common: settings, options, limits, a clock, memory, faults |
//! | tools: `output`, `web`, `lines`, `random`, `workers`, `version`, `platform` | tables and files, what web pages share, bounded lines of text, random numbers, threads, the commit, the clock or what a host lends |
//! | [`games`] | games that can be searched; `games/chess` alone names the rules library |
//! | `outlook` | what more thinking is likely to change |
//! | [`search`] | the searches, generic over the game: what plays, what papers describe, what looks for mates, and their kit |
//! | [`profile`], [`conspiracy`] | how sure a value is; conspiracy numbers themselves |
//! | [`game`], [`value`], `wdl` | what a search needs of a game; values, windows, chances |
//!
//! # How data flow
//!
//! A front end reads text: a `go`, a line of EPD, a PGN. `games/chess` makes a
//! [`Root`](game::Root) of it, a position with its past. `engine` makes a
//! [`Searcher`](search::Searcher) of settings. The searcher gets the root, [`Limits`](search::Limits)
//! and an [`Observer`](search::Observer). It asks the observer whether to stop and tells it
//! [`Report`](search::Report)s; it prints nothing and reads no clock. The front end turns reports into
//! what its users read.

// Code that only the program needs is unused in a library without it.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[macro_use]
mod names;

#[warn(missing_docs)]
pub mod analysis;
#[doc(hidden)]
pub mod bench;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[warn(missing_docs)]
pub mod conspiracy;
#[doc(hidden)]
pub mod engine;
#[cfg(feature = "cli")]
mod explanation;
#[doc(hidden)]
pub mod explorer;
#[warn(missing_docs)]
pub mod game;
#[doc(hidden)]
pub mod game_report;
pub mod games;
mod lines;
#[doc(hidden)]
pub mod outlook;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod platform;
#[warn(missing_docs)]
pub mod profile;
#[doc(hidden)]
pub mod puzzles;
#[doc(hidden)]
pub mod random;
#[warn(missing_docs)]
pub mod search;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod suite;
#[doc(hidden)]
pub mod uci;
#[cfg(feature = "cli")]
mod uci_client;
#[warn(missing_docs)]
pub mod value;
#[doc(hidden)]
pub mod version;
#[doc(hidden)]
pub mod wdl;
mod web;
#[doc(hidden)]
pub mod workers;

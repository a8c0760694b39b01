//! Analyses of a position: its value, and the certainty of it.
//!
//! This is the front door for programs that use Cassius as a library. A chess position takes three lines:
//!
//! ```
//! use cassius::analysis::{Analysis, Certainty};
//!
//! let verdict = Analysis::of("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1")?.nodes(5_000).run()?;
//! assert_eq!(verdict.best_move.as_deref(), Some("e1e8"));
//! assert_eq!(verdict.value.to_string(), "#1");
//! assert_eq!(verdict.line, "1. Re8#");
//! assert_eq!(verdict.certainty(), Certainty::Proven);
//! # Ok::<(), cassius::analysis::Error>(())
//! ```
//!
//! A game of your own needs the traits [`Game`](crate::game::Game) and [`Evaluator`](crate::game::Evaluator), and then
//! [`GameAnalysis`] does the same for it. `examples/` in the repository has one in 60 lines.
//!
//! By default both give a [`Profile`]: for every other value, how many positions must be misjudged together, and which.
//! `docs/profile.md` explains one. `command` is `cassius analyze --fen`.

#[cfg(feature = "cli")]
pub(crate) mod command;
mod own;

use std::time::Duration;

use thiserror::Error;

use crate::engine::analyst::{AnalysisError, Analyst};
use crate::engine::fault::Fault;
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::spec::{SearchSpec, SpecError};
use crate::engine::stopwatch::Stopwatch;
use crate::game::Root;
use crate::games::chess::notation::{self, Castling, FenError, MoveError};
use crate::games::chess::{Evaluation, Position};
use crate::search::registry::{Algorithm, Settings};
use crate::value::Value;

pub use crate::engine::analyst::{PositionProfile, Prices, Sureness};
pub use crate::profile::Profile;
pub use own::{GameAnalysis, GameVerdict};

/// The reason why an analysis failed.
#[derive(Debug, Error)]
pub enum Error {
    /// The text is not a position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move that is malformed or illegal in the position.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// An unknown search, or an invalid option.
    #[error(transparent)]
    Search(#[from] SpecError),
    /// A search that cannot tell how certain its value is.
    #[error(transparent)]
    Sureness(#[from] AnalysisError),
    /// Not enough memory for the search.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// A panic of the search.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// An analysis of a chess position, to be configured and run.
///
/// By default it visits 100,000 nodes (a second or less) by best-first conspiracy-number search with material in whole
/// pawns, and 64 MiB for the tree.
#[derive(Clone, Debug)]
pub struct Analysis {
    root: Root<Position>,
    search: SearchSpec,
    nodes: Option<u64>,
    movetime: Option<Duration>,
    megabytes: usize,
}

/// The result of an analysis of a chess position. Values are for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The move to play, in UCI's coordinate notation; `None` if the game is over.
    pub best_move: Option<String>,
    /// The value of the position.
    pub value: Value,
    /// Principal variation in standard notation with move numbers: `12... Nf6 13. e5`; empty if the game is over.
    pub line: String,
    /// All results: numbers of conspirators, the conspirators by name, effort. It can be serialised; `cassius analyze
    /// --fen` writes this as JSON.
    pub profile: PositionProfile,
}

/// The certainty of a value, in one number. [`Verdict::profile`] has the details.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Certainty {
    /// No misjudged position can change the value.
    Proven,
    /// Number of positions, at least 1, that would have to be misjudged together to change the value.
    Leaves(u32),
    /// Price of the cheapest line that could change the value; an ordinary ply costs 1. For the search `depth-first`,
    /// which counts no positions.
    Price(f64),
}

impl Analysis {
    /// Analyses the position of a FEN of one to six fields. Castling rights that the board contradicts are dropped.
    ///
    /// # Errors
    /// [`Error::Fen`] if the text is no FEN, or the position cannot be played from.
    pub fn of(fen: &str) -> Result<Analysis, Error> {
        Analysis::by_rules(fen, Castling::Standard)
    }

    /// Like [`Analysis::of`] by the rules of Chess960: kings and rooks on any squares of their first rank may castle.
    ///
    /// # Errors
    /// As [`Analysis::of`].
    pub fn of_chess960(fen: &str) -> Result<Analysis, Error> {
        Analysis::by_rules(fen, Castling::Chess960)
    }

    fn by_rules(fen: &str, castling: Castling) -> Result<Analysis, Error> {
        Ok(Analysis {
            root: Root::new(notation::read_fen(fen, castling)?.position),
            // It keeps a tree, in which conspirators can be counted.
            search: Algorithm::BestFirst.into(),
            nodes: None,
            movetime: None,
            megabytes: Settings::default().hash_megabytes,
        })
    }

    /// Plays these moves, in UCI's coordinate notation and separated by blanks, before the analysis. The positions on
    /// the way count for repetitions.
    ///
    /// ```
    /// use cassius::analysis::Analysis;
    ///
    /// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// let analysis = Analysis::of(start)?.after("f2f3 e7e5 g2g4")?.nodes(2_000);
    /// assert_eq!(analysis.run()?.best_move.as_deref(), Some("d8h4"));
    /// assert!(Analysis::of(start)?.after("e2e5").is_err());
    /// # Ok::<(), cassius::analysis::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Move`] at the first illegal move.
    pub fn after(mut self, moves: &str) -> Result<Analysis, Error> {
        for text in moves.split_whitespace() {
            let m = notation::parse_uci(&self.root.position, text)?;
            self.root.play(m);
        }
        Ok(self)
    }

    /// Sets the search, with options as on the command line: `best-first`, `depth-first-unit`, `depth-first`, or for
    /// example `best-first:Evaluation=network`.
    ///
    /// # Errors
    /// [`Error::Search`] for an unknown search or an invalid option.
    pub fn search(mut self, name: &str) -> Result<Analysis, Error> {
        self.search = name.parse()?;
        Ok(self)
    }

    /// Limits the nodes, those of quiescence included. With nodes as the only limit results are reproducible.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Analysis {
        self.nodes = Some(nodes);
        self
    }

    /// Limits the time, approximately. Without a clock (`wasm32-unknown-unknown`) the limit is [`nodes`](Self::nodes),
    /// by default 100,000.
    #[must_use]
    pub fn movetime(mut self, time: Duration) -> Analysis {
        self.movetime = Some(time);
        self
    }

    /// Sets the memory of the tree or table, in MiB, at least 1.
    #[must_use]
    pub fn memory(mut self, megabytes: usize) -> Analysis {
        self.megabytes = megabytes.max(1);
        self
    }

    /// Runs the search.
    ///
    /// # Errors
    /// [`Error::Sureness`] if the search cannot tell how certain its value is (alpha-beta cannot), [`Error::Memory`] if
    /// the machine has too little memory, [`Error::Fault`] if the search panics.
    pub fn run(&self) -> Result<Verdict, Error> {
        let settings = self.search.settings(Evaluation::Tactical, self.megabytes);
        memory::ensure([settings.megabytes()], 1)?;
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let limit = Limit::of_analysis(self.nodes, self.movetime.map(milliseconds));
        let mut clock = Stopwatch::start(&limit);
        let mut analyst = Analyst::new(&settings)?;
        let profile = analyst.profile(&self.root, &limit.kept_by_search(), &mut clock)?;
        Ok(Verdict {
            best_move: profile.line.uci.first().cloned(),
            value: profile.sureness.value(),
            line: profile.line.san.clone(),
            profile,
        })
    }
}

impl Verdict {
    /// The certainty of the value, in one number.
    pub fn certainty(&self) -> Certainty {
        match &self.profile.sureness {
            Sureness::Counted(profile) => Certainty::of_count(profile.min_cn),
            Sureness::Priced(prices) => {
                let either = [prices.price_below, prices.price_above];
                let least = either.into_iter().flatten().reduce(f64::min);
                least.map_or(Certainty::Proven, Certainty::Price)
            }
        }
    }
}

impl Certainty {
    fn of_count(leaves: Option<u32>) -> Certainty {
        leaves.map_or(Certainty::Proven, Certainty::Leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROBLEM: &str = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";

    #[test]
    fn a_verdict_is_the_profile_s() {
        let analysis = Analysis::of(PROBLEM).unwrap().nodes(20_000);
        let verdict = analysis.run().unwrap();
        assert_eq!(verdict, analysis.run().unwrap());
        assert_eq!(verdict.profile.search, "best-first");
        assert_eq!(verdict.profile.sureness.value(), verdict.value);
        assert!(verdict.profile.nodes >= 20_000);
        let Sureness::Counted(profile) = &verdict.profile.sureness else {
            panic!("best-first search counts");
        };
        let counted = Certainty::of_count(profile.min_cn);
        assert_eq!(verdict.certainty(), counted);
        assert_ne!(counted, Certainty::Proven);
        let timed = Analysis::of(PROBLEM).unwrap();
        let timed = timed.movetime(Duration::from_millis(1)).memory(1);
        assert!(timed.run().unwrap().best_move.is_some());
    }

    #[test]
    fn each_search_that_tells_has_a_certainty() {
        let certainty = |search: &str| {
            let analysis = Analysis::of(PROBLEM).unwrap().search(search).unwrap();
            analysis.nodes(3_000).run().map(|it| it.certainty())
        };
        let is_counted = |it| matches!(it, Ok(Certainty::Leaves(1..)));
        assert!(is_counted(certainty("best-first")));
        assert!(is_counted(certainty("depth-first-unit:Hash=1")));
        assert!(matches!(certainty("depth-first"), Ok(Certainty::Price(_))));
        assert!(matches!(certainty("alpha-beta"), Err(Error::Sureness(_))));
    }

    #[test]
    fn bad_input_is_told() {
        assert!(matches!(Analysis::of("nonsense"), Err(Error::Fen(_))));
        let search = |name| Analysis::of(PROBLEM).unwrap().search(name);
        assert!(matches!(search("deepest"), Err(Error::Search(_))));
        let after = |moves| Analysis::of(PROBLEM).unwrap().after(moves);
        assert!(matches!(after("c4c3 e9"), Err(Error::Move(_))));
        let over = Analysis::of("7k/5QQ1/8/8/8/8/8/K7 b - - 0 1").unwrap();
        let over = over.run().unwrap();
        assert_eq!((over.best_move.as_deref(), over.line.as_str()), (None, ""));
        assert_eq!(over.certainty(), Certainty::Proven);
    }
}

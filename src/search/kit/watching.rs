//! Looking over a search's shoulder: what it asks about each move of a node, what the answer is, and what that took.
//!
//! For whoever explains a search along a line, or counts where it spends its nodes. A search that nobody watches pays
//! one test for each move.

use crate::game::{Game, Root};
use crate::search::{Limits, Observer, Report, Searcher};
use crate::value::Value;

/// What a search found out about one move of a node: is it good enough?
#[derive(Clone, Debug)]
pub struct Asked<G> {
    /// The position after the move.
    pub child: G,
    /// Plies from the root to it.
    pub ply: usize,
    /// What the move must be worth at least, for the side that makes it.
    pub theta: Value,
    /// What is demanded of the node's answer, in sixteenths of a ply: the demand of depth-first search, the depth that
    /// is left in alpha-beta search.
    pub demand: i32,
    /// The move.
    pub kind: MoveKind,
    /// What came of it.
    pub answer: Answer,
    /// Positions visited for the answer, those of quiescence included.
    pub nodes: u64,
}

/// What a search knows of a move before it looks at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveKind {
    /// Moves of the node before it.
    pub number: usize,
    /// Whether it changes no material.
    pub quiet: bool,
    /// Whether it gives check.
    pub checks: bool,
    /// Whether it is a capture that loses material by exchange.
    pub losing: bool,
}

/// What a search says of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Answer {
    /// Good enough.
    Holds,
    /// Not good enough.
    Fails,
    /// Not good enough, without a look at it.
    Unseen,
}

/// Somebody who watches a search.
pub trait Watcher<G: Game> {
    /// A move has been answered for.
    fn asked(&mut self, asked: Asked<G>);
}

/// A search that can be watched.
pub trait Watchable<G: Game>: Searcher<G> {
    /// The search that [`Searcher::search`] makes, and finds the same, watched by whoever is there. With several threads
    /// only the first one is watched.
    fn search_watched(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        watcher: Option<&mut dyn Watcher<G>>,
    ) -> Report<G::Move>;
}

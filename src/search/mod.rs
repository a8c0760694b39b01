//! Searches, and the interface between a search and its callers.
//!
//! A [`Searcher`] knows neither clock nor protocol: it asks an [`Observer`] whether to stop and sends it [`Report`]s.
//! UCI, the suites and the tests each have their own observers.
//!
//! - [`registry`]: every search by name.
//! - [`depth_first`]: the default search.
//! - [`alpha_beta`]: the search that it is compared with.
//! - [`best_first`]: conspiracy-number search that keeps its tree.
//! - [`proof_number`]: the search for forced wins.
//! - `beside`: a search with a prover of mates beside it.
//! - [`papers`]: further searches of the papers.
//! - [`kit`]: parts that several of these share.
//! - [`events`]: what a search tells those who watch it.

pub mod alpha_beta;
pub(crate) mod beside;
pub mod best_first;
pub mod depth_first;
pub mod events;
pub mod kit;
pub mod papers;
pub mod proof_number;
pub mod registry;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use crate::game::{Game, Moves, Root};
use crate::profile::snapshot::Judged;
use crate::profile::{Profile, Question, Snapshot};
use crate::value::{Value, Window};

/// Limits of a search, besides its [`Observer`]. The first one reached ends it.
#[derive(Clone, Debug)]
pub struct Limits<M> {
    /// Last iteration; what one is, a depth or a demand, each searcher says.
    pub iterations: Option<u32>,
    /// Nodes, those of quiescence included. Exact with one thread, so that a search limited by nodes alone is
    /// reproducible.
    pub nodes: Option<u64>,
    /// Stop once a mate in at most this many moves is proven for either side.
    pub mate: Option<u32>,
    /// Root moves to consider; empty means all. See [`Limits::root_moves`].
    pub search_moves: Vec<M>,
    /// Number of best lines to report.
    pub multipv: usize,
    /// Whether the move is to be played: then no prover of mates gets a share of the nodes.
    pub for_play: bool,
    /// Iterations that are completed whatever the other limits and the observer say; 0 for limits that are kept
    /// exactly. With 1 every line asked for gets a value.
    pub least_iterations: u32,
}

impl<M> Default for Limits<M> {
    fn default() -> Limits<M> {
        Limits {
            iterations: None,
            nodes: None,
            mate: None,
            search_moves: Vec::new(),
            multipv: 1,
            for_play: false,
            least_iterations: 0,
        }
    }
}

impl<M> Limits<M> {
    /// Only a limit on nodes.
    pub fn nodes(nodes: u64) -> Limits<M> {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// The legal moves to consider at the root: those asked for, or all if none of them is legal.
    pub fn root_moves<G: Game<Move = M>>(&self, position: &G) -> Moves<M>
    where
        M: Copy + Eq,
    {
        let mut moves = position.legal_moves();
        if moves.iter().any(|m| self.search_moves.contains(m)) {
            moves.retain(|m| self.search_moves.contains(m));
        }
        moves
    }

    /// Only a limit on iterations.
    pub fn iterations(iterations: u32) -> Limits<M> {
        Limits {
            iterations: Some(iterations),
            ..Limits::default()
        }
    }
}

/// Relation of the real value to a reported one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Equal to the value, within the iteration's limits.
    Exact,
    /// At least the value.
    Lower,
    /// At most the value.
    Upper,
}

impl Bound {
    /// The kind of bound that `value` is after a search of `window`.
    #[inline]
    pub(crate) fn of(value: Value, window: Window) -> Bound {
        if value >= window.beta {
            Bound::Lower
        } else if value > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// The bound that a proof of a win or loss is: the winner may win sooner.
    pub(crate) fn of_proof(value: Value) -> Bound {
        if value.is_win() {
            Bound::Lower
        } else {
            Bound::Upper
        }
    }

    /// Whether a bound of this kind on `value` decides the game: at least a win, at most a loss, or
    /// either exactly.
    #[inline]
    fn proves(self, value: Value) -> bool {
        match self {
            Bound::Exact => value.is_decided(),
            Bound::Lower => value.is_win(),
            Bound::Upper => value.is_loss(),
        }
    }

    /// The bound to report for a value with this bound: a mate whose line does not reach mate is only a bound, as it
    /// may come sooner.
    fn as_reported<M>(self, value: Value, line: &[M]) -> Bound {
        let plies = value.plies_to_end().map(usize::from);
        if self != Bound::Exact || plies.is_none_or(|plies| plies == line.len()) {
            self
        } else {
            Bound::of_proof(value)
        }
    }
}

/// The occasion of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occasion {
    /// An iteration has been completed.
    Iteration,
    /// Within an iteration: the best move or the value changed.
    Improvement,
    /// The search is over; this last report equals the result of `search`.
    Final,
}

/// Conspirators, proof numbers or prices that a change of the value takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conspiracy {
    /// The threshold of the numbers: the conspiracy threshold where leaves are counted, the demand where lines are
    /// priced, the iteration of proof-number search.
    pub threshold: u32,
    /// The values not excluded at that threshold, for the side to move at the root: the likely range where leaves are
    /// counted.
    pub likely_range: (Value, Value),
    /// The numbers for a value at least one step outside that range.
    pub support: Support,
    /// The tree with the numbers; `None` if the search keeps only a table.
    pub tree: Option<StoredTree>,
}

/// The numbers for a lower value (`below`) and a higher one (`above`). Units differ between searches, so callers must
/// describe each in its own words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// Conspirators: the fewest leaves that must be wrong together. `None` is infinity: proven.
    Leaves {
        /// For the value to be lower.
        below: Option<u32>,
        /// For the value to be higher.
        above: Option<u32>,
    },
    /// Proof numbers of a loss and of a win. They count leaves that must be won, but a new leaf may count as several,
    /// by an estimate of its proof. `None` is infinity: disproven, or already proven.
    ProofNumbers {
        /// Of a win by the opponent.
        below: Option<u32>,
        /// Of a win by the side to move.
        above: Option<u32>,
    },
    /// Prices of the cheapest lines that could change the value, in depth-first search. They count no leaves. An ordinary
    /// ply costs 1.
    Prices {
        /// For the value to be lower.
        below: Cost,
        /// For the value to be higher.
        above: Cost,
    },
}

/// A cost, in sixteenths of a unit; the maximum is infinity: a proof.
///
/// The cost model determines the unit. Under unit costs it is a conspirator: a leaf that must be wrong. In the default
/// search it is the price of an ordinary ply, and no leaves are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Cost(u16);

impl Cost {
    /// No support: anything overthrows the answer.
    pub const ZERO: Cost = Cost(0);
    /// One unit: sixteenths are fine enough to price moves, and the largest cost is still thousands of units.
    pub const ONE: Cost = Cost(16);
    /// The answer is proven.
    pub const INFINITE: Cost = Cost(u16::MAX);

    /// The largest finite cost.
    pub const MOST: Cost = Cost(u16::MAX - 1);

    /// A number of whole units.
    pub const fn whole(units: u16) -> Cost {
        Cost(units.saturating_mul(Cost::ONE.0))
    }

    /// A number of sixteenths, clamped to finite costs.
    pub fn sixteenths(sixteenths: i32) -> Cost {
        Cost(sixteenths.clamp(0, i32::from(u16::MAX) - 1) as u16)
    }

    /// The inverse of [`Cost::get`]: the maximum is infinity.
    pub const fn from_raw(sixteenths: u16) -> Cost {
        Cost(sixteenths)
    }

    /// The cost in sixteenths of a unit; the maximum is infinity.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The cost in whole units, rounded down; `None` is infinity.
    pub fn whole_units(self) -> Option<u32> {
        (!self.is_infinite()).then(|| u32::from(self.0 / Cost::ONE.0))
    }

    /// The cost in units; `None` is infinity.
    pub fn units(self) -> Option<f64> {
        (!self.is_infinite()).then(|| f64::from(self.0) / f64::from(Cost::ONE.0))
    }

    /// Whether the answer is proven: nothing can overthrow it.
    pub const fn is_infinite(self) -> bool {
        self.0 == u16::MAX
    }

    /// A cost greater by `sixteenths`; infinity stays.
    pub fn plus(self, sixteenths: i32) -> Cost {
        if self.is_infinite() {
            self
        } else {
            Cost::sixteenths(i32::from(self.0) + sixteenths)
        }
    }

    /// The sum, if both must be overthrown.
    pub fn and(self, other: Cost) -> Cost {
        if self.is_infinite() || other.is_infinite() {
            Cost::INFINITE
        } else {
            Cost(self.0.saturating_add(other.0).min(Cost::MOST.0))
        }
    }

    /// The rest of this cost after `other` has been paid.
    pub fn minus(self, other: Cost) -> Cost {
        if self.is_infinite() {
            self
        } else {
            Cost(self.0.saturating_sub(other.0))
        }
    }
}

impl fmt::Display for Cost {
    /// The cost in units with one decimal; `∞` for a proof.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.units() {
            Some(units) => write!(f, "{units:.1}"),
            None => f.write_str("∞"),
        }
    }
}

/// The size of a tree that a search keeps in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredTree {
    /// Nodes.
    pub nodes: u64,
    /// Memory in bytes.
    pub bytes: u64,
}

/// The results of a search so far.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// The occasion of the report.
    pub occasion: Occasion,
    /// Last completed iteration, or the one under way for an improvement.
    pub iteration: u32,
    /// Deepest ply visited.
    pub seldepth: u32,
    /// Rank of the line, from 1 for the best.
    pub line: usize,
    /// Value for the side to move at the root.
    pub value: Value,
    /// Relation of the real value to it.
    pub bound: Bound,
    /// Nodes, those of quiescence included.
    pub nodes: u64,
    /// Share of the nodes that were visited for the best move alone, in permille; `None` if the search does not count
    /// them, or for several lines.
    pub best_share: Option<u16>,
    /// Share of the nodes that a prover of mates beside the search has visited, in permille; `None` without one.
    pub proof_share: Option<u16>,
    /// Share of the tree or table in use, in permille.
    pub fullness: u32,
    /// Principal variation; empty only if the root has no legal move.
    pub pv: Vec<M>,
    /// Numbers that a change of the value takes, from searches that have them.
    pub conspiracy: Option<Conspiracy>,
}

impl<M> Report<M> {
    /// A report before anything has been searched.
    pub fn before_search(value: Value, pv: Vec<M>) -> Report<M> {
        Report {
            occasion: Occasion::Final,
            iteration: 0,
            seldepth: 0,
            line: 1,
            value,
            bound: Bound::Exact,
            nodes: 0,
            best_share: None,
            proof_share: None,
            fullness: 0,
            pv,
            conspiracy: None,
        }
    }
}

impl<M: Copy> Report<M> {
    /// Report of a further line of the iteration that this report is of, the line with this number, from 2; `of_line`
    /// has its value and moves. The conspiracy numbers are those of the first line only.
    pub(crate) fn further(&self, line: usize, of_line: Report<M>) -> Report<M> {
        Report {
            line,
            value: of_line.value,
            bound: of_line.bound,
            pv: of_line.pv,
            conspiracy: None,
            ..self.clone()
        }
    }

    /// The move to play; `None` if the root has no legal move.
    pub fn best_move(&self) -> Option<M> {
        self.pv.first().copied()
    }
}

/// The interface between a search and its caller.
pub trait Observer<M> {
    /// Called every few hundred nodes; `true` ends the search at once.
    fn should_stop(&mut self, nodes: u64) -> bool;

    /// Called after each iteration but the last; `false` ends the search.
    fn wants_another_iteration(&mut self, _done: &Report<M>) -> bool {
        true
    }

    /// Called when it is proven that no side wins within `moves` moves, by searches for wins.
    fn no_win_within(&mut self, _moves: u32) {}

    /// Called with each report.
    fn report(&mut self, _report: &Report<M>) {}
}

/// An observer that never stops a search and ignores reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<M> Observer<M> for Unobserved {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }
}

/// Collects all reports, and never stops a search.
impl<M: Clone> Observer<M> for Vec<Report<M>> {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn report(&mut self, report: &Report<M>) {
        self.push(report.clone());
    }
}

/// A search for the best move, for any number of positions.
pub trait Searcher<G: Game> {
    /// Searches until a limit is reached, the observer stops it, or the root is decided; returns the final report,
    /// which the observer has received too.
    ///
    /// A root with legal moves always gets a move, under any limits.
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move>;

    /// Clears all that earlier searches have stored (a new game).
    fn clear(&mut self);

    /// Clears stored proofs: the game's past has changed which positions are draws. Other results may stay, as they are
    /// searched again.
    fn forget_proofs(&mut self) {
        self.clear();
    }

    /// Pre-faults the memory that the next search will use, for at most about this long, and goes on where it stopped
    /// when it is asked again; true once all is resident. Changes no result; a search that has not been prepared takes
    /// its memory as it goes.
    fn prepare(&mut self, _longest: Duration) -> bool {
        true
    }

    /// The profile of the last search's root, from its tree; `None` if the search keeps no tree, or before any search.
    fn profile(&self, _question: &Question) -> Option<Profile<Vec<G::Move>>> {
        None
    }

    /// A copy of the last search's tree; `None` if the search keeps no tree, or before any search.
    fn snapshot(&self) -> Option<Snapshot<G::Move, Judged>> {
        None
    }
}

/// Longest preparation while a caller waits: after asking whether the engine is ready it may send `quit`.
pub const PREPARATION: Duration = Duration::from_secs(1);

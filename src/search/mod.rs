//! Searches, and what stands between a search and the world.
//!
//! A [`Searcher`] knows neither clock nor protocol: it asks an [`Observer`] whether to stop and
//! tells it the news as [`Report`]s. UCI, the suites and the tests each bring their own observer.
//!
//! - [`registry`]: every search by name.
//! - [`play`]: the searches to play with.
//! - [`papers`]: the searches of the papers on conspiracy numbers and on games with chance.
//! - [`mates`]: the search for forced wins, and lines to the mate.
//! - [`kit`]: what several of these share.

pub mod kit;
pub mod mates;
pub mod papers;
pub mod play;
pub mod registry;

use std::fmt;
use std::time::Duration;

use crate::game::{Game, Moves, Root};
use crate::value::Value;

/// What ends a search besides its [`Observer`]. The first limit reached ends it.
#[derive(Clone, Debug)]
pub struct Limits<M> {
    /// Last iteration: a depth for alpha-beta, a demand for depth-first conspiracy-number search, a
    /// conspiracy threshold for best-first, its logarithm for alpha-beta conspiracy search, a doubling of
    /// the doubt for B*, the conspirators demanded or a depth for controlled conspiracy-number search, the moves of a mate for
    /// proof-number search.
    pub iterations: Option<u32>,
    /// Positions to visit, those of quiescence included. Reached exactly by a search with one thread, so that one
    /// limited by nodes alone is the same every time.
    pub nodes: Option<u64>,
    /// Stop once a mate in at most so many moves is proven for either side.
    pub mate: Option<u32>,
    /// Root moves to consider; empty means all. See [`Limits::root_moves`].
    pub search_moves: Vec<M>,
    /// How many best lines to report.
    pub multipv: usize,
}

impl<M> Default for Limits<M> {
    fn default() -> Limits<M> {
        Limits {
            iterations: None,
            nodes: None,
            mate: None,
            search_moves: Vec::new(),
            multipv: 1,
        }
    }
}

impl<M> Limits<M> {
    /// Only a node limit.
    pub fn nodes(nodes: u64) -> Limits<M> {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// The legal moves to consider at the root: those asked for, or all where none of them is legal.
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

    /// Only a last iteration.
    pub fn iterations(iterations: u32) -> Limits<M> {
        Limits {
            iterations: Some(iterations),
            ..Limits::default()
        }
    }
}

/// What a reported value says about the real one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value as far as the iteration goes.
    Exact,
    /// At least the value.
    Lower,
    /// At most the value.
    Upper,
}

impl Bound {
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

    /// The bound to report for a value with this bound: a mate whose line does not reach mate is only a bound, as it may
    /// come sooner.
    fn told<M>(self, value: Value, line: &[M]) -> Bound {
        let plies = value.plies_to_end().map(usize::from);
        if self != Bound::Exact || plies.is_none_or(|plies| plies == line.len()) {
            self
        } else if value.is_win() {
            Bound::Lower
        } else {
            Bound::Upper
        }
    }
}

/// Why a search reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occasion {
    /// An iteration has been completed.
    Iteration,
    /// Within an iteration: the best move or the value changed.
    Improvement,
    /// The search is over; the last report, equal to what `search` returns.
    Final,
}

/// What it takes to change a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conspiracy {
    /// What the numbers belong to: the conspiracy threshold where leaves are counted, the demand where
    /// lines are priced, the iteration of proof-number search.
    pub threshold: u32,
    /// The values that are left at that threshold, for the side to move at the root: the likely range
    /// where leaves are counted.
    pub likely_range: (Value, Value),
    /// What it takes to change the value to one outside that range by one step, or beyond.
    pub support: Support,
    /// The tree that stands behind it; `None` if the search keeps but a table.
    pub tree: Option<StoredTree>,
}

/// What it takes to make a value lower (`below`) and higher (`above`). Searches measure it in different
/// things, so whoever tells it has to choose words for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// Conspirators: the fewest leaves that must be wrong together. `None` is infinity: proven.
    Leaves {
        /// For the value to be lower.
        below: Option<u32>,
        /// For the value to be higher.
        above: Option<u32>,
    },
    /// Proof numbers of a loss and of a win. They count leaves that have to be won, but a new leaf may
    /// count for several, by what it is expected to take. `None` is infinity: disproven, or proven
    /// already.
    ProofNumbers {
        /// Of the opponent's win.
        below: Option<u32>,
        /// Of a win.
        above: Option<u32>,
    },
    /// Prices of the cheapest lines that could change the value, under the graded costs of depth-first
    /// search. They count no leaves: nothing but a second supporter adds to the cheapest line. 1 is the
    /// price of an ordinary ply.
    Prices {
        /// For the value to be lower.
        below: Cost,
        /// For the value to be higher.
        above: Cost,
    },
}

/// A cost, in sixteenths of a unit; the largest is infinite: a proof.
///
/// What the unit is, the cost model says. Under unit costs it is a conspirator: a leaf that must be
/// wrong. Under graded costs it is the price of an ordinary ply, and no leaves are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Cost(u16);

impl Cost {
    /// Nothing: an answer nobody stands behind.
    pub const ZERO: Cost = Cost(0);
    /// One unit: fine enough to tell moves apart by price, and the largest cost is still thousands of them.
    pub const ONE: Cost = Cost(16);
    /// The answer is proven.
    pub const INFINITE: Cost = Cost(u16::MAX);

    /// The largest finite cost.
    pub const MOST: Cost = Cost(u16::MAX - 1);

    /// So many whole units.
    pub const fn whole(units: u16) -> Cost {
        Cost(units.saturating_mul(Cost::ONE.0))
    }

    /// So many sixteenths of a unit, staying finite and not below zero.
    pub fn sixteenths(sixteenths: i32) -> Cost {
        Cost(sixteenths.clamp(0, i32::from(u16::MAX) - 1) as u16)
    }

    /// The cost that [`Cost::get`] gave: the largest number is infinity.
    pub const fn from_raw(sixteenths: u16) -> Cost {
        Cost(sixteenths)
    }

    /// In sixteenths of a unit.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// In whole units, rounded down; `None` is infinity.
    pub fn whole_units(self) -> Option<u32> {
        (!self.is_infinite()).then(|| u32::from(self.0 / Cost::ONE.0))
    }

    /// In units; `None` is infinity.
    pub fn units(self) -> Option<f64> {
        (!self.is_infinite()).then(|| f64::from(self.0) / f64::from(Cost::ONE.0))
    }

    /// Whether the answer is proven: nothing can overthrow it.
    pub const fn is_infinite(self) -> bool {
        self.0 == u16::MAX
    }

    /// So much dearer, unless infinite already.
    pub fn plus(self, sixteenths: i32) -> Cost {
        if self.is_infinite() {
            self
        } else {
            Cost::sixteenths(i32::from(self.0) + sixteenths)
        }
    }

    /// Both must be overthrown: the costs add up.
    pub fn and(self, other: Cost) -> Cost {
        if self.is_infinite() || other.is_infinite() {
            Cost::INFINITE
        } else {
            Cost(self.0.saturating_add(other.0).min(Cost::MOST.0))
        }
    }

    /// What is left of this cost when `other` has been paid.
    pub fn minus(self, other: Cost) -> Cost {
        if self.is_infinite() {
            self
        } else {
            Cost(self.0.saturating_sub(other.0))
        }
    }
}

impl fmt::Display for Cost {
    /// In units with one decimal; `∞` for a proof.
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
    /// Bytes they take.
    pub bytes: u64,
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// Why it is told.
    pub occasion: Occasion,
    /// Last completed iteration, or the one under way for an improvement.
    pub iteration: u32,
    /// Deepest ply visited.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second best, ...
    pub line: usize,
    /// Value for the side to move at the root.
    pub value: Value,
    /// What the value says.
    pub bound: Bound,
    /// Positions visited, those of quiescence included.
    pub nodes: u64,
    /// How full the tree or table is, in permille.
    pub fullness: u32,
    /// Principal variation; empty only if the root has no legal move.
    pub pv: Vec<M>,
    /// What it takes to change the value, from searches that know.
    pub conspiracy: Option<Conspiracy>,
}

impl<M> Report<M> {
    /// What can be said before anything is searched.
    pub fn before_search(value: Value, pv: Vec<M>) -> Report<M> {
        Report {
            occasion: Occasion::Final,
            iteration: 0,
            seldepth: 0,
            line: 1,
            value,
            bound: Bound::Exact,
            nodes: 0,
            fullness: 0,
            pv,
            conspiracy: None,
        }
    }
}

impl<M: Copy> Report<M> {
    /// The move to play, unless the root has none.
    pub fn best_move(&self) -> Option<M> {
        self.pv.first().copied()
    }
}

/// The world as a search sees it.
pub trait Observer<M> {
    /// Asked every few hundred positions; `true` ends the search at once.
    fn should_stop(&mut self, nodes: u64) -> bool;

    /// Asked after each iteration that is not the last; `false` ends the search there.
    fn wants_another_iteration(&mut self, _done: &Report<M>) -> bool {
        true
    }

    /// It is proven that no side can win within so many moves. Told by searches that look for wins.
    fn no_win_within(&mut self, _moves: u32) {}

    /// Here is news.
    fn report(&mut self, _report: &Report<M>) {}
}

/// An observer that never stops a search and does not listen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<M> Observer<M> for Unobserved {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }
}

/// Keeps all reports, and never stops a search.
impl<M: Clone> Observer<M> for Vec<Report<M>> {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn report(&mut self, report: &Report<M>) {
        self.push(report.clone());
    }
}

/// A search that can be asked for the best move of a position, again and again.
pub trait Searcher<G: Game> {
    /// Searches until a limit is reached, the observer says stop, or the root is decided; returns
    /// the final report, which the observer has seen too.
    ///
    /// A root with legal moves always gets a move, however tight the limits.
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move>;

    /// Clears everything that earlier searches stored (a new game).
    fn clear(&mut self);

    /// Forgets what earlier searches took for beyond doubt: the game's past has changed what is a draw. What they learnt
    /// otherwise may stay, as it is looked at again.
    fn forget_proofs(&mut self) {
        self.clear();
    }

    /// Pre-faults the memory that the next search will use, for at most about this long, and goes on where it stopped when
    /// it is asked again; true once all is resident. Changes no result; a search that has not been prepared takes its memory
    /// as it goes.
    fn prepare(&mut self, _longest: Duration) -> bool {
        true
    }
}

/// How long a search is prepared by those who wait for it: who asks whether the engine is ready may say `quit` next.
pub const PREPARATION: Duration = Duration::from_secs(1);

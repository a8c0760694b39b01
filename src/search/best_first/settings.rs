//! Settings of a best-first search.

use super::branch::BranchRule;
use crate::conspiracy::Grid;

/// Storage of conspiracy numbers (thesis, chapter 3). All kinds grow the same tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum StorageKind {
    /// Stores nothing and computes numbers on demand. Smallest and slowest by far.
    Basic,
    /// Stores all numbers at every interior node.
    #[default]
    Intensive,
    /// Stores numbers for a few values around Vmin and Vmax: time and memory do not depend on the number of values.
    Compromise,
    /// The thesis's compromise: four numbers, for Vmin, Vmax and their neighbours outside. Slow where Vmin and Vmax
    /// move.
    FourNumbers,
}

names!(StorageKind {
    Basic = "Basic",
    Intensive = "Storage Intensive",
    Compromise = "Compromise",
    FourNumbers = "Four Numbers",
});

/// The end of the likely range to rule out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Strategy {
    /// The end farther from the root's value, Vmin if equal (thesis, figure 2.5).
    #[default]
    Distance,
    /// The end with the higher conspiracy number, Vmin if equal: the easier one to rule out (figure 2.11).
    HigherNumber,
    /// Neither: minimum windows (section 6.3) try to move the root by one step of the grid, in the direction that takes
    /// fewer conspirators, down if equal.
    MinimumWindows,
}

names!(Strategy {
    Distance = "Distance",
    HigherNumber = "Higher CN",
    MinimumWindows = "Minimum Windows",
});

/// Windows for evaluating leaves. Convergence means the same with all of them; `leaf.rs` says why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum LeafWindow {
    /// Exact at the root's value, bounds above and below it: the cheapest.
    #[default]
    Narrow,
    /// Exact within the likely range; bounds below Vmin and above Vmax.
    Clipped,
    /// Exact everywhere, as in the thesis.
    Whole,
}

names!(LeafWindow {
    Narrow = "Narrow",
    Clipped = "Clipped",
    Whole = "Whole",
});

/// Values of new leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum LeafScores {
    /// The evaluator's values.
    #[default]
    Absolute,
    /// Relative to siblings (J. Pawlewicz and R. B. Hayward, "Sibling conspiracy number search", 2015): the best child
    /// has its parent's value, the others less by the evaluator's differences. For evaluators that compare siblings
    /// well and other positions badly. Values by rules or proofs stay absolute. All leaves are evaluated in the whole
    /// window.
    Sibling,
}

/// Order of new children.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum ChildOrder {
    /// By value, best first; the game's own order among equals.
    #[default]
    Value,
    /// By value, and among equals by [`Game::preference`](crate::game::Game::preference): the
    /// secondary ordering of the thesis's section 6.4.
    ValueThenPreference,
}

names!(ChildOrder {
    Value = "Value",
    ValueThenPreference = "Value + Preference",
});

/// The move to play among several of the same value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum MoveChoice {
    /// The one whose value takes most conspirators to lower; of equals the one with the higher preference.
    #[default]
    Safest,
    /// The leftmost: the one that looked best when the root was expanded. The thesis names no other rule.
    Leftmost,
}

names!(MoveChoice {
    Safest = "Safest",
    Leftmost = "Leftmost",
});

/// Settings of a best-first conspiracy-number search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The values for which there are conspiracy numbers.
    pub grid: Grid,
    /// Storage of the numbers.
    pub storage: StorageKind,
    /// Ply, at least 1, at which nodes are terminal with their static value.
    pub depth_limit: u16,
    /// Δ: a threshold has converged when Vmax - Vmin is at most this many steps of the grid.
    pub delta: u8,
    /// The end of the likely range to rule out.
    pub strategy: Strategy,
    /// The child to descend to.
    pub branch_rule: BranchRule,
    /// Rounds of round robin before [`BranchRule::MinimalBreadth`] goes leftmost, at least 1: the thesis has one, and
    /// allows more (section 6.1.1).
    pub rounds: u8,
    /// Whether a threshold also converges once only a single root move is likely to exceed Vmin (section 6.2).
    pub best_move_cutoff: bool,
    /// Windows for evaluating leaves.
    pub leaf_window: LeafWindow,
    /// Order of new children.
    pub child_order: ChildOrder,
    /// Values of new leaves.
    pub leaf_scores: LeafScores,
    /// The move to play among several of the same value.
    pub answer: MoveChoice,
}

impl Default for Settings {
    /// The settings that solved most of 300 WAC and 384 ECM problems (odd lines) at 300,000 nodes each, quiescence
    /// included: 266 and 189. Instead of round robin at OR nodes: leftmost 254 and 176, minimal breadth 258 and 184,
    /// partial round robin 258 and 181, round robin at AND nodes too 256 and 179. Instead of narrow leaf windows:
    /// clipped 261 and 183, whole 248 and 153. Strategy, best move cutoff and the order of equal children make no
    /// difference beyond chance; minimum windows lose a little, as in the thesis.
    fn default() -> Settings {
        Settings {
            grid: Grid::tactical(),
            storage: StorageKind::default(),
            depth_limit: 21,
            delta: 0,
            strategy: Strategy::default(),
            branch_rule: BranchRule::default(),
            rounds: 1,
            best_move_cutoff: true,
            leaf_window: LeafWindow::default(),
            child_order: ChildOrder::default(),
            leaf_scores: LeafScores::default(),
            answer: MoveChoice::default(),
        }
    }
}

//! What can be chosen about a best-first search.

use super::branch::BranchRule;
use crate::conspiracy::Grid;

/// How conspiracy numbers are kept (thesis, chapter 3). All ways grow the same tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum StorageKind {
    /// Not at all: they are computed whenever they are needed. Smallest and slowest by far.
    Basic,
    /// All of them, at every interior node.
    #[default]
    Intensive,
    /// Those for a few values around Vmin and Vmax: takes time and memory that do not depend on how
    /// many values there are.
    Compromise,
    /// Compromise as the thesis has it: four numbers, those for Vmin, Vmax and the values next to them
    /// outside. Slow where Vmin and Vmax move.
    FourNumbers,
}

names!(StorageKind {
    Basic = "Basic",
    Intensive = "Storage Intensive",
    Compromise = "Compromise",
    FourNumbers = "Four Numbers",
});

/// Which end of the likely range to rule out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Strategy {
    /// The end farther from the root's value, Vmin of equals (thesis, figure 2.5).
    #[default]
    Distance,
    /// The end with the higher conspiracy number, Vmin of equals: the one easier to rule out
    /// (figure 2.11).
    HigherNumber,
    /// Neither: minimum windows (section 6.3) try to move the root by one step of the grid, the way
    /// that takes fewer conspirators, down of equals.
    MinimumWindows,
}

names!(Strategy {
    Distance = "Distance",
    HigherNumber = "Higher CN",
    MinimumWindows = "Minimum Windows",
});

/// How exactly leaves are evaluated. What has converged means the same with all of them; the file
/// `leaf.rs` says why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum LeafWindow {
    /// Exactly at the root's value, bounds above and below it: the cheapest.
    #[default]
    Narrow,
    /// As far as the likely range asks: below Vmin and above Vmax a bound will do.
    Clipped,
    /// Exactly, as in the thesis.
    Whole,
}

names!(LeafWindow {
    Narrow = "Narrow",
    Clipped = "Clipped",
    Whole = "Whole",
});

/// What the values of new leaves are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum LeafScores {
    /// The evaluator's.
    #[default]
    Absolute,
    /// Relative to siblings (J. Pawlewicz and R. B. Hayward, "Sibling conspiracy number search", 2015):
    /// the best of the children has the value that their parent had, the others less by as much as the
    /// evaluator puts them behind it. For evaluators that compare siblings well and strangers badly. What
    /// the rules or proofs say stands as it is. Such leaves are evaluated in the whole window.
    Sibling,
}

/// How new children are ordered.
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

/// Which of several moves with the same value is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Answer {
    /// The one whose value it takes most leaves to lower; then the one the game prefers.
    #[default]
    Safest,
    /// The leftmost: the one that looked best when the root was expanded. The thesis names no other rule.
    Leftmost,
}

names!(Answer {
    Safest = "Safest",
    Leftmost = "Leftmost",
});

/// Settings of a best-first conspiracy-number search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The values that conspiracy numbers are about.
    pub grid: Grid,
    /// How the numbers are kept.
    pub storage: StorageKind,
    /// Ply from which on nodes are terminal with the value they have, at least 1.
    pub depth_limit: u16,
    /// Δ: a threshold has converged when Vmax - Vmin is at most so many steps of the grid.
    pub delta: u8,
    /// Which end of the likely range to rule out.
    pub strategy: Strategy,
    /// Which child to descend to.
    pub branch_rule: BranchRule,
    /// Rounds of the round robin after which [`BranchRule::MinimalBreadth`] goes leftmost, at least 1: the
    /// thesis's has one, and says that there may be more (section 6.1.1).
    pub rounds: u8,
    /// Whether a threshold has also converged once only one move of the root may likely exceed Vmin
    /// (section 6.2).
    pub best_move_cutoff: bool,
    /// How exactly leaves are evaluated.
    pub leaf_window: LeafWindow,
    /// How new children are ordered.
    pub child_order: ChildOrder,
    /// What the values of new leaves are.
    pub leaf_scores: LeafScores,
    /// Which of several moves with the same value is played.
    pub answer: Answer,
}

impl Default for Settings {
    /// What solved most at 300,000 positions each, quiescence included, of 300 WAC and 384 ECM
    /// problems (the odd ones): 266 and 189. Instead of round robin at OR nodes: leftmost 254 and
    /// 176, minimal breadth 258 and 184, partial round robin 258 and 181, round robin at AND nodes
    /// too 256 and 179. Instead of narrow leaf windows: clipped 261 and 183, whole 248 and 153.
    /// Strategy, best move cutoff and the order of equal children make no difference that such numbers
    /// could show; minimum windows lose a little, as in the thesis.
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
            answer: Answer::default(),
        }
    }
}

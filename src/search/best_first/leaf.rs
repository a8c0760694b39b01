//! Evaluation of leaves, and the use of clipped values.
//!
//! Evaluation is nearly all the work of a search, and a bound costs less than a value. At any time the search only
//! needs to know which leaves would bring the root to Vmin or Vmax, and whether one step beyond takes at least CT
//! leaves. A leaf at or below Vmin - 1 need not change to lower the root to Vmin, and to raise the root
//! it is one conspirator however low it is; likewise at the other end. So with [`LeafWindow::Clipped`] a new leaf is
//! evaluated with the window that is exact from Vmin to Vmax, and a result outside is stored as a bound
//! ([`NodeState::AtMost`], [`NodeState::AtLeast`]). While the likely range stays within the one at the time of
//! evaluation, the numbers for all values from Vmin - 1 to Vmax + 1 are those of exact leaves: minimax values within
//! the range are exact by alpha-beta's argument, and a leaf counts by the side of the target it is on, which the bound
//! shows.
//!
//! When the range later reaches beyond the bound (the root's value has moved, or a higher threshold has widened the
//! range), a leaf "at most x" may really lie lower, and counts as one conspirator for lowering the root to v < x though
//! it may be there already. Only then may the numbers be too high. Two measures correct that:
//!
//! - A leaf chosen for expansion for such a v is evaluated again first, with the current window. Often it turns out to
//!   be there already, which saves the expansion.
//! - A threshold has converged on m only when every leaf that its certificate rests on is exact near m: ↓CN(m-1) and
//!   ↑CN(m+1) of the root must reach the threshold with leaves whose side of m-1 or m+1 is certain. Leaves in doubt are
//!   looked up in the tree and evaluated again until none is left. Targets farther off need no check, since what
//!   suffices against m-1 suffices against everything below. Such leaves are few: only those evaluated when the whole
//!   window lay on the other side of m.
//!
//! So a converged threshold means the same with clipped leaves as with exact ones, as long as the tree is whole. If
//! memory has been full it may not: a node whose children were reclaimed may stand for clipped leaves, which cannot be
//! looked up any more. Before convergence the two may expand different leaves, as numbers for values out of reach, and
//! the order of children outside the range, may differ.
//!
//! The second measure does not depend on the width of the windows. [`LeafWindow::Narrow`] makes them as narrow as
//! possible: exact at the root's present value, bounds on either side of it. Before convergence the numbers for values
//! farther off are then upper estimates: the likely range may look narrower than it is, and the search moves the root
//! step by step where it would have tried to move it far at once. In return leaves cost a third less, and at equal
//! nodes more problems are solved (figures at the defaults of [`Settings`](super::settings::Settings)).

use super::growth::GrowthPhase;
use super::leaf_workers::{self, EvaluatedLeaf};
use super::numbers::Goal;
use super::run::Run;
use super::settings::{ChildOrder, LeafScores, LeafWindow};
use super::tree::{Node, NodeId, NodeState, Worth};
use crate::conspiracy::{Kind, LikelyRange, Push};
use crate::game::{Evaluated, Evaluator, Game, MAX_MOVES};
use crate::search::kit::budget::Stopped;
use crate::search::kit::planted::unlooked_at;
use crate::search::kit::sorting::sort_by_key;
use crate::value::{Value, Window};
use arrayvec::ArrayVec;

impl Worth {
    /// Whether this leaf counts as short of the goal only because its value is a bound: it may be there already.
    pub(super) fn is_doubtful(&self, kind: Kind, goal: Goal) -> bool {
        let may_be_farther = match (goal.push, kind) {
            (Push::Lower, Kind::Max) | (Push::Raise, Kind::Min) => NodeState::AtMost,
            (Push::Raise, Kind::Max) | (Push::Lower, Kind::Min) => NodeState::AtLeast,
        };
        self.state == may_be_farther && !goal.push.reached(self.index, goal.target)
    }
}

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// Whether the depth limit forbids to expand nodes at `ply`.
    fn is_last(&self, ply: usize) -> bool {
        ply >= usize::from(self.settings.depth_limit)
    }

    /// The range of values in which leaves at `ply` must be exact; `None` for all values.
    fn exact_range(&self, ply: usize) -> Option<LikelyRange> {
        if self.settings.leaf_scores == LeafScores::Sibling || self.is_last(ply) {
            return None;
        }
        match self.settings.leaf_window {
            LeafWindow::Whole => None,
            LeafWindow::Clipped => Some(self.range),
            LeafWindow::Narrow => {
                let own = self.tree.root().index;
                Some(LikelyRange { min: own, max: own })
            }
        }
    }

    /// The window for evaluating a leaf at `ply`; records it in the tree's account of clipped leaves.
    fn window(&mut self, ply: usize) -> Window {
        let Some(LikelyRange { min, max }) = self.exact_range(ply) else {
            return Window::FULL;
        };
        let leaves = &mut self.tree.account;
        leaves.clipped_above = leaves.clipped_above.min(max + 1);
        leaves.clipped_below = leaves.clipped_below.max(min);
        let grid = self.tree.grid();
        let window = Window::new(grid.lowest(min).next_down(), grid.highest(max).next_up());
        match Kind::at_ply(ply) {
            Kind::Max => window,
            Kind::Min => Window::new(-window.beta, -window.alpha),
        }
    }

    /// The value of a position at `ply` if it needs no evaluation: a draw by rule or repetition, or a tablebase value.
    fn settled(&mut self, position: &G, ply: usize) -> Option<Value> {
        if position.is_drawn_by_rule() && position.has_legal_move()
            || self.line.repeats(ply - 1, position)
        {
            return Some(Value::DRAW);
        }
        self.evaluator.known_value(position)
    }

    /// Evaluates the children of a position, which are at `ply`, on all threads; `None` for a child that needs no
    /// evaluation or is left to [`Run::assess`]. Empty with a single thread.
    fn evaluate_ahead(
        &mut self,
        position: &G,
        moves: &[G::Move],
        ply: usize,
    ) -> Vec<Option<EvaluatedLeaf>> {
        if self.shared.is_none() {
            return Vec::new();
        }
        let mut places = Vec::new();
        let mut leaves = Vec::new();
        for (place, &m) in moves.iter().enumerate() {
            let child = position.after(m);
            if self.settled(&child, ply).is_none() {
                places.push(place);
                leaves.push((child, self.window(ply)));
            }
        }
        let mut ahead = vec![None; moves.len()];
        if let Some(shared) = &mut self.shared {
            let found = leaf_workers::evaluate(shared, self.evaluator, leaves, self.budget.left());
            for (place, leaf) in places.into_iter().zip(found) {
                ahead[place] = leaf;
            }
        }
        ahead
    }

    /// The value of a position at `ply`, reached from the line's position one ply above; evaluates it unless `ahead`
    /// has the result.
    fn assess(
        &mut self,
        position: &G,
        ply: usize,
        ahead: Option<EvaluatedLeaf>,
    ) -> Result<(Value, NodeState), Stopped> {
        self.budget.check()?;
        if let Some(value) = self.settled(position, ply) {
            return Ok((value, NodeState::Terminal));
        }
        let window = self.window(ply);
        let Evaluated { value, plies } = match ahead {
            Some(ahead) if self.budget.take(ahead.nodes) => ahead.evaluated,
            _ => self
                .evaluator
                .evaluate(position, window, &mut self.budget)?,
        };
        self.seldepth = self.seldepth.max(ply as u32 + plies);
        let state = if value.is_decided() {
            NodeState::Terminal
        } else if self.is_last(ply) {
            self.tree.account.at_limit = true;
            NodeState::AtLimit
        } else if value <= window.alpha {
            NodeState::AtMost
        } else if value >= window.beta {
            NodeState::AtLeast
        } else {
            NodeState::Exact
        };
        Ok((value, state))
    }

    /// Evaluates the clipped leaf at the line's `ply` again, with the current window cut at the known bound, so that
    /// bounds only tighten.
    pub(super) fn evaluate_again(&mut self, ply: usize) -> Result<(), Stopped> {
        let live = self.window(ply);
        let id = self.line.nodes(ply)[ply];
        let Worth { value, state, .. } = self.tree.node(id).data;
        let window = match state {
            NodeState::AtMost => Window::new(live.alpha.min(value.next_down()), value.next_up()),
            NodeState::AtLeast => Window::new(value.next_down(), live.beta.max(value.next_up())),
            NodeState::Exact | NodeState::Terminal | NodeState::AtLimit | NodeState::Interior => {
                return Ok(());
            }
        };
        let position = self.line.position(ply);
        let Evaluated { value, plies } =
            self.evaluator
                .evaluate(position, window, &mut self.budget)?;
        self.seldepth = self.seldepth.max(ply as u32 + plies);
        let is_bound = value <= window.alpha || value >= window.beta;
        let state = match state {
            _ if value.is_decided() => NodeState::Terminal,
            clipped if is_bound => clipped,
            _ => NodeState::Exact,
        };
        self.tree.revalue(id, Kind::at_ply(ply), value, state);
        self.update(ply);
        Ok(())
    }

    /// Expands the node at the line's `ply`.
    ///
    /// An expansion stopped half-way leaves no trace, except at the root, which gets the children evaluated so far so
    /// that there is a move to play.
    pub(super) fn expand(&mut self, ply: usize) -> Result<(), Stopped> {
        self.enter(GrowthPhase::Expand);
        let position = self.line.position(ply).clone();
        let id = self.line.nodes(ply)[ply];
        let moves = match ply {
            0 => self.budget.limits.root_moves(&position),
            _ => position.legal_moves(),
        };
        if moves.is_empty() {
            let (kind, value) = (Kind::at_ply(ply), position.terminal_value());
            self.tree.revalue(id, kind, value, NodeState::Terminal);
            self.update(ply);
            return Ok(());
        }
        let mut children = ArrayVec::<Node<G::Move>, MAX_MOVES>::new();
        let ahead = self.evaluate_ahead(&position, &moves, ply + 1);
        let stopped = moves.iter().enumerate().try_for_each(|(place, &m)| {
            let ahead = ahead.get(place).copied().flatten();
            let (value, state) = self.assess(&position.after(m), ply + 1, ahead)?;
            children.push(self.tree.leaf(m, Kind::at_ply(ply + 1), value, state));
            Ok(())
        });
        if stopped.is_err() {
            if ply > 0 || children.is_empty() {
                return stopped;
            }
            let looked_at = children.iter().map(|child| child.value);
            if let Some(value) = unlooked_at(&position, looked_at, self.evaluator) {
                let rest = moves[children.len()..].iter();
                let leaf = |&m: &G::Move| self.tree.leaf(m, Kind::Min, value, NodeState::Exact);
                children.extend(rest.map(leaf));
            }
        }
        if self.settings.leaf_scores == LeafScores::Sibling {
            self.relate(id, &position, ply, &mut children);
        }
        let of_equals = |m| match self.settings.child_order {
            ChildOrder::Value => 0,
            ChildOrder::ValueThenPreference => -position.preference(m),
        };
        sort_by_key(&mut children, |child| {
            (-child.value.from_child(), of_equals(child.m))
        });
        self.seldepth = self.seldepth.max(ply as u32 + 1);
        let height = &mut self.tree.account.height;
        *height = (*height).max(ply as u32 + 1);
        if self.tree.expand(id, &children) {
            self.update(ply);
        }
        stopped
    }

    /// Makes the values of new children relative: the best one gets the value of their parent, the node at `ply`.
    fn relate(&self, parent: NodeId, position: &G, ply: usize, children: &mut [Node<G::Move>]) {
        for child in children
            .iter_mut()
            .filter(|it| it.state != NodeState::Terminal)
        {
            if let Some(value) = position.after(child.m).outcome() {
                (child.value, child.state) = (value, NodeState::Terminal);
            }
        }
        let compared = children.iter().filter(|it| it.state != NodeState::Terminal);
        let best = compared.map(|child| child.value.from_child()).max();
        let parent = self.tree.node(parent).value;
        let shift = match best {
            Some(best) if !parent.is_decided() => i32::from(best.get()) - i32::from(parent.get()),
            _ => 0,
        };
        for child in children {
            if child.state != NodeState::Terminal {
                child.value = child.value.offset(shift);
            }
            child.index = self.tree.index(Kind::at_ply(ply + 1), child.value);
        }
    }
}

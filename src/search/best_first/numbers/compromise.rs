//! Compromise (thesis, section 3.3 and appendix 3): interior nodes keep four numbers, those for
//! Vmin - 1, Vmin, Vmax and Vmax + 1.
//!
//! These are what the search asks for: Vmin and Vmax to find its way down, all four to tell where
//! the likely range ends. The range rarely moves, so keeping them pays, whatever the number of
//! values on the grid. Anything else is computed as [`Basic`](super::Basic) does.
//!
//! The numbers are right at relevant nodes only (see [`Storage`]) and may be wrong, lazily, at all
//! others. Three things keep it that way:
//!
//! - When Vmax moves up by one, the number for the old Vmax + 1 becomes the one for Vmax, and that
//!   for the new Vmax + 1 is computed at all nodes relevant to it. When it moves down, the number
//!   for the old Vmax becomes the one for Vmax + 1 at all nodes relevant to that, and the one for
//!   the new Vmax is computed. Vmin mirrors this (section 3.3.3).
//! - When a node on the path loses a value that had reached a goal, all nodes below it become
//!   *newly relevant* to that goal, and its number is computed anew at each of them (section 3.3.4).
//! - Only then are the numbers on the path computed from their sons'.

use super::super::tree::{Node, NodeId, State, Tree};
use super::basic::computed;
use super::{Goal, Storage, best_value, combine};
use crate::conspiracy::{Count, Kind, LikelyRange, Push};

/// The four numbers of a node, by [`Place`].
type Four = [Count; 4];

/// Which of the four a number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    BelowMin,
    Min,
    Max,
    AboveMax,
}

impl Place {
    const ALL: [Place; 4] = [Place::BelowMin, Place::Min, Place::Max, Place::AboveMax];

    /// The number for an end of the range, and for the value next to it outside.
    const fn at_end(push: Push) -> (Place, Place) {
        match push {
            Push::Lower => (Place::Min, Place::BelowMin),
            Push::Raise => (Place::Max, Place::AboveMax),
        }
    }
}

/// Keeps four numbers.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Compromise {
    /// The range that the numbers kept belong to.
    range: Option<LikelyRange>,
    /// Values on the path before an update, as indices.
    before: Vec<u8>,
}

impl Compromise {
    /// The goal that a place belongs to, unless it lies off a grid of `len` values.
    fn goal(&self, place: Place, len: u8) -> Option<Goal> {
        let LikelyRange { min, max } = self.range?;
        let (push, target) = match place {
            Place::BelowMin => (Push::Lower, min.checked_sub(1)?),
            Place::Min => (Push::Lower, min),
            Place::Max => (Push::Raise, max),
            Place::AboveMax => (Push::Raise, Some(max + 1).filter(|&it| it < len)?),
        };
        Some(Goal { push, target })
    }

    fn goals(&self, len: u8) -> impl Iterator<Item = (Place, Goal)> {
        let goal = move |place| Some((place, self.goal(place, len)?));
        Place::ALL.into_iter().filter_map(goal)
    }

    /// Where the number for a goal is kept.
    #[inline]
    fn place(&self, goal: Goal) -> Option<Place> {
        let LikelyRange { min, max } = self.range?;
        match goal.push {
            Push::Lower if goal.target == min => Some(Place::Min),
            Push::Lower if goal.target + 1 == min => Some(Place::BelowMin),
            Push::Raise if goal.target == max => Some(Place::Max),
            Push::Raise if goal.target == max + 1 => Some(Place::AboveMax),
            _ => None,
        }
    }

    /// The number kept for a relevant node, or its static one.
    #[inline]
    fn kept<M: Copy>(tree: &Tree<M, Four>, node: &Node<M>, goal: Goal, place: Place) -> Count {
        if goal.is_reached(node.index) {
            return Count::ZERO;
        }
        match (node.state, tree.numbers(node)) {
            (_, Some(numbers)) => numbers[place as usize],
            (State::Terminal, None) => Count::INFINITY,
            (_, None) => Count::ONE,
        }
    }

    /// Moves an end of the range that the numbers belong to.
    fn move_end<M: Copy>(&mut self, tree: &mut Tree<M, Four>, push: Push, to: u8) {
        let Some(range) = &mut self.range else {
            return;
        };
        let end = match push {
            Push::Lower => &mut range.min,
            Push::Raise => &mut range.max,
        };
        let from = std::mem::replace(end, to);
        let (at_end, outside) = Place::at_end(push);
        let len = tree.grid().len();
        let (inner, outer) = (self.goal(at_end, len), self.goal(outside, len));
        let is_next = from.abs_diff(to) == 1;
        let widens = push.reached(to, from);
        match outer {
            Some(goal) if is_next && widens => recompute(tree, goal, outside, Some(at_end)),
            Some(goal) if is_next => copy(tree, goal, at_end, outside),
            Some(goal) => recompute(tree, goal, outside, None),
            None if is_next && widens => {
                // There is no number to compute, only the old one to hand on.
                inner
                    .into_iter()
                    .for_each(|goal| copy(tree, goal, outside, at_end));
            }
            None => {}
        }
        if let Some(goal) = inner.filter(|_| !(is_next && widens)) {
            recompute(tree, goal, at_end, None);
        }
    }

    /// Finds the end of the likely range on one side, taking the numbers along.
    fn find_end<M: Copy>(&mut self, tree: &mut Tree<M, Four>, push: Push, threshold: Count) {
        let own = tree.root().index;
        let (at_end, outside) = Place::at_end(push);
        let count = |tree: &Tree<M, Four>, goal, place| Self::kept(tree, tree.root(), goal, place);
        let len = tree.grid().len();
        // The root's own value is always likely.
        if self
            .goal(at_end, len)
            .is_some_and(|goal| !push.reached(goal.target, own))
        {
            self.move_end(tree, push, own);
        }
        while let Some(goal) = self.goal(at_end, len)
            && count(tree, goal, at_end) >= threshold
            && goal.target != own
        {
            let nearer = match push {
                Push::Lower => goal.target + 1,
                Push::Raise => goal.target - 1,
            };
            self.move_end(tree, push, nearer);
        }
        while let Some(goal) = self.goal(outside, len)
            && count(tree, goal, outside) < threshold
        {
            self.move_end(tree, push, goal.target);
        }
    }

    /// Gives the nodes on the path their new values; returns the first ply that has one. The old
    /// ones are left in `before`.
    fn update_values<M: Copy>(&mut self, tree: &mut Tree<M, Four>, path: &[NodeId]) -> usize {
        self.before.clear();
        self.before
            .extend(path.iter().map(|&id| tree.node(id).index));
        let mut first_changed = path.len();
        for (ply, &id) in path.iter().enumerate().rev() {
            let sons = tree.sons(tree.node(id));
            if !sons.is_empty() {
                let value = best_value(sons);
                if !tree.set_value(id, Kind::at_ply(ply), value) {
                    break;
                }
                first_changed = ply;
            }
        }
        first_changed
    }

    /// Computes the numbers of newly relevant nodes below the path (section 3.3.4).
    fn repair<M: Copy>(&self, tree: &mut Tree<M, Four>, path: &[NodeId]) {
        for (place, goal) in self.goals(tree.grid().len()) {
            // What the root has reached makes nothing irrelevant.
            let topmost = (1..path.len()).find(|&ply| goal.is_reached(self.before[ply]));
            if let Some(ply) = topmost
                && !goal.is_reached(tree.node(path[ply]).index)
            {
                recompute_below(tree, path[ply], Kind::at_ply(ply), goal, place, None);
            }
        }
    }

    /// A node's four numbers from those of its sons.
    fn combined<M: Copy>(&self, tree: &Tree<M, Four>, node: &Node<M>, kind: Kind) -> Four {
        let mut numbers = [Count::ZERO; 4];
        for (place, goal) in self.goals(tree.grid().len()) {
            if !goal.is_reached(node.index) {
                let sons = tree.sons(node).iter();
                let counts = sons.map(|son| Self::kept(tree, son, goal, place));
                numbers[place as usize] = combine(goal, kind, counts);
            }
        }
        numbers
    }
}

/// Computes the number for a goal at all nodes relevant to it. With `hand_on`, each node's old
/// number moves to that place first.
fn recompute<M: Copy>(tree: &mut Tree<M, Four>, goal: Goal, place: Place, hand_on: Option<Place>) {
    let root = tree.root();
    let (sons, first) = (tree.sons(root).len(), tree.son(root, 0));
    let counts = (0..sons as u32).map(|number| {
        let son = NodeId(first.0 + number);
        recompute_below(tree, son, Kind::Min, goal, place, hand_on)
    });
    let count = combine(goal, Kind::Max, counts);
    store(tree, NodeId::ROOT, count, place, hand_on);
}

/// The same at and below one relevant node; returns its number.
fn recompute_below<M: Copy>(
    tree: &mut Tree<M, Four>,
    id: NodeId,
    kind: Kind,
    goal: Goal,
    place: Place,
    hand_on: Option<Place>,
) -> Count {
    let node = tree.node(id);
    if goal.is_reached(node.index) {
        return Count::ZERO;
    }
    match node.state {
        State::Interior => {}
        State::Terminal => return Count::INFINITY,
        State::Exact | State::AtMost | State::AtLeast => return Count::ONE,
    }
    let (sons, first) = (tree.sons(node).len(), tree.son(node, 0));
    let count = if sons == 0 {
        Count::ONE
    } else {
        let counts = (0..sons as u32).map(|number| {
            let son = NodeId(first.0 + number);
            recompute_below(tree, son, kind.other(), goal, place, hand_on)
        });
        combine(goal, kind, counts)
    };
    store(tree, id, count, place, hand_on);
    count
}

fn store<M: Copy>(
    tree: &mut Tree<M, Four>,
    id: NodeId,
    count: Count,
    place: Place,
    hand_on: Option<Place>,
) {
    if let Some(numbers) = tree.numbers_mut(id) {
        if let Some(next) = hand_on {
            numbers[next as usize] = numbers[place as usize];
        }
        numbers[place as usize] = count;
    }
}

/// Copies the number at one place to another at all nodes relevant to a goal.
fn copy<M: Copy>(tree: &mut Tree<M, Four>, goal: Goal, from: Place, to: Place) {
    let mut open = vec![NodeId::ROOT];
    while let Some(id) = open.pop() {
        if let Some(numbers) = tree.numbers_mut(id) {
            numbers[to as usize] = numbers[from as usize];
        }
        let node = tree.node(id);
        if id == NodeId::ROOT || !goal.is_reached(node.index) {
            let sons = tree.sons(node).iter().enumerate();
            let inner = sons.filter(|(_, son)| son.state == State::Interior);
            open.extend(inner.map(|(number, _)| tree.son(node, number)));
        }
    }
}

impl Storage for Compromise {
    type Record = Four;

    const EMPTY: Four = [Count::ZERO; 4];

    fn update<M: Copy>(&mut self, tree: &mut Tree<M, Four>, path: &[NodeId]) -> bool {
        let first_changed = self.update_values(tree, path);
        if first_changed < path.len() {
            self.repair(tree, path);
        }
        for (ply, &id) in path.iter().enumerate().rev() {
            let node = tree.node(id);
            if tree.sons(node).is_empty() {
                continue;
            }
            let numbers = self.combined(tree, node, Kind::at_ply(ply));
            let is_new = tree.set_numbers(id, numbers);
            if !is_new && ply < first_changed {
                return false;
            }
        }
        true
    }

    #[inline]
    fn count<M: Copy>(
        &self,
        tree: &Tree<M, Four>,
        node: &Node<M>,
        kind: Kind,
        goal: Goal,
    ) -> Count {
        match self.place(goal) {
            Some(place) => Self::kept(tree, node, goal, place),
            None => computed(tree, node, kind, goal),
        }
    }

    fn likely_range<M: Copy>(&mut self, tree: &mut Tree<M, Four>, threshold: Count) -> LikelyRange {
        if self.range.is_none() {
            let own = tree.root().index;
            self.range = Some(LikelyRange { min: own, max: own });
            self.reclaimed(tree);
        }
        for push in [Push::Lower, Push::Raise] {
            self.find_end(tree, push, threshold);
        }
        self.range.unwrap_or(LikelyRange {
            min: 0,
            max: tree.grid().len() - 1,
        })
    }

    fn reclaimed<M: Copy>(&mut self, tree: &mut Tree<M, Four>) {
        let goals: Vec<_> = self.goals(tree.grid().len()).collect();
        for (place, goal) in goals {
            recompute(tree, goal, place, None);
        }
    }
}

//! Numbers with a margin: how many leaves would have to be wrong for the root's value to change by a relevant amount,
//! or for another move to be better.
//!
//! The numbers next to the root's value, C< and C>, are for a change by the smallest step. With an evaluation in
//! centipawns that nearly always takes one leaf. Alpha-beta conspiracy search counts leaves for a change by a margin δ
//! instead (D. McAllester and D. Yuret, "Alpha-beta conspiracy search", ICGA Journal 25(1), 2002).
//!
//! A leaf is assumed to be wrong by at most two margins. If it could have any value, one leaf would nearly always
//! suffice: a mate at the end of a single line would make some move the best. With the bound, only leaves that are
//! close to mattering count.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::count::Conspiracies;
use super::grown::{GrownTree, Nature};
use super::settled;
use crate::conspiracy::Push;
use crate::value::Value;

/// Largest error of a leaf, in margins.
const LEAF_ERROR: u16 = 2;

/// A relevant change of the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "u16", into = "u16")]
pub struct Margin(u16);

impl Margin {
    /// Largest margin, in centipawns.
    pub const MOST: u16 = 1_000;

    /// A margin in centipawns, clamped to 1 to [`Margin::MOST`].
    pub fn new(centipawns: u16) -> Margin {
        Margin(centipawns.clamp(1, Margin::MOST))
    }

    /// The margin in centipawns, from 1 to [`Margin::MOST`].
    pub fn centipawns(self) -> u16 {
        self.0
    }

    /// Largest error of a leaf, in centipawns: two margins.
    pub fn leaf_error(self) -> u16 {
        self.0 * LEAF_ERROR
    }
}

impl From<u16> for Margin {
    fn from(centipawns: u16) -> Margin {
        Margin::new(centipawns)
    }
}

impl From<Margin> for u16 {
    fn from(margin: Margin) -> u16 {
        margin.0
    }
}

impl Default for Margin {
    /// Half a pawn.
    fn default() -> Margin {
        Margin(50)
    }
}

/// Numbers of leaves that would have to be wrong together, each by at most two margins, for the root's value to change
/// by a margin. `None` is infinity: final values or that bound stand in the way, or the root's value is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ByMargin {
    /// The margin, in centipawns.
    pub margin: Margin,
    /// For the root to be worth less, by the margin or more.
    pub worse: Option<u32>,
    /// For the root to be worth more, by the margin or more.
    pub better: Option<u32>,
    /// For another move to be better than the move to play, by the margin or more. `None` also if there is no other
    /// move.
    pub other_move: Option<u32>,
}

/// The counts at a tree's root. `choice` is the index of the root's child to play; `None` for the first of the best.
pub(super) fn by_margin<T: GrownTree>(tree: &T, margin: Margin, choice: Option<usize>) -> ByMargin {
    let root = tree.root();
    let value = settled(tree.value(root));
    if value.is_decided() {
        return ByMargin {
            margin,
            worse: None,
            better: None,
            other_move: None,
        };
    }
    let [down, up] = Conspiracies::both(tree, Some(margin.leaf_error().into()));
    let by = i32::from(margin.centipawns());
    ByMargin {
        margin,
        worse: down.count(root, value.offset(-by)),
        better: up.count(root, value.offset(by)),
        other_move: other_move([&down, &up], choice, by),
    }
}

/// Fewest leaves that make some other move better than the one to play by `margin` centipawns. They are divided: some
/// push the move to play back to a value, the rest push another move to a margin beyond it.
fn other_move<T: GrownTree>(
    [down, up]: [&Conspiracies<'_, T>; 2],
    choice: Option<usize>,
    margin: i32,
) -> Option<u32> {
    let tree = down.tree;
    let Nature::Interior(kind) = tree.nature(tree.root()) else {
        return None;
    };
    // The move to play is pushed to the player's disadvantage, the others to his advantage. `sign` turns a value into
    // one for the player.
    let (back, ahead, sign) = if Push::Raise.is_or_node(kind) {
        (down, up, 1)
    } else {
        (up, down, -1)
    };
    let mut others: Vec<T::Node> = tree.children(tree.root()).map(|(_, it)| it).collect();
    let value = tree.value(tree.root());
    let best = || others.iter().position(|&it| tree.value(it) == value);
    let choice = choice.filter(|&it| it < others.len()).or_else(best)?;
    let chosen = others.remove(choice);
    let value = settled(tree.value(chosen));
    if value.is_decided() {
        return None;
    }
    let reaches = others.iter().map(|&it| ahead.reach(it));
    let farthest = reaches.reduce(|a, b| ahead.farther(a, b))?;
    let first = sign * i32::from(back.reach(chosen).get());
    let last = (sign * i32::from(farthest.get()) - margin).min(sign * i32::from(value.get()));
    // Numbers of leaves for the chosen move to be worth at most `at`, and for another to be worth a margin more.
    let at = |at: i32| {
        let target = Value::centipawns(sign * (at + margin));
        let counts = others.iter().filter_map(|&it| ahead.count(it, target));
        let back = back.count(chosen, Value::centipawns(sign * at));
        Some((back?, counts.min()?))
    };
    if first > last {
        return None;
    }
    let (low, high) = (at(first)?, at(last)?);
    let total = |(back, ahead): (u32, u32)| back.saturating_add(ahead);
    let mut least = total(low).min(total(high));
    let mut open = vec![((first, low), (last, high))];
    // The higher `at`, the fewer leaves push back and the more push ahead. So between two values it takes at least
    // the upper one's first number plus the lower one's second.
    while let Some((lower, upper)) = open.pop() {
        let bound = upper.1.0.saturating_add(lower.1.1);
        if bound >= least || upper.0 - lower.0 < 2 {
            continue;
        }
        let middle = lower.0 + (upper.0 - lower.0) / 2;
        if let Some(numbers) = at(middle) {
            least = least.min(total(numbers));
            open.push((lower, (middle, numbers)));
            open.push(((middle, numbers), upper));
        }
    }
    Some(least)
}

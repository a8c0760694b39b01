//! The profile of a position: how many leaves would have to be wrong for its value to change, and which.
//!
//! A tree tells more than its value: for every other value, how many conspirators it takes, and which leaves they are.
//! A [`Profile`] has that as data, for any game.
//!
//! - [`grown`]: the interface of a tree, [`GrownTree`].
//! - `ladder`: the farthest value to which one conspirator can bring the root, to which two can, ...
//! - `count`: the number of conspirators for a given value, and a smallest set of them.
//! - `margin`: the number of conspirators for a change by a margin, [`ByMargin`].
//! - [`criticality`]: critical positions of a game by the rule of Khalid et al.
//! - [`snapshot`]: a copy of a tree with the numbers of all its nodes.
//!
//! All values are for the side to move at the root. Targets, steps and ranges do not tell the length of proven wins
//! and losses: all wins are [`Value::WIN`], all losses [`Value::LOSS`].

mod count;
pub mod criticality;
pub mod grown;
mod ladder;
mod margin;
#[doc(hidden)]
pub mod score;
pub mod snapshot;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::value::Value;
use count::Conspiracies;
pub use grown::{GrownTree, Nature};
pub use margin::{ByMargin, Margin};
pub use snapshot::Snapshot;

/// Meaning of the numbers of a [`Profile`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Counted in a stored tree: exact for that tree.
    Tree,
    /// Certificates of depth-first search under unit costs: only the two numbers next to the root's value, counted in
    /// the tree that was searched, as lower bounds.
    Certificates,
}

/// The certainty of a position's value. `L` is the type of a line: `Vec` of moves, or text.
///
/// Numbers count conspirators, leaves that must be wrong together; `None` is infinity: no number suffices.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Profile<L> {
    /// Meaning of the numbers.
    pub basis: Basis,
    /// The root's value.
    #[serde(with = "score")]
    pub value: Value,
    /// C<: fewest conspirators that make the root worth less (D. McAllester and D. Yuret, "Alpha-beta
    /// conspiracy search", ICGA Journal 25(1), 2002).
    pub below: Option<u32>,
    /// C>: fewest conspirators that make the root worth more.
    pub above: Option<u32>,
    /// `MinCN`: the smallest conspiracy number of the root for any value but its own, so the smaller of
    /// C< and C> (Khalid et al. 2015, section 3). `None` if no conspiracy can change the value.
    pub min_cn: Option<u32>,
    /// `MaxCN`: the largest finite conspiracy number of the root (Khalid et al. 2015, section 3). `None` if there is
    /// none, or it is unknown.
    pub max_cn: Option<u32>,
    /// Numbers of conspirators for another value, or another move, by a margin; `None` if not asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub by_margin: Option<ByMargin>,
    /// Values below the root's, grouped by the number of conspirators they take, nearest first.
    pub lowered: Vec<Step<L>>,
    /// Values above the root's, grouped by the number of conspirators they take, nearest first.
    pub raised: Vec<Step<L>>,
    /// Likely ranges, for each number of conspirators from 0 on.
    pub ranges: Vec<Range>,
    /// Conspirators for the value asked for, if one was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub asked: Option<Asked<L>>,
}

/// Conspirators that bring the root to a given value or beyond it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Asked<L> {
    /// The value.
    #[serde(with = "score")]
    pub target: Value,
    /// Number of conspirators; 0 if the root has the value already.
    pub conspirators: Option<u32>,
    /// A smallest set of them; empty if it has more than [`Question::named`].
    pub names: Vec<Conspirator<L>>,
}

/// Neighbouring values that take the same number of conspirators.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step<L> {
    /// Number of conspirators, at least 1.
    pub conspirators: u32,
    /// The value nearest to the root's.
    #[serde(with = "score")]
    pub from: Value,
    /// The value farthest from the root's.
    #[serde(with = "score")]
    pub to: Value,
    /// Leftmost smallest set of conspirators for any of these values; empty if it has more than [`Question::named`].
    pub names: Vec<Conspirator<L>>,
}

/// A leaf that would have to be wrong.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Conspirator<L> {
    /// Line from the root to the leaf.
    pub line: L,
    /// Its static value.
    #[serde(with = "score")]
    pub value: Value,
}

/// The likely range of the root at the conspiracy threshold one above `conspirators`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Range {
    /// Leaves that may be wrong.
    pub conspirators: u32,
    /// Least value of the root if so many leaves are wrong.
    #[serde(with = "score")]
    pub min: Value,
    /// Largest value of the root if so many leaves are wrong.
    #[serde(with = "score")]
    pub max: Value,
}

/// Scope of a profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// Grain of values, in centipawns, at least 1: the distance to the next value.
    pub grain: i32,
    /// Ranges and steps go up to this many conspirators more than the larger of C< and C>.
    pub beyond: u32,
    /// Largest set of conspirators that is named.
    pub named: u32,
    /// A value to ask for: at least this if it is above the root's, else at most this; `None` asks for none.
    pub target: Option<Value>,
    /// Margin for [`Profile::by_margin`]; `None` leaves that out.
    pub margin: Option<Margin>,
    /// Index of the root's child to play, from 0; `None` for the first of the best.
    pub choice: Option<usize>,
}

impl Default for Question {
    fn default() -> Question {
        Question {
            grain: 1,
            beyond: 6,
            named: 12,
            target: None,
            margin: None,
            choice: None,
        }
    }
}

/// Most conspirators of a range or step.
const MOST: u32 = 400;

impl<L> Profile<L> {
    /// Profile of a value that no conspiracy can change.
    pub fn certain(basis: Basis, value: Value) -> Profile<L> {
        Profile {
            basis,
            value,
            below: None,
            above: None,
            min_cn: None,
            max_cn: None,
            by_margin: None,
            lowered: Vec::new(),
            raised: Vec::new(),
            ranges: Vec::new(),
            asked: None,
        }
    }

    /// Converts the lines.
    pub fn map_lines<K>(self, mut write: impl FnMut(L) -> K) -> Profile<K> {
        let mut named = |names: Vec<Conspirator<L>>| -> Vec<Conspirator<K>> {
            let names = names.into_iter().map(|name| Conspirator {
                line: write(name.line),
                value: name.value,
            });
            names.collect()
        };
        let mut of_steps = |steps: Vec<Step<L>>| -> Vec<Step<K>> {
            let steps = steps.into_iter().map(|step| Step {
                conspirators: step.conspirators,
                from: step.from,
                to: step.to,
                names: named(step.names),
            });
            steps.collect()
        };
        Profile {
            lowered: of_steps(self.lowered),
            raised: of_steps(self.raised),
            basis: self.basis,
            value: self.value,
            below: self.below,
            above: self.above,
            min_cn: self.min_cn,
            max_cn: self.max_cn,
            by_margin: self.by_margin,
            ranges: self.ranges,
            asked: self.asked.map(|asked| Asked {
                target: asked.target,
                conspirators: asked.conspirators,
                names: named(asked.names),
            }),
        }
    }
}

/// The profile of a tree's root.
pub fn of_tree<T: GrownTree>(tree: &T, question: &Question) -> Profile<Vec<T::Move>> {
    let value = tree.value(tree.root());
    let [down, up] = Conspiracies::both(tree, None);
    let next = |side: &Conspiracies<'_, T>| {
        let next = side.next(settled(value), question.grain);
        side.count(tree.root(), next)
    };
    let (below, above) = (next(&down), next(&up));
    let farthest = [&down, &up].map(|side| {
        let reach = side.reach(tree.root());
        side.count(tree.root(), reach).filter(|&it| it > 0)
    });
    let nearest = [below, above].into_iter().flatten();
    let most = nearest.clone().max().unwrap_or(0);
    let most = most.saturating_add(question.beyond).min(MOST) as usize;
    let ladders = [&down, &up].map(|side| side.ladder(tree.root(), most));
    let ranges = (0..).zip(ladders[0].iter().zip(&ladders[1]));
    let asked = question.target.map(|target| {
        let target = settled(target);
        let is_above = target > settled(value);
        let side = if is_above { &up } else { &down };
        let conspirators = side.count(tree.root(), target);
        let few = conspirators.filter(|&it| it <= question.named);
        Asked {
            target,
            conspirators,
            names: few.map_or_else(Vec::new, |few| side.smallest(target, few)),
        }
    });
    Profile {
        asked,
        basis: Basis::Tree,
        value,
        below,
        above,
        min_cn: nearest.min(),
        max_cn: farthest.into_iter().flatten().max(),
        by_margin: question
            .margin
            .map(|margin| margin::by_margin(tree, margin, question.choice)),
        lowered: steps(&down, &ladders[0], question),
        raised: steps(&up, &ladders[1], question),
        ranges: ranges
            .map(|(conspirators, (&min, &max))| Range {
                conspirators,
                min,
                max,
            })
            .collect(),
    }
}

/// Steps of a ladder, with their conspirators.
fn steps<T: GrownTree>(
    side: &Conspiracies<'_, T>,
    ladder: &[Value],
    question: &Question,
) -> Vec<Step<Vec<T::Move>>> {
    let pairs = (1..).zip(ladder.windows(2));
    let wider = pairs.filter(|(_, pair)| pair[0] != pair[1]);
    let steps = wider.map(|(conspirators, pair)| Step {
        conspirators,
        from: settled(side.next(pair[0], question.grain)),
        to: pair[1],
        names: if conspirators <= question.named {
            side.smallest(pair[1], conspirators)
        } else {
            Vec::new()
        },
    });
    steps.collect()
}

/// Maps all proven wins to [`Value::WIN`], and all proven losses to [`Value::LOSS`].
pub fn settled(value: Value) -> Value {
    if value.is_win() {
        Value::WIN
    } else if value.is_loss() {
        Value::LOSS
    } else {
        value
    }
}

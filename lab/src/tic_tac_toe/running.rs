//! More *readings*, that is, interpretations of the rules of Khalid et al. 2015: each node has two counts, updated while
//! a search goes through its children, instead of one number for each value.
//!
//! The paper calls its numbers "scalar measures" of a "fixed-depth minimax". The two counts are a *sum*, for when all
//! children must change, and a *least*, for when one is enough. Each child adds its sum or its least to the
//! sum, depending on its place relative to the best before it.

use std::fmt;

use super::play::Wins;
use super::{Grid, grid};
use cassius::conspiracy::Kind;
use cassius::conspiracy::definition::Tree;

/// Places of a child relative to the best before it, by index.
const PLACES: [&str; 4] = ["first", "better", "equal", "worse"];

/// One reading: the rules for sum and least at each kind of node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Running {
    /// The value of a won game.
    pub(super) wins: Wins,
    /// For MAX nodes and for MIN nodes: whether a child in each place adds its sum; else its least.
    adds_sum: [[bool; 4]; 2],
    /// For MAX nodes and for MIN nodes: whether the least is the least of the children's leasts; else of their sums.
    of_leasts: [bool; 2],
}

/// The two counts of a node, and its value.
#[derive(Clone, Copy, Default)]
struct Counts {
    value: i32,
    sum: u32,
    least: u32,
}

/// All readings of this kind.
pub fn family() -> Vec<Running> {
    let mut family = Vec::new();
    for wins in [Wins::ByRows, Wins::Flat] {
        for code in 0..1_usize << 10 {
            let bit = |number: usize| code >> number & 1 == 1;
            family.push(Running {
                wins,
                adds_sum: [[0, 1, 2, 3].map(bit), [4, 5, 6, 7].map(bit)],
                of_leasts: [bit(8), bit(9)],
            });
        }
    }
    family
}

impl Running {
    /// The sums and the leasts at the roots of these trees.
    pub fn numbers(&self, trees: &[Tree]) -> [Grid<u32>; 2] {
        let counts: Vec<Counts> = trees.iter().map(|tree| self.counts(tree)).collect();
        [
            grid(counts.iter().map(|it| it.sum)),
            grid(counts.iter().map(|it| it.least)),
        ]
    }

    fn counts(&self, tree: &Tree) -> Counts {
        let (kind, children) = match tree {
            Tree::Leaf(value) | Tree::Terminal(value) => {
                return Counts {
                    value: *value,
                    sum: 1,
                    least: 1,
                };
            }
            Tree::Interior(kind, children) => (*kind, children),
        };
        let side = usize::from(kind == Kind::Min);
        let mut counts: Option<Counts> = None;
        for child in children {
            let child = self.counts(child);
            let place = match counts {
                None => 0,
                Some(so_far) if so_far.value == child.value => 2,
                Some(so_far) if kind.better(so_far.value, child.value) == child.value => 1,
                Some(_) => 3,
            };
            let pick = |sum: bool| if sum { child.sum } else { child.least };
            let so_far = counts.unwrap_or(Counts {
                value: child.value,
                sum: 0,
                least: u32::MAX,
            });
            counts = Some(Counts {
                value: kind.better(so_far.value, child.value),
                sum: so_far.sum + pick(self.adds_sum[side][place]),
                least: so_far.least.min(pick(!self.of_leasts[side])),
            });
        }
        counts.unwrap_or_default()
    }
}

impl fmt::Display for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two counts a node, sum and least, updated while minimax goes through its children; the root is the position after X's move")?;
        if self.wins == Wins::Flat {
            f.write_str(
                "; a won game is worth 1000 or -1000, whatever stands in the other lines of three",
            )?;
        }
        for (side, kind) in ["MAX", "MIN"].iter().enumerate() {
            let of = |sum: bool| -> String {
                let places = PLACES.into_iter().zip(self.adds_sum[side]);
                let places = places.filter(|(_, adds)| *adds == sum);
                places.map(|it| it.0).collect::<Vec<_>>().join(", ")
            };
            write!(f, "; at {kind} nodes ")?;
            match (of(true).as_str(), of(false).as_str()) {
                (sums, "") => write!(f, "all children ({sums}) add their sum")?,
                ("", leasts) => write!(f, "all children ({leasts}) add their least")?,
                (sums, leasts) => {
                    write!(
                        f,
                        "children ({sums}) add their sum, children ({leasts}) their least, each compared with the best before it"
                    )?;
                }
            }
            let least = ["sums", "leasts"][usize::from(self.of_leasts[side])];
            write!(f, ", and the least is the least of their {least}")?;
        }
        Ok(())
    }
}

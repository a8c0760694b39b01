//! More readings: two counts kept while a search goes through the children, instead of a number for each
//! value.
//!
//! The paper calls its numbers "scalar measures" of a "fixed-depth minimax". So here each node has just
//! two, what it takes to have one's way at all children and at one of them: a *sum* and a *least*. Each child
//! adds its sum or its least to the sum, by how it compares with the best before it.

use std::fmt;

use super::Grid;
use super::play::{DEPTHS, Game, MOVES, Wins, tree};
use cassius::conspiracy::Kind;
use cassius::conspiracy::definition::Tree;

/// How a child compares with those before it.
#[derive(Clone, Copy)]
enum Place {
    First,
    Better,
    Equal,
    Worse,
}

const PLACES: [&str; 4] = ["first", "better", "equal", "worse"];

/// What a node's least is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Least {
    OfSums,
    OfLeasts,
}

/// One reading: for each kind of node what its sum and its least are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Running {
    wins: Wins,
    /// For MAX nodes and for MIN nodes: whether a child adds its sum, by its place; else its least.
    adds_sum: [[bool; 4]; 2],
    least: [Least; 2],
}

/// The two counts of a node, and its value.
#[derive(Clone, Copy)]
struct Counts {
    value: i32,
    sum: u32,
    least: u32,
}

/// All readings of this sort.
pub fn family() -> Vec<Running> {
    let mut family = Vec::new();
    for wins in [Wins::ByRows, Wins::Flat] {
        for code in 0..1_usize << 10 {
            let bit = |number: usize| code >> number & 1 == 1;
            let least = |number| {
                if bit(number) {
                    Least::OfLeasts
                } else {
                    Least::OfSums
                }
            };
            family.push(Running {
                wins,
                adds_sum: [[0, 1, 2, 3].map(bit), [4, 5, 6, 7].map(bit)],
                least: [least(8), least(9)],
            });
        }
    }
    family
}

/// The trees that a reading looks at: after X's moves, one ply less deep than X looks.
pub fn trees(games: &[&Game], wins: Wins) -> Vec<Tree> {
    debug_assert_eq!(games.len(), DEPTHS);
    let of_game = |game: &&Game| {
        let depth = game.depths.0;
        let after = game.positions.iter().skip(1).step_by(2).take(MOVES);
        let trees = after.map(|position| tree(position, depth - 1, wins));
        trees.collect::<Vec<_>>()
    };
    games.iter().flat_map(of_game).collect()
}

impl Running {
    /// How a won game counts.
    pub fn wins(&self) -> Wins {
        self.wins
    }

    /// The sums and the leasts at the roots of these trees.
    pub fn numbers(&self, trees: &[Tree]) -> [Grid<u32>; 2] {
        let mut grids = [Grid::default(), Grid::default()];
        for (place, tree) in trees.iter().enumerate() {
            let counts = self.counts(tree);
            grids[0][place / MOVES][place % MOVES] = counts.sum;
            grids[1][place / MOVES][place % MOVES] = counts.least;
        }
        grids
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
                None => Place::First,
                Some(so_far) if so_far.value == child.value => Place::Equal,
                Some(so_far) if kind.better(so_far.value, child.value) == child.value => {
                    Place::Better
                }
                Some(_) => Place::Worse,
            };
            let added = if self.adds_sum[side][place as usize] {
                child.sum
            } else {
                child.least
            };
            let least = match self.least[side] {
                Least::OfSums => child.sum,
                Least::OfLeasts => child.least,
            };
            counts = Some(match counts {
                None => Counts {
                    value: child.value,
                    sum: added,
                    least,
                },
                Some(so_far) => Counts {
                    value: kind.better(so_far.value, child.value),
                    sum: so_far.sum + added,
                    least: so_far.least.min(least),
                },
            });
        }
        counts.unwrap_or(Counts {
            value: 0,
            sum: 0,
            least: 0,
        })
    }
}

impl fmt::Display for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two counts, sum and least, kept while minimax goes through the children of the tree after the move")?;
        if self.wins == Wins::Flat {
            f.write_str("; a won game is worth 1000, whatever the other rows")?;
        }
        for (kind, (adds_sum, least)) in ["MAX", "MIN"]
            .iter()
            .zip(self.adds_sum.iter().zip(self.least))
        {
            let of = |sum: bool| -> String {
                let places = PLACES
                    .iter()
                    .zip(adds_sum)
                    .filter(|(_, adds)| **adds == sum);
                places
                    .map(|(place, _)| *place)
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let (sums, leasts) = (of(true), of(false));
            write!(f, "; at {kind} nodes ")?;
            match (sums.as_str(), leasts.as_str()) {
                (sums, "") => write!(f, "all children ({sums}) add their sum")?,
                ("", leasts) => write!(f, "all children ({leasts}) add their least")?,
                (sums, leasts) => {
                    write!(
                        f,
                        "children that are {sums} add their sum, those {leasts} their least"
                    )?;
                }
            }
            f.write_str(match least {
                Least::OfSums => ", and the least is the least of their sums",
                Least::OfLeasts => ", and the least is the least of their leasts",
            })?;
        }
        Ok(())
    }
}

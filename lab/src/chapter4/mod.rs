//! Chapter 4 of the thesis: the three storages, and the algorithm itself, on random trees.
//!
//! The trees are those of [`random_tree`](cassius::games::random_tree), determined by a seed; the search is chapter
//! 2's, with McAllester's choices throughout, growing from the bare root. Times depend on the machine and vary from run
//! to run; all other figures are the same every time.
//!
//! Figure 4.1 is in [`storages`], 4.2 in [`time_shares`], 4.3 to 4.5 in [`factors`], 4.6 in [`memory`],
//! 4.7 in [`convergence`].

pub mod convergence;
pub mod factors;
pub mod memory;
pub mod storages;
pub mod time_shares;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::chapter5::conspire;
use crate::experiment::{Findings, Request};
use crate::statistics::Estimate;
use cassius::conspiracy::Grid;
use cassius::game::Root;
use cassius::games::random_tree::{RandomTree, ReadOff, Shape, StaticValues};
use cassius::output::table::thousands;
use cassius::search::best_first::{
    BestFirst, Expansion, GrowthEnd, Settings, StorageKind, Watcher,
};

/// All thresholds that numbers can reach.
const ALL_THRESHOLDS: std::ops::RangeInclusive<u32> = 2..=254;

/// Depth limit of endless trees, in plies: out of reach for nearly all.
const DEPTH_LIMIT: u16 = 500;

type TreeSearch = BestFirst<RandomTree, ReadOff>;

/// A family of random trees and a way to search them.
#[derive(Clone, Copy, Debug)]
struct Trees {
    shape: Shape,
    depth_limit: u16,
}

impl Trees {
    /// Endless trees with `branching` children at each node and `2 * limit + 1` values.
    fn new(branching: u16, limit: u8, values: StaticValues) -> Trees {
        Trees {
            shape: Shape {
                branching,
                depth: None,
                limit: limit.into(),
                values,
            },
            depth_limit: DEPTH_LIMIT,
        }
    }

    /// A name that distinguishes families with the same static values: `41 values, 5 children`.
    fn name(&self) -> String {
        let (values, children) = (2 * self.shape.limit + 1, self.shape.branching);
        format!("{values} values, {children} children")
    }

    fn search(&self, storage: StorageKind, request: &Request) -> TreeSearch {
        let settings = Settings {
            grid: Grid::integers(u8::try_from(self.shape.limit).unwrap_or(u8::MAX)),
            depth_limit: self.depth_limit,
            storage,
            ..conspire()
        };
        BestFirst::new(settings, request.hash_megabytes, ReadOff)
    }

    fn root(&self, seed: u64) -> Root<RandomTree> {
        Root::new(RandomTree::new(self.shape, seed))
    }
}

/// Seeds of `trees` trees, counted up from the request's.
fn seeds(request: &Request, trees: usize) -> impl Iterator<Item = u64> + use<> {
    let first = request.seed;
    (0..trees as u64).map(move |number| first.wrapping_add(number))
}

/// Relations of children's static values to their parent's. The thesis (section 4.2) had two functions, wholly random
/// values and some that "caused less variation in their parent node's value", without a definition of the second; we
/// have two candidates for that.
const STATIC_VALUES: [(&str, StaticValues); 3] = [
    ("random", StaticValues::Independent),
    ("correlated", StaticValues::Correlated { spread: 4 }),
    ("settled", StaticValues::Settled { loss: 8 }),
];

/// The storages with their names in columns: the thesis's three, of which our compromise stores numbers for eight
/// values around either end, and the thesis's compromise with four numbers in all.
const STORAGES: [(&str, StorageKind); 4] = [
    ("basic", StorageKind::Basic),
    ("storage-intensive", StorageKind::Intensive),
    ("compromise", StorageKind::Compromise),
    ("four numbers", StorageKind::FourNumbers),
];

/// Counts of a growing tree.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    expansions: usize,
    /// Sum of the plies of all nodes but the root.
    plies: usize,
    nodes: usize,
    bytes: usize,
}

/// Times a tree's growth to some sizes, in nodes.
struct Stopwatch<'a> {
    marks: &'a [usize],
    start: Instant,
    /// Time limit.
    patience: Duration,
    /// Time and expansions at each mark reached.
    laps: Vec<(Duration, usize)>,
    counts: Counts,
}

impl Stopwatch<'_> {
    fn new(marks: &[usize]) -> Stopwatch<'_> {
        Stopwatch {
            marks,
            start: Instant::now(),
            patience: Duration::MAX,
            laps: Vec::with_capacity(marks.len()),
            counts: Counts {
                nodes: 1,
                ..Counts::default()
            },
        }
    }

    /// Grows a tree to all sizes, or until patience ends; `None` if it is decided before.
    fn grow(mut self, search: &mut TreeSearch, root: &Root<RandomTree>) -> Option<Self> {
        let end = search.grow(root, ALL_THRESHOLDS, &mut self);
        (end == GrowthEnd::Enough).then_some(self)
    }
}

impl Watcher for Stopwatch<'_> {
    fn expanded(&mut self, expansion: &Expansion) -> ControlFlow<()> {
        let counts = &mut self.counts;
        counts.expansions += 1;
        counts.plies += (expansion.nodes - counts.nodes) * (expansion.ply + 1);
        (counts.nodes, counts.bytes) = (expansion.nodes, expansion.bytes);
        let left = self.marks[self.laps.len()..].iter();
        for _ in left.take_while(|&&mark| counts.nodes >= mark) {
            self.laps.push((self.start.elapsed(), counts.expansions));
        }
        let is_late = counts.expansions.is_multiple_of(64) && self.start.elapsed() > self.patience;
        stop_if(is_late || self.laps.len() == self.marks.len())
    }
}

/// Size of trees: the user's limit, or `usual`, in nodes.
fn size(request: &Request, usual: usize) -> usize {
    let nodes = request.nodes.and_then(|it| it.try_into().ok());
    nodes.unwrap_or(usual)
}

/// A heading for each storage.
fn storage_headings(suffix: &str) -> [String; STORAGES.len()] {
    STORAGES.map(|(name, _)| format!("{name}{suffix}"))
}

/// Findings with the settings common to all experiments of the chapter.
fn findings_of(request: &Request, trees: usize) -> Findings {
    let mut findings = Findings::seeded(request);
    findings.setting("trees", thousands(trees as u64));
    let search = "leftmost branch, farther end first, from the bare root";
    findings.setting("search", search);
    findings
}

/// Note on trees that stopped growing too soon.
const SHORT_NOTE: &str = "Trees that were decided before they had grown to the size asked for do \
    not count.";

/// Heading for a storage's speed, behind its name.
const RATE: &str = ", expansions/s";

/// A watcher's answer: to stop if the tree is large enough, else to grow on.
fn stop_if(is_enough: bool) -> ControlFlow<()> {
    if is_enough {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

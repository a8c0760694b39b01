//! Agreement of the storages: all must grow the same trees (thesis, chapter 3), or comparisons of their speed mean
//! nothing.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

use anyhow::Result;

use super::{ALL_THRESHOLDS, STATIC_VALUES, STORAGES, stop_if};
use crate::experiment::{EffortLimit, Experiment, Findings, Request, Subject};
use crate::outcome::{Cell, Table};
use cassius::conspiracy::Grid;
use cassius::game::{Evaluator, Game, Root};
use cassius::games::chess::Quiescence;
use cassius::games::random_tree::{RandomTree, ReadOff, Shape};
use cassius::output::progress::Progress;
use cassius::output::table::thousands;
use cassius::search::papers::best_first::{
    BestFirst, BranchRule, Expansion, LeafWindow, Settings, StorageKind, Strategy, Watcher,
};
use cassius::workers;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "same-trees",
    title: "Whether all storages grow the same trees, node for node",
    figures: &[],
    about: "The same trees are grown with each storage: random ones of 2 to 9 children and 11 to 41 values, and \
        those of the first chess problems. Branch rules, strategies and the best move cutoff take turns. After \
        each expansion the node expanded, the size of the tree, the root's value and the likely range \
        must be the same with all of them.",
    subject: Subject::Problems,
    effort: EffortLimit::Nodes,
    run,
};

/// Trees of each kind of random values, and chess positions.
const RANDOM_TREES: [usize; 3] = [334, 333, 333];
const POSITIONS: usize = 50;

/// Most expansions of a tree.
const EXPANSIONS: u64 = 500;

/// Memory of a tree, in MiB: more than needed, so that no node loses its children.
const MEGABYTES: usize = 32;

/// Hashes all expansions of a growing tree.
struct Digest {
    limit: u64,
    hasher: DefaultHasher,
    expansions: u64,
    nodes: usize,
}

impl Watcher for Digest {
    fn expanded(&mut self, expansion: &Expansion) -> ControlFlow<()> {
        self.expansions += 1;
        self.nodes = expansion.nodes;
        // Storages may differ in bytes.
        let seen = Expansion {
            bytes: 0,
            ..*expansion
        };
        seen.hash(&mut self.hasher);
        stop_if(self.expansions >= self.limit)
    }
}

/// Grows a tree with all storages.
type Case = Box<dyn Fn() -> Comparison + Send + Sync>;

/// Growth of one tree: expansions, nodes, and whether basic, compromise and four numbers agreed with storage-intensive.
struct Comparison {
    expansions: u64,
    nodes: usize,
    same: [bool; 3],
}

/// Settings that alternate from tree to tree.
fn settings(number: usize, grid: Grid) -> Settings {
    let (rules, strategies) = (BranchRule::ALL, Strategy::ALL);
    Settings {
        grid,
        branch_rule: rules[number % rules.len()],
        strategy: strategies[number / rules.len() % strategies.len()],
        best_move_cutoff: number.is_multiple_of(2),
        leaf_window: LeafWindow::Whole,
        depth_limit: 100,
        ..Settings::default()
    }
}

fn compare<G: Game, E: Evaluator<G>>(
    root: G,
    settings: Settings,
    evaluator: impl Fn() -> E,
    limit: u64,
) -> Comparison {
    let root = Root::new(root);
    let grow = |storage: StorageKind| {
        let settings = Settings {
            storage,
            ..settings
        };
        let mut digest = Digest {
            limit,
            hasher: DefaultHasher::new(),
            expansions: 0,
            nodes: 1,
        };
        let mut search = BestFirst::new(settings, MEGABYTES, evaluator());
        let end = search.grow(&root, ALL_THRESHOLDS, &mut digest);
        (digest.hasher.finish(), end, digest.expansions, digest.nodes)
    };
    let [basic, intensive, compromise, four_numbers] = STORAGES.map(|(_, storage)| grow(storage));
    Comparison {
        expansions: intensive.2,
        nodes: intensive.3,
        same: [basic, compromise, four_numbers].map(|it| it == intensive),
    }
}

/// Random trees, then chess positions, each with its row of the table.
fn cases(request: &Request, most: u64) -> Vec<(usize, Case)> {
    let mut cases: Vec<(usize, Case)> = Vec::new();
    let mut seed = request.seed;
    for (row, (&trees, (_, values))) in RANDOM_TREES.iter().zip(STATIC_VALUES).enumerate() {
        for number in 0..trees {
            let limit = 5 * (number / 8 % 4) as u8 + 5;
            let shape = Shape {
                branching: (number % 8) as u16 + 2,
                depth: None,
                limit: limit.into(),
                values,
            };
            let settings = settings(cases.len() / 8, Grid::integers(limit));
            let root = RandomTree::new(shape, seed);
            let case = move || compare(root, settings, ReadOff::default, most);
            cases.push((row, Box::new(case)));
            seed = seed.wrapping_add(1);
        }
    }
    for problem in request.problems.iter().take(POSITIONS) {
        let settings = settings(cases.len(), Grid::tactical());
        let root = problem.position.clone();
        let case = move || compare(root.clone(), settings, Quiescence::tactical, most);
        cases.push((RANDOM_TREES.len(), Box::new(case)));
    }
    cases
}

fn run(request: &Request) -> Result<Findings> {
    let limit = request.nodes.unwrap_or(EXPANSIONS);
    let cases = cases(request, limit);
    let progress = Progress::new(cases.len() as u64);
    let work = |(): &mut (), (row, case): &(usize, Case)| (*row, case());
    let done = |_: &_| progress.advance(String::new());
    let grown = workers::map(&cases, request.jobs, || (), work, done)?;
    progress.finish();
    let headings = "trees | number | expansions | largest, nodes | basic the same | compromise the same | four numbers the same";
    let title = "Trees grown alike, compared with storage-intensive";
    let mut table = Table::new("same-trees", title, headings);
    let kinds = STATIC_VALUES.map(|(name, _)| name).into_iter();
    for (row, kind) in kinds.chain(["chess"]).enumerate() {
        let group = || grown.iter().filter(|it| it.0 == row).map(|it| &it.1);
        let expansions: u64 = group().map(|it| it.expansions).sum();
        let largest = group().map(|it| it.nodes).max();
        let counts = [
            Cell::from(group().count()),
            expansions.into(),
            largest.into(),
        ];
        let same = [0, 1, 2].map(|storage| group().filter(|it| it.same[storage]).count().into());
        table.named_row(kind, counts.into_iter().chain(same));
    }
    let mut findings = Findings::seeded(request);
    findings.setting("most expansions of a tree", thousands(limit));
    findings.tables.push(table);
    findings.note(
        "Trees that are decided sooner, or converge at every threshold, end before the limit.",
    );
    Ok(findings)
}

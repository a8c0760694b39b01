//! Games with chance: their interface, two such games, their searches, and an experiment: savings of Star1 and Star2
//! over expectiminimax, in nodes.

pub mod dice_race;
pub mod game;
pub mod random_chance_tree;
pub mod search;

use std::hash::Hash;

use anyhow::Result;

use crate::experiment::{EffortLimit, Experiment, Findings, Request};
use crate::outcome::{Cell, Plot, Table};
use crate::statistics::Estimate;
use cassius::game::Moves;
use cassius::output::progress::Progress;
use cassius::random::mix;
use dice_race::DiceRace;
use game::{ChanceGame, Interval, Turn};
use random_chance_tree::{Layers, Odds, RandomChanceTree, Shape};
use search::{Star, expectiminimax};

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "star1",
    title: "Nodes of expectiminimax, Star1 and Star2 in games with chance",
    about: "The same positions are searched by expectiminimax, which prunes nothing, and by *-minimax: \
        Star1, and Star2 with its probes. First positions of a race with dice, three plies a turn \
        (choice of dice, throw, choice of piece), some of whose throws have equal odds and some \
        1 : 2 : 3 : 2 : 1; then random trees of four children in which First, chance, Second and chance take \
        turns, values from -100 to 100, each at most 20 from its parent's, with equal odds, and with \
        odds drawn from 1 to 20; then such trees with fewer and more children, and with values in narrower and wider bounds. Nodes are \
        means for each depth; shares are of expectiminimax's. The largest difference of a value from expectiminimax's is \
        rounding. Three more searches tell why probes pay or not: Star2 that keeps what its probes have found, so that none is \
        searched twice; and both with a table of all positions searched. What is answered from memory does not count as a node.",
    effort: EffortLimit::Nodes,
    run,
    ..Experiment::PLAIN
};

/// Usual shape of the random trees; the tables vary odds, number of children and limit.
const TREES: Shape = Shape {
    layers: Layers::Regular,
    branching: 4,
    odds: Odds::Equal,
    limit: 100,
    spread: 20,
};

/// Most turns played at random before a position of the race is searched.
const MOST_TURNS: u64 = 8;

/// The searches compared with expectiminimax.
const SEARCHES: [&str; 5] = [
    "Star1",
    "Star2",
    "Star2, probes kept",
    "Star1, table",
    "Star2, table",
];

/// Ratios of nodes that show the cost of probes: name, then indices of numerator and denominator in [`SEARCHES`].
const RATIOS: [(&str, usize, usize); 3] = [
    ("Star2 / Star1", 1, 0),
    ("probes kept / Star1", 2, 0),
    ("Star2 / Star1, tables", 4, 3),
];

/// A game in which no position is reached twice, since positions remember their past: a table then helps only where the
/// same node is searched again.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Unfolded<G> {
    game: G,
    path: u64,
}

impl<G: ChanceGame> Unfolded<G> {
    /// Number of a move among all legal moves, or events at a chance node, from 1; 0 if it is not among them.
    fn number(&self, m: G::Move) -> u64 {
        let moves = match self.game.turn() {
            Turn::Chance => self.game.events().iter().position(|&(it, _)| it == m),
            _ => self.game.legal_moves().iter().position(|&it| it == m),
        };
        moves.map_or(0, |at| at as u64 + 1)
    }
}

impl<G: ChanceGame> ChanceGame for Unfolded<G> {
    type Move = G::Move;

    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn legal_moves(&self) -> Moves<G::Move> {
        self.game.legal_moves()
    }

    fn events(&self) -> Vec<(G::Move, f64)> {
        self.game.events()
    }

    fn play(&mut self, m: G::Move) {
        self.path = mix(self.path.wrapping_add(self.number(m)));
        self.game.play(m);
    }

    fn value(&self) -> f64 {
        self.game.value()
    }

    fn range(&self) -> Interval {
        self.game.range()
    }
}

/// Nodes of each search at one position, and the largest difference of a value from expectiminimax's.
fn stars<G: ChanceGame + Hash + Eq>(
    position: &G,
    depth: u32,
    value: f64,
) -> ([u64; SEARCHES.len()], f64) {
    let all = Interval::ALL;
    let kept = Star::TWO.with_table();
    let (game, path) = (position.clone(), 0);
    let verdicts = [
        Star::ONE.search(position, depth, all),
        Star::TWO.search(position, depth, all),
        kept.search(&Unfolded { game, path }, depth, all),
        Star::ONE.with_table().search(position, depth, all),
        kept.search(position, depth, all),
    ];
    let differences = verdicts.iter().map(|it| (it.value - value).abs());
    (verdicts.map(|it| it.nodes), differences.fold(0.0, f64::max))
}

/// Sums over all positions at one depth.
#[derive(Default)]
struct Sums {
    plain: u64,
    nodes: [u64; SEARCHES.len()],
    /// The ratios, by position.
    ratios: [Vec<f64>; RATIOS.len()],
    difference: f64,
}

impl Sums {
    fn of<G: ChanceGame + Hash + Eq>(positions: &[G], depth: u32) -> Sums {
        let mut sums = Sums::default();
        for position in positions {
            let plain = expectiminimax(position, depth);
            let (nodes, difference) = stars(position, depth, plain.value);
            sums.plain += plain.nodes;
            for (sum, nodes) in sums.nodes.iter_mut().zip(nodes) {
                *sum += nodes;
            }
            for (ratios, (_, a, b)) in sums.ratios.iter_mut().zip(RATIOS) {
                ratios.push(nodes[a] as f64 / nodes[b] as f64);
            }
            sums.difference = sums.difference.max(difference);
        }
        sums
    }
}

fn run(request: &Request) -> Result<Findings> {
    let (positions, deepest) = request.quick_or_full((20, 9), (100, 11));
    let progress = Progress::new(3 * u64::from(deepest) + VARIED.len() as u64);
    let lab = Lab {
        most: request.nodes,
        deepest,
        progress: &progress,
    };
    let seeds = || (0..positions).map(|number| request.seed.wrapping_add(number));
    let races: Vec<DiceRace> = seeds().map(race).collect();
    let trees = |shape| -> Vec<RandomChanceTree> {
        let trees = seeds().map(|seed| RandomChanceTree::new(shape, seed));
        trees.collect()
    };
    let unequal = Shape {
        odds: Odds::Weighted(20),
        ..TREES
    };
    let mut findings = Findings::seeded(request);
    findings.setting("positions of each kind", positions.to_string());
    findings.tables = vec![
        lab.table("race", "Race with dice", &races),
        lab.table("equal-odds", "Random trees, equal odds", &trees(TREES)),
        lab.table(
            "unequal-odds",
            "Random trees, unequal odds",
            &trees(unequal),
        ),
        lab.varied(trees),
    ];
    progress.finish();
    findings.note(
        "Star2's probes are searched again when the child is, where there is no table: if they do not \
         cut off they come on top.",
    );
    findings.note(
        "Ratios are geometric means over positions with 95 % intervals. In the race positions come about in several ways, so \
         that a table saves more there than probes; in the random trees none does.",
    );
    Ok(findings)
}

/// A position of the race at the beginning of a turn, after up to [`MOST_TURNS`] turns of random choices and throws.
fn race(seed: u64) -> DiceRace {
    let mut key = mix(seed);
    let turns = key % (MOST_TURNS + 1);
    let mut position = DiceRace::new();
    for _ in 0..3 * turns {
        key = mix(key);
        let next = match position.turn() {
            Turn::Over => break,
            Turn::Chance => pick(key, position.events().iter().map(|&(m, _)| m)),
            Turn::Player(_) => pick(key, position.legal_moves().into_iter()),
        };
        let Some(m) = next else { break };
        position.play(m);
    }
    position
}

fn pick<M>(key: u64, mut choices: impl ExactSizeIterator<Item = M>) -> Option<M> {
    let count = choices.len().max(1) as u64;
    choices.nth((key % count) as usize)
}

/// Variants of [`TREES`] by number of children or by limit: name, children, largest value, greatest depth in plies.
const VARIED: [(&str, u16, u16, u32); 6] = [
    ("2 children", 2, 100, 13),
    ("3 children", 3, 100, 9),
    ("4 children", 4, 100, 8),
    ("6 children", 6, 100, 6),
    ("4 children, values to 25", 4, 25, 8),
    ("4 children, values to 400", 4, 400, 8),
];

/// Headings of the ratios, to be appended to others.
fn ratio_headings() -> String {
    let headings = RATIOS.map(|(name, ..)| format!(" | {name}:2 | {name} ± (95 %):2"));
    headings.concat()
}

fn ratio_cells(sums: &Sums) -> impl Iterator<Item = Cell> {
    let ratios = sums.ratios.iter();
    ratios.flat_map(|ratios| Estimate::of_ratios(ratios.iter().copied()).cells())
}

/// The limit of the searches, and the display of progress.
struct Lab<'a> {
    /// Most nodes of a search by expectiminimax.
    most: Option<u64>,
    deepest: u32,
    progress: &'a Progress,
}

impl Lab<'_> {
    /// A table of the nodes that probes cost and save, by the number of children and the range of values.
    fn varied(&self, trees: impl Fn(Shape) -> Vec<RandomChanceTree>) -> Table {
        let columns = format!(
            "trees | depth | Star1, %:1 | Star2, %:1{}",
            ratio_headings()
        );
        let title = "Random trees, equal odds, by children and bounds";
        let mut table = Table::new("varied", title, &columns);
        for (name, branching, limit, depth) in VARIED {
            let shape = Shape {
                branching,
                limit,
                ..TREES
            };
            // The greatest depth at which expectiminimax is expected to stay within the limit of nodes.
            let nodes = |depth| f64::from(branching).powf(f64::from(depth));
            let fits = |&it: &u32| self.most.is_none_or(|most| nodes(it) <= most as f64);
            let depth = (1..=depth).rev().find(fits).unwrap_or(1);
            let sums = Sums::of(&trees(shape), depth);
            let share = |nodes: u64| Cell::from(100.0 * nodes as f64 / sums.plain as f64);
            let shares = [share(sums.nodes[0]), share(sums.nodes[1])];
            let head = [Cell::from(name), depth.into()];
            table.row(head.into_iter().chain(shares).chain(ratio_cells(&sums)));
            self.progress.advance(format!("{title}: {name}"));
        }
        table
    }

    /// A table over all positions, with a row for each depth up to the first at which expectiminimax's mean nodes per
    /// position exceed the limit.
    fn table<G: ChanceGame + Hash + Eq>(&self, id: &str, title: &str, positions: &[G]) -> Table {
        let columns = format!(
            "depth | expectiminimax:0 | {}:0 | {}, %:1{} | largest difference",
            SEARCHES.join(":0 | "),
            SEARCHES.join(", %:1 | "),
            ratio_headings()
        );
        let mut table = Table::new(id, title, &columns);
        for depth in 1..=self.deepest {
            let sums = Sums::of(positions, depth);
            let mean = |sum: u64| sum as f64 / positions.len() as f64;
            let plain = mean(sums.plain);
            let means = sums.nodes.map(mean);
            let mut row = vec![Cell::from(depth), plain.into()];
            row.extend(means.map(Cell::from));
            row.extend(means.map(|nodes| Cell::from(100.0 * nodes / plain)));
            row.extend(ratio_cells(&sums));
            row.push(format!("{:.0e}", sums.difference).into());
            table.row(row);
            self.progress.advance(format!("{title}, depth {depth}"));
            if self.most.is_some_and(|most| plain > most as f64) {
                break;
            }
        }
        let drawn = ["expectiminimax", "Star1", "Star2", "Star2, probes kept"];
        table.plotted(Plot::new("depth", drawn, "nodes").log_y())
    }
}

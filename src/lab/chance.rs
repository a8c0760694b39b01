//! What Star1 and Star2 save of expectiminimax's nodes in games with chance.

use super::experiment::{Experiment, Findings, LabError, Request, Subject};
use super::outcome::{Cell, Column, Plot, Table};
use crate::chance::{ChanceGame, Interval, Turn};
use crate::games::dice_race::DiceRace;
use crate::games::random::mix;
use crate::games::random_chance_tree::{Layers, Odds, RandomChanceTree, Shape};
use crate::report::progress::Progress;
use crate::search::chance::{expectiminimax, star1, star2};

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "star1",
    title: "Nodes of expectiminimax, Star1 and Star2 in games with chance",
    figures: &[],
    about: "The same positions are searched by expectiminimax, which prunes nothing, and by *-minimax: \
        Star1, and Star2 with its probes. First positions of a race with dice, three plies a turn \
        (choice of dice, throw, choice of piece), some of whose throws have equal odds and some \
        1 : 2 : 3 : 2 : 1; then random trees of four children in which First, chance, Second and chance take \
        turns, values from -100 to 100, each at most 20 from its parent's, with equal odds, and with \
        odds drawn from 1 to 20. Nodes are means for each depth; shares are of expectiminimax's. The last \
        column is the largest difference of a value from expectiminimax's: rounding.",
    subject: Subject::Own,
    run,
};

/// Shape of the random trees but for their odds.
const TREES: Shape = Shape {
    layers: Layers::Regular,
    branching: 4,
    odds: Odds::Equal,
    limit: 100,
    spread: 20,
};

/// Most throws before a position of the race that is searched.
const MOST_TURNS: u64 = 8;

/// Sums over the positions of one depth.
#[derive(Default)]
struct Sums {
    nodes: [u64; 3],
    difference: f64,
}

fn run(request: &Request) -> Result<Findings, LabError> {
    let (positions, deepest) = if request.full { (100, 11) } else { (20, 9) };
    let most = request.nodes;
    let progress = Progress::new(3 * u64::from(deepest));
    let seeds = || (0..positions).map(|number| request.seed.wrapping_add(number));
    let races: Vec<DiceRace> = seeds().map(race).collect();
    let trees = |odds| -> Vec<RandomChanceTree> {
        let shape = Shape { odds, ..TREES };
        seeds()
            .map(|seed| RandomChanceTree::new(shape, seed))
            .collect()
    };
    let mut findings = Findings {
        seed: Some(request.seed),
        ..Findings::default()
    };
    findings.setting("positions of each kind", positions.to_string());
    findings.tables = vec![
        table("race", "Race with dice", &races, deepest, most, &progress),
        table(
            "equal-odds",
            "Random trees, equal odds",
            &trees(Odds::Equal),
            deepest,
            most,
            &progress,
        ),
        table(
            "unequal-odds",
            "Random trees, unequal odds",
            &trees(Odds::Weighted(20)),
            deepest,
            most,
            &progress,
        ),
    ];
    progress.finish();
    findings.note(
        "Star2's probes are searched again when the child is, since there is no table: where they do not \
         cut off they come on top.",
    );
    Ok(findings)
}

/// A position of the race at the beginning of a turn: so many turns from the start, all choices and
/// throws at random.
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

fn pick<M>(key: u64, choices: impl ExactSizeIterator<Item = M>) -> Option<M> {
    let count = choices.len().max(1) as u64;
    let mut choices = choices;
    choices.nth((key % count) as usize)
}

/// One table: all positions, depth by depth, the last one being that at which expectiminimax needs more
/// than `most` nodes a position.
fn table<G: ChanceGame>(
    id: &str,
    title: &str,
    positions: &[G],
    deepest: u32,
    most: Option<u64>,
    progress: &Progress,
) -> Table {
    let columns = [
        Column::new("depth"),
        Column::decimals("expectiminimax", 0),
        Column::decimals("Star1", 0),
        Column::decimals("Star2", 0),
        Column::decimals("Star1, %", 1),
        Column::decimals("Star2, %", 1),
        Column::new("largest difference"),
    ];
    let mut table = Table::new(id, title, columns);
    for depth in 1..=deepest {
        let mut sums = Sums::default();
        for position in positions {
            let plain = expectiminimax(position, depth);
            let stars = [star1, star2].map(|star| star(position, depth, Interval::ALL));
            sums.nodes[0] += plain.nodes;
            for (sum, star) in sums.nodes[1..].iter_mut().zip(stars) {
                *sum += star.nodes;
                sums.difference = sums.difference.max((star.value - plain.value).abs());
            }
        }
        let means = sums.nodes.map(|sum| sum as f64 / positions.len() as f64);
        let share = |nodes: f64| Cell::from(100.0 * nodes / means[0]);
        let cells = means.map(Cell::from).into_iter();
        table.row(
            [Cell::from(u64::from(depth))]
                .into_iter()
                .chain(cells)
                .chain([
                    share(means[1]),
                    share(means[2]),
                    format!("{:.0e}", sums.difference).into(),
                ]),
        );
        progress.advance(format!("{title}, depth {depth}"));
        if most.is_some_and(|most| means[0] > most as f64) {
            break;
        }
    }
    table.plotted(Plot {
        x: "depth".to_owned(),
        y: ["expectiminimax", "Star1", "Star2"]
            .map(str::to_owned)
            .to_vec(),
        y_label: "nodes".to_owned(),
        log_x: false,
        log_y: true,
    })
}

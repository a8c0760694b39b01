//! Why ours solves more than the thesis's program did with a tree of the same size: what leaves are worth.

use anyhow::Result;

use super::{by_mark, conspire, paired, paired_columns, settings};
use crate::experiment::{EffortLimit, Experiment, Findings, Request, Subject};
use crate::outcome::{Cell, Column, Plot, Table};
use crate::timeline::{self, Mark, State};
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::memory;
use cassius::games::chess::Quiescence;
use cassius::search::papers::best_first::{self, Answer};
use cassius::search::registry::{self, Algorithm};

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "equal-trees",
    title: "Problems solved by trees as large as the thesis's, by what leaves are worth",
    figures: &[],
    about: "\
At three minutes the thesis's program had a tree of 25,624 nodes and solved 157 of the 300 problems of Win at Chess. With a
tree of that size ours solves more. Here its search runs with two differences taken away, one after the other: static
values with all answers to checks, or captures alone: these, and checks at the first move, as section 5.2.1 has it; of moves
with the same value the one hardest to refute, or the leftmost. --nodes is the size of the largest tree here.",
    subject: Subject::Problems,
    effort: EffortLimit::Nodes,
    run,
};

/// The tree of three minutes, and parts of it.
const TREE: u64 = 25_624;
const MARKS: usize = 4;

/// Static values and the answer, as ours and as the thesis's.
const VERSIONS: [(&str, bool, Answer); 3] = [
    ("answers to checks", false, Answer::Safest),
    ("captures alone", true, Answer::Safest),
    ("captures alone, leftmost answer", true, Answer::Leftmost),
];

fn run(request: &Request) -> Result<Findings> {
    let largest = request.nodes.unwrap_or(TREE);
    let marks = [8, 4, 2, 1].map(|part| Mark::Tree((largest / part).max(1)));
    memory::ensure([request.hash_megabytes; VERSIONS.len()], request.jobs)?;
    let mut findings = Findings::default();
    let prepare = || {
        VERSIONS.map(|(name, captures, answer)| {
            let best_first = best_first::Settings {
                answer,
                ..conspire()
            };
            let settings = settings(Algorithm::BestFirst, best_first, request);
            let build = move || {
                let evaluator = if captures {
                    Quiescence::captures()
                } else {
                    Quiescence::tactical()
                };
                registry::build(&settings, evaluator)
            };
            Guarded::new(name, build)
        })
    };
    let states = request.on_each_problem(&mut findings, prepare, |searchers, problem| {
        let states = searchers.iter_mut().map(|it| {
            it.search(&problem.position, |it| {
                timeline::states(it.as_mut(), problem, marks)
            })
        });
        states.collect::<Result<Vec<[State; MARKS]>, Fault>>()
    })?;
    findings.tables = vec![solved(marks, largest == TREE, &states), pairs(&states)];
    findings.setting("tree", format!("{largest} nodes"));
    findings.setting("hash", format!("{} MiB", request.hash_megabytes));
    findings.note(
        "What a search would have answered with a tree of a size is what it last told before. A search ends sooner where the \
         game is decided. Visits are of positions, those of quiescence search included, for each node of the tree.",
    );
    Ok(findings)
}

/// `as_printed`: the largest tree is of the size that the thesis gives a figure for.
fn solved(marks: [Mark; MARKS], as_printed: bool, states: &[Vec<[State; MARKS]>]) -> Table {
    let names = VERSIONS.map(|(name, ..)| name);
    let visits = names.map(|name| format!("{name}: visits:1"));
    let headings = format!("{} | {}", names.join(" | "), visits.join(" | "));
    let title = "Problems solved by size of the tree";
    let table = by_mark("equal-trees", title, &headings, marks, |at| {
        let versions = 0..VERSIONS.len();
        let solved = versions
            .clone()
            .map(|it| super::solved(states, it, at).into());
        let visits = versions.map(|version| {
            let sum = |part: fn(&State) -> f64| -> f64 {
                states.iter().map(|it| part(&it[version][at])).sum()
            };
            Cell::from(sum(|it| it.nodes) / sum(|it| it.tree_nodes))
        });
        solved.chain(visits).collect()
    });
    let mut printed = vec![vec![Cell::Missing]; MARKS];
    printed[MARKS - 1] = vec![as_printed.then_some(157).into()];
    table
        .beside(
            "thesis, figures 5.2 and 5.5 (Win at Chess, 300 problems, 3 minutes, 25 624 nodes)",
            [Column::new("Conspire")],
            printed,
        )
        .plotted(Plot::new("nodes of the tree", names, "problems solved").log_x())
}

/// Each version against the one before it, with the whole tree.
fn pairs(states: &[Vec<[State; MARKS]>]) -> Table {
    let title = "Each version against the one before";
    let mut table = Table::new("pairs", title, paired_columns());
    for number in 1..VERSIONS.len() {
        let head = [VERSIONS[number].0, VERSIONS[number - 1].0].map(Cell::from);
        let compared = paired(states, number, number - 1);
        table.row(head.into_iter().chain(compared));
    }
    table
}

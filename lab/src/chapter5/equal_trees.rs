//! Why ours solves more than the thesis's program did with a tree of the same size: what leaves are worth.

use super::{conspire, paired, paired_columns, settings};
use crate::experiment::{EffortLimit, Experiment, Findings, LabError, Request, Subject};
use crate::outcome::{Cell, Column, Plot, Table};
use crate::timeline::{self, Mark, State};
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::memory;
use cassius::games::chess::Quiescence;
use cassius::output::progress::Progress;
use cassius::search::papers::best_first::{self, Answer};
use cassius::search::registry::{self, Algorithm};
use cassius::workers;

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

fn run(request: &Request) -> Result<Findings, LabError> {
    let largest = request.nodes.unwrap_or(TREE);
    let marks = [8, 4, 2, 1].map(|part| Mark::Tree((largest / part).max(1)));
    memory::ensure([request.hash_megabytes; VERSIONS.len()], request.jobs)?;
    let progress = Progress::new(request.problems.len() as u64);
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
    let states = workers::map(
        &request.problems,
        request.jobs,
        prepare,
        |searchers, problem| {
            let states = searchers.iter_mut().map(|it| {
                it.search(&problem.position, |it| {
                    timeline::states(it.as_mut(), problem, marks)
                })
            });
            states.collect::<Result<Vec<[State; MARKS]>, Fault>>()
        },
        |problem| progress.advance(problem.id.clone()),
    );
    progress.finish();
    let mut findings = Findings::default();
    let states = findings.keep(states?);
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
    let mut columns = vec![Column::new("nodes of the tree")];
    columns.extend(VERSIONS.map(|(name, ..)| Column::new(name)));
    let visits = |(name, ..): (&str, bool, Answer)| Column::decimals(format!("{name}: visits"), 1);
    columns.extend(VERSIONS.map(visits));
    let mut table = Table::new(
        "equal-trees",
        "Problems solved by size of the tree",
        columns,
    );
    for (at, mark) in marks.into_iter().enumerate() {
        let of = |version: usize| states.iter().map(move |it| &it[version][at]);
        let mut row = vec![Cell::from(mark.amount())];
        row.extend((0..VERSIONS.len()).map(|version| {
            let solved = of(version).filter(|it| it.solved.is_some());
            Cell::from(solved.count())
        }));
        row.extend((0..VERSIONS.len()).map(|version| {
            let sum = |part: fn(&State) -> f64| of(version).map(part).sum::<f64>();
            Cell::from(sum(|it| it.nodes) / sum(|it| it.tree_nodes))
        }));
        table.row(row);
    }
    let printed = [
        vec![Cell::Missing],
        vec![Cell::Missing],
        vec![Cell::Missing],
        vec![if as_printed {
            157.into()
        } else {
            Cell::Missing
        }],
    ];
    table
        .beside(
            "thesis, figures 5.2 and 5.5 (Win at Chess, 300 problems, 3 minutes, 25 624 nodes)",
            [Column::new("Conspire")],
            printed,
        )
        .plotted(Plot {
            x: "nodes of the tree".to_owned(),
            y: VERSIONS.map(|(name, ..)| name.to_owned()).to_vec(),
            y_label: "problems solved".to_owned(),
            log_x: true,
            log_y: false,
        })
}

/// Each version against the one before it, with the whole tree.
fn pairs(states: &[Vec<[State; MARKS]>]) -> Table {
    let mut table = Table::new(
        "pairs",
        "Each version against the one before",
        paired_columns(),
    );
    for number in 1..VERSIONS.len() {
        let head = [VERSIONS[number].0, VERSIONS[number - 1].0].map(Cell::from);
        let compared = paired(states, number, number - 1);
        table.row(head.into_iter().chain(compared));
    }
    table
}

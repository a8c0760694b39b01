//! Why problems that are solved end at lower thresholds than those that are not, other than in the thesis.

use super::{CONSPIRE_NOTE, NODES_NOTE, PrintedSet, conspire, settings};
use crate::experiment::{EffortLimit, Experiment, Findings, LabError, Request, Subject};
use crate::outcome::{Cell, Column, Table};
use crate::timeline::{Mark, State, Timeline};
use cassius::engine::fault::Guarded;
use cassius::engine::memory;
use cassius::games::chess::Quiescence;
use cassius::output::progress::Progress;
use cassius::output::table::thousands;
use cassius::search::registry::{self, Algorithm};
use cassius::workers;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "final-thresholds",
    title: "Final thresholds of solved and unsolved problems, one difference from the thesis after the other taken away",
    figures: &[],
    about: "\
In the thesis's figures 5.3 and 5.4 unsolved problems end at lower conspiracy thresholds (CT) than solved ones. Two things
come into that beside the problems. A search ends early where the game is decided, and its final threshold is the one under way
then. And trees were not equally large: figures 5.3 and 5.5 together give the unsolved problems the smaller ones, by
half. Here chapter 5's search runs once on each problem; rows compare final thresholds as they are, without games that were
decided, with half the effort for the unsolved as in the thesis, or for the solved, and with trees of the same size.",
    subject: Subject::Problems,
    effort: EffortLimit::Nodes,
    run,
};

const QUICK_NODES: u64 = 200_000;
const FULL_NODES: u64 = 2_000_000;
/// Visits for each node of the trees that are compared: nearly every search has that many nodes by its end.
const VISITS: u64 = 20;

/// What a search came to.
struct Course {
    /// With all its visits, and with half of them.
    end: State,
    half_end: State,
    /// With trees of the size compared, and of half of it.
    whole: State,
    half: State,
    /// Whether it ended by itself.
    is_decided: bool,
    /// Whether the tree reached that size.
    is_grown: bool,
}

fn run(request: &Request) -> Result<Findings, LabError> {
    let usual = if request.full {
        FULL_NODES
    } else {
        QUICK_NODES
    };
    let nodes = request.nodes.unwrap_or(usual).max(1);
    let tree = (nodes / VISITS).max(2);
    memory::ensure([request.hash_megabytes], request.jobs)?;
    let progress = Progress::new(request.problems.len() as u64);
    let prepare = || {
        let settings = settings(Algorithm::BestFirst, conspire(), request);
        let build = move || registry::build(&settings, Quiescence::tactical());
        Guarded::new("conspire", build)
    };
    let courses = workers::map(
        &request.problems,
        request.jobs,
        prepare,
        |searcher, problem| {
            searcher.search(&problem.position, |it| {
                let timeline = Timeline::record(it.as_mut(), problem, Mark::Nodes(nodes));
                let end = timeline.end();
                Course {
                    whole: timeline.at(Mark::Tree(tree)),
                    half: timeline.at(Mark::Tree(tree / 2)),
                    half_end: timeline.at(Mark::Nodes(nodes / 2)),
                    is_decided: end.nodes < nodes as f64,
                    is_grown: end.tree_nodes >= tree as f64,
                    end,
                }
            })
        },
        |problem| progress.advance(problem.id.clone()),
    );
    progress.finish();
    let mut findings = Findings::default();
    let courses = findings.keep(courses?);
    findings.tables.push(table(request, &courses));
    findings.setting("limit per position", format!("{} nodes", thousands(nodes)));
    findings.setting(
        "trees of the same size",
        format!("{} nodes", thousands(tree)),
    );
    findings.setting("hash", format!("{} MiB", request.hash_megabytes));
    findings.note(CONSPIRE_NOTE);
    findings.note(NODES_NOTE);
    findings.note(
        "Final thresholds are completed ones. A problem counts as solved by what the search answered in the end, or with the whole of the tree compared. \
         Intervals are of differences of two means (95 %, normal). Trees that stay smaller than the size compared do not count there.",
    );
    Ok(findings)
}

/// Of solved problems or of unsolved ones: thresholds, and sizes of trees.
#[derive(Default)]
struct Sample {
    thresholds: Vec<f64>,
    trees: Vec<f64>,
}

impl Sample {
    fn of<'a>(states: impl Iterator<Item = &'a State>) -> Sample {
        let mut sample = Sample::default();
        for state in states {
            sample.thresholds.push(state.iteration.into());
            sample.trees.push(state.tree_nodes);
        }
        sample
    }

    fn mean(&self) -> f64 {
        self.thresholds.iter().sum::<f64>() / self.thresholds.len() as f64
    }

    /// Of the mean.
    fn squared_error(&self) -> f64 {
        let (mean, count) = (self.mean(), self.thresholds.len() as f64);
        let squares = self.thresholds.iter().map(|it| (it - mean).powi(2));
        squares.sum::<f64>() / (count - 1.0) / count
    }

    fn cells(&self) -> [Cell; 3] {
        [
            self.thresholds.len().into(),
            self.mean().into(),
            Cell::mean(self.trees.iter().copied()),
        ]
    }
}

fn table(request: &Request, courses: &[Course]) -> Table {
    let columns = [
        Column::new("compared"),
        Column::new("solved"),
        Column::decimals("CT, solved", 1),
        Column::decimals("tree, solved", 0),
        Column::new("unsolved"),
        Column::decimals("CT, unsolved", 1),
        Column::decimals("tree, unsolved", 0),
        Column::decimals("solved less unsolved", 1),
        Column::decimals("± (95%)", 1),
    ];
    let title = "Final thresholds of solved problems less those of unsolved ones, conspire";
    let mut table = Table::new("final-thresholds", title, columns);
    let mut row = |name: &str, solved: Sample, unsolved: Sample| {
        let error = (solved.squared_error() + unsolved.squared_error()).sqrt();
        let mut row = vec![Cell::from(name)];
        row.extend(solved.cells());
        row.extend(unsolved.cells());
        row.push((solved.mean() - unsolved.mean()).into());
        row.push((1.96 * error).into());
        table.row(row);
    };
    let all = || courses.iter();
    let open = || all().filter(|it| !it.is_decided);
    let grown = || open().filter(|it| it.is_grown);
    let at_end = |is_solved: bool| move |it: &&Course| it.end.solved.is_some() == is_solved;
    let at_size = |is_solved: bool| move |it: &&Course| it.whole.solved.is_some() == is_solved;
    row(
        "as it is",
        Sample::of(all().filter(at_end(true)).map(|it| &it.end)),
        Sample::of(all().filter(at_end(false)).map(|it| &it.end)),
    );
    let ends = |is_solved| Sample::of(open().filter(at_end(is_solved)).map(|it| &it.end));
    let halves = |is_solved| Sample::of(open().filter(at_end(is_solved)).map(|it| &it.half_end));
    row("without decided games", ends(true), ends(false));
    row(
        "and half the visits for the unsolved",
        ends(true),
        halves(false),
    );
    row(
        "and half the visits for the solved",
        halves(true),
        ends(false),
    );
    let whole = |is_solved| Sample::of(grown().filter(at_size(is_solved)).map(|it| &it.whole));
    let half = |is_solved| Sample::of(grown().filter(at_size(is_solved)).map(|it| &it.half));
    row(
        "without decided games, trees of the same size",
        whole(true),
        whole(false),
    );
    row(
        "and half the tree for the unsolved",
        whole(true),
        half(false),
    );
    let (set, printed) = match PrintedSet::like(request) {
        it @ PrintedSet::Wac => (it, [(5.2, 4.2), (7.1, 5.7), (9.7, 7.9), (11.1, 8.5)]),
        it @ PrintedSet::Emc => (it, [(5.1, 3.4), (6.6, 4.6), (8.2, 5.8), (9.5, 6.6)]),
    };
    let minutes = [3, 10, 30, 60].into_iter();
    table.beside(
        format!("thesis, figures 5.3 and 5.4 ({})", set.name()),
        [
            Column::new("minutes"),
            Column::decimals("CT, solved, thesis", 1),
            Column::decimals("CT, unsolved, thesis", 1),
        ],
        minutes.zip(printed).map(|(minutes, (solved, unsolved))| {
            vec![minutes.into(), solved.into(), unsolved.into()]
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_means_and_errors() {
        let state = |iteration, tree_nodes| State {
            nodes: 1.0,
            ms: 1.0,
            iteration,
            seldepth: 0,
            solved: None,
            tree_nodes,
            tree_bytes: 0.0,
            cutoffs: 0,
        };
        let states = [state(2, 10.0), state(4, 30.0), state(6, 20.0)];
        let sample = Sample::of(states.iter());
        // Variance 4, of the mean 4/3.
        assert!((sample.mean() - 4.0).abs() < 1e-9);
        assert!((sample.squared_error() - 4.0 / 3.0).abs() < 1e-9);
        assert_eq!(sample.cells()[2], Cell::Real(20.0));
        let none = Sample::of([].iter());
        assert_eq!(none.cells()[1], Cell::Missing);
    }
}

//! Why problems that are solved end at lower thresholds than those that are not, other than in the thesis.

use anyhow::Result;

use super::{CONSPIRE_NOTE, NODES_NOTE, PrintedSet, conspire, settings};
use crate::experiment::{EffortLimit, Experiment, Findings, Request, Subject};
use crate::outcome::{Cell, Column, Table};
use crate::statistics::Estimate;
use crate::timeline::{Mark, State, Timeline};
use cassius::engine::fault::Guarded;
use cassius::engine::memory;
use cassius::games::chess::Quiescence;
use cassius::output::table::thousands;
use cassius::search::registry::{self, Algorithm};

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

fn run(request: &Request) -> Result<Findings> {
    let nodes = request.nodes_or(QUICK_NODES, FULL_NODES).max(1);
    let tree = (nodes / VISITS).max(2);
    memory::ensure([request.hash_megabytes], request.jobs)?;
    let mut findings = Findings::default();
    let prepare = || {
        let settings = settings(Algorithm::BestFirst, conspire(), request);
        let build = move || registry::build(&settings, Quiescence::tactical());
        Guarded::new("conspire", build)
    };
    let courses = request.on_each_problem(&mut findings, prepare, |searcher, problem| {
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
    })?;
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

/// The mean threshold of some states, and cells: how many there are, that mean, the mean size of their trees.
fn sample<'a>(states: impl Iterator<Item = &'a State> + Clone) -> (Estimate, [Cell; 3]) {
    let thresholds = Estimate::of(states.clone().map(|it| it.iteration.into()));
    let trees = Cell::mean(states.clone().map(|it| it.tree_nodes));
    let count = states.count().into();
    (thresholds, [count, thresholds.value.into(), trees])
}

fn table(request: &Request, courses: &[Course]) -> Table {
    let columns = Column::list(
        "compared | solved | CT, solved:1 | tree, solved:0 | unsolved | CT, unsolved:1 | \
                tree, unsolved:0 | solved less unsolved:1 | ± (95%):1",
    );
    let title = "Final thresholds of solved problems less those of unsolved ones, conspire";
    let mut table = Table::new("final-thresholds", title, columns);
    type Pick = fn(&Course) -> &State;
    // Each row: what is compared, whether games that were decided or trees that stayed small count, by which state a
    // problem counts as solved, and the states of solved and of unsolved problems.
    let (end, half_end, whole, half): (Pick, Pick, Pick, Pick) = (
        |it| &it.end,
        |it| &it.half_end,
        |it| &it.whole,
        |it| &it.half,
    );
    let all = |_: &Course| true;
    let open = |it: &Course| !it.is_decided;
    let grown = |it: &Course| !it.is_decided && it.is_grown;
    let rows: [(&str, fn(&Course) -> bool, Pick, Pick, Pick); 6] = [
        ("as it is", all, end, end, end),
        ("without decided games", open, end, end, end),
        (
            "and half the visits for the unsolved",
            open,
            end,
            end,
            half_end,
        ),
        (
            "and half the visits for the solved",
            open,
            end,
            half_end,
            end,
        ),
        (
            "without decided games, trees of the same size",
            grown,
            whole,
            whole,
            whole,
        ),
        (
            "and half the tree for the unsolved",
            grown,
            whole,
            whole,
            half,
        ),
    ];
    for (name, counts, answer, solved, unsolved) in rows {
        let of = |is_solved: bool, state: Pick| {
            let courses = courses.iter().filter(move |it| counts(it));
            let courses = courses.filter(move |it| answer(it).solved.is_some() == is_solved);
            sample(courses.map(state))
        };
        let ((solved, solved_cells), (unsolved, unsolved_cells)) =
            (of(true, solved), of(false, unsolved));
        let cells = solved_cells.into_iter().chain(unsolved_cells);
        let row = [Cell::from(name)].into_iter().chain(cells);
        table.row(row.chain(solved.less(unsolved).cells()));
    }
    let (set, printed) = match PrintedSet::like(request) {
        it @ PrintedSet::Wac => (it, [[5.2, 4.2], [7.1, 5.7], [9.7, 7.9], [11.1, 8.5]]),
        it @ PrintedSet::Emc => (it, [[5.1, 3.4], [6.6, 4.6], [8.2, 5.8], [9.5, 6.6]]),
    };
    let minutes = [3.0, 10.0, 30.0, 60.0].into_iter();
    table.printed(
        format!("thesis, figures 5.3 and 5.4 ({})", set.name()),
        "minutes | CT, solved, thesis:1 | CT, unsolved, thesis:1",
        minutes
            .zip(printed)
            .map(|(minutes, [solved, unsolved])| [minutes, solved, unsolved]),
    )
}

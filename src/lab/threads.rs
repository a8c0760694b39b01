//! What several threads cost: positions that N of them visit until they have what one has.
//!
//! Threads take turns of equally many positions, so that the figures depend neither on the machine nor on
//! its load, and one core can measure what eight would do.

use super::experiment::{Experiment, Findings, LabError, Request, Subject};
use super::outcome::{Cell, Column, Table};
use crate::engine::fault::Guarded;
use crate::engine::memory;
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::game::Root;
use crate::games::chess::{Evaluation, Move, Position};
use crate::report::progress::Progress;
use crate::report::table::thousands;
use crate::search::registry::{Algorithm, Settings};
use crate::search::team::Threads;
use crate::search::{Limits, Observer, Occasion, Report, Searcher};
use crate::suite::epd::Record;
use crate::workers;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "threads",
    title: "What several threads cost: positions visited until they have what one has",
    figures: &[],
    about: "One thread searches each problem until the limit of positions; the last iteration that it \
        completed is the goal. Then 2, 4 and 8 threads search until they have completed the same iteration. \
        The overhead is the number of positions that all of them visited, as a multiple of what one thread \
        visited: a geometric mean with its 95 % interval. Threads take turns of 64 positions, so that \
        nothing depends on the machine. A round is a turn of each thread: what as many processors would \
        do at the same time. The speed-up is the number of rounds of one thread as a multiple of theirs; \
        a thread that waits for another takes its turns too, but visits nothing. The default is 20 000 positions, in full \
        100 000; --nodes chooses.",
    subject: Subject::Problems,
    run,
};

const QUICK_NODES: u64 = 20_000;
const FULL_NODES: u64 = 100_000;
/// How many threads, the one that sets the goal first.
const COUNTS: [usize; 4] = [1, 2, 4, 8];
/// Positions of a turn: as short as a switch from thread to thread allows, since what one thread finds the
/// others know only a turn later.
const TURN: u64 = 64;
/// So many times the positions of one thread are given up on.
const PATIENCE: u64 = 20;
/// The searches, with what their iterations are called.
const SEARCHES: [(Algorithm, &str); 2] = [
    (Algorithm::DepthFirst, "demand"),
    (Algorithm::AlphaBeta, "depth"),
];

/// What a search came to.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// The last completed iteration.
    iteration: u32,
    /// Positions visited by then, by all threads.
    nodes: u64,
    /// Rounds by then.
    rounds: u64,
    /// Positions visited by the time from which on the answer was right; `None` if it is wrong.
    solved: Option<u64>,
    best: Option<Move>,
}

fn run(request: &Request) -> Result<Findings, LabError> {
    if request.movetime_ms.is_some() {
        let experiment = EXPERIMENT.name;
        return Err(LabError::NoUseForTime { experiment });
    }
    let usual = if request.full {
        FULL_NODES
    } else {
        QUICK_NODES
    };
    let nodes = request.nodes.unwrap_or(usual);
    memory::ensure([request.hash_megabytes], request.jobs)?;
    let mut findings = Findings::default();
    findings.setting("positions visited by one thread, at most", thousands(nodes));
    findings.setting("evaluation", Evaluation::Network.name());
    findings.setting("hash", format!("{} MiB", request.hash_megabytes));
    findings.setting("positions of a turn", TURN.to_string());
    let tasks = request.problems.len() * SEARCHES.len() * COUNTS.len();
    let progress = Progress::new(tasks as u64);
    for (algorithm, iteration) in SEARCHES {
        let mut runs: Vec<Vec<Run>> = vec![Vec::new(); request.problems.len()];
        for count in COUNTS {
            let numbers: Vec<usize> = (0..runs.len()).collect();
            let found = workers::map(
                &numbers,
                request.jobs,
                || searcher(algorithm, count, request.hash_megabytes),
                |searcher, &number| {
                    let problem = &request.problems[number];
                    let goal = runs[number].first();
                    searcher.search(&problem.position, |it| {
                        search(it.as_mut(), problem, goal, nodes)
                    })
                },
                |_| progress.advance(format!("{algorithm}, {count} threads")),
            )?;
            for (runs, found) in runs.iter_mut().zip(found) {
                match found {
                    Ok(run) => runs.push(run),
                    Err(fault) => findings.left_out.push(fault),
                }
            }
        }
        tell(request, algorithm, iteration, &runs, &mut findings);
    }
    progress.finish();
    findings.note(
        "An overhead of 1 and a speed-up of N are what N threads could do at the best. \
         What a switch from thread to thread or a shared table costs in time is not in these figures.",
    );
    Ok(findings)
}

/// A search by so many threads that take turns.
fn searcher(algorithm: Algorithm, count: usize, hash_megabytes: usize) -> Guarded<ChessSearcher> {
    let settings = EngineSettings {
        evaluation: Evaluation::Network,
        search: Settings {
            algorithm,
            hash_megabytes,
            threads: Threads {
                count,
                turn: Some(TURN),
            },
            ..Settings::default()
        },
        ..EngineSettings::default()
    };
    settings.guarded()
}

/// Puts a problem to a search: until the limit of positions, or until what one thread had come to.
fn search(
    searcher: &mut dyn Searcher<Position>,
    problem: &Record,
    goal: Option<&Run>,
    nodes: u64,
) -> Run {
    searcher.clear();
    let most = goal.map_or(nodes, |goal| goal.nodes.saturating_mul(PATIENCE));
    let mut listener = Listener {
        problem,
        goal: goal.map(|goal| goal.iteration),
        rounds: 0,
        now: None,
        done: Run::default(),
    };
    let root = Root::new(problem.position.clone());
    searcher.search(&root, &Limits::nodes(most), &mut listener);
    listener.done
}

/// Writes down what is told.
struct Listener<'a> {
    problem: &'a Record,
    /// The iteration to stop after.
    goal: Option<u32>,
    rounds: u64,
    /// Since when the answer under way has been right.
    now: Option<u64>,
    done: Run,
}

impl Observer<Move> for Listener<'_> {
    /// The leader asks once a turn.
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.rounds += 1;
        false
    }

    fn wants_another_iteration(&mut self, done: &Report<Move>) -> bool {
        self.goal.is_none_or(|goal| done.iteration < goal)
    }

    fn report(&mut self, report: &Report<Move>) {
        if report.line != 1 || report.occasion == Occasion::Final {
            return;
        }
        let best = report.best_move();
        let is_right = self
            .problem
            .is_solved_by(best, report.value.mate_in_moves());
        self.now = is_right.then(|| self.now.unwrap_or(report.nodes));
        if report.occasion == Occasion::Iteration {
            self.done = Run {
                iteration: report.iteration,
                nodes: report.nodes,
                rounds: self.rounds,
                solved: self.now,
                best,
            };
        }
    }
}

/// The tables of a search.
fn tell(
    request: &Request,
    algorithm: Algorithm,
    iteration: &str,
    runs: &[Vec<Run>],
    findings: &mut Findings,
) {
    let columns = [
        Column::new("threads"),
        Column::new("positions"),
        Column::decimals("overhead", 2),
        Column::decimals("from", 2),
        Column::decimals("to", 2),
        Column::decimals("speed-up", 2),
        Column::decimals("same move, %", 1),
        Column::new("solved"),
        Column::new("solved by one too"),
        Column::decimals("overhead until solved", 2),
        Column::decimals("± (95 %), as a factor", 2),
    ];
    let title = format!("Threads of {algorithm} until the same {iteration}");
    let mut table = Table::new(&format!("threads-{algorithm}"), title, columns);
    // Where one of the runs failed or came to nothing there is nothing to compare.
    let compared: Vec<(&Record, &Vec<Run>)> = request
        .problems
        .iter()
        .zip(runs)
        .filter(|(_, runs)| runs.len() == COUNTS.len() && runs[0].iteration > 0)
        .filter(|(_, runs)| runs.iter().all(|run| run.iteration >= runs[0].iteration))
        .collect();
    for (at, count) in COUNTS.into_iter().enumerate() {
        let pairs = || compared.iter().map(|(_, runs)| (runs[0], runs[at]));
        let overhead = Ratio::of(pairs().map(|(one, many)| ratio(many.nodes, one.nodes)));
        let speed_up = Ratio::of(pairs().map(|(one, many)| ratio(one.rounds, many.rounds)));
        let solved = pairs().filter_map(|(one, many)| Some((one.solved?, many.solved?)));
        let until_solved = Ratio::of(solved.clone().map(|(one, many)| ratio(many, one)));
        let same = pairs().map(|(one, many)| if one.best == many.best { 100.0 } else { 0.0 });
        table.row([
            Cell::from(count),
            compared.len().into(),
            overhead.mean.into(),
            (overhead.mean / overhead.factor).into(),
            (overhead.mean * overhead.factor).into(),
            speed_up.mean.into(),
            Cell::mean(same),
            pairs()
                .filter(|(_, many)| many.solved.is_some())
                .count()
                .into(),
            solved.count().into(),
            until_solved.mean.into(),
            until_solved.factor.into(),
        ]);
    }
    findings.tables.push(table);
    let by_count = COUNTS.map(|count| Column::new(format!("{count} threads")));
    let columns = [Column::new("position"), Column::new(iteration)];
    let columns = columns.into_iter().chain(by_count);
    let title = format!("Positions visited by threads of {algorithm}, problem by problem");
    let mut table = Table::new(&format!("problems-{algorithm}"), title, columns);
    for (problem, runs) in compared {
        let head = [
            Cell::from(problem.id.as_str()),
            u64::from(runs[0].iteration).into(),
        ];
        table.row(
            head.into_iter()
                .chain(runs.iter().map(|run| run.nodes.into())),
        );
    }
    findings.tables.push(table);
}

/// One number as a multiple of another.
fn ratio(of: u64, to: u64) -> f64 {
    of.max(1) as f64 / to.max(1) as f64
}

/// A geometric mean of ratios.
struct Ratio {
    mean: f64,
    /// The 95 % interval reaches from the mean divided by this to the mean times this.
    factor: f64,
}

impl Ratio {
    fn of(ratios: impl Iterator<Item = f64>) -> Ratio {
        let logs: Vec<f64> = ratios.map(f64::ln).collect();
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        Ratio {
            mean: mean.exp(),
            factor: (1.96 * error).exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_a_geometric_mean_and_an_interval() {
        let even = Ratio::of([0.5, 2.0, 0.5, 2.0].into_iter());
        assert!((even.mean - 1.0).abs() < 1e-12);
        // The logarithms' standard error is ln 2 · √(4/3) / 2.
        let expected = (1.96 * 2.0_f64.ln() * (4.0_f64 / 3.0).sqrt() / 2.0).exp();
        assert!((even.factor - expected).abs() < 1e-9, "{}", even.factor);
        assert!(Ratio::of([3.0].into_iter()).factor.is_nan());
        assert!(Ratio::of(std::iter::empty()).mean.is_nan());
    }
}

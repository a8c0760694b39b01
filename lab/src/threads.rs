//! Search overhead of several threads: nodes that N threads visit to complete the iteration that one completes.
//!
//! Threads take turns of the same number of nodes, so that the figures depend neither on the machine nor on its load,
//! and one core can measure what eight would do.

use anyhow::Result;

use super::experiment::{EffortLimit, Experiment, Findings, Request, Subject};
use super::outcome::{Cell, Table};
use super::statistics::Estimate;
use cassius::engine::fault::Guarded;
use cassius::engine::memory;
use cassius::engine::settings::{ChessSearcher, EngineSettings};
use cassius::game::Root;
use cassius::games::chess::{Evaluation, Move, Position};
use cassius::output::progress::Progress;
use cassius::output::table::thousands;
use cassius::search::kit::team::Threads;
use cassius::search::registry::Algorithm;
use cassius::search::{Limits, Observer, Occasion, Report, Searcher};
use cassius::suite::epd::Record;
use cassius::workers;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "threads",
    title: "What several threads cost: positions visited until they have what one has",
    figures: &[],
    about: "1, 2, 4 and 8 threads search each problem until the limit of positions; the last iteration that they \
        completed is their goal. Then all of them search until they have completed the farthest of these goals. \
        The overhead is the number of positions that all threads visited until a goal, as a multiple of what one thread \
        visited. It is taken at two goals, that of one thread and their own, and their geometric mean counts: by itself the goal of \
        one thread is too hard on the others, since it is where one thread was lucky, and theirs too easy. \
        Over the problems it is a geometric mean, too, with its 95 % interval. Threads take turns of 64 positions, so that \
        nothing depends on the machine. A round is a turn of each thread: what as many processors would \
        do at the same time. The speed-up is the number of rounds of one thread as a multiple of theirs; \
        a thread that waits for another takes its turns too, but visits nothing. The default is 20 000 positions, in full \
        100 000; --nodes chooses.",
    subject: Subject::Problems,
    effort: EffortLimit::Nodes,
    run,
};

const QUICK_NODES: u64 = 20_000;
const FULL_NODES: u64 = 100_000;
/// Numbers of threads, one first.
const COUNTS: [usize; 4] = [1, 2, 4, 8];
/// Nodes of a turn: as few as a switch of threads allows, since the others know of a thread's results only a turn
/// later.
const TURN: u64 = 64;
/// Multiple of the node limit after which the farthest goal is given up.
const PATIENCE: u64 = 20;
/// Note on what overheads and speed-ups leave out.
const MEANING: &str = "An overhead of 1 and a speed-up of N are what N threads could do at the best. \
    What a switch from thread to thread or a shared table costs in time is not in these figures.";
/// The searches, with names of their iterations.
const SEARCHES: [(Algorithm, &str); 2] = [
    (Algorithm::DepthFirst, "demand"),
    (Algorithm::AlphaBeta, "depth"),
];

/// The moment when a search completed an iteration.
#[derive(Clone, Copy, Debug)]
struct Stage {
    /// The iteration.
    iteration: u32,
    /// Nodes of all threads by then.
    nodes: u64,
    /// Rounds by then.
    rounds: u64,
    /// Nodes at the moment from which the answer was right; `None` if it is wrong.
    solved: Option<u64>,
    best: Option<Move>,
}

/// A search's stages, in order.
type Run = Vec<Stage>;

/// End of a search: after an iteration, if given; after a number of nodes.
type Until = (Option<u32>, u64);

fn run(request: &Request) -> Result<Findings> {
    let nodes = request.nodes_or(QUICK_NODES, FULL_NODES);
    memory::ensure([request.hash_megabytes], request.jobs)?;
    let mut findings = Findings::default();
    findings.setting("positions visited by one thread, at most", thousands(nodes));
    findings.setting("evaluation", Evaluation::Network.name());
    findings.setting("hash", format!("{} MiB", request.hash_megabytes));
    findings.setting("positions of a turn", TURN.to_string());
    let tasks = 2 * request.problems.len() * SEARCHES.len() * COUNTS.len();
    let progress = Progress::new(tasks as u64);
    for (algorithm, iteration) in SEARCHES {
        let mut runs = |ends: &[Option<Until>]| {
            let told = |count| progress.advance(format!("{algorithm}, {count} threads"));
            runs(request, algorithm, ends, &mut findings, told)
        };
        let limited = runs(&vec![Some((None, nodes)); request.problems.len()])?;
        let goals: Vec<Option<Goals>> = limited.iter().map(|runs| self::goals(runs)).collect();
        let most = nodes.saturating_mul(PATIENCE);
        let farthest = |goals: &Option<Goals>| goals.map(|it| (it.into_iter().max(), most));
        let runs = runs(&goals.iter().map(farthest).collect::<Vec<_>>())?;
        let compared = request.problems.iter().zip(goals).zip(runs);
        let compared =
            compared.filter_map(|((problem, goals), runs)| Some((problem, pairs(goals?, &runs)?)));
        let compared: Vec<Compared<'_>> = compared.collect();
        tell(algorithm, iteration, &compared, &mut findings);
    }
    progress.finish();
    findings.note(MEANING);
    Ok(findings)
}

/// Searches each problem with 1, 2, 4 and 8 threads. A problem whose end is `None` is left out and has no runs; one at
/// which a search failed has fewer.
fn runs(
    request: &Request,
    algorithm: Algorithm,
    ends: &[Option<Until>],
    findings: &mut Findings,
    told: impl Fn(usize),
) -> Result<Vec<Vec<Run>>> {
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); ends.len()];
    let problems: Vec<_> = request.problems.iter().zip(ends).collect();
    for count in COUNTS {
        let mut settings = EngineSettings::default();
        settings.search.algorithm = algorithm;
        settings.search.hash_megabytes = request.hash_megabytes;
        settings.search.threads = Threads {
            count,
            turn: Some(TURN),
        };
        let work = |searcher: &mut Guarded<_>, &(problem, end): &(&Record, &Option<Until>)| {
            let end = (*end)?;
            let run = |it: &mut ChessSearcher| search(it.as_mut(), problem, end);
            Some(searcher.search(&problem.position, run))
        };
        let prepare = || settings.guarded();
        let found = workers::map(&problems, request.jobs, prepare, work, |_| told(count))?;
        for (runs, found) in runs.iter_mut().zip(found) {
            match found {
                Some(Ok(run)) => runs.push(run),
                Some(Err(fault)) => findings.left_out.push(fault),
                None => {}
            }
        }
    }
    Ok(runs)
}

/// The iterations completed by 1, 2, 4 and 8 threads within the same limit.
type Goals = [u32; COUNTS.len()];

/// The goals of a problem; `None` if a search failed, or completed no iteration.
fn goals(runs: &[Run]) -> Option<Goals> {
    let last = |run: &Run| Some(run.last()?.iteration);
    let goals: Vec<u32> = runs.iter().map(last).collect::<Option<_>>()?;
    goals.try_into().ok()
}

/// Pairs one thread with each number of threads, at the goal of one thread and at theirs. `None` if a search failed or
/// was given up.
fn pairs(goals: Goals, runs: &[Run]) -> Option<Vec<Pairs>> {
    let one = runs.first()?;
    let pairs = goals.into_iter().zip(runs).map(|(own, many)| {
        let at = |goal| Some((stage(one, goal)?, stage(many, goal)?));
        Some(Pairs {
            of_one: at(goals[0])?,
            of_many: at(own)?,
        })
    });
    let pairs: Vec<Pairs> = pairs.collect::<Option<_>>()?;
    (pairs.len() == COUNTS.len()).then_some(pairs)
}

/// The stage at which a search has completed an iteration.
fn stage(run: &Run, goal: u32) -> Option<Stage> {
    run.iter().copied().find(|stage| stage.iteration >= goal)
}

/// One thread and several, when they have completed the same iteration.
#[derive(Clone, Copy, Debug)]
struct Pairs {
    /// At the iteration that one thread completes within the limit.
    of_one: (Stage, Stage),
    /// At the iteration that several threads complete within it.
    of_many: (Stage, Stage),
}

impl Pairs {
    /// Several threads' measure as a multiple of one's: at the goal of one thread, at their own, and their geometric mean.
    fn ratios(&self, what: impl Fn(&Stage) -> u64) -> [f64; 3] {
        let [hard, easy] =
            [self.of_one, self.of_many].map(|(one, many)| ratio(what(&many), what(&one)));
        [hard, easy, (hard * easy).sqrt()]
    }
}

/// A problem at which no search failed, with the pairs for each number of threads.
type Compared<'a> = (&'a Record, Vec<Pairs>);

/// The stages of a search of a problem that ends at `until`.
fn search(searcher: &mut dyn Searcher<Position>, problem: &Record, until: Until) -> Run {
    searcher.clear();
    let (goal, most) = until;
    let mut listener = Listener {
        problem,
        goal,
        rounds: 0,
        now: None,
        done: Run::new(),
    };
    let root = Root::new(problem.position.clone());
    searcher.search(&root, &Limits::nodes(most), &mut listener);
    listener.done
}

/// Records the stages of a search.
struct Listener<'a> {
    problem: &'a Record,
    /// The iteration to stop after.
    goal: Option<u32>,
    rounds: u64,
    /// Nodes since which the current answer has been right.
    now: Option<u64>,
    done: Run,
}

impl Observer<Move> for Listener<'_> {
    /// The leader polls once each turn.
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
        let mate = report.value.mate_in_moves();
        let is_right = self.problem.is_solved_by(best, mate);
        self.now = is_right.then(|| self.now.unwrap_or(report.nodes));
        if report.occasion == Occasion::Iteration {
            self.done.push(Stage {
                iteration: report.iteration,
                nodes: report.nodes,
                rounds: self.rounds,
                solved: self.now,
                best,
            });
        }
    }
}

/// Adds the tables of a search to the findings.
fn tell(algorithm: Algorithm, iteration: &str, compared: &[Compared<'_>], findings: &mut Findings) {
    let headings = "threads | positions | overhead:2 | from:2 | to:2 | at the goal of one:2 | \
         at their own goal:2 | speed-up:2 | same move, %:1 | solved | solved by one too | \
         overhead until solved:2 | ± (95 %), as a factor:2";
    let title = format!("Threads of {algorithm} until the same {iteration}");
    let mut table = Table::new(&format!("threads-{algorithm}"), title, headings);
    for (at, count) in COUNTS.into_iter().enumerate() {
        let pairs = || compared.iter().map(|(_, pairs)| pairs[at]);
        let overhead = |which: usize| {
            Estimate::factors(pairs().map(|pairs| pairs.ratios(|stage| stage.nodes)[which]))
        };
        let mean = overhead(2);
        let rounds = Estimate::factors(pairs().map(|pairs| pairs.ratios(|it| it.rounds)[2]));
        let ends = || pairs().map(|pairs| pairs.of_one);
        let solved = ends().filter_map(|(one, many)| Some((one.solved?, many.solved?)));
        let until_solved = Estimate::factors(solved.clone().map(|(one, many)| ratio(many, one)));
        let same = ends().map(|(one, many)| if one.best == many.best { 100.0 } else { 0.0 });
        let solved_by_many = ends().filter(|(_, many)| many.solved.is_some());
        let [until_solved, until_solved_factor] = until_solved.cells();
        table.row([
            Cell::from(count),
            compared.len().into(),
            mean.value.into(),
            (mean.value / mean.half_width).into(),
            (mean.value * mean.half_width).into(),
            overhead(0).value.into(),
            overhead(1).value.into(),
            (1.0 / rounds.value).into(),
            Cell::mean(same),
            solved_by_many.count().into(),
            solved.count().into(),
            until_solved,
            until_solved_factor,
        ]);
    }
    findings.tables.push(table);
    let by_count = COUNTS.map(|count| format!("{count} threads")).join(" | ");
    let headings = format!("position | {iteration} | {by_count}");
    let title = format!(
        "Positions visited by threads of {algorithm} until the {iteration} of one thread, problem by problem"
    );
    let mut table = Table::new(&format!("problems-{algorithm}"), title, &headings);
    for (problem, pairs) in compared {
        let goal = pairs[0].of_one.0.iteration;
        let head = [Cell::from(problem.id.as_str()), goal.into()];
        let nodes = pairs.iter().map(|pairs| pairs.of_one.1.nodes.into());
        table.row(head.into_iter().chain(nodes));
    }
    findings.tables.push(table);
}

/// One number as a multiple of another.
fn ratio(of: u64, to: u64) -> f64 {
    of.max(1) as f64 / to.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(nodes: &[u64]) -> Run {
        let stage = |(at, &nodes)| Stage {
            iteration: at as u32 + 1,
            nodes,
            rounds: nodes / TURN,
            solved: None,
            best: None,
        };
        nodes.iter().enumerate().map(stage).collect()
    }

    #[test]
    fn both_goals_count_alike() {
        // Within 1 000 positions one thread completes three iterations, the others two.
        let others = run(&[200, 600]);
        let limited = [
            run(&[100, 300, 900]),
            others.clone(),
            others.clone(),
            others,
        ];
        let goals = goals(&limited).unwrap();
        assert_eq!(goals, [3, 2, 2, 2]);
        let others = run(&[200, 600, 3_600]);
        let runs = [limited[0].clone(), others.clone(), others.clone(), others];
        let at_goals = pairs(goals, &runs).unwrap();
        assert_eq!(at_goals[0].ratios(|stage| stage.nodes), [1.0, 1.0, 1.0]);
        let [hard, easy, between] = at_goals[1].ratios(|stage| stage.nodes);
        assert_eq!([hard, easy], [4.0, 2.0]);
        assert!((between - 8.0_f64.sqrt()).abs() < 1e-12);
        // Given up before the goal of one thread: nothing to compare.
        assert!(pairs(goals, &limited).is_none());
        assert!(super::goals(&[run(&[]), run(&[100])]).is_none());
    }
}

//! Search overhead of several threads in the search for mates: nodes that N of them visit until they have proven what
//! one proves.

use anyhow::Result;

use super::experiment::{EffortLimit, Experiment, Findings, Request, Subject};
use super::outcome::{Cell, Column, Table};
use super::statistics::Estimate;
use super::threads::{self, COUNTS, Lab, PATIENCE, TURN, ratio};
use cassius::game::Root;
use cassius::games::chess::{Move, Position};
use cassius::output::progress::Progress;
use cassius::search::registry::Algorithm;
use cassius::search::{Limits, Observer, Report, Searcher};
use cassius::suite::epd::Record;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "mate-threads",
    title: "What several threads cost a search for mates: positions visited until one is proven",
    figures: &[],
    about: "One thread of proof-number search looks for a mate in each problem until the limit of positions. Where it \
        proves one, and has a line that shows it, 1, 2, 4 and 8 threads do the same. The overhead is the number of \
        positions that all threads visited until then, as a multiple of what one thread visited; the speed-up the rounds of \
        one thread as a multiple of theirs. In a round each thread has one turn: what as many processors would do at the same time. \
        Over the problems both are geometric means, with their 95 % intervals. Which mate is proven, and in how many moves, is \
        not the same for all. Nothing depends on the machine, since threads take turns. In a turn of 64 \
        positions a thread sees what others found a turn ago; in one of a single position it sees everything at once, but meets them more often. \
        Threads that run at the same time are between the two. The default is 20 000 positions, in full 100 000; --nodes chooses.",
    subject: Subject::Problems,
    effort: EffortLimit::Nodes,
    run,
};

/// Lengths of a turn, in nodes.
const TURNS: [u64; 2] = [TURN, 1];
const ALGORITHM: Algorithm = Algorithm::ProofNumber;

/// The moment when a mate was proven with its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Proven {
    /// Nodes of all threads by then.
    nodes: u64,
    rounds: u64,
}

/// Results for a problem that one thread solves.
struct Compared<'a> {
    problem: &'a Record,
    one: Proven,
    /// For each number of threads; `None` if it was given up.
    many: Vec<Option<Proven>>,
}

fn run(request: &Request) -> Result<Findings> {
    let (nodes, mut findings) = threads::start(request)?;
    let tasks = request.problems.len() * TURNS.len() * COUNTS.len();
    let progress = Progress::new(tasks as u64);
    for turn in TURNS {
        let lab = Lab {
            request,
            algorithm: ALGORITHM,
            turn,
            progress: &progress,
        };
        let all: Vec<&Record> = request.problems.iter().collect();
        let ones = runs(&lab, 1, &all, nodes, &mut findings)?;
        let solved = all.into_iter().zip(ones);
        let mut compared: Vec<Compared<'_>> = solved
            .filter_map(|(problem, one)| {
                let many = vec![one?];
                let one = one??;
                Some(Compared { problem, one, many })
            })
            .collect();
        for &count in &COUNTS[1..] {
            let problems: Vec<&Record> = compared.iter().map(|it| it.problem).collect();
            for _ in problems.len()..request.problems.len() {
                progress.advance("left out".to_owned());
            }
            let most = nodes.saturating_mul(PATIENCE);
            let runs = runs(&lab, count, &problems, most, &mut findings)?;
            // A problem at which a search failed counts for no number of threads.
            let runs = compared.into_iter().zip(runs);
            compared = runs
                .filter_map(|(mut compared, run)| {
                    compared.many.push(run?);
                    Some(compared)
                })
                .collect();
        }
        tell(turn, &compared, &mut findings);
    }
    progress.finish();
    findings.note(threads::MEANING);
    Ok(findings)
}

/// The searches of each problem by `count` threads: the mate proven, or that it was given up; `None` if the search
/// failed, which is noted.
fn runs(
    lab: &Lab<'_>,
    count: usize,
    problems: &[&Record],
    most: u64,
    findings: &mut Findings,
) -> Result<Vec<Option<Option<Proven>>>> {
    let found = lab.map(count, problems, |searcher, problem| {
        searcher.search(&problem.position, |it| search(it.as_mut(), problem, most))
    })?;
    let found = found.into_iter();
    Ok(found
        .map(|it| it.map_err(|fault| findings.left_out.push(fault)).ok())
        .collect())
}

/// Searches a problem.
fn search(searcher: &mut dyn Searcher<Position>, problem: &Record, most: u64) -> Option<Proven> {
    searcher.clear();
    let mut listener = Listener::default();
    let root = Root::new(problem.position.clone());
    searcher.search(&root, &Limits::nodes(most), &mut listener);
    listener.proven
}

/// Waits for a mate.
#[derive(Default)]
struct Listener {
    rounds: u64,
    proven: Option<Proven>,
}

impl Observer<Move> for Listener {
    /// The leader polls once each turn.
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.rounds += 1;
        self.proven.is_some()
    }

    fn report(&mut self, report: &Report<Move>) {
        if report.value.is_decided() && self.proven.is_none() {
            self.proven = Some(Proven {
                nodes: report.nodes,
                rounds: self.rounds,
            });
        }
    }
}

/// The tables for turns of one length.
fn tell(turn: u64, compared: &[Compared<'_>], findings: &mut Findings) {
    let columns = Column::list(
        "threads | mates | overhead:2 | from:2 | to:2 | speed-up:2 | speed-up from:2 | \
         speed-up to:2 | given up on",
    );
    let title = format!("Threads of {ALGORITHM} until a mate is proven, in turns of {turn}");
    let mut table = Table::new(&format!("mate-threads-{turn}"), title, columns);
    for (at, count) in COUNTS.into_iter().enumerate() {
        let pairs = || {
            let both = |it: &Compared<'_>| Some((it.one, it.many[at]?));
            compared.iter().filter_map(both)
        };
        let overhead = pairs().map(|(one, many)| ratio(many.nodes, one.nodes));
        let speedup = pairs().map(|(one, many)| ratio(one.rounds, many.rounds));
        let given_up = compared.len() - pairs().count();
        let mut row = vec![Cell::from(count), pairs().count().into()];
        row.extend(Estimate::factors(overhead).factor_cells());
        row.extend(Estimate::factors(speedup).factor_cells());
        row.push(given_up.into());
        table.row(row);
    }
    findings.tables.push(table);
    let by_count = COUNTS.map(|count| format!("{count} threads")).join(" | ");
    let columns = Column::list(&format!("position | {by_count}"));
    let title = format!("Positions visited until a mate is proven, in turns of {turn}");
    let mut table = Table::new(&format!("mate-problems-{turn}"), title, columns);
    for it in compared {
        let nodes = it.many.iter().map(|many| many.map(|it| it.nodes).into());
        table.row(
            [Cell::from(it.problem.id.as_str())]
                .into_iter()
                .chain(nodes),
        );
    }
    findings.tables.push(table);
}

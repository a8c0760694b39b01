//! What several threads cost a search for mates: positions that N of them visit until they have proven what
//! one proves.

use super::experiment::{EffortLimit, Experiment, Findings, LabError, Request, Subject};
use super::outcome::{Cell, Column, Table};
use super::threads::{self, COUNTS, PATIENCE, Ratio, TURN, ratio, searcher};
use cassius::engine::fault::Fault;
use cassius::game::Root;
use cassius::games::chess::{Move, Position};
use cassius::output::progress::Progress;
use cassius::search::registry::Algorithm;
use cassius::search::{Limits, Observer, Report, Searcher};
use cassius::suite::epd::Record;
use cassius::workers;

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

/// Positions of a turn.
const TURNS: [u64; 2] = [TURN, 1];
const ALGORITHM: Algorithm = Algorithm::ProofNumber;

/// Where a mate was proven and shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Proven {
    /// Positions visited by then, by all threads.
    nodes: u64,
    rounds: u64,
}

/// What came of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Proven(Proven),
    GivenUp,
    /// It ended with a fault, which is told elsewhere.
    Failed,
}

impl Outcome {
    fn proven(self) -> Option<Proven> {
        match self {
            Outcome::Proven(proven) => Some(proven),
            Outcome::GivenUp | Outcome::Failed => None,
        }
    }
}

/// What came of a problem that one thread solves.
struct Compared<'a> {
    problem: &'a Record,
    one: Proven,
    /// For each number of threads; none failed.
    many: Vec<Outcome>,
}

fn run(request: &Request) -> Result<Findings, LabError> {
    let (nodes, mut findings) = threads::start(request)?;
    let tasks = request.problems.len() * TURNS.len() * COUNTS.len();
    let progress = Progress::new(tasks as u64);
    for turn in TURNS {
        let lab = Lab {
            request,
            turn,
            progress: &progress,
        };
        let all: Vec<&Record> = request.problems.iter().collect();
        let ones = lab.runs(1, &all, nodes, &mut findings)?;
        let solved = all.into_iter().zip(ones);
        let mut compared: Vec<Compared<'_>> = solved
            .filter_map(|(problem, one)| {
                let many = vec![one];
                let one = one.proven()?;
                Some(Compared { problem, one, many })
            })
            .collect();
        for &count in &COUNTS[1..] {
            let problems: Vec<&Record> = compared.iter().map(|it| it.problem).collect();
            for _ in problems.len()..request.problems.len() {
                progress.advance("left out".to_owned());
            }
            let most = nodes.saturating_mul(PATIENCE);
            let runs = lab.runs(count, &problems, most, &mut findings)?;
            // A problem at which a search failed counts for no number of threads.
            let runs = compared.into_iter().zip(runs);
            compared = runs
                .filter_map(|(mut compared, run)| {
                    compared.many.push(run);
                    (run != Outcome::Failed).then_some(compared)
                })
                .collect();
        }
        tell(turn, &compared, &mut findings);
    }
    progress.finish();
    findings.note(threads::MEANING);
    Ok(findings)
}

/// Searches with turns of one length.
struct Lab<'a> {
    request: &'a Request,
    turn: u64,
    progress: &'a Progress,
}

impl Lab<'_> {
    /// What came of the search of each problem by so many threads.
    fn runs(
        &self,
        count: usize,
        problems: &[&Record],
        most: u64,
        findings: &mut Findings,
    ) -> Result<Vec<Outcome>, LabError> {
        let request = self.request;
        let found: Vec<Result<Option<Proven>, Fault>> = workers::map(
            problems,
            request.jobs,
            || searcher(ALGORITHM, count, self.turn, request.hash_megabytes),
            |searcher, problem| {
                searcher.search(&problem.position, |it| search(it.as_mut(), problem, most))
            },
            |_| self.progress.advance(format!("{count} threads")),
        )?;
        let outcomes = found.into_iter().map(|result| match result {
            Ok(Some(proven)) => Outcome::Proven(proven),
            Ok(None) => Outcome::GivenUp,
            Err(fault) => {
                findings.left_out.push(fault);
                Outcome::Failed
            }
        });
        Ok(outcomes.collect())
    }
}

/// Puts a problem to a search.
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
    /// The leader asks once a turn.
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
    let columns = [
        Column::new("threads"),
        Column::new("mates"),
        Column::decimals("overhead", 2),
        Column::decimals("from", 2),
        Column::decimals("to", 2),
        Column::decimals("speed-up", 2),
        Column::decimals("speed-up from", 2),
        Column::decimals("speed-up to", 2),
        Column::new("given up on"),
    ];
    let title = format!("Threads of {ALGORITHM} until a mate is proven, in turns of {turn}");
    let mut table = Table::new(&format!("mate-threads-{turn}"), title, columns);
    for (at, count) in COUNTS.into_iter().enumerate() {
        let pairs = || {
            let both = |it: &Compared<'_>| Some((it.one, it.many[at].proven()?));
            compared.iter().filter_map(both)
        };
        let overhead = Ratio::of(pairs().map(|(one, many)| ratio(many.nodes, one.nodes)));
        let speedup = Ratio::of(pairs().map(|(one, many)| ratio(one.rounds, many.rounds)));
        let cells = [overhead, speedup].map(|it| {
            let ends = [it.mean / it.factor, it.mean * it.factor];
            [it.mean, ends[0], ends[1]].map(Cell::from)
        });
        let given_up = compared.len() - pairs().count();
        let head = [Cell::from(count), pairs().count().into()];
        let row = head.into_iter().chain(cells.into_iter().flatten());
        table.row(row.chain([given_up.into()]));
    }
    findings.tables.push(table);
    let by_count = COUNTS.map(|count| Column::new(format!("{count} threads")));
    let columns = [Column::new("position")].into_iter().chain(by_count);
    let title = format!("Positions visited until a mate is proven, in turns of {turn}");
    let mut table = Table::new(&format!("mate-problems-{turn}"), title, columns);
    for it in compared {
        let nodes = it
            .many
            .iter()
            .map(|many| many.proven().map_or(Cell::Missing, |it| it.nodes.into()));
        table.row(
            [Cell::from(it.problem.id.as_str())]
                .into_iter()
                .chain(nodes),
        );
    }
    findings.tables.push(table);
}

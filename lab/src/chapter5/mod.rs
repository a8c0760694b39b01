//! Chapter 5 of the thesis: conspiracy numbers in a chess program.
//!
//! The thesis's program *Conspire* and its opponent *Phoenix* shared move generation and leaf evaluation, as all
//! searches here do. Conspire's counterpart is best-first search with the thesis's choices ([`conspire`]), Phoenix's is
//! `alpha-beta-plain`. Effort is counted in nodes, or in milliseconds with `--movetime`.
//!
//! Figures 5.2 to 5.5 are in [`effort`], 5.6 in [`distribution`], 5.7 and 5.8 in [`parameters`].

pub mod distribution;
pub mod effort;
pub mod parameters;
mod states;

use anyhow::Result;

use crate::experiment::{Findings, Request};
use crate::outcome::{Cell, Table};
use crate::timeline::{self, Mark, State};
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::memory;
use cassius::games::chess::Quiescence;
use cassius::games::chess::notation::to_fen;
use cassius::output::progress::Progress;
use cassius::output::table::thousands;
use cassius::search::best_first::{
    self, BranchRule, ChildOrder, LeafWindow, StorageKind, Strategy,
};
use cassius::search::registry::{self, Algorithm, Settings};
use cassius::suite::compare;
use cassius::workers;
use states::Line;

/// Best-first search as in chapter 5: McAllester's choices throughout.
pub fn conspire() -> best_first::Settings {
    best_first::Settings {
        storage: StorageKind::Intensive,
        depth_limit: 21,
        delta: 0,
        strategy: Strategy::Distance,
        branch_rule: BranchRule::Leftmost,
        best_move_cutoff: false,
        leaf_window: LeafWindow::Whole,
        child_order: ChildOrder::Value,
        ..best_first::Settings::default()
    }
}

/// The note on [`conspire`].
pub(super) const CONSPIRE_NOTE: &str = "conspire is best-first search as the thesis's chapter 5 had it \
    (leftmost branch rule, no best move cutoff, leaves evaluated in the whole window, depth limit \
    21); best-first is the same search with today's defaults.";

/// The note on the meaning of effort, for every experiment that counts nodes.
pub(super) const NODES_NOTE: &str = "A node is a position visited, those of quiescence search included; the \
    thesis counts only the nodes of the tree, of which there are far fewer.";

/// Settings of `algorithm`; `best_first` replaces those of best-first search.
pub(super) fn settings(
    algorithm: Algorithm,
    best_first: best_first::Settings,
    request: &Request,
) -> Settings {
    Settings {
        best_first,
        ..Settings::of(algorithm, request.hash_megabytes)
    }
}

/// States of searches: by problem, search, mark.
pub(super) type States<const N: usize> = Vec<Vec<[State; N]>>;

/// Headings of a table that compares versions of a search: two names, then the cells of [`paired`].
pub(super) const PAIRED: &str = "version | instead of | both | only new | only old | neither | p:3";

/// Numbers of problems that two searches solved by the last mark: both, only the new, only the old, neither; and p by
/// McNemar's exact test.
pub(super) fn paired<const N: usize>(
    states: &[Vec<[State; N]>],
    new: usize,
    old: usize,
) -> [Cell; 5] {
    let mut counts = [[0_u64; 2]; 2];
    for problem in states {
        let is_solved = |it: usize| problem[it].last().is_some_and(|it| it.solved.is_some());
        counts[usize::from(is_solved(new))][usize::from(is_solved(old))] += 1;
    }
    let [[neither, only_old], [only_new, both]] = counts;
    let p = compare::mcnemar(only_new, only_old);
    let [both, only_new, only_old, neither] = [both, only_new, only_old, neither].map(Cell::from);
    [both, only_new, only_old, neither, p.into()]
}

/// Searches every problem with each of `settings`; returns the states at all marks. A problem at which one search fails
/// is left out for all, and noted in `findings`.
pub(super) fn search<const N: usize>(
    request: &Request,
    marks: [Mark; N],
    settings: &[Settings],
    findings: &mut Findings,
) -> Result<States<N>> {
    memory::ensure(settings.iter().map(Settings::megabytes), request.jobs)?;
    let (known, mut file) = states::open(request, settings, marks)?;
    let progress = Progress::new((request.problems.len() * settings.len()) as u64);
    let problems = request.problems.iter();
    let mut found: Vec<Result<_, Fault>> = problems.map(|_| Ok(Vec::new())).collect();
    let prepare = || {
        let searchers = settings.iter().map(|it| {
            let settings = it.clone();
            let build = move || registry::build(&settings, Quiescence::tactical());
            Guarded::new(it.algorithm.name(), build)
        });
        Ok(searchers.collect::<Vec<_>>())
    };
    workers::share(
        request.problems.iter().enumerate(),
        request.jobs,
        prepare,
        |searchers, (number, problem), hand_over| {
            // A position may occur twice with different goals.
            let asked = format!("{} {}", to_fen(&problem.position), problem.goal());
            for (search, searcher) in searchers.iter_mut().enumerate() {
                let known = known.get(&(search, asked.clone()));
                let states = known.map(|&it| Ok(it)).unwrap_or_else(|| {
                    searcher.search(&problem.position, |it| {
                        timeline::states(it.as_mut(), problem, marks)
                    })
                });
                let new = states.as_ref().ok().filter(|_| known.is_none());
                let new = new.map(|states| Line {
                    search,
                    problem: asked.clone(),
                    states: states.to_vec(),
                });
                let is_lost = states.is_err();
                if !hand_over((number, states, new)) || is_lost {
                    break;
                }
            }
            Ok(())
        },
        |(number, states, new)| {
            progress.advance(request.problems[number].id.clone());
            match (&mut found[number], states) {
                (Ok(found), Ok(states)) => found.push(states),
                (found, states) => *found = states.map(|it| vec![it]),
            }
            if let (Some(line), Some(file)) = (new, &mut file) {
                file.push(&line)?;
            }
            Ok::<_, anyhow::Error>(())
        },
    )?;
    progress.finish();
    note_limits(request, marks[N - 1], findings);
    Ok(findings.keep(found))
}

/// The marks at which states are taken: the greatest effort divided by each of `parts`. `quick` and `full` are the default
/// greatest efforts, in nodes.
pub(super) fn marks<const N: usize>(
    request: &Request,
    quick: u64,
    full: u64,
    parts: [u64; N],
) -> [Mark; N] {
    parts.map(|part| match request.movetime_ms {
        Some(ms) => Mark::Time((ms / part).max(1)),
        None => Mark::Nodes((request.nodes_or(quick, full) / part).max(1)),
    })
}

/// The unit of a mark.
pub(super) fn unit(mark: Mark) -> &'static str {
    match mark {
        Mark::Nodes(_) => "nodes",
        Mark::Time(_) => "ms",
    }
}

/// Number of problems a search had solved by a mark.
pub(super) fn solved<const N: usize>(
    states: &[Vec<[State; N]>],
    search: usize,
    at: usize,
) -> usize {
    let is_solved = |problem: &&Vec<[State; N]>| problem[search][at].solved.is_some();
    states.iter().filter(is_solved).count()
}

/// A table with a row for each mark; `row` returns the cells after the first, which is the mark.
pub(super) fn by_mark<const N: usize>(
    id: &str,
    title: &str,
    headings: &str,
    marks: [Mark; N],
    row: impl Fn(usize) -> Vec<Cell>,
) -> Table {
    let headings = format!("{} | {headings}", unit(marks[0]));
    let mut table = Table::new(id, title, &headings);
    for (at, mark) in marks.into_iter().enumerate() {
        table.named_row(mark.amount(), row(at));
    }
    table
}

/// Adds the greatest effort and the memory to the settings.
fn note_limits(request: &Request, most: Mark, findings: &mut Findings) {
    let (amount, unit) = (thousands(most.amount()), unit(most));
    findings.setting("limit per position", format!("{amount} {unit}"));
    findings.setting("hash", format!("{} MiB", request.hash_megabytes));
}

/// The thesis's set of problems to compare with: whether it is Win at Chess, and its name. It is Win at Chess if the
/// names of all files begin with `wac`.
fn printed_set(request: &Request) -> (bool, &'static str) {
    let stems = request.files.iter().filter_map(|file| file.file_stem());
    let mut names = stems.map(|stem| stem.to_string_lossy().to_lowercase());
    if names.all(|name| name.starts_with("wac")) {
        (true, "Win at Chess, 300 problems")
    } else {
        (
            false,
            "Encyclopedia of Middlegame Combinations, 95 problems",
        )
    }
}

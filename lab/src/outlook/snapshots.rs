//! Snapshots: searches after each iteration, with the later outcome.

use super::record::{Search, Step};
use cassius::outlook::features::Features;
use cassius::outlook::history::BEGINNING;
use cassius::outlook::{MORE_EFFORT, NEAR, Scene, SearchHistory, counted};
use cassius::search::Cost;
use cassius::search::{Conspiracy, Occasion, Report, Support};
use cassius::value::Value;

/// A search after an iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Snapshot {
    /// Features of its stability.
    pub features: Features,
    /// Nodes so far.
    pub nodes: u64,
    /// Number of pieces on the board.
    pub pieces: u32,
    /// Width of the evaluation's error, in centipawns; NaN if unknown.
    pub width: f64,
    /// Whether the iteration changed the choice, and its change of the value, in centipawns.
    pub last_change: (bool, f64),
    /// Whether the move is still chosen after [`MORE_EFFORT`] times the nodes.
    pub move_stays: bool,
    /// Whether the value is still about the same ([`NEAR`]) after as many nodes.
    pub value_stays: bool,
    /// Weight in means: the snapshots of a search add up to 1.
    pub weight: f64,
}

/// The snapshots of a search: after each iteration that was followed by enough effort to know the outcome.
pub fn of_search(search: &Search) -> Vec<Snapshot> {
    let mut course = SearchHistory::new(Scene {
        moves: search.moves,
        pieces: search.pieces,
        width: search.width,
    });
    let mut snapshots = Vec::new();
    let mut before: Option<&Step> = None;
    for step in &search.course {
        course.learn(&report(search, step));
        if !step.done {
            continue;
        }
        let is_known = step.n >= BEGINNING && step.n * MORE_EFFORT <= search.nodes;
        if let (true, Some(features)) = (is_known, course.features()) {
            let now = counted(Value::from_raw(step.v));
            let later = later(search, step);
            let then = counted(Value::from_raw(later.v));
            let last = before.unwrap_or(step);
            let moved = now - counted(Value::from_raw(last.v));
            snapshots.push(Snapshot {
                features,
                nodes: step.n,
                pieces: search.pieces,
                width: search.width.map_or(f64::NAN, f64::from),
                last_change: (last.m != step.m, f64::from(moved.abs())),
                move_stays: later.m == step.m,
                value_stays: (then - now).abs() <= NEAR,
                weight: 0.0,
            });
        }
        before = Some(step);
    }
    let weight = 1.0 / snapshots.len().max(1) as f64;
    for snapshot in &mut snapshots {
        snapshot.weight = weight;
    }
    snapshots
}

/// The last report within [`MORE_EFFORT`] times the nodes of a step.
fn later<'s>(search: &'s Search, step: &'s Step) -> &'s Step {
    let within = |later: &&Step| later.n <= step.n * MORE_EFFORT;
    search.course.iter().rev().find(within).unwrap_or(step)
}

/// The report of a step, as far as a course needs it; a move's number is the index of the first step with it.
fn report(search: &Search, step: &Step) -> Report<usize> {
    let first = search.course.iter().position(|other| other.m == step.m);
    let value = Value::from_raw(step.v);
    Report {
        occasion: if step.done {
            Occasion::Iteration
        } else {
            Occasion::Improvement
        },
        iteration: step.i,
        nodes: step.n,
        conspiracy: step.costs.map(|[below, above]| Conspiracy {
            threshold: step.i,
            likely_range: (value, value),
            support: Support::Prices {
                below: Cost::from_raw(below),
                above: Cost::from_raw(above),
            },
            tree: None,
        }),
        ..Report::before_search(value, first.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(n: u64, v: i16, m: &str) -> Step {
        Step {
            n,
            i: 1,
            done: true,
            v,
            m: m.to_owned(),
            costs: Some([32, u16::MAX]),
        }
    }

    fn search(course: Vec<Step>) -> Search {
        Search {
            game: 0,
            ply: 0,
            fen: String::new(),
            moves: 20,
            pieces: 32,
            width: Some(50.0),
            nodes: 40_000,
            course,
        }
    }

    #[test]
    fn a_snapshot_knows_what_became_of_it() {
        let course = vec![
            step(500, 0, "a2a3"),
            step(1_000, 10, "a2a3"),
            step(2_000, 20, "a2a3"),
            step(16_000, 60, "a2a3"),
            step(32_000, 71, "e2e4"),
            step(40_000, 300, "e2e4"),
        ];
        let snapshots = of_search(&search(course));
        // None before the start, and none where the search ended too soon.
        assert_eq!(snapshots.len(), 2);
        let [first, second] = [snapshots[0], snapshots[1]];
        assert!(first.move_stays && first.value_stays);
        assert!(!second.move_stays && !second.value_stays);
        assert_eq!(second.last_change, (false, 10.0));
        assert_eq!(first.weight, 0.5);
    }

    #[test]
    fn a_search_cut_short_has_no_snapshots() {
        assert!(of_search(&search(Vec::new())).is_empty());
        assert!(of_search(&search(vec![step(39_000, 0, "a2a3")])).is_empty());
    }
}

//! The answers that one search would have given had it been stopped earlier.
//!
//! A search reports as it goes, so a single run with the greatest effort shows the results of every smaller effort: at
//! each [`Mark`] the last report before it counts ([`states`]).

use serde::{Deserialize, Serialize};

use cassius::engine::limit::Limit;
use cassius::engine::stopwatch::Stopwatch;
use cassius::game::Root;
use cassius::games::chess::{Move, Position};
use cassius::search::{Observer, Occasion, PREPARATION, Report, Searcher};
use cassius::suite::epd::Record;

/// An amount of effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Nodes, those of quiescence included.
    Nodes(u64),
    /// Milliseconds.
    Time(u64),
}

impl Mark {
    /// The amount in its unit.
    pub fn amount(self) -> u64 {
        match self {
            Mark::Nodes(amount) | Mark::Time(amount) => amount,
        }
    }

    /// A state's effort in the mark's unit.
    fn place(self, state: &State) -> f64 {
        match self {
            Mark::Nodes(_) => state.nodes,
            Mark::Time(_) => state.ms,
        }
    }
}

/// All reports of a search of a problem.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// The state at each report, by time.
    told: Vec<State>,
}

/// The state of a search at a mark, or at its own end before it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// Nodes visited, interpolated between reports.
    pub nodes: f64,
    /// Milliseconds, interpolated between reports.
    pub ms: f64,
    /// Last completed iteration: depth, demand or conspiracy threshold; 0 before the first.
    pub iteration: u32,
    /// Deepest ply visited, by the last report.
    pub seldepth: u32,
    /// The moment since which the answer has been right; `None` if it is wrong.
    pub solved: Option<Found>,
    /// Nodes of the search's tree, interpolated between reports; 0 without a tree.
    pub tree_nodes: f64,
    /// Bytes of that tree.
    pub tree_bytes: f64,
    /// Iterations completed while the likely range still had several values. With Δ = 0 the best move cutoff ended them.
    pub cutoffs: u32,
}

/// The moment when a right answer was found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// Nodes visited by then.
    pub nodes: u64,
    /// Iteration under way or completed.
    pub iteration: u32,
}

/// The states of a search at marks: at least one, in increasing order. One search runs to the last mark. Each mark
/// before the first report gets a short search of its own, since a stopped search still answers.
pub fn states<const N: usize>(
    searcher: &mut dyn Searcher<Position>,
    record: &Record,
    marks: [Mark; N],
) -> [State; N] {
    let last = marks.last().copied().unwrap_or(Mark::Nodes(1));
    let whole = Timeline::record(searcher, record, last);
    marks.map(|mark| {
        if mark == last {
            whole.end()
        } else if whole.begins_by(mark) {
            whole.at(mark)
        } else {
            Timeline::record(searcher, record, mark).end()
        }
    })
}

impl Timeline {
    /// Searches a problem up to a mark, and records its reports.
    pub fn record(searcher: &mut dyn Searcher<Position>, record: &Record, until: Mark) -> Timeline {
        searcher.clear();
        searcher.prepare(PREPARATION);
        let mut limit = Limit::default();
        match until {
            Mark::Nodes(nodes) => limit.nodes = Some(nodes),
            Mark::Time(ms) => limit.movetime_ms = Some(ms),
        }
        let mut listener = Listener {
            record,
            clock: Stopwatch::start(&limit),
            told: Vec::new(),
        };
        let root = Root::new(record.position.clone());
        searcher.search(&root, &limit.kept_by_search(), &mut listener);
        Timeline {
            told: listener.told,
        }
    }

    /// Whether there was a report by a mark.
    fn begins_by(&self, mark: Mark) -> bool {
        let first = self.told.first();
        first.is_some_and(|state| mark.place(state) <= mark.amount() as f64)
    }

    /// The final state. It may lie a little beyond the mark at which to stop, since the search finishes the leaf that it is
    /// evaluating.
    pub fn end(&self) -> State {
        self.at(Mark::Nodes(u64::MAX))
    }

    /// The state at a mark, by the last report before it.
    pub fn at(&self, mark: Mark) -> State {
        let place = mark.amount() as f64;
        let passed = self.told.partition_point(|it| mark.place(it) <= place);
        let before = self.told[..passed].last().copied().unwrap_or_default();
        let Some(after) = self.told.get(passed) else {
            return before;
        };
        let (from, to) = (mark.place(&before), mark.place(after));
        let share = (place - from) / (to - from).max(f64::MIN_POSITIVE);
        let grown = |of: fn(&State) -> f64| of(&before) + share * (of(after) - of(&before));
        State {
            nodes: grown(|it| it.nodes),
            ms: grown(|it| it.ms),
            tree_nodes: grown(|it| it.tree_nodes),
            tree_bytes: grown(|it| it.tree_bytes),
            ..before
        }
    }
}

/// Records reports with their times.
struct Listener<'a> {
    record: &'a Record,
    clock: Stopwatch,
    told: Vec<State>,
}

impl Observer<Move> for Listener<'_> {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.clock.is_over()
    }

    fn report(&mut self, report: &Report<Move>) {
        let mut state = self.told.last().copied().unwrap_or_default();
        if report.occasion == Occasion::Iteration {
            state.iteration = state.iteration.max(report.iteration);
            let range = report.conspiracy.map(|it| it.likely_range);
            state.cutoffs += u32::from(range.is_some_and(|(min, max)| min != max));
        }
        let mate = report.value.mate_in_moves();
        let is_right = self.record.is_solved_by(report.best_move(), mate);
        let tree = report.conspiracy.and_then(|it| it.tree);
        let now = Found {
            nodes: report.nodes,
            iteration: report.iteration,
        };
        self.told.push(State {
            nodes: report.nodes as f64,
            ms: self.clock.ms(),
            seldepth: report.seldepth,
            solved: is_right.then(|| state.solved.unwrap_or(now)),
            tree_nodes: tree.map_or(0, |it| it.nodes) as f64,
            tree_bytes: tree.map_or(0, |it| it.bytes) as f64,
            ..state
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius::games::chess::Quiescence;
    use cassius::search::registry::{self, Algorithm, Settings};
    use cassius::suite::epd;

    const PROBLEM: &str =
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";";

    fn problem() -> Record {
        epd::parse_line(PROBLEM, "test").unwrap()
    }

    #[test]
    fn one_long_search_tells_what_short_ones_answer() {
        let marks = [300, 3_000, 10_000, 30_000].map(Mark::Nodes);
        for algorithm in Algorithm::ALL {
            let settings = Settings::of(algorithm, 1);
            let mut searcher = registry::build(&settings, Quiescence::tactical());
            let states = states(searcher.as_mut(), &problem(), marks);
            for (mark, state) in marks.into_iter().zip(states) {
                let short = Timeline::record(searcher.as_mut(), &problem(), mark);
                let end = short.told.last().unwrap();
                assert_eq!(state.solved, end.solved, "{algorithm} {mark:?}");
                assert_eq!(state.iteration, end.iteration, "{algorithm} {mark:?}");
                assert!(state.nodes <= end.nodes, "{algorithm} {mark:?}");
                let found = state.solved.map_or(0.0, |found| found.nodes as f64);
                assert!(found <= end.nodes, "{algorithm} {mark:?}");
            }
        }
    }

    #[test]
    fn trees_grow_evenly_between_reports() {
        let state = |nodes: u64, solved: Option<u64>, tree_nodes| State {
            nodes: nodes as f64,
            ms: nodes as f64 / 10.0,
            iteration: 1,
            solved: solved.map(|nodes| Found {
                nodes,
                iteration: 2,
            }),
            tree_nodes,
            ..State::default()
        };
        let timeline = Timeline {
            told: vec![
                state(100, Some(100), 10.0),
                state(200, None, 20.0),
                state(400, Some(400), 40.0),
                state(600, Some(400), 50.0),
            ],
        };
        let at = |nodes| timeline.at(Mark::Nodes(nodes));
        assert_eq!(at(50).solved, None);
        assert_eq!(at(150).solved.map(|found| found.nodes), Some(100));
        assert_eq!((at(150).nodes, at(150).tree_nodes), (150.0, 15.0));
        assert_eq!((at(300).solved, at(300).tree_nodes), (None, 30.0));
        assert_eq!(at(9_999).solved.map(|found| found.nodes), Some(400));
        assert_eq!((at(9_999).nodes, at(9_999).tree_nodes), (600.0, 50.0));
        assert_eq!(timeline.at(Mark::Time(30)), at(300));
    }
}

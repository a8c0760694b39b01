//! One search, and what it would have answered had it been stopped earlier.
//!
//! A search tells its news as it goes, so a single run with the greatest effort shows what every
//! smaller effort would have brought: at each [`Mark`] the last report before it stands ([`states`]).

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
    /// Positions visited, those of quiescence included.
    Nodes(u64),
    /// Milliseconds.
    Time(u64),
    /// Nodes of the tree that the search keeps.
    Tree(u64),
}

/// A search is let to grow its tree so much beyond a mark, since it tells the size only now and then.
const MARGIN: f64 = 1.25;
/// Most positions visited for a node of the tree.
const MOST_VISITS: u64 = 60;

impl Mark {
    /// The amount in its unit.
    pub fn amount(self) -> u64 {
        match self {
            Mark::Nodes(amount) | Mark::Time(amount) | Mark::Tree(amount) => amount,
        }
    }

    /// Where an event lies on the mark's scale.
    fn place(self, event: &Event) -> f64 {
        match self {
            Mark::Nodes(_) => event.nodes as f64,
            Mark::Time(_) => event.ms,
            Mark::Tree(_) => event.tree_nodes as f64,
        }
    }
}

/// Something the search has told.
#[derive(Clone, Copy, Debug, Default)]
struct Event {
    nodes: u64,
    ms: f64,
    /// Iteration completed or under way.
    iteration: u32,
    completed: u32,
    seldepth: u32,
    is_right: bool,
    cutoffs: u32,
    tree_nodes: u64,
    tree_bytes: u64,
}

/// All that a search has told about a problem.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// By time.
    events: Vec<Event>,
}

/// What a search has come to at a mark, or at its own end before it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// Positions visited.
    pub nodes: f64,
    /// Milliseconds.
    pub ms: f64,
    /// Last completed iteration: depth, demand or conspiracy threshold; 0 before the first.
    pub iteration: u32,
    /// Deepest ply visited, as last told.
    pub seldepth: u32,
    /// Since when the answer has been right without interruption; `None` if it is wrong.
    pub solved: Option<Found>,
    /// Nodes of the tree that the search keeps, between two reports as if it grew evenly; 0 for
    /// searches that keep none.
    pub tree_nodes: f64,
    /// Bytes of that tree.
    pub tree_bytes: f64,
    /// Iterations that were completed although more than one value was left: by the best move cutoff, if Δ
    /// is 0.
    pub cutoffs: u32,
}

/// When a right answer was found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// Positions visited by then.
    pub nodes: u64,
    /// Iteration under way or completed.
    pub iteration: u32,
}

/// What a search comes to at each of some marks, which must not be empty and must grow: one search
/// to the last of them, and short ones to those marks before which it has nothing to tell yet, as a
/// search that is stopped answers all the same.
pub fn states<const N: usize>(
    searcher: &mut dyn Searcher<Position>,
    record: &Record,
    marks: [Mark; N],
) -> [State; N] {
    let last = marks.last().copied().unwrap_or(Mark::Nodes(1));
    let whole = Timeline::record(searcher, record, last);
    marks.map(|mark| {
        if mark == last && !matches!(mark, Mark::Tree(_)) {
            whole.end()
        } else if whole.begins_by(mark) {
            whole.at(mark)
        } else {
            Timeline::record(searcher, record, mark).end()
        }
    })
}

impl Timeline {
    /// Puts a problem to a search until the mark, and listens.
    pub fn record(searcher: &mut dyn Searcher<Position>, record: &Record, until: Mark) -> Timeline {
        searcher.clear();
        searcher.prepare(PREPARATION);
        let limit = match until {
            Mark::Nodes(nodes) => Limit {
                nodes: Some(nodes),
                ..Limit::default()
            },
            Mark::Time(ms) => Limit {
                movetime_ms: Some(ms),
                ..Limit::default()
            },
            Mark::Tree(nodes) => Limit {
                nodes: Some(nodes.saturating_mul(MOST_VISITS)),
                ..Limit::default()
            },
        };
        let mut listener = Listener {
            record,
            clock: Stopwatch::start(&limit),
            until,
            completed: 0,
            cutoffs: 0,
            events: Vec::new(),
        };
        let root = Root::new(record.position.clone());
        searcher.search(&root, &limit.kept_by_search(), &mut listener);
        Timeline {
            events: listener.events,
        }
    }

    /// Whether anything was told by a mark.
    fn begins_by(&self, mark: Mark) -> bool {
        let first = self.events.first();
        first.is_some_and(|event| mark.place(event) <= mark.amount() as f64)
    }

    /// What the search came to in the end. That may lie a little beyond the mark it was to stop at,
    /// since a leaf under evaluation is finished.
    pub fn end(&self) -> State {
        self.at(Mark::Nodes(u64::MAX))
    }

    /// What the search had come to at a mark, as far as it told.
    pub fn at(&self, mark: Mark) -> State {
        let place = mark.amount() as f64;
        let told = self.events.partition_point(|it| mark.place(it) <= place);
        let before = self.events[..told].last().copied().unwrap_or_default();
        let passed = &self.events[..told];
        let solved = before.is_right.then(|| {
            let wrong = passed.iter().rposition(|event| !event.is_right);
            let first = passed[wrong.map_or(0, |at| at + 1)];
            Found {
                nodes: first.nodes,
                iteration: first.iteration,
            }
        });
        let grown = match self.events.get(told) {
            Some(after) => {
                let (from, to) = (mark.place(&before), mark.place(after));
                let share = (place - from) / (to - from).max(f64::MIN_POSITIVE);
                let between = |a: f64, b: f64| a + share * (b - a);
                [
                    between(before.nodes as f64, after.nodes as f64),
                    between(before.ms, after.ms),
                    between(before.tree_nodes as f64, after.tree_nodes as f64),
                    between(before.tree_bytes as f64, after.tree_bytes as f64),
                ]
            }
            None => [
                before.nodes as f64,
                before.ms,
                before.tree_nodes as f64,
                before.tree_bytes as f64,
            ],
        };
        let [nodes, ms, tree_nodes, tree_bytes] = grown;
        State {
            nodes,
            ms,
            iteration: before.completed,
            seldepth: before.seldepth,
            solved,
            tree_nodes,
            tree_bytes,
            cutoffs: before.cutoffs,
        }
    }
}

/// Writes down what is told, and keeps the time.
struct Listener<'a> {
    record: &'a Record,
    clock: Stopwatch,
    until: Mark,
    completed: u32,
    cutoffs: u32,
    events: Vec<Event>,
}

impl Observer<Move> for Listener<'_> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        let is_grown = match (self.until, self.events.last()) {
            (Mark::Tree(most), Some(event)) if event.tree_nodes > 0 => {
                let growth = event.tree_nodes as f64 / event.nodes.max(1) as f64;
                nodes as f64 * growth > MARGIN * most as f64
            }
            _ => false,
        };
        is_grown || self.clock.is_over()
    }

    fn report(&mut self, report: &Report<Move>) {
        if report.occasion == Occasion::Iteration {
            self.completed = self.completed.max(report.iteration);
            let range = report.conspiracy.map(|it| it.likely_range);
            self.cutoffs += u32::from(range.is_some_and(|(min, max)| min != max));
        }
        let mate = report.value.mate_in_moves();
        let tree = report.conspiracy.and_then(|it| it.tree);
        self.events.push(Event {
            nodes: report.nodes,
            ms: self.clock.ms(),
            iteration: report.iteration,
            completed: self.completed,
            seldepth: report.seldepth,
            is_right: self.record.is_solved_by(report.best_move(), mate),
            cutoffs: self.cutoffs,
            tree_nodes: tree.map_or(0, |it| it.nodes),
            tree_bytes: tree.map_or(0, |it| it.bytes),
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
            let settings = Settings {
                algorithm,
                hash_megabytes: 1,
                ..Settings::default()
            };
            let mut searcher = registry::build(&settings, Quiescence::tactical());
            let states = states(searcher.as_mut(), &problem(), marks);
            for (mark, state) in marks.into_iter().zip(states) {
                let short = Timeline::record(searcher.as_mut(), &problem(), mark);
                let end = short.events.last().unwrap();
                assert_eq!(state.solved.is_some(), end.is_right, "{algorithm} {mark:?}");
                assert_eq!(state.iteration, end.completed, "{algorithm} {mark:?}");
                assert!(state.nodes <= end.nodes as f64, "{algorithm} {mark:?}");
                let found = state.solved.map_or(0, |found| found.nodes);
                assert!(found <= end.nodes, "{algorithm} {mark:?}");
            }
        }
    }

    #[test]
    fn trees_grow_evenly_between_reports() {
        let event = |nodes, is_right, tree_nodes| Event {
            nodes,
            ms: nodes as f64 / 10.0,
            iteration: 2,
            completed: 1,
            is_right,
            tree_nodes,
            ..Event::default()
        };
        let timeline = Timeline {
            events: vec![
                event(100, true, 10),
                event(200, false, 20),
                event(400, true, 40),
                event(600, true, 50),
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

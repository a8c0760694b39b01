//! One search of a session, run outside the event loop, and the signals to it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::observer::UciObserver;
use super::output::Output;
use super::plan::SearchPlan;
use crate::engine::fault::{guard, searching};
use crate::engine::settings::ChessSearcher;
use crate::game::Root;
use crate::games::chess::line::playable;
use crate::games::chess::{Move, Position};
use crate::platform::Instant;

/// A search about to run.
pub(super) struct Job {
    /// Name of the search in the message about a fault.
    pub(super) name: &'static str,
    pub(super) searcher: ChessSearcher,
    pub(super) root: Root<Position>,
    pub(super) plan: SearchPlan,
    pub(super) control: Arc<Control>,
    /// Time at which its `go` arrived.
    pub(super) start: Instant,
    pub(super) output: Arc<Output>,
}

/// The contents of `bestmove`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct BestMove {
    /// The move to play; `None` if the game is over.
    pub(super) best: Option<Move>,
    /// The reply to ponder on.
    pub(super) ponder: Option<Move>,
}

/// Signals from the thread that reads the GUI's commands to a running search.
#[derive(Debug)]
pub(crate) struct Control {
    stop: AtomicBool,
    /// When the clock began to run; unset while pondering.
    clock_start: OnceLock<Instant>,
}

impl Control {
    /// Signals for a search whose clock runs from `clock_start`, or from the ponder hit if `None`.
    pub(crate) fn new(clock_start: Option<Instant>) -> Control {
        Control {
            stop: AtomicBool::new(false),
            clock_start: clock_start.map_or_else(OnceLock::new, OnceLock::from),
        }
    }

    /// Ends the search.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Starts the clock of a pondering search; no effect on others.
    pub(crate) fn start_clock(&self, now: Instant) {
        let _ = self.clock_start.set(now);
    }

    /// Whether the search must end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Time on the clock so far; `None` while pondering.
    pub(crate) fn clock(&self) -> Option<Duration> {
        self.clock_start.get().map(Instant::elapsed)
    }
}

impl Job {
    /// Any legal move that `go` allows, as a last resort.
    pub(super) fn any_move(&self) -> BestMove {
        let moves = self.plan.limits.root_moves(&self.root.position);
        BestMove {
            best: moves.first().copied(),
            ponder: None,
        }
    }

    /// Runs the search; returns the searcher with its tables, and the answer. After a panic there is no searcher: reports
    /// the fault and answers with the best move so far, else with [`any_move`](Job::any_move), so that the game goes on.
    pub(super) fn run(self) -> (Option<ChessSearcher>, BestMove) {
        let any_move = self.any_move();
        let (root, plan, mut searcher) = (&self.root, self.plan, self.searcher);
        let (output, control) = (&self.output, self.control);
        let mut observer = UciObserver::new(root, plan.watch, output, control, self.start);
        let doing = || searching(self.name, &root.position);
        let searched = guard(doing, || {
            let report = searcher.search(root, &plan.limits, &mut observer);
            (searcher, answer(root, &report.pv))
        });
        let (searcher, found) = match searched {
            Ok((searcher, found)) => (Some(searcher), found),
            Err(fault) => {
                output.message(&fault.to_string());
                let found = guard(doing, || answer(root, observer.best_line()));
                (None, found.unwrap_or_default())
            }
        };
        let answer = if found.best.is_some() {
            found
        } else {
            any_move
        };
        (searcher, answer)
    }
}

/// The answer that a line gives: its first move and the reply, as far as they are playable.
fn answer(root: &Root<Position>, line: &[Move]) -> BestMove {
    let line = playable(root, line);
    BestMove {
        best: line.first().copied(),
        ponder: line.get(1).copied(),
    }
}

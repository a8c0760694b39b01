//! One search of a session, run outside the event loop.

use std::sync::Arc;

use super::control::Control;
use super::observer::UciObserver;
use super::output::Output;
use super::plan::Plan;
use super::stability::TimeManager;
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
    pub(super) plan: Plan,
    pub(super) control: Arc<Control>,
    /// Time at which its `go` arrived.
    pub(super) start: Instant,
    pub(super) output: Arc<Output>,
}

/// The contents of `bestmove`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Answer {
    /// The move to play; `None` if the game is over.
    pub(super) best: Option<Move>,
    /// The reply to ponder on.
    pub(super) ponder: Option<Move>,
}

/// The result of a job.
pub(super) struct Finished {
    /// The searcher with its tables, unless it panicked.
    pub(super) searcher: Option<ChessSearcher>,
    /// The move to play, and the reply to expect.
    pub(super) answer: Answer,
}

impl Job {
    /// Any legal move that `go` allows, as a last resort.
    pub(super) fn any_move(&self) -> Answer {
        let moves = self.plan.limits.root_moves(&self.root.position);
        Answer {
            best: moves.first().copied(),
            ponder: None,
        }
    }

    /// Runs the search. After a panic, reports the fault and answers with the best move so far, else with
    /// [`any_move`](Job::any_move), so that the game goes on.
    pub(super) fn run(self) -> Finished {
        let any_move = self.any_move();
        let (root, plan, mut searcher) = (&self.root, self.plan, self.searcher);
        let time = TimeManager::new(plan.time);
        let mut observer = UciObserver::new(
            root,
            plan.watch,
            &self.output,
            self.control,
            time,
            self.start,
        );
        let doing = || searching(self.name, &root.position);
        let searched = guard(doing, || {
            let report = searcher.search(root, &plan.limits, &mut observer);
            (searcher, answer(root, &report.pv))
        });
        let (searcher, found) = match searched {
            Ok((searcher, found)) => (Some(searcher), found),
            Err(fault) => {
                self.output.message(&fault.to_string());
                let found = guard(doing, || answer(root, observer.best_line()));
                (None, found.unwrap_or_default())
            }
        };
        let answer = if found.best.is_some() {
            found
        } else {
            any_move
        };
        Finished { searcher, answer }
    }
}

/// The answer that a line gives: its first move and the reply, as far as they are playable.
fn answer(root: &Root<Position>, line: &[Move]) -> Answer {
    let line = playable(root, line);
    Answer {
        best: line.first().copied(),
        ponder: line.get(1).copied(),
    }
}

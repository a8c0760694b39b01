//! The state of a running search.

use super::reductions::ReductionTable;
use super::settings::Settings;
use crate::game::{Evaluator, Game, Root};
use crate::search::Cost;
use crate::search::events::{Answered, Descent, Event, NodeQuery, Watcher};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::correction::Weighed;
use crate::search::kit::deepening::Effort;
use crate::search::kit::histories::{Histories, LazyHistories};
use crate::search::kit::history::{History, Killers, Previous};
use crate::search::kit::path::{Path, Repetition};
use crate::search::kit::team::Task;
use crate::search::kit::team::shared::RootTask;
use crate::search::kit::team::shared_search::SharedSearch;
use crate::search::kit::transposition_table::Open;
use crate::value::{Value, Window};

/// First ply whose positions are only evaluated: twice the deepest iteration, as extensions at most double a
/// line.
pub(super) const MAX_PLY: usize = 240;

/// Sixteenths in a ply of depth, for watchers.
const SIXTEENTHS: i32 = Cost::ONE.get() as i32;

/// Data of one ply of the current path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// History slot of the move being searched here; `None` for a null move.
    pub(super) slot: Option<usize>,
    /// Static value; `None` in check.
    pub(super) static_value: Option<Value>,
    /// Codes of the last quiet moves that cut off at this ply; 0 is none.
    pub(super) killers: Killers,
    /// The least ply with a position whose repetition the value rests on; if that is above this ply, the value
    /// holds on this path only.
    pub(super) rests_on: usize,
    /// Singular extensions on the path so far, in plies.
    pub(super) extended: i32,
}

impl Frame {
    /// A value that rests on no repetition.
    pub(super) const NOTHING: usize = usize::MAX;

    const EMPTY: Frame = Frame {
        slot: None,
        static_value: None,
        killers: Killers::NONE,
        rests_on: Frame::NOTHING,
        extended: 0,
    };
}

/// The question about a position that is being searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenQuery {
    pub(super) key: u64,
    pub(super) window: Window,
    /// Least depth of an answer.
    pub(super) depth: i32,
    pub(super) plies_to_rule_draw: usize,
}

/// A running search, which borrows the searcher's table and statistics.
pub(super) struct Worker<'a, G: Game, E, W> {
    pub(super) settings: &'a Settings,
    pub(super) evaluator: &'a mut E,
    pub(super) table: Open<'a>,
    pub(super) history: &'a History,
    pub(super) corrections: Weighed<'a>,
    pub(super) reductions: &'a ReductionTable,
    pub(super) budget: Budget<'a, G::Move>,
    pub(super) path: Path,
    pub(super) frames: Vec<Frame>,
    /// Triangular: `lines[ply]` is the best line from that ply on.
    pub(super) lines: Vec<Vec<G::Move>>,
    /// Depth of the current iteration.
    pub(super) iteration: i32,
    /// Deepest ply visited.
    pub(super) seldepth: usize,
    /// First ply with null moves, for a verification search.
    pub(super) null_move_from: usize,
    /// The watcher of the search.
    pub(super) watcher: W,
    /// The other threads.
    pub(super) shared_search: SharedSearch<'a, RootTask<G::Move>, OpenQuery, Value>,
    /// Whether it is a helper.
    pub(super) helps: bool,
}

impl<'a, G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'a, G, E, W> {
    pub(super) fn new<'b: 'a>(
        settings: &'a Settings,
        reductions: &'a ReductionTable,
        table: Open<'a>,
        root: &Root<G>,
        task: Task<'b, G, E, LazyHistories>,
        watcher: W,
    ) -> Worker<'a, G, E, W> {
        let histories = task.statistics.get_or_init(Histories::new::<G>);
        let grain = task.evaluator.grain();
        Worker {
            settings,
            budget: Budget::in_turns(task.turn, task.limits, task.observer),
            evaluator: task.evaluator,
            table,
            history: &histories.history,
            corrections: histories.corrections.weighed(settings.correction, grain),
            reductions,
            path: Path::to_root(root),
            frames: vec![Frame::EMPTY; MAX_PLY + 2],
            lines: vec![Vec::new(); MAX_PLY + 2],
            iteration: 0,
            seldepth: 0,
            null_move_from: 0,
            watcher,
            shared_search: SharedSearch::new(task.shared),
            helps: task.number > 0,
        }
    }

    /// Effort so far.
    pub(super) fn effort(&self) -> Effort {
        Effort {
            seldepth: self.seldepth,
            nodes: self.budget.nodes(),
            proof_share: self.budget.proof_share(),
            fullness: self.table.fullness(),
        }
    }

    /// Returns to the root from wherever the search was broken off.
    pub(super) fn return_to_root(&mut self) {
        self.path.return_to_root();
        self.shared_search.leave_all();
        self.null_move_from = 0;
    }

    /// Tells the watcher the question about the value of a position at `ply`.
    #[inline]
    pub(super) fn emit_query(
        &mut self,
        descent: Descent<G::Move>,
        position: &G,
        window: Window,
        depth: i32,
        ply: usize,
    ) {
        let nodes = self.budget.nodes();
        self.watcher.emit(|| {
            Event::Asked(NodeQuery {
                key: position.key(),
                ply,
                descent,
                window,
                demand: depth * SIXTEENTHS,
                nodes,
            })
        });
    }

    /// Tells the watcher the answer to the current question, searched to this depth.
    #[inline]
    pub(super) fn emit_answer(&mut self, value: Result<Value, Stopped>, depth: i32) {
        let nodes = self.budget.nodes();
        self.watcher.emit(|| {
            Event::Answered(Answered {
                value: value.ok(),
                cost: Cost::sixteenths(depth * SIXTEENTHS),
                nodes,
            })
        });
    }

    /// The value of a position drawn by rule or by repetition. Records the ply that a repetition
    /// rests on.
    #[inline]
    pub(super) fn draw(&mut self, position: &G, ply: usize) -> Option<Value> {
        if position.is_drawn_by_rule() {
            // The rule does not undo a mate on its last ply.
            return position.outcome();
        }
        self.frames[ply].rests_on = match self.path.repetition(position)? {
            Repetition::OnPath(repeated) => repeated,
            // The next search may be of another game.
            Repetition::InGame => 0,
        };
        Some(Value::DRAW)
    }

    /// The last moves before this ply, as history slots; none if continuation history
    /// is off.
    pub(super) fn previous(&self, ply: usize) -> Previous {
        if !self.settings.continuation_history {
            return [None; 2];
        }
        [1, 2].map(|back| {
            let before = ply.checked_sub(back)?;
            self.frames[before].slot
        })
    }

    /// The best line from `ply` on is `m` followed by the best line of the next ply.
    pub(super) fn set_line(&mut self, ply: usize, m: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
    }
}

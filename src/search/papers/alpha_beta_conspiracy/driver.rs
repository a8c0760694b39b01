//! The root, and the loop over iterations.

use super::credit::Credits;
use super::node::{ProbedMove, Worker};
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::deepening::{Deepening, Effort, RootMove};
use crate::search::kit::mate_line;
use crate::search::kit::sorting::sort_by_key;
use crate::search::{Bound, Occasion, Report};
use crate::value::{Value, Window};

/// Value of a root move before its first look: such a move is sorted last, but before losing ones.
const UNSEEN: Value = Value::centipawns(-(Value::MAX_CENTIPAWNS as i32));

/// The search of one root.
pub(super) struct Driver<'a, G: Game, E> {
    worker: Worker<'a, G, E>,
    root: &'a G,
    /// The root moves, best first by their latest values.
    moves: Vec<RootMove<G::Move>>,
    last: Report<G::Move>,
}

impl<'a, G: Game, E: Evaluator<G>> Driver<'a, G, E> {
    pub(super) fn new(worker: Worker<'a, G, E>, root: &'a G) -> Driver<'a, G, E> {
        let moves = worker.budget.limits.root_moves(root);
        let value = if moves.is_empty() {
            root.terminal_value()
        } else {
            Value::DRAW
        };
        let first = moves.first().copied();
        Driver {
            worker,
            root,
            moves: moves.iter().map(|&m| RootMove::new(m, UNSEEN)).collect(),
            last: mate_line::before_search(root, value, first),
        }
    }

    /// Values the root moves by first looks at their children; `last` is the best one seen, even if stopped.
    fn look(&mut self) -> Result<(), Stopped> {
        let result = self.moves.iter_mut().try_for_each(|it| {
            let look = self.worker.look(&self.root.after(it.m), 1)?;
            it.value = look.value.from_child();
            Ok(())
        });
        sort_by_key(&mut self.moves, |it| std::cmp::Reverse(it.value));
        if let Some(best) = self.moves.first() {
            let effort = self.effort();
            self.last = best.report(0, Occasion::Improvement, 0, effort);
            self.last.bound = if result.is_ok() {
                Bound::Exact
            } else {
                Bound::Lower
            };
        }
        mate_line::complete_report(self.root, &mut self.last);
        result
    }

    /// The root moves to search, in order, and the credits left after any of them.
    fn candidates(&mut self, iteration: u32) -> Result<(Vec<ProbedMove<G>>, Credits), Stopped> {
        let moves: Vec<G::Move> = self.moves.iter().map(|it| it.m).collect();
        let candidates = self.worker.look_at_all(self.root, &moves, 0)?;
        let alternatives = self.worker.alternatives(&candidates);
        let credits = Credits::at_root(iteration).after_move(alternatives);
        Ok((candidates, credits))
    }

    /// Inserts a move into `best`, the best moves of iteration `n` in order, and reports it if it comes first.
    fn insert(&mut self, best: &mut Vec<RootMove<G::Move>>, found: RootMove<G::Move>, n: u32) {
        let place = best.partition_point(|it| it.value >= found.value);
        best.insert(place, found);
        best.truncate(self.lines());
        if place == 0 {
            let effort = self.effort();
            mate_line::complete(self.root, best[0].value, &mut best[0].line, &|_| None);
            self.last = best[0].report(0, Occasion::Improvement, n, effort);
            if self.last.value.is_loss() {
                // Moves still to be searched may hold out longer.
                self.last.bound = Bound::Lower;
            }
            self.worker.budget.report(&self.last);
        }
    }

    fn lines(&self) -> usize {
        self.worker.budget.limits.multipv.max(1)
    }

    /// Searches all root moves and returns the best, as many as lines are asked for, best first. If stopped, the best
    /// of the moves searched so far has been reported.
    fn search_moves(&mut self, iteration: u32) -> Result<Vec<RootMove<G::Move>>, Stopped> {
        let (candidates, credits) = self.candidates(iteration)?;
        let mut best: Vec<RootMove<G::Move>> = Vec::new();
        for candidate in &candidates {
            let worst = best.last().filter(|_| best.len() >= self.lines());
            let alpha = worst.map_or(-Value::INFINITY, |it| it.value);
            let window = Window::new(alpha, Value::INFINITY).to_child();
            let ProbedMove { m, position, look } = candidate;
            let (value, line) = self.worker.node(position, *look, window, credits, 1)?;
            let value = value.from_child();
            if value > alpha {
                let found = RootMove {
                    m: *m,
                    value,
                    bound: Bound::Exact,
                    line: [vec![*m], line].concat(),
                    nodes: 0,
                };
                self.insert(&mut best, found, iteration);
            }
        }
        Ok(best)
    }
}

impl<'a, G: Game, E: Evaluator<G>> Deepening<'a, G::Move> for Driver<'a, G, E> {
    const LAST: u32 = 250;

    fn iterate(&mut self, iteration: u32) -> Result<(), Stopped> {
        self.worker.path.push(self.root.key());
        let result = match iteration {
            1 => self.look(),
            _ => Ok(()),
        };
        let result = result.and_then(|()| self.search_moves(iteration));
        self.worker.path.pop();
        let mut best = result?;
        let is_told = |m| best.iter().any(|it| it.m == m);
        self.moves.retain(|it| !is_told(it.m));
        for (line, root_move) in best.iter_mut().enumerate() {
            mate_line::complete(self.root, root_move.value, &mut root_move.line, &|_| None);
            let effort = self.effort();
            let report = root_move.report(line, Occasion::Iteration, iteration, effort);
            self.worker.budget.report(&report);
            if line == 0 {
                self.last = report;
            }
        }
        self.moves.splice(0..0, best);
        Ok(())
    }

    fn state(&mut self) -> (&Report<G::Move>, &mut Budget<'a, G::Move>) {
        (&self.last, &mut self.worker.budget)
    }

    fn effort(&self) -> Effort {
        Effort {
            seldepth: self.worker.seldepth,
            nodes: self.worker.budget.nodes(),
            proof_share: None,
            fullness: self.worker.table.fullness(),
        }
    }
}

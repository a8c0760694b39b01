//! Plain minimax: every move of every position down to a depth, nothing pruned. The yardstick that
//! every other search must agree with on trees small enough.

use super::{Bound, Limits, Observer, Occasion, Report, Searcher};
use crate::game::{Evaluator, Game, Root, is_repetition};
use crate::value::{Value, Window};

/// Minimax by iterative deepening over an evaluator.
pub struct Minimax<E> {
    evaluator: E,
}

impl<E> Minimax<E> {
    /// Minimax with `evaluator` at the leaves.
    pub fn new(evaluator: E) -> Minimax<E> {
        Minimax { evaluator }
    }

    /// The minimax value at `depth` and a line that leads to it; `None` if `stop` said so.
    ///
    /// `path` holds the keys of the positions before this one. As in the papers, a position that
    /// stood before is a draw, and so is one drawn by rule; the root itself is always searched.
    pub fn value<G: Game>(
        &mut self,
        position: &G,
        path: &mut Vec<u64>,
        depth: u32,
        is_root: bool,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<(Value, Vec<G::Move>)>
    where
        E: Evaluator<G>,
    {
        if stop(self.evaluator.nodes()) {
            return None;
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some((position.terminal_value(), Vec::new()));
        }
        let repeated = is_repetition(path, position.key(), position.reversible_plies());
        if !is_root && (position.is_drawn_by_rule() || repeated) {
            return Some((Value::DRAW, Vec::new()));
        }
        if depth == 0 {
            return Some((self.evaluator.evaluate(position, Window::FULL), Vec::new()));
        }
        let mut best = (-Value::INFINITY, Vec::new());
        path.push(position.key());
        for m in moves {
            let son = self.value(&position.after(m), path, depth - 1, false, stop);
            let Some((value, line)) = son else {
                path.pop();
                return None;
            };
            if value.from_son() > best.0 {
                best = (value.from_son(), [vec![m], line].concat());
            }
        }
        path.pop();
        Some(best)
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for Minimax<E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        let start = self.evaluator.nodes();
        let mut report = Report {
            occasion: Occasion::Final,
            iteration: 0,
            seldepth: 0,
            line: 1,
            value: Value::DRAW,
            bound: Bound::Exact,
            nodes: 0,
            fullness: 0,
            pv: root.position.legal_moves().into_iter().take(1).collect(),
            conspiracy: None,
        };
        for depth in 1..=limits.iterations.unwrap_or(64) {
            let mut path = root.history.clone();
            let mut stop = |nodes: u64| {
                limits.nodes.is_some_and(|most| nodes - start >= most)
                    || observer.should_stop(nodes - start)
            };
            let Some((value, pv)) = self.value(&root.position, &mut path, depth, true, &mut stop)
            else {
                break;
            };
            report.occasion = Occasion::Iteration;
            (report.iteration, report.seldepth) = (depth, depth);
            (report.value, report.pv) = (value, pv);
            report.nodes = self.evaluator.nodes() - start;
            observer.report(&report);
            if report.pv.is_empty()
                || value.is_decided()
                || !observer.wants_another_iteration(&report)
            {
                break;
            }
        }
        report.occasion = Occasion::Final;
        report.nodes = self.evaluator.nodes() - start;
        observer.report(&report);
        report
    }

    fn forget(&mut self) {}
}

//! Plain minimax: every move of every position to a fixed depth, without pruning. The reference that every other search
//! must agree with on small trees.

use crate::game::{Evaluator, Game, Root, is_repetition};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::sorting::sort_by_key;
use crate::search::mates::mate_line;
use crate::search::{Bound, Limits, Observer, Occasion, Report, Searcher};
use crate::value::{Value, Window};

/// Deepest iteration.
const MAX_DEPTH: u32 = 64;

/// Minimax by iterative deepening over an evaluator.
pub struct Minimax<E> {
    evaluator: E,
}

/// A value and the line that leads to it.
type Verdict<M> = (Value, Vec<M>);

impl<E> Minimax<E> {
    /// Minimax with `evaluator` at the leaves.
    pub fn new(evaluator: E) -> Minimax<E> {
        Minimax { evaluator }
    }

    /// The minimax value of a position below the root at `depth`.
    ///
    /// `path` holds the keys of the positions before this one. As in the papers, a repetition is a draw, and so is a
    /// draw by rule.
    fn value<G: Game>(
        &mut self,
        position: &G,
        path: &mut Vec<u64>,
        depth: u32,
        budget: &mut Budget<'_, G::Move>,
    ) -> Result<Verdict<G::Move>, Stopped>
    where
        E: Evaluator<G>,
    {
        budget.check()?;
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Ok((position.terminal_value(), Vec::new()));
        }
        let repeated = is_repetition(path, position.key(), position.reversible_plies());
        if position.is_drawn_by_rule() || repeated {
            return Ok((Value::DRAW, Vec::new()));
        }
        if let Some(value) = self.evaluator.known_value(position) {
            return Ok((value, Vec::new()));
        }
        if depth == 0 {
            let value = self.evaluator.evaluate(position, Window::FULL, budget)?;
            return Ok((value, Vec::new()));
        }
        let mut best = (-Value::INFINITY, Vec::new());
        for m in moves {
            let (value, line) = self.of_move(position, m, path, depth, budget)?;
            if value > best.0 {
                best = (value, line);
            }
        }
        Ok(best)
    }

    /// The value of a move for the side that plays it, and its line.
    fn of_move<G: Game>(
        &mut self,
        position: &G,
        m: G::Move,
        path: &mut Vec<u64>,
        depth: u32,
        budget: &mut Budget<'_, G::Move>,
    ) -> Result<Verdict<G::Move>, Stopped>
    where
        E: Evaluator<G>,
    {
        path.push(position.key());
        let child = self.value(&position.after(m), path, depth - 1, budget);
        path.pop();
        child.map(|(value, line)| (value.from_child(), [vec![m], line].concat()))
    }

    /// All root moves with values and lines at `depth`, best first.
    fn rank<G: Game>(
        &mut self,
        root: &Root<G>,
        depth: u32,
        budget: &mut Budget<'_, G::Move>,
    ) -> Result<Vec<Verdict<G::Move>>, Stopped>
    where
        E: Evaluator<G>,
    {
        let mut path = root.repeatable();
        let moves = budget.limits.root_moves(&root.position).into_iter();
        let mut verdicts = moves
            .map(|m| self.of_move(&root.position, m, &mut path, depth, budget))
            .collect::<Result<Vec<_>, _>>()?;
        sort_by_key(&mut verdicts, |&(value, _)| std::cmp::Reverse(value));
        Ok(verdicts)
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for Minimax<E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        let mut budget = Budget::new(limits, observer);
        let moves = limits.root_moves(&root.position);
        let value = if moves.is_empty() {
            root.position.terminal_value()
        } else {
            Value::DRAW
        };
        let mut best = Report::before_search(value, moves.first().copied().into_iter().collect());
        let deepest = match moves.len() {
            0 => 0,
            _ => limits.iterations.unwrap_or(MAX_DEPTH).min(MAX_DEPTH),
        };
        for depth in 1..=deepest {
            let Ok(verdicts) = self.rank(root, depth, &mut budget) else {
                break;
            };
            for (line, (value, pv)) in verdicts.into_iter().enumerate().take(limits.multipv.max(1))
            {
                let mut report = Report {
                    occasion: Occasion::Iteration,
                    iteration: depth,
                    seldepth: depth,
                    line: line + 1,
                    value,
                    nodes: budget.nodes(),
                    pv,
                    bound: Bound::Exact,
                    ..best.clone()
                };
                mate_line::complete_report(&root.position, &mut report);
                budget.report(&report);
                if line == 0 {
                    best = report;
                }
            }
            if best.value.is_decided() || !budget.wants_another_iteration(&best) {
                break;
            }
        }
        best.occasion = Occasion::Final;
        best.nodes = budget.nodes();
        budget.report(&best);
        best
    }

    fn clear(&mut self) {}
}

//! Plain minimax: every move of every position to a fixed depth, without pruning. The reference that every other search
//! must agree with on small trees.

use crate::game::{Evaluator, Game, Root};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::mate_line;
use crate::search::kit::path::Path;
use crate::search::kit::sorting::sort_by_key;
use crate::search::{Bound, Limits, Observer, Occasion, Report, Searcher};
use crate::value::{Value, Window};

/// Deepest iteration.
const MAX_DEPTH: u32 = 64;

/// Minimax by iterative deepening over an evaluator. An iteration is a depth, in plies.
pub struct Minimax<E> {
    evaluator: E,
}

/// A value and the line that leads to it.
type ValueAndLine<M> = (Value, Vec<M>);

impl<E> Minimax<E> {
    /// Minimax with `evaluator` at the leaves.
    pub fn new(evaluator: E) -> Minimax<E> {
        Minimax { evaluator }
    }
}

/// A running search.
struct Run<'a, G: Game, E> {
    evaluator: &'a mut E,
    path: Path,
    budget: Budget<'a, G::Move>,
}

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// The minimax value of a position below the root, searched `depth` plies deep, and its line. As in the papers, a
    /// repetition is a draw, and so is a draw by rule.
    fn value(&mut self, position: &G, depth: u32) -> Result<ValueAndLine<G::Move>, Stopped> {
        self.budget.check()?;
        let repeated = || self.path.repetition(position).map(|_| Value::DRAW);
        let ruled = position.outcome().or_else(repeated);
        if let Some(value) = ruled.or_else(|| self.evaluator.known_value(position)) {
            return Ok((value, Vec::new()));
        }
        if depth == 0 {
            let budget = &mut self.budget;
            let evaluated = self.evaluator.evaluate(position, Window::FULL, budget)?;
            return Ok((evaluated.value, Vec::new()));
        }
        let mut best = (-Value::INFINITY, Vec::new());
        for m in position.legal_moves() {
            let (value, line) = self.of_move(position, m, depth)?;
            if value > best.0 {
                best = (value, line);
            }
        }
        Ok(best)
    }

    /// The value of a move for the side that plays it, and its line; the move is the first of `depth` plies.
    fn of_move(
        &mut self,
        position: &G,
        m: G::Move,
        depth: u32,
    ) -> Result<ValueAndLine<G::Move>, Stopped> {
        self.path.push(position.key());
        let child = self.value(&position.after(m), depth - 1);
        self.path.pop();
        child.map(|(value, line)| (value.from_child(), [vec![m], line].concat()))
    }

    /// The values and lines of `moves`, searched `depth` plies deep, best first.
    fn rank(
        &mut self,
        root: &G,
        moves: &[G::Move],
        depth: u32,
    ) -> Result<Vec<ValueAndLine<G::Move>>, Stopped> {
        let verdicts = moves.iter().map(|&m| self.of_move(root, m, depth));
        let mut verdicts = verdicts.collect::<Result<Vec<_>, _>>()?;
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
        let mut run = Run {
            evaluator: &mut self.evaluator,
            path: Path::to_root(root),
            budget: Budget::new(limits, observer),
        };
        let moves = limits.root_moves(&root.position);
        let value = if moves.is_empty() {
            root.position.terminal_value()
        } else {
            Value::DRAW
        };
        let mut best = mate_line::before_search(&root.position, value, moves.first().copied());
        let deepest = match moves.len() {
            0 => 0,
            _ => limits.iterations.unwrap_or(MAX_DEPTH).min(MAX_DEPTH),
        };
        for depth in 1..=deepest {
            let Ok(verdicts) = run.rank(&root.position, &moves, depth) else {
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
                    nodes: run.budget.nodes(),
                    pv,
                    bound: Bound::Exact,
                    ..best.clone()
                };
                mate_line::complete_report(&root.position, &mut report);
                run.budget.report(&report);
                if line == 0 {
                    best = report;
                }
            }
            if best.value.is_decided() || !run.budget.wants_another_iteration(&best) {
                break;
            }
        }
        best.occasion = Occasion::Final;
        best.nodes = run.budget.nodes();
        run.budget.report(&best);
        best
    }

    fn clear(&mut self) {}
}

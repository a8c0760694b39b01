//! The root's moves with their values and lines, and the reports made of them: shared with `papers::unit_costs`.

use std::cmp::Reverse;

use super::certificates::{Certificate, Open};
use super::line::principal_variation;
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Budget;
use crate::search::kit::deepening::{self, Effort, RootMove};
use crate::search::kit::mate_line;
use crate::search::kit::sorting::sort_by_key;
use crate::search::{Bound, Conspiracy, Cost, Occasion, Report, Support};
use crate::value::{Value, Window};

/// The value of a root move that a limit left unevaluated. It sorts behind all evaluated moves but those that lose.
const NOT_EVALUATED: Value = Value::centipawns(-Value::MAX_CENTIPAWNS as i32);

/// Lower and upper bound of a value, each with its cost.
#[derive(Clone, Copy)]
pub(in crate::search) struct ValueBounds {
    pub(in crate::search) lower: Certificate,
    pub(in crate::search) upper: Certificate,
}

/// The moves of one root, best first as far as is known.
pub(in crate::search) struct RootMoves<'a, G: Game> {
    pub(in crate::search) root: &'a G,
    table: Open<'a>,
    pub(in crate::search) moves: Vec<RootMove<G::Move>>,
    /// The last report of the best line.
    pub(in crate::search) last: Report<G::Move>,
}

impl<'a, G: Game> RootMoves<'a, G> {
    /// The moves of `root` in order of the evaluator's values.
    pub(in crate::search) fn new<E: Evaluator<G>>(
        root: &'a G,
        table: Open<'a>,
        evaluator: &mut E,
        budget: &mut Budget<'_, G::Move>,
    ) -> RootMoves<'a, G> {
        let mut moves: Vec<RootMove<G::Move>> = budget
            .limits
            .root_moves(root)
            .into_iter()
            .map(|m| RootMove::new(m, NOT_EVALUATED))
            .collect();
        for root_move in &mut moves {
            let child = root.after(root_move.m);
            let evaluate = || {
                let evaluated = evaluator.evaluate(&child, Window::FULL, budget);
                evaluated.map(|it| it.value)
            };
            let Ok(value) = child.outcome().map_or_else(evaluate, Ok) else {
                break;
            };
            root_move.value = value.from_child();
        }
        sort_by_key(&mut moves, |it| (Reverse(it.value), -root.preference(it.m)));
        let best = moves.first();
        let value = match best {
            None => root.terminal_value(),
            Some(best) if best.value == NOT_EVALUATED => evaluator.static_value(root),
            Some(best) => best.value,
        };
        let mut last = Report {
            nodes: budget.nodes(),
            ..Report::before_search(value, Vec::new())
        };
        if let Some(best) = best {
            last.pv = principal_variation(table, root, best.m, best.value);
            last.bound = last.bound.as_reported(value, &last.pv);
            mate_line::report_win_at_once(root, &mut last);
        }
        RootMoves {
            root,
            table,
            moves,
            last,
        }
    }

    /// Moves the move at `index` up to `pv_index`, with the lower bound `held` as its value.
    pub(in crate::search) fn bring_forward(&mut self, pv_index: usize, index: usize, held: Value) {
        self.moves[pv_index..=index].rotate_right(1);
        self.moves[pv_index].value = held;
    }

    /// Reports the first move if it is a new best move, or its value larger than the last report's.
    pub(in crate::search) fn report_improvement(
        &mut self,
        demand: u32,
        effort: Effort,
        budget: &mut Budget<'_, G::Move>,
    ) {
        let best = &mut self.moves[0];
        if self.last.best_move() == Some(best.m) && best.value <= self.last.value {
            return;
        }
        best.line = line_of(self.table, self.root, best.m, best.value, budget);
        best.bound = budget.bound_of(best.value, Bound::Lower);
        self.last = best.report(0, Occasion::Improvement, demand, effort);
        budget.report(&self.last);
    }

    /// Takes over what is proven of the root's moves, and reports the best one if that decides the root.
    pub(in crate::search) fn take_proofs(
        &mut self,
        demand: u32,
        effort: Effort,
        budget: &mut Budget<'_, G::Move>,
    ) {
        if let Some(best) = deepening::decide(&mut self.moves, &self.last, budget) {
            let (value, bound) = (best.value, best.bound);
            let open = |nearest: Value, may_be_nearer: bool| match may_be_nearer {
                true => (nearest, Cost::ZERO),
                false => (value, Cost::INFINITE),
            };
            let (least, below) = open(Value::LOSS, bound == Bound::Upper);
            let (most, above) = open(Value::WIN, bound == Bound::Lower);
            self.last = Report {
                conspiracy: Some(Conspiracy {
                    threshold: demand,
                    likely_range: (least, most),
                    support: Support::Prices { below, above },
                    tree: None,
                }),
                ..best.report(0, Occasion::Improvement, demand, effort)
            };
            budget.report(&self.last);
        }
    }

    /// Reports the first moves as the lines of an iteration, the largest value first; `support` says what the costs of
    /// lowering and of raising a value mean.
    pub(in crate::search) fn report_lines(
        &mut self,
        demand: u32,
        certified: Vec<ValueBounds>,
        support: impl Fn(Cost, Cost) -> Support,
        effort: Effort,
        budget: &mut Budget<'_, G::Move>,
    ) {
        let mut sorted: Vec<_> = self.moves.iter().cloned().zip(certified).collect();
        // A later line may have a better value, as the table has more entries by then.
        sort_by_key(&mut sorted, |(_, it)| Reverse(it.lower.value));
        for (pv_index, (root_move, ValueBounds { lower, upper })) in sorted.into_iter().enumerate()
        {
            self.moves[pv_index] = RootMove {
                line: line_of(self.table, self.root, root_move.m, lower.value, budget),
                bound: budget.bound_of(lower.value, Bound::Exact),
                ..root_move
            };
            let report = Report {
                conspiracy: Some(Conspiracy {
                    threshold: demand,
                    // Answers may contradict each other: then the lower bound counts.
                    likely_range: (lower.value, upper.value.max(lower.value)),
                    support: support(lower.cost, upper.cost),
                    tree: None,
                }),
                ..self.moves[pv_index].report(pv_index, Occasion::Iteration, demand, effort)
            };
            budget.report(&report);
            if pv_index == 0 {
                self.last = report;
            }
        }
    }
}

/// The line of a root move: that of its proof, or of the table.
fn line_of<G: Game>(
    table: Open<'_>,
    root: &G,
    m: G::Move,
    value: Value,
    budget: &Budget<'_, G::Move>,
) -> Vec<G::Move> {
    let mut proven = budget.all_proven().iter();
    match proven.find(|it| it.m == m && it.value == value) {
        Some(proven) => proven.line.clone(),
        None => principal_variation(table, root, m, value),
    }
}

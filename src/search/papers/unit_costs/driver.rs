//! The driver: iterates over demands, and finds for each the value that holds. The papers' numbers are the root's: all its
//! moves contribute to them, and are asked together.

use std::cmp::Reverse;

use super::node::{Demands, Worker};
use crate::game::{Evaluator, Game};
use crate::search::depth_first::HIGHEST_DEMAND;
use crate::search::depth_first::certificates::Certificate;
use crate::search::depth_first::line::principal_variation;
use crate::search::depth_first::settling::{Scale, Settling};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::deepening::{self, Deepening, Effort, RootMove};
use crate::search::kit::mate_line;
use crate::search::kit::sorting::sort_by_key;
use crate::search::{Bound, Conspiracy, Cost, Occasion, Report, Support};
use crate::value::Value;

/// Centipawns from an answer to the next question while the value moves in one direction; they double.
const STEP: i32 = 8;

/// The search of one root.
pub(super) struct Driver<'a, G: Game, E> {
    worker: Worker<'a, G, E>,
    root: &'a G,
    moves: Vec<RootMove<G::Move>>,
    last: Report<G::Move>,
}

impl<'a, G: Game, E: Evaluator<G>> Driver<'a, G, E> {
    /// A driver for `root`, its moves in order of the evaluator's values.
    pub(super) fn new(mut worker: Worker<'a, G, E>, root: &'a G) -> Driver<'a, G, E> {
        let (moves, mut last) =
            deepening::first_look(root, &mut *worker.evaluator, &mut worker.budget);
        if let Some(best) = moves.first() {
            last.pv = principal_variation(worker.table, root, best.m, best.value);
            last.bound = last.bound.told(last.value, &last.pv);
            mate_line::tell_win_at_once(root, &mut last);
        }
        Driver {
            worker,
            root,
            moves,
            last,
        }
    }

    /// Settles the largest value that holds at a cost of `demand`, for the moves from `line` on; the move that holds it is
    /// moved to `line`. Ranges are one grain wide: the papers' numbers are about values.
    fn certify(&mut self, demand: u32, line: usize) -> Result<Settling, Stopped> {
        let grain = self.worker.grain;
        let scale = Scale {
            grain,
            step: STEP,
            range: grain,
        };
        let mut settling = Settling::new(scale, self.moves[line].value);
        while let Some(theta) = settling.next_question() {
            let answer = self.ask(theta, demand, line)?;
            settling.learn(theta, answer);
        }
        self.moves[line].value = settling.lower.value;
        Ok(settling)
    }

    /// Asks "at least `theta`?" of the moves from `line` on; one that holds moves to `line`.
    fn ask(&mut self, theta: Value, demand: u32, line: usize) -> Result<Certificate, Stopped> {
        let asked: Vec<G::Move> = self.moves[line..].iter().map(|it| it.m).collect();
        let demands = Demands::both(Cost::whole(demand as u16));
        let (answer, supporter) = self
            .worker
            .answer_at_root(self.root, &asked, theta, demands)?;
        let place = asked.iter().position(|&m| m == supporter);
        if let Some(place) = place.filter(|_| answer.holds(theta)) {
            self.moves[line..=line + place].rotate_right(1);
            self.moves[line].value = answer.value;
            if line == 0 {
                self.report_improvement(demand, answer.value);
            }
        }
        Ok(answer)
    }

    /// Reports a new best move, or a larger value than the last report's.
    fn report_improvement(&mut self, demand: u32, value: Value) {
        let best = self.moves[0].m;
        if self.last.best_move() == Some(best) && value <= self.last.value {
            return;
        }
        let line = principal_variation(self.worker.table, self.root, best, value);
        let root_move = &mut self.moves[0];
        (root_move.line, root_move.bound) = (line, Bound::Lower);
        self.last = root_move.report(0, Occasion::Improvement, demand, self.worker.effort());
        self.worker.budget.report(&self.last);
    }

    /// The report of the `line`-th best move, with the conspirators below and above its value.
    fn report_of(&self, line: usize, demand: u32, settled: &Settling) -> Report<G::Move> {
        let (lower, upper) = (settled.lower, settled.upper);
        Report {
            conspiracy: Some(Conspiracy {
                threshold: demand,
                // Answers may contradict each other: then the lower bound counts.
                likely_range: (lower.value, upper.value.max(lower.value)),
                support: Support::Leaves {
                    below: lower.cost.whole_units(),
                    above: upper.cost.whole_units(),
                },
                tree: None,
            }),
            ..self.moves[line].report(line, Occasion::Iteration, demand, self.worker.effort())
        }
    }
}

impl<'a, G: Game, E: Evaluator<G>> Deepening<'a, G::Move> for Driver<'a, G, E> {
    const LAST: u32 = HIGHEST_DEMAND;

    /// One demand: line by line (`MultiPV`), each without the first moves of the lines before.
    fn iterate(&mut self, demand: u32) -> Result<(), Stopped> {
        let lines = self.worker.budget.limits.multipv.clamp(1, self.moves.len());
        let mut settled = Vec::new();
        for line in 0..lines {
            settled.push(self.certify(demand, line)?);
        }
        let mut sorted: Vec<_> = self.moves.iter().cloned().zip(settled).collect();
        // A later line may have a better value, as the table has more entries by then.
        sort_by_key(&mut sorted, |(_, it)| Reverse(it.lower.value));
        for (line, (mut root_move, settled)) in sorted.into_iter().enumerate() {
            let value = settled.lower.value;
            root_move.line = principal_variation(self.worker.table, self.root, root_move.m, value);
            root_move.bound = Bound::Exact;
            self.moves[line] = root_move;
            let report = self.report_of(line, demand, &settled);
            self.worker.budget.report(&report);
            if line == 0 {
                self.last = report;
            }
        }
        Ok(())
    }

    fn state(&mut self) -> (&Report<G::Move>, &mut Budget<'a, G::Move>) {
        (&self.last, &mut self.worker.budget)
    }

    fn effort(&self) -> Effort {
        self.worker.effort()
    }
}

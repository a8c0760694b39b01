//! The driver: iterates over demands, and finds for each the value that holds. The papers' numbers are the root's: all its
//! moves contribute to them, and are asked together.

use super::node::{Demands, Worker};
use crate::game::{Evaluator, Game};
use crate::search::depth_first::HIGHEST_DEMAND;
use crate::search::depth_first::certificates::Certificate;
use crate::search::depth_first::root_moves::{RootMoves, ValueBounds};
use crate::search::depth_first::settling::{Scale, Settling};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::deepening::{Deepening, Effort};
use crate::search::{Cost, Report, Support};
use crate::value::Value;

/// Centipawns from an answer to the next question while the value moves in one direction; they double.
const STEP: i32 = 8;

/// The search of one root.
pub(super) struct Driver<'a, G: Game, E> {
    worker: Worker<'a, G, E>,
    root_moves: RootMoves<'a, G>,
}

impl<'a, G: Game, E: Evaluator<G>> Driver<'a, G, E> {
    /// A driver for `root`, its moves in order of the evaluator's values.
    pub(super) fn new(mut worker: Worker<'a, G, E>, root: &'a G) -> Driver<'a, G, E> {
        let root_moves = RootMoves::new(
            root,
            worker.table,
            &mut *worker.evaluator,
            &mut worker.budget,
        );
        Driver { worker, root_moves }
    }

    /// Settles the largest value that holds at a cost of `demand`, for the moves from `line` on; the move that holds it is
    /// moved to `line`. Ranges are one grain wide: the papers' numbers are about values.
    fn certify(&mut self, demand: u32, line: usize) -> Result<ValueBounds, Stopped> {
        let grain = self.worker.grain;
        let scale = Scale {
            grain,
            step: STEP,
            range: grain,
        };
        let mut settling = Settling::new(scale, self.root_moves.moves[line].value);
        while let Some(theta) = settling.next_question() {
            let answer = self.ask(theta, demand, line)?;
            settling.learn(theta, answer);
        }
        let Settling { lower, upper, .. } = settling;
        self.root_moves.moves[line].value = lower.value;
        Ok(ValueBounds { lower, upper })
    }

    /// Asks "at least `theta`?" of the moves from `line` on; one that holds moves to `line`.
    fn ask(&mut self, theta: Value, demand: u32, line: usize) -> Result<Certificate, Stopped> {
        let asked: Vec<G::Move> = self.root_moves.moves[line..]
            .iter()
            .map(|it| it.m)
            .collect();
        let demands = Demands::both(Cost::whole(demand as u16));
        let (answer, supporter) =
            self.worker
                .answer_at_root(self.root_moves.root, &asked, theta, demands)?;
        let place = asked.iter().position(|&m| m == supporter);
        if let Some(place) = place.filter(|_| answer.holds(theta)) {
            self.root_moves
                .bring_forward(line, line + place, answer.value);
            if line == 0 {
                let effort = self.worker.effort();
                (self.root_moves).report_improvement(demand, effort, &mut self.worker.budget);
            }
        }
        Ok(answer)
    }
}

impl<'a, G: Game, E: Evaluator<G>> Deepening<'a, G::Move> for Driver<'a, G, E> {
    const LAST: u32 = HIGHEST_DEMAND;

    /// One demand: line by line (`MultiPV`), each without the first moves of the lines before.
    fn iterate(&mut self, demand: u32) -> Result<(), Stopped> {
        let lines = self.worker.budget.lines(self.root_moves.moves.len());
        let mut certified = Vec::new();
        for line in 0..lines {
            certified.push(self.certify(demand, line)?);
        }
        let support = |below: Cost, above: Cost| Support::Leaves {
            below: below.whole_units(),
            above: above.whole_units(),
        };
        let effort = self.worker.effort();
        let budget = &mut self.worker.budget;
        (self.root_moves).report_lines(demand, certified, support, effort, budget);
        Ok(())
    }

    fn state(&mut self) -> (&Report<G::Move>, &mut Budget<'a, G::Move>) {
        (&self.root_moves.last, &mut self.worker.budget)
    }

    fn effort(&self) -> Effort {
        self.worker.effort()
    }
}

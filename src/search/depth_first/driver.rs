//! The driver: iterates over demands, and settles for each the value to within
//! [`Constants::range`](super::Constants::range).
//!
//! It settles the value of the best move first, as a game needs a move, not a value, and asks the other moves once
//! whether one of them is better.

use std::collections::VecDeque;
use std::ops::Range;

use super::certificates::Certificate;
use super::constants::{ONE, WHOLE_SHARE};
use super::moves::Price;
use super::root_moves::{RootMoves, ValueBounds};
use super::settling::{Scale, Settling};
use super::worker::{NodeContext, Worker};
use crate::game::{Evaluator, Game};
use crate::search::events::{By, Descent, Watcher};
use crate::search::kit::averts_rule_draw;
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::deepening::{Deepening, Effort};
use crate::search::kit::prover::Prover;
use crate::search::kit::team::shared::RootTask;
use crate::search::{Cost, Report, Support};
use crate::value::{Value, Window};

/// Highest demand, in units of [`Cost`]; only nearly exhausted trees reach it.
pub const HIGHEST_DEMAND: u32 = 120;

/// Root moves before this number pay no surcharge for coming late.
const ROOT_MOVES_AT_FULL_DEPTH: usize = 4;

/// The surcharge of later root moves, in sixteenths of that elsewhere.
const LATE_ROOT_MOVE: i32 = 12;

/// The answer to a question about some of the root's moves.
#[derive(Clone, Copy)]
pub(super) struct RootAnswer {
    /// Upper bound over the moves that failed, of those asked.
    pub(super) failed: Certificate,
    /// The first move that holds, by its index among those asked ([`Driver::ask`]: among all), and its lower bound.
    pub(super) held: Option<(usize, Certificate)>,
}

impl RootAnswer {
    /// The certificate of all moves asked together.
    pub(super) fn certificate(self) -> Certificate {
        self.held.map_or(self.failed, |(_, held)| held)
    }
}

/// The search of one root.
pub(super) struct Driver<'a, G: Game, E, W> {
    worker: Worker<'a, G, E, W>,
    root_moves: RootMoves<'a, G>,
}

impl<'a, G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Driver<'a, G, E, W> {
    /// A driver for `root`, its moves in order of the evaluator's values; from now on the prover has its share.
    pub(super) fn new(
        mut worker: Worker<'a, G, E, W>,
        root: &'a G,
        prover: Option<&'a mut dyn Prover<G::Move>>,
    ) -> Driver<'a, G, E, W> {
        let root_moves = RootMoves::new(
            root,
            worker.table,
            &mut *worker.evaluator,
            &mut worker.budget,
        );
        worker.budget.set_prover(prover);
        Driver { worker, root_moves }
    }

    /// Principal-variation search at the root (best move separation in N. Klingbeil's thesis, 1989, chapter 3): settles
    /// the value of the best move so far, then asks each other move once whether it is better. A better one is settled in
    /// turn and replaces the best move, unless its settled value is worse after all; in either case only the moves after
    /// it remain to be asked.
    ///
    /// `demand` is the cost at which values must hold. Only the moves from `pv_index` on are asked; the best one is moved
    /// to `pv_index`.
    fn certify(&mut self, demand: u32, pv_index: usize) -> Result<ValueBounds, Stopped> {
        let settling = Settling::new(self.scale(), self.root_moves.moves[pv_index].value);
        let mut best = self.settle(demand, pv_index, settling)?;
        let mut next = pv_index + 1;
        while next < self.root_moves.moves.len() {
            let theta = best.lower.value.next_up_by(self.worker.grain);
            let last_report = self.root_moves.last.clone();
            let answer = self.ask(theta, demand, pv_index, next..self.root_moves.moves.len())?;
            let others = best.upper.either(answer.failed);
            let Some((index, held)) = answer.held else {
                best.upper = others;
                break;
            };
            next = index + 1;
            let settling = Settling::after(self.scale(), theta, held);
            let settled = self.settle(demand, pv_index, settling)?;
            if settled.lower.value < best.lower.value {
                // Its settled value is worse: the former best move stays.
                self.root_moves.moves.swap(pv_index, pv_index + 1);
                self.root_moves.last = last_report;
            } else {
                best.lower = settled.lower;
            }
            best.upper = settled.upper.either(others);
        }
        Ok(best)
    }

    /// Resolution of values.
    fn scale(&self) -> Scale {
        Scale {
            grain: self.worker.grain,
            step: self.worker.constants.step,
            range: self.worker.constants.range,
        }
    }

    /// Asks the move at `pv_index` until its value is settled.
    fn settle(
        &mut self,
        demand: u32,
        pv_index: usize,
        mut settling: Settling,
    ) -> Result<ValueBounds, Stopped> {
        while let Some(theta) = settling.next_question() {
            let answer = self.ask(theta, demand, pv_index, pv_index..pv_index + 1)?;
            settling.learn(theta, answer.certificate());
        }
        let Settling { lower, upper, .. } = settling;
        self.root_moves.moves[pv_index].value = lower.value;
        Ok(ValueBounds { lower, upper })
    }

    /// Asks "at least `theta`?" of the moves at the indices `range`, none below `pv_index`; one that holds moves to
    /// `pv_index`.
    fn ask(
        &mut self,
        theta: Value,
        demand: u32,
        pv_index: usize,
        range: Range<usize>,
    ) -> Result<RootAnswer, Stopped> {
        let task = RootTask {
            moves: self.root_moves.moves[range.clone()]
                .iter()
                .map(|it| it.m)
                .collect(),
            first: range.start - pv_index,
            window: Window::at_least(theta),
            iteration: demand,
        };
        self.worker.shared_search.publish(|| task.clone());
        let before = self.worker.budget.nodes();
        let mut answer = ask_root(&mut self.worker, self.root_moves.root, &task)?;
        let alone = task.moves.len() == 1 && self.worker.budget.limits.multipv <= 1;
        if alone {
            self.root_moves.moves[range.start].nodes += self.worker.budget.nodes() - before;
        }
        if let Some((place, held)) = answer.held {
            let index = range.start + place;
            answer.held = Some((index, held));
            self.root_moves.bring_forward(pv_index, index, held.value);
            if pv_index == 0 {
                let effort = self.worker.effort();
                (self.root_moves).report_improvement(demand, effort, &mut self.worker.budget);
            }
        }
        Ok(answer)
    }
}

impl<'a, G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Deepening<'a, G::Move>
    for Driver<'a, G, E, W>
{
    const LAST: u32 = HIGHEST_DEMAND;

    /// One demand: line by line (`MultiPV`), each without the first moves of the lines before.
    fn iterate(&mut self, demand: u32) -> Result<(), Stopped> {
        let lines = self.worker.budget.lines(self.root_moves.moves.len());
        let mut certified = Vec::new();
        for pv_index in 0..lines {
            certified.push(self.certify(demand, pv_index)?);
        }
        let support = |below, above| Support::Prices { below, above };
        let effort = self.worker.effort();
        let budget = &mut self.worker.budget;
        (self.root_moves).report_lines(demand, certified, support, effort, budget);
        Ok(())
    }

    fn take_proofs(&mut self, demand: u32) {
        self.worker.path.return_to_root();
        self.worker.shared_search.leave_all();
        for proven in self.worker.budget.all_proven().to_vec() {
            self.worker.seldepth = self.worker.seldepth.max(proven.line.len());
            for (position, value, theta, m) in proven.positions(self.root_moves.root) {
                let proof = Certificate::new(value, Cost::INFINITE);
                let (key, code) = (position.key(), G::move_code(m));
                self.worker.table.store(key, theta, proof, code);
            }
        }
        let effort = self.worker.effort();
        (self.root_moves).take_proofs(demand, effort, &mut self.worker.budget);
    }

    fn state(&mut self) -> (&Report<G::Move>, &mut Budget<'a, G::Move>) {
        (&self.root_moves.last, &mut self.worker.budget)
    }

    fn effort(&self) -> Effort {
        self.worker.effort()
    }
}

/// Asks a question at the root.
fn ask_root<G: Game, E: Evaluator<G>, W: Watcher<G::Move>>(
    worker: &mut Worker<'_, G, E, W>,
    root: &G,
    task: &RootTask<G::Move>,
) -> Result<RootAnswer, Stopped> {
    worker.path.push(root.key());
    let demand = (task.iteration as i32) * ONE;
    worker.emit_query(Descent::Root, root, task.window.beta, demand, 0);
    let answer = ask_moves(worker, root, task, demand);
    if let Ok(answer) = answer {
        let held = answer.held.map(|(place, _)| By::Move(task.moves[place]));
        worker.watcher.emit_source(held.unwrap_or(By::NoMove));
    }
    worker.emit_answer(answer.map(RootAnswer::certificate));
    worker.path.pop();
    answer
}

/// Asks root moves one after the other until one holds.
fn ask_moves<G: Game, E: Evaluator<G>, W: Watcher<G::Move>>(
    worker: &mut Worker<'_, G, E, W>,
    root: &G,
    task: &RootTask<G::Move>,
    demand: i32,
) -> Result<RootAnswer, Stopped> {
    let theta = task.window.beta;
    let constants = worker.constants;
    let mut failed = Certificate::OF_NO_MOVE;
    let mut held = None;
    // Moves that other threads are searching are deferred. Those before the move that holds are asked before
    // returning: the answer must not depend on the deferral.
    let places = 0..task.moves.len();
    let mut queue: VecDeque<_> = places.map(|place| (place, place > 0)).collect();
    while let Some((place, may_be_deferred)) = queue.pop_front() {
        let m = task.moves[place];
        let number = task.first + place;
        let child = root.after(m);
        // The move itself is free, a late one has a surcharge.
        let mut price = Price {
            full: 0,
            reduced: 0,
        };
        let is_late = number >= ROOT_MOVES_AT_FULL_DEPTH && root.is_quiet(m);
        if is_late && !averts_rule_draw(root, m) && !root.in_check() && !child.in_check() {
            let lateness = constants.lateness(number, demand + constants.ply);
            price.reduced = lateness * LATE_ROOT_MOVE / WHOLE_SHARE;
        }
        if may_be_deferred && worker.is_searched_elsewhere(root, m, theta, demand - price.reduced) {
            queue.push_back((place, false));
            continue;
        }
        let descent = Descent::Move {
            m,
            number: number + 1,
        };
        let below = NodeContext::ROOT.child(Some(root.history_slot(m)));
        let of_move = match worker.budget.proven(m) {
            Some(proven) => Certificate::new(proven.value, Cost::INFINITE),
            None => worker.ask_child(descent, &child, theta, demand, &price, below)?,
        };
        if of_move.holds(theta) {
            held = Some((place, of_move));
            queue.retain(|&(other, _)| other < place);
        } else {
            failed = failed.either(of_move);
        }
    }
    Ok(RootAnswer { failed, held })
}

/// Searches the leader's tasks on a helper thread, until the search ends.
pub(super) fn follow<G: Game, E: Evaluator<G>, W: Watcher<G::Move>>(
    mut worker: Worker<'_, G, E, W>,
    root: &G,
) {
    while let Some(task) = worker.shared_search.next_task(&mut worker.budget) {
        // Results are in the table. Stopped or not, waits for the leader's next task.
        let _ = ask_root(&mut worker, root, &task);
    }
}

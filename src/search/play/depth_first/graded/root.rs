//! The root under graded costs: settles the best move first, as a game needs a move, not a value.

use super::constants::WHOLE_SHARE;
use super::costs::GradedCosts;
use super::question::Place;
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Stopped;
use crate::search::kit::deepening::Deepening as _;
use crate::search::kit::watching::{By, Step, Watcher};
use crate::search::play::depth_first::common::certificates::Certificate;
use crate::search::play::depth_first::common::driver::{
    Certified, Costs, Driver, RootAnswer, RootQuestion,
};
use crate::search::play::depth_first::common::settling::{Scale, Settling};
use crate::search::play::depth_first::common::worker::Worker;
use crate::search::{Cost, Support};
use crate::value::Value;

/// One unit of cost in sixteenths, for demands.
const ONE: i32 = Cost::ONE.get() as i32;

/// Root moves before this number pay no surcharge for coming late.
const ROOT_MOVES_AT_FULL_DEPTH: usize = 4;

/// The surcharge of later root moves, in sixteenths of that elsewhere.
const LATE_ROOT_MOVE: i32 = 12;

impl<G: Game, W: Watcher<G::Move>> Costs<G> for GradedCosts<'_, W> {
    fn scale(&self, grain: i32) -> Scale {
        Scale {
            grain,
            step: self.graded.step,
            range: self.graded.range,
        }
    }

    fn certify<E: Evaluator<G>>(
        driver: &mut Driver<'_, G, E, Self>,
        demand: u32,
        line: usize,
    ) -> Result<Certified, Stopped> {
        separate(driver, demand, line)
    }

    fn ask_root<E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E, Self>,
        question: &RootQuestion<'_, G>,
    ) -> Result<RootAnswer, Stopped> {
        let demand = (question.demand as i32) * ONE;
        worker.tell_asked(Step::Root, question.root, question.theta, demand, 0);
        let answer = ask_moves(worker, question);
        if let Ok(answer) = answer {
            let held = answer
                .held
                .map(|(place, _)| By::Move(question.moves[place]));
            worker.costs.watcher.tell_by(held.unwrap_or(By::NoMove));
        }
        worker.tell_answer(answer.map(RootAnswer::certificate));
        answer
    }

    fn support(lower: Cost, upper: Cost) -> Support {
        Support::Prices {
            below: lower,
            above: upper,
        }
    }
}

/// Asks root moves one after the other until one holds.
fn ask_moves<G: Game, E: Evaluator<G>, W: Watcher<G::Move>>(
    worker: &mut Worker<'_, G, E, GradedCosts<'_, W>>,
    question: &RootQuestion<'_, G>,
) -> Result<RootAnswer, Stopped> {
    let theta = question.theta;
    let mut failed = Certificate::OF_NO_MOVE;
    let mut held = None;
    // Moves that other threads are searching are deferred. Those before the move that holds are asked before
    // returning: the answer must not depend on the deferral.
    let mut put_off = Vec::new();
    for place in 0..question.moves.len() {
        let asked = RootMoveAsked::new(worker, question, place);
        if place > 0 && worker.is_elsewhere(asked.child.key(), asked.theta, asked.demand()) {
            put_off.push((place, asked));
            continue;
        }
        let of_move = asked.answer(worker)?;
        if of_move.holds(theta) {
            held = Some((place, of_move));
            break;
        }
        failed = failed.either(of_move);
    }
    for (place, asked) in put_off {
        let of_move = asked.answer(worker)?;
        if of_move.holds(theta) {
            held = Some((place, of_move));
            break;
        }
        failed = failed.either(of_move);
    }
    Ok(RootAnswer { failed, held })
}

/// A move of the root about to be asked.
struct RootMoveAsked<G: Game> {
    child: G,
    by: Step<G::Move>,
    place: Place,
    /// The question to the child.
    theta: Value,
    /// The root's demand plus the price of a ply, as the root move itself is free.
    of_root: i32,
    /// Prices of an ordinary ply and of the move.
    ply: i32,
    step: i32,
}

impl<G: Game> RootMoveAsked<G> {
    /// The move at the index `place` of the question.
    fn new<E: Evaluator<G>, W: Watcher<G::Move>>(
        worker: &Worker<'_, G, E, GradedCosts<'_, W>>,
        question: &RootQuestion<'_, G>,
        place: usize,
    ) -> RootMoveAsked<G> {
        let &RootQuestion { root, theta, .. } = question;
        let graded = worker.costs.graded;
        let of_root = (question.demand as i32) * ONE + graded.ply;
        let m = question.moves[place];
        let child = root.after(m);
        let mut step = graded.ply;
        let number = question.first + place;
        let may_be_late = number >= ROOT_MOVES_AT_FULL_DEPTH && root.is_quiet(m);
        if may_be_late && !root.in_check() && !child.in_check() {
            step += graded.lateness(number, of_root) * LATE_ROOT_MOVE / WHOLE_SHARE;
        }
        RootMoveAsked {
            child,
            by: Step::Move {
                m,
                number: number + 1,
            },
            place: Place::first(root.history_slot(m)),
            theta: worker.question_of_child(theta),
            of_root,
            ply: graded.ply,
            step,
        }
    }

    /// The child's first demand, after the surcharge.
    fn demand(&self) -> i32 {
        self.of_root - self.step
    }

    /// The move's answer: a surcharged move that holds is asked again without surcharge.
    fn answer<E: Evaluator<G>, W: Watcher<G::Move>>(
        &self,
        worker: &mut Worker<'_, G, E, GradedCosts<'_, W>>,
    ) -> Result<Certificate, Stopped> {
        let &RootMoveAsked {
            ref child,
            by,
            place,
            theta,
            of_root,
            ply,
            mut step,
        } = self;
        let mut verdict = worker.ask(by, child, theta, of_root - step, place)?;
        if step > ply && !verdict.holds(theta) {
            verdict = worker.ask(by, child, theta, of_root - ply, place)?;
            step = ply;
        }
        Ok(Certificate {
            value: verdict.value.from_child(),
            cost: verdict.cost.plus(step - ply),
        })
    }
}

/// Settles the value of the best move so far, then asks each other move once whether it is better (thesis, chapter 3:
/// best move separation). A better one is settled in turn and replaces the best move, unless its settled value is worse
/// after all; in either case only the moves after it remain to be asked.
fn separate<G: Game, E: Evaluator<G>, W: Watcher<G::Move>>(
    driver: &mut Driver<'_, G, E, GradedCosts<'_, W>>,
    demand: u32,
    line: usize,
) -> Result<Certified, Stopped> {
    let settling = driver.settling(line);
    let mut best = driver.settle(demand, line, line..line + 1, settling)?;
    let mut next = line + 1;
    while next < driver.moves.len() {
        let theta = best.lower.value.next_up_by(driver.worker.grain);
        let told = driver.last().clone();
        let answer = driver.ask(theta, demand, line, next..driver.moves.len())?;
        let others = best.upper.either(answer.failed);
        let Some((index, held)) = answer.held else {
            best.upper = others;
            break;
        };
        next = index + 1;
        let settling = Settling::after(driver.scale(), theta, held);
        let settled = driver.settle(demand, line, line..line + 1, settling)?;
        if settled.lower.value < best.lower.value {
            // Its settled value is worse: the former best move stays.
            driver.moves.swap(line, line + 1);
            *driver.last() = told;
        } else {
            best.lower = settled.lower;
        }
        best.upper = settled.upper.either(others);
    }
    Ok(best)
}

//! The root under graded costs: the game wants a move, not a value, so the best move is settled first.

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

/// One unit of cost, for demands, which are plain numbers.
const ONE: i32 = Cost::ONE.get() as i32;

/// Root moves before this number pay no surcharge for coming late: the root's choice is the game's.
const ROOT_MOVES_AT_FULL_DEPTH: usize = 4;

/// The others pay so many sixteenths of what they would elsewhere, for the same reason.
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

/// Asks moves of the root one after the other until one holds.
fn ask_moves<G: Game, E: Evaluator<G>, W: Watcher<G::Move>>(
    worker: &mut Worker<'_, G, E, GradedCosts<'_, W>>,
    question: &RootQuestion<'_, G>,
) -> Result<RootAnswer, Stopped> {
    let theta = question.theta;
    let mut failed = Certificate::OF_NO_MOVE;
    let mut held = None;
    // Moves that other threads are at come back at the end, those before one that holds at least: the
    // answer is the one of asking them in their order.
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
    /// What the child is asked.
    theta: Value,
    /// What the root is asked for, with a ply's price on top: the root's own move comes free.
    of_root: i32,
    /// An ordinary ply's price, and the move's.
    ply: i32,
    step: i32,
}

impl<G: Game> RootMoveAsked<G> {
    /// The move at that place of the question.
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

    /// What the child is asked for at first.
    fn demand(&self) -> i32 {
        self.of_root - self.step
    }

    /// The move's answer: a surcharged one that holds is asked again for its full share.
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

/// Settles the value of the best move so far, then asks the others once whether one of them is
/// better: the game wants a move, not a value (thesis, chapter 3: best move separation). One that is
/// gets settled in its turn, gives way again if that shows it worse after all, and only the moves
/// after it are still to be asked.
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
            // Looked at more closely it is worse: the best move before it stands behind it.
            driver.moves.swap(line, line + 1);
            *driver.last() = told;
        } else {
            best.lower = settled.lower;
        }
        best.upper = settled.upper.either(others);
    }
    Ok(best)
}

//! The root under graded costs: the game wants a move, not a value, so the best move is settled first.

use super::constants::WHOLE_SHARE;
use super::costs::GradedCosts;
use super::question::Place;
use crate::game::{Evaluator, Game};
use crate::search::Support;
use crate::search::budget::Stopped;
use crate::search::depth_first::common::certificates::Certificate;
use crate::search::depth_first::common::cost::Cost;
use crate::search::depth_first::common::driver::{
    Certified, Costs, Driver, RootAnswer, RootQuestion,
};
use crate::search::depth_first::common::settling::{Scale, Settling};
use crate::search::depth_first::common::worker::Worker;

/// Root moves before this number pay no surcharge for coming late: the root's choice is the game's.
const ROOT_MOVES_AT_FULL_DEPTH: usize = 4;

/// The others pay so many sixteenths of what they would elsewhere, for the same reason.
const LATE_ROOT_MOVE: i32 = 12;

impl<G: Game> Costs<G> for GradedCosts<'_> {
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
        let &RootQuestion {
            root,
            moves,
            line,
            ref asked,
            theta,
            demand,
        } = question;
        let graded = worker.costs.graded;
        // A ply's price on top: the root's own move comes free.
        let demand = (demand as i32) * i32::from(Cost::ONE.get()) + graded.ply;
        let in_check = root.in_check();
        let mut failed = Certificate::OF_NO_MOVE;
        for index in asked.clone() {
            let m = moves[index].m;
            let child = root.after(m);
            let mut step = graded.ply;
            let number = index - line;
            let may_be_late = number >= ROOT_MOVES_AT_FULL_DEPTH && root.is_quiet(m);
            if may_be_late && !in_check && !child.in_check() {
                step += graded.lateness(number, demand) * LATE_ROOT_MOVE / WHOLE_SHARE;
            }
            let place = Place::first(root.history_slot(m));
            let child_theta = worker.question_of_child(theta);
            let mut verdict = worker.ask(&child, child_theta, demand - step, place)?;
            if step > graded.ply && !verdict.holds(child_theta) {
                verdict = worker.ask(&child, child_theta, demand - graded.ply, place)?;
                step = graded.ply;
            }
            let value = verdict.value.from_child();
            let of_move = Certificate {
                value,
                cost: verdict.cost.plus(step - graded.ply),
            };
            if value >= theta {
                let held = Some((index, of_move));
                return Ok(RootAnswer { failed, held });
            }
            failed = failed.either(of_move);
        }
        Ok(RootAnswer { failed, held: None })
    }

    fn support(lower: Cost, upper: Cost) -> Support {
        Support::Prices {
            below: lower,
            above: upper,
        }
    }
}

/// Settles the value of the best move so far, then asks the others once whether one of them is
/// better: the game wants a move, not a value (thesis, chapter 3: best move separation). One that is
/// gets settled in its turn, gives way again if that shows it worse after all, and only the moves
/// after it are still to be asked.
fn separate<G: Game, E: Evaluator<G>>(
    driver: &mut Driver<'_, G, E, GradedCosts<'_>>,
    demand: u32,
    line: usize,
) -> Result<Certified, Stopped> {
    let settling = driver.settling(line);
    let mut best = driver.settle(demand, line, line..line + 1, settling)?;
    let mut next = line + 1;
    while next < driver.moves.len() {
        let theta = best.lower.value.next_up_by(driver.worker.grain);
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
        } else {
            best.lower = settled.lower;
        }
        best.upper = settled.upper.either(others);
    }
    Ok(best)
}

//! The root under graded costs: settles the best move first, as a game needs a move, not a value.

use std::collections::VecDeque;

use super::constants::{ONE, WHOLE_SHARE};
use super::costs::GradedCosts;
use super::price::Priced;
use super::question::Place;
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Stopped;
use crate::search::kit::team::shared::RootTask;
use crate::search::kit::watching::{By, Step, Watcher};
use crate::search::play::depth_first::common::certificates::Certificate;
use crate::search::play::depth_first::common::driver::{Certified, Costs, Driver, RootAnswer};
use crate::search::play::depth_first::common::settling::{Scale, Settling};
use crate::search::play::depth_first::common::worker::Worker;
use crate::search::{Cost, Support};

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

    /// Settles the value of the best move so far, then asks each other move once whether it is better (thesis, chapter
    /// 3: best move separation). A better one is settled in turn and replaces the best move, unless its settled value
    /// is worse after all; in either case only the moves after it remain to be asked.
    fn certify<E: Evaluator<G>>(
        driver: &mut Driver<'_, G, E, Self>,
        demand: u32,
        line: usize,
    ) -> Result<Certified, Stopped> {
        let settling = driver.settling(line);
        let mut best = driver.settle(demand, line, line..line + 1, settling)?;
        let mut next = line + 1;
        while next < driver.moves.len() {
            let theta = best.lower.value.next_up_by(driver.worker.grain);
            let told = driver.last.clone();
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
                driver.last = told;
            } else {
                best.lower = settled.lower;
            }
            best.upper = settled.upper.either(others);
        }
        Ok(best)
    }

    fn ask_root<E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E, Self>,
        root: &G,
        task: &RootTask<G::Move>,
    ) -> Result<RootAnswer, Stopped> {
        let demand = (task.iteration as i32) * ONE;
        worker.tell_asked(Step::Root, root, task.window.beta, demand, 0);
        let answer = ask_moves(worker, root, task);
        if let Ok(answer) = answer {
            let held = answer.held.map(|(place, _)| By::Move(task.moves[place]));
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
    root: &G,
    task: &RootTask<G::Move>,
) -> Result<RootAnswer, Stopped> {
    let theta = task.window.beta;
    let graded = worker.costs.graded;
    let demand = (task.iteration as i32) * ONE;
    let mut failed = Certificate::OF_NO_MOVE;
    let mut held = None;
    // Moves that other threads are searching are deferred. Those before the move that holds are asked before
    // returning: the answer must not depend on the deferral.
    let places = 0..task.moves.len();
    let mut queue: VecDeque<_> = places.map(|place| (place, place > 0)).collect();
    while let Some((place, may_be_put_off)) = queue.pop_front() {
        let m = task.moves[place];
        let number = task.first + place;
        let child = root.after(m);
        // The move itself is free, a late one has a surcharge.
        let mut price = Priced { full: 0, step: 0 };
        let may_be_late = number >= ROOT_MOVES_AT_FULL_DEPTH && root.is_quiet(m);
        if may_be_late && !root.in_check() && !child.in_check() {
            let lateness = graded.lateness(number, demand + graded.ply);
            price.step = lateness * LATE_ROOT_MOVE / WHOLE_SHARE;
        }
        if may_be_put_off && worker.is_put_off(root, m, theta, demand - price.step) {
            queue.push_back((place, false));
            continue;
        }
        let step = Step::Move {
            m,
            number: number + 1,
        };
        let below = Place::ROOT.below(Some(root.history_slot(m)));
        let of_move = worker.ask_child(step, &child, theta, demand, &price, below)?;
        if of_move.holds(theta) {
            held = Some((place, of_move));
            queue.retain(|&(other, _)| other < place);
        } else {
            failed = failed.either(of_move);
        }
    }
    Ok(RootAnswer { failed, held })
}

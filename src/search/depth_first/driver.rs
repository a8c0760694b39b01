//! The driver: demands one after the other, and for each the value that holds while the next
//! larger one fails.

use std::ops::Range;

use super::certificates::Certificate;
use super::cost::Cost;
use super::node::Place;
use super::settling::{Scale, Settling};
use super::unit::Demands;
use super::worker::{Worker, holds};
use super::{CostModel, HIGHEST_DEMAND};
use crate::game::{Evaluator, Game};
use crate::search::budget::{Budget, Stopped};
use crate::search::deepening::{Deepening, Effort, RootMove};
use crate::search::{Bound, Conspiracy, Occasion, Report, Support};
use crate::value::{Value, Window};

/// The value of a move of the root before anything is known of it: a limit may leave no time for it. Such
/// a move comes after all that are evaluated but those that lose.
const NOT_EVALUATED: Value = Value::centipawns(-Value::MAX_CENTIPAWNS as i32);

/// Root moves before this number pay no surcharge for coming late: the root's choice is the game's.
const ROOT_MOVES_AT_FULL_DEPTH: usize = 4;

/// The answer to a question about some of the root's moves.
#[derive(Clone, Copy)]
struct RootAnswer {
    /// What those that fail are worth at the most, as far as they were asked.
    failed: Certificate,
    /// The number of the first that holds, with what it is worth at the least.
    held: Option<(usize, Certificate)>,
}

impl RootAnswer {
    /// What the answer says of all moves asked together.
    fn certificate(&self) -> Certificate {
        self.held.map_or(self.failed, |(_, held)| held)
    }
}

/// The two answers a value rests on: at least the lower's, at most the upper's.
#[derive(Clone, Copy)]
struct Certified {
    lower: Certificate,
    upper: Certificate,
}

pub(super) struct Driver<'a, G: Game, E> {
    pub(super) worker: Worker<'a, G, E>,
    pub(super) model: &'a CostModel,
    pub(super) root: &'a G,
    moves: Vec<RootMove<G::Move>>,
    last: Report<G::Move>,
}

impl<'a, G: Game, E: Evaluator<G>> Driver<'a, G, E> {
    /// A driver for `root`, its moves in order of their static value.
    pub(super) fn new(
        mut worker: Worker<'a, G, E>,
        model: &'a CostModel,
        root: &'a G,
    ) -> Driver<'a, G, E> {
        worker.static_values[0] = (!root.in_check()).then(|| worker.evaluator.static_value(root));
        let limits = worker.budget.limits;
        let mut moves: Vec<RootMove<G::Move>> = limits
            .root_moves(root)
            .into_iter()
            .map(|m| RootMove::new(m, NOT_EVALUATED))
            .collect();
        for root_move in &mut moves {
            let child = root.after(root_move.m);
            let value = match child.outcome() {
                Some(value) => Ok(value),
                None => worker
                    .evaluator
                    .evaluate(&child, Window::FULL, &mut worker.budget),
            };
            let Ok(value) = value else {
                break;
            };
            root_move.value = value.from_child();
        }
        moves.sort_by_cached_key(|r| (std::cmp::Reverse(r.value), -root.preference(r.m)));
        let best = moves.first();
        let value = match best {
            None => root.terminal_value(),
            Some(best) if best.value == NOT_EVALUATED => worker.evaluator.static_value(root),
            Some(best) => best.value,
        };
        let pv = best.map(|best| best.m).into_iter().collect();
        let last = Report {
            nodes: worker.nodes(),
            ..Report::before_search(value, pv)
        };
        let mut driver = Driver {
            worker,
            model,
            root,
            moves,
            last,
        };
        if let Some(best) = driver.moves.first() {
            driver.last.pv = driver.line(best.m, best.value);
        }
        driver
    }

    /// Puts the best lines in order: a later one may turn out better, as the table has learnt since.
    fn sort_lines(&mut self, certified: &mut [Certified]) {
        let lines = certified.len();
        let mut sorted: Vec<_> = self.moves[..lines]
            .iter()
            .cloned()
            .zip(certified.iter().copied())
            .collect();
        sorted.sort_by_key(|(_, certified)| std::cmp::Reverse(certified.lower.value));
        for (line, (root_move, of_line)) in sorted.into_iter().enumerate() {
            self.moves[line] = root_move;
            certified[line] = of_line;
        }
    }

    /// Finds the value that holds and above which nothing does, or a narrow range of such values, both
    /// asked for at a cost of the demand, for the moves from `line` on; the move that holds it comes to stand
    /// there. Each question is asked with a null window.
    fn certify(&mut self, demand: u32, line: usize) -> Result<Certified, Stopped> {
        let settling = Settling::new(self.scale(), self.moves[line].value);
        match self.model {
            CostModel::Graded(_) => self.separate(demand, line, settling),
            // The papers' numbers are the root's: all its moves have their part in them.
            CostModel::Unit => self.settle(demand, line, line..self.moves.len(), settling),
        }
    }

    /// Settles the value of the best move so far, then asks the others once whether one of them is
    /// better: the game wants a move, not a value (thesis, chapter 3: best move separation). One that is
    /// gets settled in its turn, gives way again if that shows it worse after all, and only the moves
    /// after it are still to be asked.
    fn separate(
        &mut self,
        demand: u32,
        line: usize,
        settling: Settling,
    ) -> Result<Certified, Stopped> {
        let mut best = self.settle(demand, line, line..line + 1, settling)?;
        let mut next = line + 1;
        while next < self.moves.len() {
            let theta = best.lower.value.next_up_by(self.worker.grain);
            let answer = self.ask_root(theta, demand, line, next..self.moves.len())?;
            let others = best.upper.either(answer.failed);
            let Some((index, held)) = answer.held else {
                best.upper = others;
                break;
            };
            next = index + 1;
            let settling = Settling::after(self.scale(), theta, held);
            let settled = self.settle(demand, line, line..line + 1, settling)?;
            if settled.lower.value < best.lower.value {
                // Looked at more closely it is worse: the best move before it stands behind it.
                self.moves.swap(line, line + 1);
            } else {
                best.lower = settled.lower;
            }
            best.upper = settled.upper.either(others);
        }
        Ok(best)
    }

    /// Asks some of the moves from `line` on until what they are worth is settled.
    fn settle(
        &mut self,
        demand: u32,
        line: usize,
        asked: Range<usize>,
        mut settling: Settling,
    ) -> Result<Certified, Stopped> {
        while let Some(theta) = settling.next_question() {
            let answer = self.ask_root(theta, demand, line, asked.clone())?;
            settling.learn(theta, answer.certificate());
        }
        let Settling { lower, upper, .. } = settling;
        self.moves[line].value = lower.value;
        Ok(Certified { lower, upper })
    }

    /// How finely values are told apart. The papers' numbers are about values, not ranges.
    fn scale(&self) -> Scale {
        let (grain, graded) = (self.worker.grain, self.worker.graded);
        let range = match self.model {
            CostModel::Graded(_) => graded.range,
            CostModel::Unit => grain,
        };
        Scale {
            grain,
            step: graded.step,
            range,
        }
    }

    /// "At least `theta`?" for some of the root's moves from `line` on; one that supports it comes to
    /// stand there.
    fn ask_root(
        &mut self,
        theta: Value,
        demand: u32,
        line: usize,
        asked: Range<usize>,
    ) -> Result<RootAnswer, Stopped> {
        self.worker.path.push(self.root.key());
        let answer = match self.model {
            CostModel::Graded(_) => self.ask_root_graded(theta, demand, line, asked),
            CostModel::Unit => self.ask_root_unit(theta, demand, asked),
        };
        self.worker.path.pop();
        let answer = answer?;
        if let Some((index, held)) = answer.held {
            self.moves[line..=index].rotate_right(1);
            self.moves[line].value = held.value;
            if line == 0 {
                self.report_improvement(demand, held.value);
            }
        }
        Ok(answer)
    }

    fn ask_root_graded(
        &mut self,
        theta: Value,
        demand: u32,
        line: usize,
        asked: Range<usize>,
    ) -> Result<RootAnswer, Stopped> {
        let graded = self.worker.graded;
        // A ply's price on top: the root's own move comes free.
        let demand = (demand as i32) * i32::from(Cost::ONE.get()) + graded.ply;
        let in_check = self.root.in_check();
        let mut failed = Certificate::OF_NO_MOVE;
        for index in asked {
            let m = self.moves[index].m;
            let child = self.root.after(m);
            let mut step = graded.ply;
            let number = index - line;
            let may_be_late = number >= ROOT_MOVES_AT_FULL_DEPTH && self.root.is_quiet(m);
            if may_be_late && !in_check && !child.in_check() {
                step += graded.lateness(number, demand) * 3 / 4;
            }
            let place = Place::first(self.root.history_slot(m));
            let child_theta = self.worker.question_of_child(theta);
            let mut verdict = self.worker.ask(&child, child_theta, demand - step, place)?;
            if step > graded.ply && !holds(verdict, child_theta) {
                verdict = self
                    .worker
                    .ask(&child, child_theta, demand - graded.ply, place)?;
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

    fn ask_root_unit(
        &mut self,
        theta: Value,
        demand: u32,
        asked: Range<usize>,
    ) -> Result<RootAnswer, Stopped> {
        let demands = Demands::both(Cost::whole(demand as u16));
        let first = asked.start;
        let moves: Vec<G::Move> = self.moves[asked].iter().map(|root| root.m).collect();
        let (answer, m) = self.worker.unit_root(self.root, &moves, theta, demands)?;
        let supporter = moves.iter().position(|&other| other == m);
        Ok(match supporter.filter(|_| holds(answer, theta)) {
            Some(index) => RootAnswer {
                failed: Certificate::OF_NO_MOVE,
                held: Some((first + index, answer)),
            },
            None => RootAnswer {
                failed: answer,
                held: None,
            },
        })
    }

    /// Tells of a new best move, or of a larger value than the last demand's.
    fn report_improvement(&mut self, demand: u32, value: Value) {
        let best = self.moves[0].m;
        if self.last.best_move() == Some(best) && value <= self.last.value {
            return;
        }
        let line = self.line(best, value);
        let root_move = &mut self.moves[0];
        (root_move.line, root_move.bound) = (line, Bound::Lower);
        self.last = root_move.report(0, Occasion::Improvement, demand, self.worker.effort());
        self.worker.budget.report(&self.last);
    }

    fn report_of(&self, line: usize, demand: u32, certified: Certified) -> Report<G::Move> {
        let Certified { lower, upper } = certified;
        let effort = self.worker.effort();
        Report {
            conspiracy: Some(Conspiracy {
                threshold: demand,
                // A tree that has grown since may contradict an answer: the later one counts.
                likely_range: (lower.value, upper.value.max(lower.value)),
                support: match self.model {
                    CostModel::Graded(_) => Support::Prices {
                        below: lower.cost,
                        above: upper.cost,
                    },
                    CostModel::Unit => Support::Leaves {
                        below: lower.cost.whole_units(),
                        above: upper.cost.whole_units(),
                    },
                },
                tree: None,
            }),
            ..self.moves[line].report(line, Occasion::Iteration, demand, effort)
        }
    }
}

impl<'a, G: Game, E: Evaluator<G>> Deepening<'a, G::Move> for Driver<'a, G, E> {
    const LAST: u32 = HIGHEST_DEMAND;

    /// One demand: the best lines, one after the other, each without the moves of those before.
    fn iterate(&mut self, demand: u32) -> Result<(), Stopped> {
        let lines = self.worker.budget.limits.multipv.clamp(1, self.moves.len());
        let mut certified = Vec::new();
        for line in 0..lines {
            certified.push(self.certify(demand, line)?);
        }
        self.sort_lines(&mut certified);
        for (line, &certified) in certified.iter().enumerate() {
            let pv = self.line(self.moves[line].m, certified.lower.value);
            let root_move = &mut self.moves[line];
            root_move.line = pv;
            root_move.bound = bound_of(root_move);
            let report = self.report_of(line, demand, certified);
            self.worker.budget.report(&report);
            if line == 0 {
                self.last = report;
            }
        }
        Ok(())
    }

    fn last(&mut self) -> &mut Report<G::Move> {
        &mut self.last
    }

    fn budget(&mut self) -> &mut Budget<'a, G::Move> {
        &mut self.worker.budget
    }

    fn effort(&self) -> Effort {
        self.worker.effort()
    }
}

/// What a move's value says: a proven end may come sooner than it was proven, unless the line shows it.
fn bound_of<M: Copy>(root_move: &RootMove<M>) -> Bound {
    if !root_move.value.is_decided() || root_move.shows_the_end() {
        Bound::Exact
    } else if root_move.value.is_win() {
        Bound::Lower
    } else {
        Bound::Upper
    }
}

//! Reports on the root: its value, its line, its numbers.

use super::driver::{Driver, Memory};
use super::question::{Attack, Horizon, horizon_of};
use super::tree::ProofTree;
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Stopped;
use crate::search::kit::mate_line;
use crate::search::{Bound, Conspiracy, Occasion, Report, StoredTree, Support};
use crate::value::{Value, Window};

/// Largest estimate.
const MOST: Value = Value::centipawns(Value::MAX_CENTIPAWNS as i32);

impl<G: Game, E: Evaluator<G>> Driver<'_, G, E> {
    /// Estimates the values of the moves by the evaluator, for want of proofs; sorts them best first.
    pub(super) fn guess(&mut self) {
        for m in self.worker.root_moves.clone() {
            let child = self.root.after(m);
            let worker = &mut self.worker;
            let known = child
                .outcome()
                .or_else(|| worker.evaluator.known_value(&child));
            let value = match known {
                Some(value) => Ok(value),
                None => worker
                    .evaluator
                    .evaluate(&child, Window::FULL, &mut worker.budget)
                    .map(|it| it.value),
            };
            let value = match value {
                Ok(value) => value,
                // A root with legal moves has a best move under any limit.
                Err(Stopped) if self.guesses.is_empty() => {
                    -self.worker.evaluator.static_value(self.root)
                }
                Err(Stopped) => break,
            };
            // A win is reported only with its line: at once if the move itself ends the game, else when proven here.
            let guess = match child.outcome() {
                Some(_) => value.from_child(),
                None => value.from_child().clamp(-MOST, MOST),
            };
            let place = self.guesses.partition_point(|&(other, _)| other >= guess);
            self.guesses.insert(place, (guess, m));
            if place == 0 {
                self.fall_back_on_guess();
                self.last.occasion = Occasion::Improvement;
                self.update_report();
                self.worker.budget.report(&self.last);
            }
            if self.worker.is_stopped() {
                break;
            }
        }
        self.fall_back_on_guess();
    }

    /// Reports the best estimate and its move.
    pub(super) fn fall_back_on_guess(&mut self) {
        if let Some(&(guess, m)) = self.guesses.first() {
            let may_be_more = self.guesses.len() < self.worker.root_moves.len();
            self.last.value = guess;
            self.last.bound = match bound_of(guess) {
                Bound::Upper if may_be_more => Bound::Lower,
                bound => bound,
            };
            self.last.pv = vec![m];
            mate_line::report_win_at_once(self.root, &mut self.last);
        }
    }

    /// Reports after an iteration, in as many lines as were asked for; returns whether another iteration is wanted.
    pub(super) fn emit_report(&mut self, iteration: u32) -> bool {
        self.has_news = false;
        if self.is_silent {
            return !self.worker.is_stopped();
        }
        self.last.iteration = iteration;
        self.last.occasion = Occasion::Iteration;
        self.update_report();
        self.worker.budget.report(&self.last);
        let best = self.last.best_move();
        let others = self.guesses.iter().filter(|&&(_, m)| Some(m) != best);
        let others: Vec<(Value, G::Move)> = others.copied().collect();
        let lines = self.worker.budget.limits.multipv;
        for (line, (guess, m)) in (2..=lines).zip(others) {
            let report = Report {
                line,
                ..self.report_of_other(guess, m)
            };
            self.worker.budget.report(&report);
        }
        let goes_on = self.worker.budget.wants_another_iteration(&self.last);
        self.worker.stopped |= !goes_on;
        goes_on
    }

    /// The report of a move that is not the best, with the estimate that it has.
    fn report_of_other(&self, guess: Value, m: G::Move) -> Report<G::Move> {
        let mut report = Report {
            pv: vec![m],
            ..self.last.clone()
        };
        if guess < report.value {
            (report.value, report.bound) = (guess, bound_of(guess));
        } else if report.value.is_loss() {
            // If the best move loses, the others lose too, and no later.
            report.bound = Bound::Upper;
            mate_line::complete(self.root, report.value, &mut report.pv, &|_| None);
            if !mate_line::ends_in_loss(self.root, &report.pv) {
                report.value = -MOST;
            }
        }
        report
    }

    /// Brings the report up to date.
    pub(super) fn update_report(&mut self) {
        let [own, others] = self.course.attacks;
        // A mate is claimed only with a complete line; without one a win has the largest estimate.
        if own.won.is_some() {
            self.last.value = own.shown.map_or(MOST, Value::win_in);
            self.last.bound = Bound::Lower;
        } else if others.won.is_some() {
            self.last.value = others.shown.map_or(-MOST, Value::loss_in);
            self.last.bound = Bound::Upper;
        } else if own.is_ruled_out(Horizon::UNLIMITED) && others.is_ruled_out(Horizon::UNLIMITED) {
            self.last.value = Value::DRAW;
        }
        if own.is_exact() || others.is_exact() {
            self.last.bound = Bound::Exact;
        }
        self.last.nodes = self.worker.nodes();
        self.last.seldepth = self.worker.seldepth as u32;
        let (fullness, tree) = match &self.memory {
            Memory::Table(table) => (table.fullness(), None),
            Memory::Trees(trees) => {
                let trees = || trees.iter().flatten();
                let fullness = trees().map(ProofTree::fullness).max().unwrap_or(0);
                let stored = StoredTree {
                    nodes: trees().map(|tree| tree.len() as u64).sum(),
                    bytes: trees().map(ProofTree::bytes).sum(),
                };
                (fullness, Some(stored))
            }
        };
        self.last.fullness = fullness;
        self.last.conspiracy = Some(self.conspiracy(tree));
    }

    /// The proof numbers of both attacks as conspiracy numbers: above the value those of a win, below it of a loss.
    fn conspiracy(&self, tree: Option<StoredTree>) -> Conspiracy {
        let [own, others] = self.course.attacks;
        let value = self.last.value;
        let decided = own.is_exact() || others.is_exact();
        // The least and the greatest value that is not disproven.
        let nearest = |index: usize| {
            horizon_of(index, self.course.none_within + 1)
                .get()
                .unwrap_or(0)
        };
        let low = if own.won.is_some() || decided || others.is_ruled_out(Horizon::UNLIMITED) {
            value
        } else {
            Value::loss_in(nearest(1))
        };
        let high = if others.won.is_some() || decided || own.is_ruled_out(Horizon::UNLIMITED) {
            value
        } else {
            Value::win_in(nearest(0))
        };
        let proof = |attack: &Attack| match attack.numbers.proof.get() {
            // Its question is answered, but a nearer or farther one may be open.
            None | Some(0) => Some(1),
            number => number,
        };
        Conspiracy {
            threshold: self.last.iteration,
            likely_range: (low, high),
            support: Support::ProofNumbers {
                below: (low < value).then(|| proof(&others)).flatten(),
                above: (high > value).then(|| proof(&own)).flatten(),
            },
            tree,
        }
    }
}

/// The bound of a clamped estimate: beyond the largest one the evaluator may have seen a mate.
fn bound_of(guess: Value) -> Bound {
    if guess == MOST {
        Bound::Lower
    } else if guess == -MOST {
        Bound::Upper
    } else {
        Bound::Exact
    }
}

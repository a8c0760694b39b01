//! The price of a move under the graded model: by its kind, its place in the order, its history.

use super::constants::{PAWN, WHOLE_SHARE};
use super::costs::GradedCosts;
use super::question::Question;
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::kit::watching::Watcher;
use crate::search::play::depth_first::common::worker::Worker;
use crate::search::play::history::HISTORY_LIMIT;
use crate::value::Value;

/// A move about to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial<M> {
    pub(super) m: M,
    /// Number of moves tried before it, pruned ones included.
    pub(super) number: usize,
    /// Whether it is a capture that loses material by exchange.
    pub(super) losing: bool,
    /// Whether it gives check.
    pub(super) checks: bool,
    /// Singular extension, in sixteenths of a ply; 0 unless it is the only supporter.
    pub(super) singular_extension: i32,
}

/// The prices of a move, in sixteenths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Priced {
    /// Price without surcharges, for a second search of a move that answered the question with them.
    pub(super) full: i32,
    /// Price with surcharges, for the first search.
    pub(super) step: i32,
}

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, GradedCosts<'_, W>> {
    /// Prices a move. Forcing moves are cheap, so that lines of them are searched deep. After the first move, quiet
    /// moves that come late or have a bad record are dear, as are losing captures; in endgames also quiet or losing
    /// checks.
    pub(super) fn price(
        &self,
        position: &G,
        question: &Question<G::Move>,
        trial: &Trial<G::Move>,
    ) -> Priced {
        let (graded, m, checks) = (self.costs.graded, trial.m, trial.checks);
        let quiet = position.is_quiet(m);
        let loses_by_checking =
            checks && !question.in_check && !position.exchange_gains(m, Value::DRAW);
        let mut full = graded.ply;
        if question.in_check {
            full = graded.evasion;
        } else if checks && !loses_by_checking {
            full -= graded.check;
        }
        full -= trial.singular_extension;
        let mut step = full;
        if trial.number > 0 && !question.in_check {
            if checks {
                if question.endgame && quiet {
                    let lateness = self.lateness(position, question, trial);
                    step += lateness.max(0) * graded.late_check / WHOLE_SHARE;
                }
                if question.endgame && loses_by_checking {
                    step += graded.losing_check;
                }
            } else if quiet {
                step += self.lateness(position, question, trial);
                if question.stale {
                    step += graded.stale;
                    if question.endgame {
                        step += graded.stale_endgame;
                    }
                }
                if question.begins_with_capture {
                    step += graded.after_capture;
                }
            } else if trial.losing {
                step += graded.losing;
            }
        }
        Priced {
            full,
            step: step.max(full),
        }
    }

    /// Surcharge of a quiet move by its number, the demand and its record, in history and continuation histories;
    /// negative if the record outweighs the rest.
    fn lateness(&self, position: &G, question: &Question<G::Move>, trial: &Trial<G::Move>) -> i32 {
        let slot = position.history_slot(trial.m);
        let record = self.costs.history.of_quiet(slot, question.place.previous);
        self.costs.graded.lateness(trial.number, question.demand)
            - record * self.costs.graded.record / HISTORY_LIMIT
    }

    /// Whether a late quiet move loses material by exchange, and so pays `losing_quiet`. Not part of `price`, since
    /// static exchange evaluation takes time and most late moves are pruned without it.
    pub(super) fn is_losing_quiet(
        position: &G,
        question: &Question<G::Move>,
        trial: &Trial<G::Move>,
    ) -> bool {
        trial.number > 0
            && !question.in_check
            && !trial.checks
            && position.is_quiet(trial.m)
            && !position.exchange_gains(trial.m, Value::DRAW)
    }

    /// The price at which a quiet move or a losing capture is pruned; `None` if it must be searched.
    ///
    /// It is the move's own price, adjusted by constants and by how far the static value falls short of the question;
    /// for a quiet move at least `Graded::unseen_floor`. The first move is never pruned, nor any while all before it
    /// lose: a proof of a loss must search every move.
    pub(super) fn unseen(
        &self,
        position: &G,
        question: &Question<G::Move>,
        trial: &Trial<G::Move>,
        price: &Priced,
        best: Value,
    ) -> Option<Cost> {
        let graded = self.costs.graded;
        let seen_one = best > -Value::INFINITY && !best.is_loss();
        let quiet = position.is_quiet(trial.m);
        if !seen_one || question.in_check || trial.checks || !(quiet || trial.losing) {
            return None;
        }
        let gap = (i32::from(question.theta.get()) - i32::from(question.static_value.get())).max(0);
        let mut cost = price.step + gap * graded.unseen_gap / PAWN;
        if quiet {
            let stale = question.stale && question.endgame;
            cost += graded.unseen;
            if stale {
                cost += graded.unseen_stale;
            }
            cost = cost.max(graded.unseen_floor(trial.number, stale));
        } else {
            cost += graded.unseen_losing;
        }
        (cost >= question.demand && !question.theta.is_decided()).then(|| Cost::sixteenths(cost))
    }
}

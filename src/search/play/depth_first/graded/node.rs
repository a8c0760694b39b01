//! Answers to one question about one position under the graded model. The search goes on until overthrowing the answer
//! would cost what is demanded, or nearly.
//!
//! The question is always "is the value for the side to move at least θ?". A position *holds* if the answer is yes,
//! and *fails* if it is no. It holds if some child fails the child's question, "at least 1-θ?"; that child is a
//! *supporter*. The answer is looked for first in the table, then by quiescence, null move and children; each child is
//! asked for the demand less the price of its move.

use std::cell::LazyCell;

use super::constants::{ONE, WHOLE_SHARE};
use super::costs::GradedCosts;
use super::price::{Priced, Trial};
use super::question::{Place, Question};
use super::trials::{Children, Trials};
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::kit::budget::Stopped;
use crate::search::kit::watching::{By, Step, Watcher};
use crate::search::play::depth_first::common::certificates::{Certificate, Entry, of_known_value};
use crate::search::play::depth_first::common::worker::{LAST_PLY, UnderWay, Worker};
use crate::search::play::has_risen;
use crate::search::play::history::Killers;
use crate::value::Value;

/// Plies left to a draw by the fifty-move rule at which, or below, no answer from the table ends the search: it ignores
/// the halfmove clock. It still gives the move to try first, and a supporter.
const RULE_DRAW_NEAR: usize = 8;

/// Largest shortfall of the known supporter's cost, in sixteenths, at which a second one is searched for: three plies, so
/// that the table's answers to the last few demands count.
const SUPPORTER_SLACK: i32 = 3 * ONE;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, GradedCosts<'_, W>> {
    /// Asks the position that a step leads to, telling the watcher: see [`Worker::answer`].
    #[inline]
    pub(crate) fn ask(
        &mut self,
        step: Step<G::Move>,
        position: &G,
        theta: Value,
        demand: i32,
        place: Place,
    ) -> Result<Certificate, Stopped> {
        self.tell_asked(step, position, theta, demand, place.ply);
        let answer = self.answer(position, theta, demand, place);
        self.tell_answer(answer);
        answer
    }

    /// Answers "is the value at least `theta`?" with a search worth `demand`.
    ///
    /// The answer costs at least the demand, with three exceptions: without a table move less is demanded
    /// (`unknown_rebate`), at the depth limit a leaf has its own cost, and another thread's answer may cost a little
    /// less.
    fn answer(
        &mut self,
        position: &G,
        theta: Value,
        demand: i32,
        place: Place,
    ) -> Result<Certificate, Stopped> {
        self.check_limits()?;
        let in_check = position.in_check();
        if let Some(value) = self.drawn_by_repetition_or_rule(position) {
            self.costs.watcher.tell_by(By::Rules);
            // A draw on this path costs just the demand: it is no proof.
            return Ok(Certificate::new(value, Cost::sixteenths(demand.max(1))));
        }
        if let Some(value) = self.evaluator.known_value(position) {
            self.costs.watcher.tell_by(By::Known);
            let cost = of_known_value(value, Cost::sixteenths(demand.max(1)));
            return Ok(Certificate::new(value, cost));
        }
        let left = position.plies_to_rule_draw();
        // The table's entry, prefetched by the caller, arrives meanwhile.
        let (static_value, corrections, correction) = if in_check {
            (theta, None, 0)
        } else {
            let corrections = self.costs.corrections.places(position, place.previous);
            let correction = self.costs.corrections.of(corrections);
            let value = self.evaluator.static_value(position);
            (value.offset(correction), corrections, correction)
        };
        let entry = self.table.probe(position.key());
        if let Some(known) = entry.and_then(|entry| entry.answer(theta))
            && i32::from(known.cost.get()) >= demand
            && left > RULE_DRAW_NEAR
            && known.value.ends_within(left)
        {
            return Ok(self.by_table(position, known, demand));
        }
        let code = entry.map_or(0, |entry| entry.code);
        let rebate = if code == 0 && demand >= self.costs.graded.unknown_least {
            self.costs.graded.unknown_rebate
        } else {
            0
        };
        let asked = UnderWay {
            key: position.key(),
            theta,
            demand,
            accepted: demand - rebate,
            plies_to_rule_draw: left,
        };
        let may_be_shared = left > RULE_DRAW_NEAR;
        if may_be_shared && let Some(known) = self.found_elsewhere(asked) {
            return Ok(self.by_table(position, known, demand));
        }
        self.costs.static_values[place.ply] = (!in_check).then_some(static_value);
        let at_limit = place.ply >= LAST_PLY;
        if at_limit || demand <= self.leaf_cost(static_value, theta) {
            let leaf = self.leaf(position, theta, correction, place.ply)?;
            if at_limit || i32::from(leaf.cost.get()) >= demand {
                self.costs.watcher.tell_by(By::Leaf);
                self.table
                    .store_unless_cheap(position.key(), theta, leaf, 0);
                return Ok(leaf);
            }
        }
        let question = Question {
            theta,
            demand,
            place,
            in_check,
            static_value,
            corrections,
            endgame: false,
            stale: false,
            begins_with_capture: false,
            table_move: None,
        };
        if !may_be_shared {
            return self.search(position, question, entry, rebate);
        }
        self.together(position, asked, |worker| {
            worker.search(position, question, entry, rebate)
        })
    }

    /// Answers a question by search: null move, a second supporter, children. `rebate` is taken off the
    /// demand on the children; it is 0 where the table has a move to try first.
    fn search(
        &mut self,
        position: &G,
        mut question: Question<G::Move>,
        entry: Option<Entry>,
        rebate: i32,
    ) -> Result<Certificate, Stopped> {
        let Question {
            theta,
            demand,
            place,
            ..
        } = question;
        self.budget.visit()?;
        self.seldepth = self.seldepth.max(place.ply);
        question.table_move = match entry.map_or(0, |entry| entry.code) {
            0 => None,
            code => position.move_from_code(code),
        };
        self.expect(position, question.table_move);
        question.endgame = position.is_endgame();
        question.stale = !has_risen(place.ply, |ply| self.costs.static_values[ply]);
        question.begins_with_capture = question.table_move.is_some_and(|m| !position.is_quiet(m));
        if let Some(answer) = self.ask_after_passing(position, &question)? {
            self.costs.watcher.tell_by(By::Pass);
            self.table
                .store_unless_cheap(position.key(), theta, answer, 0);
            return Ok(answer);
        }
        question.demand -= rebate;
        let mut singular_extension = 0;
        if let Some(entry) = entry
            && self.has_supporter(&question, &entry)
        {
            let others = demand * self.costs.graded.second_share / WHOLE_SHARE;
            let of_others = Question {
                demand: others,
                ..question
            };
            self.tell_asked(Step::Others, position, theta, others, place.ply);
            let second = self.ask_children(position, &of_others, Children::Others);
            self.tell_answer(second);
            let second = second?;
            if !second.holds(theta) {
                singular_extension = self.costs.graded.second_worth;
            } else if !second.value.is_decided() {
                self.costs.watcher.tell_by(By::Another);
                let value = second.value.min(entry.lower.value);
                return Ok(Certificate::new(value, Cost::sixteenths(demand)));
            }
        }
        self.ask_children(position, &question, Children::All { singular_extension })
    }

    /// Tries a null move: if the answer is yes though the opponent moves twice in a row, it is yes.
    fn ask_after_passing(
        &mut self,
        position: &G,
        question: &Question<G::Move>,
    ) -> Result<Option<Certificate>, Stopped> {
        let &Question {
            theta,
            demand,
            place,
            in_check,
            static_value,
            ..
        } = question;
        if !place.may_pass
            || in_check
            || demand < self.costs.graded.null_least
            || static_value < theta
            || theta.is_decided()
        {
            return Ok(None);
        }
        let Some(passed) = position.pass() else {
            return Ok(None);
        };
        self.table.prefetch(passed.key());
        let beyond = self.beyond(static_value, theta);
        let child_demand = demand - self.costs.graded.null_worth(demand, beyond);
        let floor = self.path.push_null(position.key());
        let child_theta = self.question_of_child(theta);
        let answer = self.ask(
            Step::Pass,
            &passed,
            child_theta,
            child_demand,
            place.below(None),
        );
        self.path.pop_null(floor);
        let value = answer?.value.from_child();
        if value < theta {
            return Ok(None);
        }
        // A win after a null move is no proof of a win.
        let value = if value.is_decided() { theta } else { value };
        Ok(Some(Certificate::new(value, Cost::sixteenths(demand))))
    }

    /// Whether the table's move is a supporter that costs about the demand: then a second one is searched for.
    fn has_supporter(&self, question: &Question<G::Move>, entry: &Entry) -> bool {
        question.demand >= self.costs.graded.second_least
            && entry.code != 0
            && entry.lower.value >= question.theta
            && !question.theta.is_decided()
            && i32::from(entry.lower.cost.get()) >= question.demand - SUPPORTER_SLACK
    }

    /// Asks the children until one supports the position, or none does at the demand.
    fn ask_children(
        &mut self,
        position: &G,
        question: &Question<G::Move>,
        children: Children,
    ) -> Result<Certificate, Stopped> {
        let &Question { theta, demand, .. } = question;
        let key = position.key();
        let check_test = LazyCell::new(|| position.check_test());
        // The first move often answers: to test it alone is cheaper.
        let gives_check = |m, is_first| {
            if is_first {
                position.gives_check(m)
            } else {
                check_test(m)
            }
        };
        let mut trials = Trials::new(children, question.table_move);
        let mut answer = Certificate::OF_NO_MOVE;
        let mut best_code = 0;
        while let Some((trial, price)) =
            self.next_trial(position, question, &mut trials, gives_check, &mut answer)
        {
            let m = trial.m;
            let of_move = self.try_move(position, question, &trial, &price)?;
            if of_move.holds(theta) {
                self.costs.watcher.tell_by(By::Move(m));
                let plies = demand / ONE;
                let Place { ply, previous, .. } = question.place;
                self.credit(position, plies, ply, previous, m, &trials.tried);
                if children != Children::Others {
                    self.learn_correction(question, of_move, position.is_quiet(m));
                    let code = G::move_code(m);
                    self.table.store_unless_cheap(key, theta, of_move, code);
                }
                return Ok(of_move);
            }
            answer.cost = answer.cost.min(of_move.cost);
            if of_move.value > answer.value {
                answer.value = of_move.value;
                best_code = G::move_code(m);
            }
        }
        let is_over = children != Children::Others && trials.tried.is_empty();
        self.costs
            .watcher
            .tell_by(if is_over { By::Rules } else { By::NoMove });
        if children == Children::Others {
            // The value of the others is not the position's.
            let value = theta.next_down();
            return Ok(Certificate::new(value, Cost::sixteenths(demand)));
        }
        if is_over {
            answer = Certificate::new(position.terminal_value(), Cost::INFINITE);
        }
        self.learn_correction(question, answer, true);
        self.table.store_unless_cheap(key, theta, answer, best_code);
        Ok(answer)
    }

    /// A move's certificate for its mover.
    fn try_move(
        &mut self,
        position: &G,
        question: &Question<G::Move>,
        trial: &Trial<G::Move>,
        price: &Priced,
    ) -> Result<Certificate, Stopped> {
        let Question {
            theta,
            demand,
            place,
            ..
        } = *question;
        // The killers two plies below are from other positions.
        self.costs.killers[place.ply + 2] = Killers::NONE;
        let child = position.after(trial.m);
        self.path.push(position.key());
        let step = Step::Move {
            m: trial.m,
            number: trial.number + 1,
        };
        let below = place.below(Some(position.history_slot(trial.m)));
        let answer = self.ask_child(step, &child, theta, demand, price, below);
        self.path.pop();
        answer
    }

    /// A child's answer as a certificate for its parent, the cost increased by the move's price. A surcharged move that
    /// supports the parent is asked again without surcharge.
    pub(super) fn ask_child(
        &mut self,
        step: Step<G::Move>,
        child: &G,
        theta: Value,
        demand: i32,
        price: &Priced,
        place: Place,
    ) -> Result<Certificate, Stopped> {
        let theta = self.question_of_child(theta);
        let mut paid = price.step;
        let mut verdict = self.ask(step, child, theta, demand - paid, place)?;
        if paid != price.full && !verdict.holds(theta) {
            paid = price.full;
            verdict = self.ask(step, child, theta, demand - paid, place)?;
        }
        let value = verdict.value.from_child();
        Ok(Certificate::new(value, verdict.cost.plus(paid)))
    }

    /// Learns how far the static value was outside a bound found by search. Bounds by captures say nothing about static
    /// values, nor do decided values.
    fn learn_correction(&mut self, question: &Question<G::Move>, answer: Certificate, quiet: bool) {
        let Some(places) = &question.corrections else {
            return;
        };
        let error = i32::from(answer.value.get()) - i32::from(question.static_value.get());
        let beyond = if answer.holds(question.theta) {
            error > 0 && quiet
        } else {
            error < 0
        };
        if beyond && !answer.value.is_decided() {
            let plies = question.demand / ONE;
            self.costs.corrections.learn(places, error, plies);
        }
    }
}

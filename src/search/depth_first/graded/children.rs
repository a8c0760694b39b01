//! The children of a position under the graded model: each is asked for its share of the demand, until one supports
//! the question or none does.

use std::cell::LazyCell;

use super::costs::GradedCosts;
use super::price::{Priced, Trial};
use super::question::{Place, Question};
use crate::game::{Evaluator, Game, Moves};
use crate::search::budget::Stopped;
use crate::search::depth_first::common::certificates::Certificate;
use crate::search::depth_first::common::cost::Cost;
use crate::search::depth_first::common::worker::Worker;
use crate::search::history::Killers;
use crate::search::ordering::{ByHistory, Picker};
use crate::search::watching::{Answer, Asked, MoveKind};

/// The order of moves: by their records, captures' too.
type Order<'a> = ByHistory<'a, false, true>;

/// How the children of a node are gone through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Children {
    /// All of them; the first is worth so much more.
    All { singular_extension: i32 },
    /// All but the known supporter: is there a second one?
    Others,
}

/// The moves of a position as they come up.
struct Trials<M> {
    children: Children,
    picker: Picker<M>,
    /// Those that have come up, pruned ones too.
    tried: Moves<M>,
    /// The move whose child the table has been told to fetch: what it knows comes while the one before is searched.
    fetched: Option<M>,
    /// Quiet moves come by record: after one that nobody looks at, those that follow are dearer.
    rest_unseen: bool,
    /// Moves that other threads are at: they come last, those put off first before the others.
    put_off: Vec<(Trial<M>, Priced)>,
    come_back: usize,
}

impl<M: Copy + Eq> Trials<M> {
    fn new(children: Children, table_move: Option<M>) -> Trials<M> {
        Trials {
            children,
            picker: Picker::new(table_move, true),
            tried: Moves::new(),
            fetched: table_move,
            rest_unseen: false,
            put_off: Vec::new(),
            come_back: 0,
        }
    }

    /// The next move, which gives check or not.
    fn trial(&mut self, m: M, checks: bool) -> Trial<M> {
        let number = self.tried.len();
        self.tried.push(m);
        let singular_extension = match self.children {
            Children::All { singular_extension } if number == 0 => singular_extension,
            _ => 0,
        };
        Trial {
            m,
            number,
            losing: self.picker.gives_losing_captures(),
            checks,
            singular_extension,
        }
    }

    /// A move that was put off: other threads have answered it meanwhile, or need help.
    fn come_back(&mut self) -> Option<(Trial<M>, Priced)> {
        let back = self.put_off.get(self.come_back).copied();
        self.come_back += 1;
        back
    }
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E, GradedCosts<'_>> {
    /// Goes through the children until one supports the question, or none does at the question's demand.
    pub(super) fn ask_children(
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
                let plies = demand / i32::from(Cost::ONE.get());
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
        if children == Children::Others {
            // What the others are worth says nothing about the position.
            return Ok(Certificate {
                value: theta.next_down(),
                cost: Cost::sixteenths(demand),
            });
        }
        if trials.tried.is_empty() {
            answer = Certificate {
                value: position.terminal_value(),
                cost: Cost::INFINITE,
            };
        }
        self.learn_correction(question, answer, true);
        self.table.store_unless_cheap(key, theta, answer, best_code);
        Ok(answer)
    }

    /// The next move to be searched, and its price. Moves that are pruned before it make the answer so far as cheap as
    /// they are: they say nothing about the value.
    #[inline]
    fn next_trial(
        &mut self,
        position: &G,
        question: &Question<G::Move>,
        trials: &mut Trials<G::Move>,
        gives_check: impl Fn(G::Move, bool) -> bool,
        answer: &mut Certificate,
    ) -> Option<(Trial<G::Move>, Priced)> {
        let Place { ply, previous, .. } = question.place;
        loop {
            let record = Order {
                history: self.costs.history,
                refuters: self
                    .costs
                    .history
                    .refuters(self.costs.killers[ply], previous),
                previous,
            };
            let Some(m) = trials.picker.next(position, &record) else {
                return trials.come_back();
            };
            if trials.children == Children::Others && Some(m) == question.table_move {
                continue;
            }
            let checks = gives_check(m, trials.tried.is_empty());
            let trial = trials.trial(m, checks);
            if trials.rest_unseen && !checks && position.is_quiet(m) {
                self.tell_of(position, question, &trial, Answer::Unseen, 0);
                continue;
            }
            let price = self.price(position, question, &trial);
            if let Some(unseen) =
                self.late_move_pruning(position, question, &trial, &price, answer.value)
            {
                answer.cost = answer.cost.min(unseen);
                trials.picker.stop_ordering();
                trials.rest_unseen = !record.refuters.contain(G::move_code(m));
                self.tell_of(position, question, &trial, Answer::Unseen, 0);
                continue;
            }
            if trials.fetched != Some(m) {
                self.expect(position, Some(m));
            }
            trials.fetched = trials.picker.peek();
            self.expect(position, trials.fetched);
            if trial.number > 0 && self.is_put_off(position, m, question, &price) {
                trials.put_off.push((trial, price));
                continue;
            }
            return Some((trial, price));
        }
    }

    /// What a move is worth to its mover, with what it costs to overthrow that: the child's answer and the move's price.
    fn try_move(
        &mut self,
        position: &G,
        question: &Question<G::Move>,
        trial: &Trial<G::Move>,
        price: &Priced,
    ) -> Result<Certificate, Stopped> {
        let Place { ply, .. } = question.place;
        // The killers of the grandchildren were another position's children'.
        self.costs.killers[ply + 2] = Killers::NONE;
        let child = position.after(trial.m);
        self.path.push(position.key());
        let below = question.place.below(Some(position.history_slot(trial.m)));
        let nodes = self.budget.nodes();
        let verdict = self.ask_child(&child, question, price, below);
        self.path.pop();
        let (verdict, step) = verdict?;
        let of_move = Certificate {
            value: verdict.value.from_child(),
            cost: verdict.cost.plus(step),
        };
        let found = if of_move.holds(question.theta) {
            Answer::Holds
        } else {
            Answer::Fails
        };
        let nodes = self.budget.nodes() - nodes;
        self.tell_of(position, question, trial, found, nodes);
        Ok(of_move)
    }

    /// A child's answer, and the price of the move at which it was given: a surcharged move that turns
    /// out to answer the question is looked at again for its full share.
    fn ask_child(
        &mut self,
        child: &G,
        question: &Question<G::Move>,
        price: &Priced,
        below: Place,
    ) -> Result<(Certificate, i32), Stopped> {
        let theta = self.question_of_child(question.theta);
        let verdict = self.ask(child, theta, question.demand - price.step, below)?;
        if price.step == price.full || verdict.holds(theta) {
            return Ok((verdict, price.step));
        }
        let verdict = self.ask(child, theta, question.demand - price.full, below)?;
        Ok((verdict, price.full))
    }

    /// Whether another thread is at a move.
    fn is_put_off(
        &self,
        position: &G,
        m: G::Move,
        question: &Question<G::Move>,
        price: &Priced,
    ) -> bool {
        let demand = question.demand - price.step;
        self.may_be_elsewhere(demand) && {
            let theta = self.question_of_child(question.theta);
            self.is_elsewhere(position.after(m).key(), theta, demand)
        }
    }

    /// Tells the watcher what was found out about a move of the position, if there is one.
    #[inline]
    fn tell_of(
        &mut self,
        position: &G,
        question: &Question<G::Move>,
        trial: &Trial<G::Move>,
        answer: Answer,
        nodes: u64,
    ) {
        self.tell(|| Asked {
            child: position.after(trial.m),
            ply: question.place.ply + 1,
            theta: question.theta,
            demand: question.demand,
            kind: MoveKind {
                number: trial.number,
                quiet: position.is_quiet(trial.m),
                checks: trial.checks,
                losing: trial.losing,
            },
            answer,
            nodes,
        });
    }
}

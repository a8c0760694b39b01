//! The move loop under the graded model: moves in the order of their histories, each with its price; pruned moves are
//! left out.

use std::collections::VecDeque;

use super::costs::GradedCosts;
use super::price::{Priced, Trial};
use super::question::{Place, Question};
use crate::game::{Evaluator, Game, Moves};
use crate::search::kit::watching::{Event, LeftOut, Pruning, Watcher};
use crate::search::play::depth_first::common::certificates::Certificate;
use crate::search::play::depth_first::common::worker::Worker;
use crate::search::play::ordering::{ByHistory, Picker};

/// The order of moves: by history, captures too.
type Order<'a> = ByHistory<'a, false, true>;

/// The children to search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Children {
    /// All of them; the first has this extension, in sixteenths of a ply.
    All { singular_extension: i32 },
    /// All but the known supporter, to look for a second.
    Others,
}

/// The moves of a position in the order of search.
pub(super) struct Trials<M> {
    children: Children,
    picker: Picker<M>,
    /// Moves tried so far, pruned ones included.
    pub(super) tried: Moves<M>,
    /// The move whose child's table entry is being prefetched while the move before is searched.
    fetched: Option<M>,
    /// Whether the remaining quiet moves are pruned: one with a better history was, for its price.
    rest_unseen: bool,
    /// Moves that other threads are searching: deferred to the end, in order.
    put_off: VecDeque<(Trial<M>, Priced)>,
}

impl<M: Copy + Eq> Trials<M> {
    pub(super) fn new(children: Children, table_move: Option<M>) -> Trials<M> {
        Trials {
            children,
            picker: Picker::new(table_move, true),
            tried: Moves::new(),
            fetched: table_move,
            rest_unseen: false,
            put_off: VecDeque::new(),
        }
    }

    /// The next move; `checks` says whether it gives check.
    #[inline]
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
}

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, GradedCosts<'_, W>> {
    /// The next move to be searched, and its price. Moves pruned before it limit the cost of `answer` by their prices,
    /// and leave its value.
    #[inline]
    pub(super) fn next_trial(
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
                // Other threads have answered the deferred moves, or need help.
                return trials.put_off.pop_front();
            };
            if trials.children == Children::Others && Some(m) == question.table_move {
                continue;
            }
            let checks = gives_check(m, trials.tried.is_empty());
            let trial = trials.trial(m, checks);
            if trials.rest_unseen && !checks && position.is_quiet(m) {
                self.tell_left_out(&trial, Pruning::Behind);
                continue;
            }
            let mut price = self.price(position, question, &trial);
            let mut unseen = self.unseen(position, question, &trial, &price, answer.value);
            if unseen.is_none() && Self::is_losing_quiet(position, question, &trial) {
                price.step += self.costs.graded.losing_quiet;
                unseen = self.unseen(position, question, &trial, &price, answer.value);
            }
            if let Some(unseen) = unseen {
                answer.cost = answer.cost.min(unseen);
                if position.is_quiet(m) {
                    trials.picker.stop_ordering();
                    trials.rest_unseen = !record.refuters.contain(G::move_code(m));
                }
                self.tell_left_out(&trial, Pruning::Price(unseen.get().into()));
                continue;
            }
            if trials.fetched != Some(m) {
                self.expect(position, Some(m));
            }
            trials.fetched = trials.picker.peek();
            self.expect(position, trials.fetched);
            let demand = question.demand - price.step;
            if trial.number > 0 && self.is_put_off(position, m, question.theta, demand) {
                trials.put_off.push_back((trial, price));
                continue;
            }
            return Some((trial, price));
        }
    }

    /// Tells the watcher of a pruned move, and the reason.
    #[inline]
    fn tell_left_out(&mut self, trial: &Trial<G::Move>, why: Pruning) {
        let (m, number) = (trial.m, trial.number + 1);
        self.costs
            .watcher
            .tell(|| Event::LeftOut(LeftOut { m, number, why }));
    }

    /// Prefetches the table entry of the child after `m`, which is likely to be searched soon.
    #[inline]
    pub(super) fn expect(&self, position: &G, m: Option<G::Move>) {
        if let Some(m) = m {
            self.table.prefetch(position.likely_key_after(m));
        }
    }
}

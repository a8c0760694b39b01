//! One question at the root searched by several threads: the questions they are at, and the answers of others.
//!
//! All threads search the same tree and share the table. A move that another thread is searching is put off until the
//! other moves are done; a question that another thread has answered is abandoned, however far up the tree it stands.

use super::costs::GradedCosts;
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::kit::budget::Stopped;
use crate::search::kit::watching::{By, Watcher};
use crate::search::play::depth_first::common::certificates::Certificate;
use crate::search::play::depth_first::common::worker::{UnderWay, Worker};
use crate::value::{Value, Window};

/// Largest difference of demands at which questions count as the same, in sixteenths: prices change with the statistics
/// of moves.
const ALIKE: i32 = 4;

/// Least demand of marked questions, in sixteenths. Smaller ones are answered too soon to be shared.
const MARKED: i32 = 32;

/// Reversible plies after which a position may be part of a cycle.
const SHORTEST_CYCLE: usize = 4;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, GradedCosts<'_, W>> {
    /// Whether another thread is at the question about a child, so that the move to it should be put off; the parent is
    /// asked "at least `theta`?".
    #[inline]
    pub(super) fn is_put_off(&self, parent: &G, m: G::Move, theta: Value, demand: i32) -> bool {
        if !self.company.is_any() || demand < MARKED {
            return false;
        }
        let window = Window::at_least(self.question_of_child(theta));
        let mark = self.company.mark(parent.after(m).key(), window);
        mark.is_some_and(|(marks, mark)| marks.is_taken(mark, demand - ALIKE))
    }

    /// Another thread's answer to a question, found since the root was asked, at about the same demand.
    pub(super) fn found_elsewhere(&self, asked: UnderWay) -> Option<Certificate> {
        let mark = self.company.mark(asked.key, Window::at_least(asked.theta));
        let (marks, mark) = mark.filter(|_| asked.demand >= MARKED)?;
        if !marks.is_done(mark, asked.demand - ALIKE) {
            return None;
        }
        // That thread may have had no move to begin with.
        let rebated = asked.demand - self.costs.graded.unknown_rebate;
        asked.answer(self.table, rebated - ALIKE)
    }

    /// Searches a question with `work` as one of several threads; the answer may be another thread's.
    pub(super) fn together(
        &mut self,
        position: &G,
        asked: UnderWay,
        work: impl FnOnce(&mut Self) -> Result<Certificate, Stopped>,
    ) -> Result<Certificate, Stopped> {
        let mark = self.company.mark(asked.key, Window::at_least(asked.theta));
        let Some((marks, mark)) = mark.filter(|_| asked.demand >= MARKED) else {
            return work(self);
        };
        let index = self.company.enter(asked);
        let result = marks.during(mark, asked.demand, || work(self));
        match self.company.leave(index) {
            Some(known) => Ok(self.by_table(position, known, asked.demand)),
            None => result,
        }
    }

    /// The table's answer, which the watcher is told of; unless it is a proof, its cost is set to the demand if the
    /// position may be part of a cycle. Answers round a cycle support one another, each a ply dearer than the next: at
    /// full cost they would outgrow every demand, and an error would never be searched again.
    #[inline]
    pub(super) fn by_table(
        &mut self,
        position: &G,
        known: Certificate,
        demand: i32,
    ) -> Certificate {
        self.costs.watcher.tell_by(By::Table(known.cost));
        if known.cost.is_infinite() || position.reversible_plies() < SHORTEST_CYCLE {
            return known;
        }
        Certificate::new(known.value, Cost::sixteenths(demand.max(1)))
    }
}

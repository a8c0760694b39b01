//! One question at the root searched by several threads: the questions they are at, and the answers of others.
//!
//! All threads search the same tree and share the table. A move that another thread is searching is put off until the
//! other moves are done; a question that another thread has answered is abandoned, however far up the tree it stands.

use super::certificates::Certificate;
use super::worker::{OpenQuery, Worker};
use crate::game::{Evaluator, Game};
use crate::search::events::Watcher;
use crate::search::kit::budget::Stopped;
use crate::value::{Value, Window};

/// Largest difference of demands at which questions count as the same, in sixteenths: prices change with the statistics
/// of moves.
const ALIKE: i32 = 4;

/// Least demand of marked questions, in sixteenths. Smaller ones are answered too soon to be shared.
const MARKED: i32 = 32;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// Whether another thread is at the question about a child, so that the move to it should be put off; the parent is
    /// asked "at least `theta`?".
    #[inline]
    pub(super) fn is_searched_elsewhere(
        &self,
        parent: &G,
        m: G::Move,
        theta: Value,
        demand: i32,
    ) -> bool {
        if !self.shared_search.is_any() || demand < MARKED {
            return false;
        }
        let window = Window::at_least(self.question_of_child(theta));
        let mark = self.shared_search.mark(parent.after(m).key(), window);
        mark.is_some_and(|(marks, mark)| marks.is_taken(mark, demand - ALIKE))
    }

    /// Another thread's answer to a question, found since the root was asked, at about the same demand; `None` for one
    /// thread alone.
    pub(super) fn found_elsewhere(&self, query: OpenQuery) -> Option<Certificate> {
        let mark = self
            .shared_search
            .mark(query.key, Window::at_least(query.theta));
        let (marks, mark) = mark.filter(|_| query.demand >= MARKED)?;
        if !marks.is_done(mark, query.demand - ALIKE) {
            return None;
        }
        // That thread may have had no move to begin with.
        let rebated = query.demand - self.constants.unknown_rebate;
        query.answer(self.table, rebated - ALIKE)
    }

    /// Searches a question with `work` as one of several threads; the answer may be another thread's. One thread alone
    /// only does the work.
    pub(super) fn search_shared(
        &mut self,
        position: &G,
        query: OpenQuery,
        work: impl FnOnce(&mut Self) -> Result<Certificate, Stopped>,
    ) -> Result<Certificate, Stopped> {
        let mark = self
            .shared_search
            .mark(query.key, Window::at_least(query.theta));
        let Some((marks, mark)) = mark.filter(|_| query.demand >= MARKED) else {
            return work(self);
        };
        let index = self.shared_search.enter(query);
        let result = marks.during(mark, query.demand, || work(self));
        match self.shared_search.leave(index) {
            Some(known) => Ok(self.by_table(position, known, query.demand)),
            None => result,
        }
    }
}

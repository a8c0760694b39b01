//! One question at the root searched by several threads: the questions they are at, and the answers of others.
//!
//! All threads search the same tree and share the table. A move that another thread is searching is put off until the
//! others are done; a question that another thread has answered is abandoned, however far up the tree it stands.

use super::certificates::Certificate;
use super::worker::{BrokenOff, UnderWay, Worker};
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Stopped;
use crate::value::{Value, Window};

/// Largest difference of demands at which questions count as the same, in sixteenths: prices change with the statistics
/// of moves.
const ALIKE: i32 = 4;

/// Least demand of marked questions, in sixteenths. Smaller ones are answered too soon to be shared.
const MARKED: i32 = 32;

/// An answer by its origin.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome {
    /// Found by this thread.
    Own(Certificate),
    /// Found by another thread, in the table.
    Found(Certificate),
}

impl<G: Game, E: Evaluator<G>, C> Worker<'_, G, E, C> {
    /// Whether other threads could be at a question with this demand.
    #[inline]
    pub(crate) fn may_be_elsewhere(&self, demand: i32) -> bool {
        self.shared.is_some() && demand >= MARKED
    }

    /// Whether another thread is at a question about a child, so that it should be put off.
    pub(crate) fn is_elsewhere(&self, key: u64, theta: Value, demand: i32) -> bool {
        let Some(shared) = &self.shared else {
            return false;
        };
        demand >= MARKED
            && shared
                .marks()
                .is_taken(shared.mark(key, Window::at_least(theta)), demand - ALIKE)
    }

    /// Another thread's answer to a question, found since the root was asked, at about the same demand.
    pub(crate) fn found_elsewhere(&self, asked: UnderWay) -> Option<Certificate> {
        let shared = self.shared.as_ref()?;
        if asked.demand < MARKED {
            return None;
        }
        let mark = shared.mark(asked.key, Window::at_least(asked.theta));
        if !shared.marks().is_done(mark, asked.demand - ALIKE) {
            return None;
        }
        self.answer_to(asked, asked.rebated - ALIKE)
    }

    /// Searches a question with `work` as one of several threads; the answer may be another thread's.
    pub(crate) fn together(
        &mut self,
        asked: UnderWay,
        work: impl FnOnce(&mut Self) -> Result<Certificate, Stopped>,
    ) -> Result<Outcome, Stopped> {
        let Some(shared) = self.shared.as_ref().filter(|_| asked.demand >= MARKED) else {
            return work(self).map(Outcome::Own);
        };
        let marks = shared.marks();
        let mark = shared.mark(asked.key, Window::at_least(asked.theta));
        let level = self.asked.len();
        self.asked.push(asked);
        let result = marks.during(mark, asked.demand, || work(self));
        self.asked.truncate(level);
        match self.broken_off {
            Some(BrokenOff::To(place, known)) if place == level => {
                self.broken_off = None;
                Ok(Outcome::Found(known))
            }
            _ => result.map(Outcome::Own),
        }
    }
}

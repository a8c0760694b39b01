//! One root search by several threads: marks on positions under search, and answers of other
//! threads.
//!
//! All threads search the same tree and share the table. A move that another thread is searching is deferred
//! to the end; a position that another thread has answered is abandoned, however far up the tree it
//! is. Neither concerns positions on principal variations, which the leader always
//! completes.

use super::node::Node;
use super::worker::{BrokenOff, Frame, UnderWay, Worker};
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::kit::budget::Stopped;
use crate::search::kit::watching::{By, Watcher};
use crate::value::{Value, Window};

/// Least depth of marked positions: nearer to the leaves, searches end before a mark could
/// help.
const MARKED: i32 = 2;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// Whether a position may be searched together with other threads.
    #[inline]
    pub(super) fn may_be_shared(&self, depth: i32) -> bool {
        self.shared.is_some() && depth >= MARKED
    }

    /// Whether another thread is searching a position, so that the move to it should be deferred.
    pub(super) fn is_elsewhere(&self, key: u64, window: Window, depth: i32) -> bool {
        let Some(shared) = self.shared.as_ref().filter(|_| depth >= MARKED) else {
            return false;
        };
        let mark = shared.mark(key, window);
        shared.marks().is_taken(mark, depth)
    }

    /// Searches a position with `work` unless another thread answers it first.
    pub(super) fn together(
        &mut self,
        position: &G,
        node: Node<G::Move>,
        work: impl FnOnce(&mut Self) -> Result<Value, Stopped>,
    ) -> Result<Value, Stopped> {
        let Some(shared) = self.shared.as_ref().filter(|_| !node.pv) else {
            return work(self);
        };
        let marks = shared.marks();
        let mark = shared.mark(position.key(), node.window);
        let entry = self.probe(position);
        let no_move = entry.is_none_or(|entry| entry.code == 0);
        let asked = UnderWay {
            key: position.key(),
            window: node.window,
            depth: node.depth - self.internal_reduction(&node, no_move),
            plies_to_rule_draw: position.plies_to_rule_draw(),
        };
        // As part of this question at the root another thread may have found no move to begin with.
        let reduced = if marks.is_done(mark, node.depth) {
            node.depth - self.internal_reduction(&node, true)
        } else {
            asked.depth
        };
        if let Some(value) = self.answer_to(UnderWay {
            depth: reduced,
            ..asked
        }) {
            self.watcher
                .tell_by(By::Table(Cost::whole(reduced.max(0) as u16)));
            return Ok(value);
        }
        let level = self.asked.len();
        self.asked.push(asked);
        let result = marks.during(mark, node.depth, || work(self));
        self.asked.truncate(level);
        match self.broken_off {
            Some(BrokenOff::To(place, value)) if place == level => {
                self.broken_off = None;
                self.watcher
                    .tell_by(By::Table(Cost::whole(asked.depth.max(0) as u16)));
                self.lines[node.ply].clear();
                self.frames[node.ply].rests_on = Frame::NOTHING;
                Ok(value)
            }
            _ => result,
        }
    }
}

//! One root search by several threads: marks on positions under search, and answers of other
//! threads.
//!
//! All threads search the same tree and share the table. A move that another thread is searching is deferred
//! to the end; a position that another thread has answered is abandoned, however far up the tree it
//! is. Neither concerns positions on principal variations, which the leader always
//! completes.

use super::entries::answer_to;
use super::node::{Candidate, Context, Node};
use super::worker::{Frame, OpenQuery, Worker};
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::events::{By, Watcher};
use crate::search::kit::budget::Stopped;
use crate::value::{Value, Window};

/// Least depth of marked positions: nearer to the leaves, searches end before a mark could
/// help.
const MARKED: i32 = 2;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// Whether a position may be searched together with other threads.
    #[inline]
    pub(super) fn may_be_shared(&self, depth: i32) -> bool {
        self.shared_search.is_any() && depth >= MARKED
    }

    /// Whether another thread is searching a move, so that it should be deferred.
    pub(super) fn is_searched_elsewhere(
        &self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        candidate: Candidate<G::Move>,
        window: Window,
    ) -> bool {
        let (m, number) = (candidate.m, candidate.number);
        let depth = node.depth - 1 + candidate.extension;
        if number == 1 || !self.settings.principal_variation || !self.may_be_shared(depth) {
            return false;
        }
        let child = position.after(m);
        let reduction = self.reduction(position, &child, node, context, m, number);
        let extension = self.check_extension(child.in_check(), node.ply + 1);
        let depth = depth - reduction + extension;
        let window = Window::new(window.alpha, window.alpha.next_up()).to_child();
        let mark = self.shared_search.mark(child.key(), window);
        depth >= MARKED && mark.is_some_and(|(marks, mark)| marks.is_taken(mark, depth))
    }

    /// Searches a position with `work` unless another thread answers it first.
    pub(super) fn together(
        &mut self,
        position: &G,
        node: Node<G::Move>,
        work: impl FnOnce(&mut Self) -> Result<Value, Stopped>,
    ) -> Result<Value, Stopped> {
        let mark = self.shared_search.mark(position.key(), node.window);
        let Some((marks, mark)) = mark.filter(|_| !node.pv) else {
            return work(self);
        };
        let entry = self.probe(position);
        let no_move = entry.is_none_or(|entry| entry.code == 0);
        let least = |no_move| node.depth - self.internal_reduction(&node, no_move);
        // A thread that answered it since the root was asked may have had no move to begin with.
        let reduced = least(no_move || marks.is_done(mark, node.depth));
        let open_query = OpenQuery {
            key: position.key(),
            window: node.window,
            depth: least(no_move),
            plies_to_rule_draw: position.plies_to_rule_draw(),
        };
        let by_table = |depth: i32| By::Table(Cost::whole(depth.max(0) as u16));
        let at_once = OpenQuery {
            depth: reduced,
            ..open_query
        };
        if let Some(value) = answer_to(self.table, at_once) {
            self.watcher.emit_source(by_table(reduced));
            return Ok(value);
        }
        let index = self.shared_search.enter(open_query);
        let result = marks.during(mark, node.depth, || work(self));
        let Some(value) = self.shared_search.leave(index) else {
            return result;
        };
        self.watcher.emit_source(by_table(open_query.depth));
        self.lines[node.ply].clear();
        self.frames[node.ply].rests_on = Frame::NOTHING;
        Ok(value)
    }
}

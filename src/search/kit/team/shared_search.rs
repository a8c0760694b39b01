//! A thread among others that search the same question at the root: what they are at, and what they have answered.
//!
//! All threads search the same tree and share the table. A question that another thread has answered is abandoned,
//! however far up the tree it stands.

use std::sync::Arc;

use super::marks::{Mark, Marks};
use super::shared::Shared;
use crate::search::kit::budget::{Budget, Stopped};
use crate::value::Window;

/// A thread's view of the others, if there are any: `T` is the leader's task, `Q` a question about a position, `A` an
/// answer.
pub(in crate::search) struct SharedSearch<'a, T, Q, A> {
    shared: Option<Shared<'a, T>>,
    /// The questions on the path that other threads may answer first.
    open_queries: Vec<Q>,
    /// Set while the search unwinds to an answered question: its index among the open queries, and the answer.
    broken_off: Option<(usize, A)>,
}

impl<'a, T, Q, A> SharedSearch<'a, T, Q, A> {
    pub(in crate::search) fn new(shared: Option<Shared<'a, T>>) -> Self {
        SharedSearch {
            shared,
            open_queries: Vec::new(),
            broken_off: None,
        }
    }

    /// Whether there are other threads.
    #[inline]
    pub(in crate::search) fn is_any(&self) -> bool {
        self.shared.is_some()
    }

    /// Publishes the next question at the root, on the leader; nothing happens without other threads.
    pub(in crate::search) fn publish(&mut self, task: impl FnOnce() -> T) {
        if let Some(shared) = &mut self.shared {
            shared.publish(task());
        }
    }

    /// Waits for the next question at the root, on a helper; `None` once the search is over.
    pub(in crate::search) fn next_task<M: Copy + Eq>(
        &mut self,
        budget: &mut Budget<'_, M>,
    ) -> Option<Arc<T>> {
        self.shared.as_mut()?.next_task(budget).ok()
    }

    /// The marks of all threads.
    #[inline]
    pub(in crate::search) fn marks(&self) -> Option<&'a Marks> {
        self.shared.as_ref().map(Shared::marks)
    }

    /// The marks of all threads, and that of a question about a position; `None` without other threads.
    #[inline]
    pub(in crate::search) fn mark(&self, key: u64, window: Window) -> Option<(&'a Marks, Mark)> {
        let shared = self.shared.as_ref()?;
        Some((shared.marks(), shared.mark(key, window)))
    }

    /// Opens a query; returns its index.
    pub(in crate::search) fn enter(&mut self, query: Q) -> usize {
        self.open_queries.push(query);
        self.open_queries.len() - 1
    }

    /// Removes the question with that index; returns the other threads' answer to it, if the search has unwound to it.
    pub(in crate::search) fn leave(&mut self, index: usize) -> Option<A> {
        self.open_queries.truncate(index);
        let (_, answer) = self.broken_off.take_if(|(place, _)| *place == index)?;
        Some(answer)
    }

    /// Leaves all queries: the search was broken off and begins again at the root.
    pub(in crate::search) fn leave_all(&mut self) {
        self.open_queries.clear();
        self.broken_off = None;
    }

    /// Checks at intervals whether the leader has moved on, or another thread has answered a question on the path:
    /// `answer` reads the table.
    #[inline]
    pub(in crate::search) fn look(
        &mut self,
        nodes: u64,
        answer: impl Fn(&Q) -> Option<A>,
    ) -> Result<(), Stopped> {
        if let Some(shared) = &mut self.shared
            && shared.is_time_to_look(nodes)
        {
            return self.look_around(answer);
        }
        Ok(())
    }

    #[cold]
    fn look_around(&mut self, answer: impl Fn(&Q) -> Option<A>) -> Result<(), Stopped> {
        if self.shared.as_ref().is_some_and(Shared::is_outdated) {
            return Err(Stopped);
        }
        let mut queries = self.open_queries.iter().enumerate();
        self.broken_off = queries.find_map(|(index, query)| Some((index, answer(query)?)));
        if self.broken_off.is_some() {
            return Err(Stopped);
        }
        Ok(())
    }
}

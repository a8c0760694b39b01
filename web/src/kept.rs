//! State kept between calls: a searcher with its table, and open trees. Memory is scarce, so both are dropped when it
//! is needed.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use anyhow::{Context as _, Result};
use cassius::engine::memory;
use cassius::engine::settings::{ChessSearcher, EngineSettings};

use crate::open_tree::OpenTree;

/// Most trees open at a time.
const MOST_TREES: usize = 4;

/// Searcher and trees kept between calls.
#[derive(Default)]
pub(crate) struct Kept {
    searcher: RefCell<Option<(EngineSettings, ChessSearcher)>>,
    trees: RefCell<VecDeque<(u32, OpenTree)>>,
    last: Cell<u32>,
}

impl Kept {
    /// Takes the kept searcher if it has these settings, or makes one; give it back by [`Kept::keep`].
    pub(crate) fn searcher(&self, settings: &EngineSettings) -> Result<ChessSearcher> {
        match self.searcher.take() {
            Some((of, searcher)) if of == *settings => Ok(searcher),
            other => {
                drop(other);
                self.ensure(settings.megabytes())?;
                Ok(settings.for_analysis().searcher())
            }
        }
    }

    /// Keeps a searcher for the next call.
    pub(crate) fn keep(&self, settings: EngineSettings, searcher: ChessSearcher) {
        *self.searcher.borrow_mut() = Some((settings, searcher));
    }

    /// Drops the searcher.
    pub(crate) fn let_go(&self) {
        self.searcher.take();
    }

    /// Ensures that `megabytes` MiB are free: drops the searcher, then trees, the oldest first.
    pub(crate) fn ensure(&self, megabytes: usize) -> Result<()> {
        loop {
            let Err(error) = memory::ensure([megabytes], 1) else {
                return Ok(());
            };
            let dropped =
                self.searcher.take().is_some() || self.trees.borrow_mut().pop_front().is_some();
            if !dropped {
                return Err(error.into());
            }
        }
    }

    /// Keeps a tree open and returns its number; closes the oldest one if there are too many.
    pub(crate) fn open(&self, tree: OpenTree) -> u32 {
        let number = self.last.get() + 1;
        self.last.set(number);
        let mut trees = self.trees.borrow_mut();
        trees.push_back((number, tree));
        if trees.len() > MOST_TREES {
            trees.pop_front();
        }
        number
    }

    /// Closes a tree, if it is open.
    pub(crate) fn close(&self, number: u32) {
        self.trees.borrow_mut().retain(|it| it.0 != number);
    }

    /// Calls `work` with an open tree. `work` must not search: a suspended search would keep the tree borrowed.
    pub(crate) fn with_tree<R>(
        &self,
        number: u32,
        work: impl FnOnce(&mut OpenTree) -> Result<R>,
    ) -> Result<R> {
        let mut trees = self.trees.borrow_mut();
        let tree = trees.iter_mut().find(|it| it.0 == number);
        let (_, tree) =
            tree.with_context(|| format!("tree {number} is not open; open one with 'tree'"))?;
        work(tree)
    }
}

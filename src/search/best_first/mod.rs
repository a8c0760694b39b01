//! Best-first conspiracy-number search (McAllester 1988; N. Klingbeil, *Search Strategies for
//! Conspiracy Numbers*, 1989, chapters 2, 3, 5 and 6).
//!
//! The search keeps the whole tree. At a conspiracy threshold CT the root has a likely range of
//! values, those it takes fewer than CT leaves to reach; step by step the search picks an end of the
//! range, descends to a leaf of a smallest conspiracy for it, and expands that leaf, until the range
//! has shrunk to one value. Then CT goes up by one, on the same tree.
//!
//! - Trees: `tree` has the nodes, `numbers` the storages, `numbered` a tree with one of them and its reuse by the next
//!   search; `grown_tree` reads the root's profile.
//! - Search: `branch` and `likelihood` descend, `line` is the way down, `leaf` evaluates, `leaf_workers` on several threads,
//!   `doubts` lists clipped leaves to evaluate again; `run` is the loop, `choice` picks the move, `reports` reports it.
//! - `growth` grows a tree under a watcher, for experiments; `settings` and `settings_text` are the options.

mod branch;
mod choice;
mod doubts;
mod grown_tree;
mod growth;
mod leaf;
mod leaf_workers;
mod likelihood;
mod line;
mod numbered;
mod numbers;
mod reports;
mod run;
mod settings;
mod settings_text;
#[cfg(test)]
mod tests;
mod tree;

pub use branch::BranchRule;
pub use growth::{Expansion, GrowthEnd, GrowthPhase, Watcher};
pub use settings::{
    ChildOrder, LeafScores, LeafWindow, MoveChoice, Settings, StorageKind, Strategy,
};

use std::ops::RangeInclusive;

use leaf_workers::Batch;
use numbered::Numbered;
use run::Run;

use crate::game::{Evaluator, Game, Root};
use crate::profile::snapshot::Judged;
use crate::profile::{Profile, Question, Snapshot};
use crate::search::kit::memory::bytes;
use crate::search::kit::team::{Task, Team, Threads};
use crate::search::{Limits, Observer, Report, Searcher, Unobserved};

/// Best-first conspiracy-number search over an evaluator. An iteration is a conspiracy threshold.
pub struct BestFirst<G: Game, E> {
    settings: Settings,
    team: Team<E>,
    tree: Numbered<G::Move>,
    /// The root at which the tree was planted, if the next search may reuse the tree.
    planted: Option<Root<G>>,
    /// The move to play that the last search found.
    choice: Option<G::Move>,
}

impl<G: Game, E> BestFirst<G, E> {
    /// This search with `threads` threads (0 counts as 1); results are those of one thread, bit for bit.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self
    where
        E: Clone,
    {
        BestFirst {
            team: Team::new(Threads::of(threads), self.team.into_leader()),
            ..self
        }
    }
}

impl<G: Game, E: Evaluator<G>> BestFirst<G, E> {
    /// A search that takes at most `megabytes` MiB for its tree, but at least 0.6 to 2.6 MiB by storage and grid.
    pub fn new(settings: Settings, megabytes: usize, evaluator: E) -> Self {
        BestFirst {
            tree: Numbered::new(&settings, bytes(megabytes)),
            settings,
            team: Team::alone(evaluator),
            planted: None,
            choice: None,
        }
    }

    /// Searches like [`Searcher::search`] with one thread.
    pub fn search_alone(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        let (settings, tree, planted) = (&self.settings, &mut self.tree, &mut self.planted);
        let task = self.team.task(limits, observer);
        let report = lead(settings, tree, planted, root, task);
        self.choice = report.best_move();
        report
    }

    /// The profile of the last search's root; `None` before any search. See [`Searcher::profile`].
    ///
    /// Its numbers are exact for the tree if all leaves were evaluated in the whole window ([`LeafWindow::Whole`]) and
    /// memory did not run out.
    pub fn profile(&self, question: &Question) -> Option<Profile<Vec<G::Move>>> {
        grown_tree::profile(&self.tree, self.choice, question)
    }

    /// Grows a tree from the bare root through the thresholds while `watcher` looks on; returns why it
    /// has stopped growing. Use it with [`LeafWindow::Whole`]: clipped leaves that a
    /// verdict rests on are not evaluated again.
    pub fn grow(
        &mut self,
        root: &Root<G>,
        thresholds: RangeInclusive<u32>,
        watcher: &mut dyn Watcher,
    ) -> GrowthEnd {
        self.planted = None;
        self.choice = None;
        let (settings, tree, evaluator) = (&self.settings, &mut self.tree, self.team.leader());
        let (limits, mut nobody) = (Limits::default(), Unobserved);
        let run = Run::new(settings, root, &limits, &mut nobody, evaluator, tree, None);
        run.map_or(GrowthEnd::Nothing, |mut run| {
            run.watcher = Some(watcher);
            run.grow(thresholds)
        })
    }
}

impl<G: Game + Send + Sync, E: Evaluator<G> + Send> Searcher<G> for BestFirst<G, E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        let (settings, tree, planted) = (&self.settings, &mut self.tree, &mut self.planted);
        let lead = |task: Task<'_, G, E, (), Batch<G>>| lead(settings, tree, planted, root, task);
        let report = self.team.search(limits, observer, lead, leaf_workers::help);
        self.choice = report.best_move();
        report
    }

    fn clear(&mut self) {
        self.planted = None;
    }

    /// Does nothing: in a kept tree a position of the game counts as a draw the first time that it comes again.
    fn forget_proofs(&mut self) {}

    fn profile(&self, question: &Question) -> Option<Profile<Vec<G::Move>>> {
        BestFirst::profile(self, question)
    }

    fn snapshot(&self) -> Option<Snapshot<G::Move, Judged>> {
        grown_tree::snapshot(&self.tree)
    }
}

/// Searches on the leading thread, with helpers if `task` has any.
fn lead<G: Game, E: Evaluator<G>>(
    settings: &Settings,
    tree: &mut Numbered<G::Move>,
    planted: &mut Option<Root<G>>,
    root: &Root<G>,
    task: Task<'_, G, E, (), Batch<G>>,
) -> Report<G::Move> {
    let Task {
        evaluator,
        limits,
        observer,
        shared,
        ..
    } = task;
    let before = planted.take();
    let before = before.as_ref();
    let run = Run::new(settings, root, limits, observer, evaluator, tree, before);
    if let Some(mut run) = run {
        run.shared = shared;
        *planted = Some(root.clone());
        run.finish()
    } else {
        let report = Report::before_search(root.position.terminal_value(), Vec::new());
        observer.report(&report);
        report
    }
}

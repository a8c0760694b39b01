//! Looking over a search's shoulder: the questions it asks, what answers them, and what that takes.
//!
//! Questions nest: what a search does between a question and its answer belongs to that question. Who explains a search
//! along a line listens, and whoever counts where it spends its nodes. A search is compiled once for each kind of
//! watcher; that with `Unwatched` has no trace of all this.

use crate::game::{Game, Root};
use crate::search::{Cost, Limits, Observer, Report, Searcher};
use crate::value::{Value, Window};

/// News of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<M> {
    /// A question is asked.
    Asked(Asked<M>),
    /// A move of the position that is asked about is left out.
    LeftOut(LeftOut<M>),
    /// The question under way has been answered by this; the answer follows.
    By(By<M>),
    /// The question under way is answered, or given up.
    Answered(Answered),
}

/// A question about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked<M> {
    /// The position's key.
    pub key: u64,
    /// Plies from the root to the position.
    pub ply: usize,
    /// How the search came to it.
    pub step: Step<M>,
    /// Whether the value is at least beta, if the window is a null window; else the value where it lies inside. For the side
    /// to move.
    pub window: Window,
    /// What is demanded of the answer, in sixteenths of a ply: the demand of depth-first search, the depth of alpha-beta.
    pub demand: i32,
    /// Positions visited before, those of quiescence included.
    pub nodes: u64,
}

/// The step from one question to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<M> {
    /// To the root.
    Root,
    /// By a move, the first of its position being number 1.
    Move {
        /// The move.
        m: M,
        /// Its place in the order.
        number: usize,
    },
    /// By a null move.
    Pass,
    /// To the same position without its first move: is there another as good?
    Others,
    /// To the same position, once more without null moves.
    Verify,
}

/// A move that is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeftOut<M> {
    /// The move.
    pub m: M,
    /// Its place in the order.
    pub number: usize,
    /// Why.
    pub why: Pruning,
}

/// Why a move is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pruning {
    /// Its own price, in sixteenths of a ply, meets the demand.
    Price(i32),
    /// Quiet moves behind one that is left out for its price are, too.
    Behind,
    /// So many others have been tried before it.
    Late,
    /// The static value is too far below, or the move's record is bad.
    Hopeless,
    /// It loses material by exchange.
    Exchange,
}

/// What answers a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By<M> {
    /// The rules: a draw, the end of the game, a mate that is nearer already.
    Rules,
    /// The evaluator knows the value: a tablebase.
    Known,
    /// The search's table, where the answer stands at this cost.
    Table(Cost),
    /// A leaf: the evaluator's value after quiescence.
    Leaf,
    /// The static value, so far beyond beta.
    StaticValue,
    /// A null move.
    Pass,
    /// Another move beside the known one is good enough, and both together answer.
    Another,
    /// A move that is good enough, or the best one inside an open window.
    Move(M),
    /// No move is good enough.
    NoMove,
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answered {
    /// The value for the side to move, a bound outside the window; `None` if the question was given up.
    pub value: Option<Value>,
    /// What it takes to overthrow the answer; of alpha-beta the depth it was searched to.
    pub cost: Cost,
    /// Positions visited up to then.
    pub nodes: u64,
}

/// Somebody who watches a search.
pub trait Watcher<M> {
    /// Whether it wants to hear anything.
    fn listens(&self) -> bool {
        true
    }

    /// There is news.
    fn hears(&mut self, event: Event<M>);

    /// Makes an event for it, if it listens.
    #[inline]
    fn tell(&mut self, event: impl FnOnce() -> Event<M>)
    where
        Self: Sized,
    {
        if self.listens() {
            self.hears(event());
        }
    }

    /// Tells of what answers the question under way.
    #[inline]
    fn tell_by(&mut self, by: By<M>)
    where
        Self: Sized,
    {
        self.tell(|| Event::By(by));
    }
}

/// Nobody.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Unwatched;

impl<M> Watcher<M> for Unwatched {
    #[inline(always)]
    fn listens(&self) -> bool {
        false
    }

    #[inline(always)]
    fn hears(&mut self, _event: Event<M>) {}
}

impl<M> Watcher<M> for &mut dyn Watcher<M> {
    fn listens(&self) -> bool {
        (**self).listens()
    }

    fn hears(&mut self, event: Event<M>) {
        (**self).hears(event);
    }
}

/// A search that can be watched.
pub trait Watchable<G: Game>: Searcher<G> {
    /// The search that [`Searcher::search`] makes, and finds the same, while `watcher` listens. With several threads only
    /// the first one is watched.
    fn search_watched(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        watcher: &mut dyn Watcher<G::Move>,
    ) -> Report<G::Move>;
}

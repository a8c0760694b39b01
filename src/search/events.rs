//! Events of a search for a watcher: questions, answers and their costs.
//!
//! Questions nest: events between a question and its answer belong to that question. Explanations of a line and counts
//! of nodes are made from events. A search is compiled once for each kind of watcher; with `Unwatched` events cost
//! nothing.

use crate::game::{Game, Root};
use crate::search::{Cost, Limits, Observer, Report, Searcher};
use crate::value::{Value, Window};

/// An event of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<M> {
    /// A question is asked.
    Asked(NodeQuery<M>),
    /// A move of the position is pruned.
    LeftOut(LeftOut<M>),
    /// The source of the answer, which follows.
    By(By<M>),
    /// The end of the question: its answer, or none if it was given up.
    Answered(Answered),
}

/// A question about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeQuery<M> {
    /// The position's key.
    pub key: u64,
    /// Plies from the root to the position.
    pub ply: usize,
    /// The step that led to it.
    pub descent: Descent<M>,
    /// The window for the side to move: a null window asks whether the value is at least beta, another for the value
    /// inside it.
    pub window: Window,
    /// Effort demanded, in sixteenths of a ply: the demand of depth-first search, the depth of alpha-beta.
    pub demand: i32,
    /// Positions visited before, those of quiescence included.
    pub nodes: u64,
}

/// The step from one question to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Descent<M> {
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
    /// To the same position without its first move, to see whether another is as good.
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
    /// An earlier quiet move was pruned for its price.
    Behind,
    /// Enough moves have been tried before it.
    Late,
    /// The static value is too far below.
    Hopeless,
    /// The move loses material by exchange.
    Exchange,
}

/// What answers a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By<M> {
    /// The rules: a draw, the end of the game, or a shorter mate found elsewhere.
    Rules,
    /// The evaluator knows the value: a tablebase.
    Known,
    /// An entry of the search's table with this cost.
    Table(Cost),
    /// A leaf: the evaluator's value after quiescence.
    Leaf,
    /// The static value, far beyond beta.
    StaticValue,
    /// A null move.
    Pass,
    /// Two supporters: the known one and another.
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
    /// Cost of overthrowing the answer; in alpha-beta the depth searched.
    pub cost: Cost,
    /// Positions visited until then.
    pub nodes: u64,
}

/// A receiver of a search's events.
pub trait Watcher<M> {
    /// Whether it wants events.
    fn listens(&self) -> bool {
        true
    }

    /// Receives an event.
    fn receive(&mut self, event: Event<M>);

    /// Sends an event, made only if the watcher listens.
    #[inline]
    fn emit(&mut self, event: impl FnOnce() -> Event<M>)
    where
        Self: Sized,
    {
        if self.listens() {
            self.receive(event());
        }
    }

    /// Tells of what answers the question under way.
    #[inline]
    fn emit_source(&mut self, by: By<M>)
    where
        Self: Sized,
    {
        self.emit(|| Event::By(by));
    }
}

/// No watcher.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Unwatched;

impl<M> Watcher<M> for Unwatched {
    #[inline(always)]
    fn listens(&self) -> bool {
        false
    }

    #[inline(always)]
    fn receive(&mut self, _event: Event<M>) {}
}

impl<M> Watcher<M> for &mut dyn Watcher<M> {
    fn listens(&self) -> bool {
        (**self).listens()
    }

    fn receive(&mut self, event: Event<M>) {
        (**self).receive(event);
    }
}

/// A search that can be watched.
pub trait Watchable<G: Game>: Searcher<G> {
    /// Searches like [`Searcher::search`], with the same result, while `watcher` listens. With several threads only the
    /// first one is watched.
    fn search_watched(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
        watcher: &mut dyn Watcher<G::Move>,
    ) -> Report<G::Move>;
}

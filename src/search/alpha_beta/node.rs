//! A position and its moves about to be searched: bounds, hints for ordering and pruning, updates of
//! histories.

use super::worker::Worker;
use crate::game::{Evaluator, Game};
use crate::search::events::Watcher;
use crate::search::kit::correction::Places;
use crate::search::kit::has_risen;
use crate::search::kit::history::{Killers, Previous, Refuters, Tried};
use crate::search::kit::ordering::ByHistory;
use crate::search::kit::transposition_table::Entry;
use crate::value::{Value, Window};

/// History bonus of a move that cuts off for each ply of depth, in the units of
/// [`History`](crate::search::kit::history::History).
const CREDIT_PER_PLY: i32 = 32;

/// History bonus of a move that cuts off, times the square of the depth.
const CREDIT_PER_SQUARE: i32 = 16;

/// Largest history bonus of a move that cuts off: about an eighth of the largest entry.
const MOST_CREDIT: i32 = 2000;

/// A position's search: window, depth and expectations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// Window in which the value must be exact.
    pub(super) window: Window,
    /// Whether the position is on a principal variation: an exact value and a line are wanted.
    pub(super) pv: bool,
    /// Plies to go, at least 1.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Whether a value of at least beta is expected (a cut node), mostly where the parent is none.
    pub(super) cut: bool,
    /// Whether the side to move is in check.
    pub(super) in_check: bool,
    /// A move excluded by a singular search.
    pub(super) excluded: Option<M>,
}

/// Whether an exact value is wanted: not in a null window.
pub(super) fn is_wide(window: Window) -> bool {
    window.beta > window.alpha.next_up()
}

/// Hints on a position's moves before they are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<M> {
    pub(super) entry: Option<Entry>,
    pub(super) table_move: Option<M>,
    /// Static value of the evaluator; `None` in check, where it means little.
    pub(super) evaluated: Option<Value>,
    /// Corrected static value; `None` in check.
    pub(super) static_value: Option<Value>,
    /// Indices of its corrections; `None` without.
    pub(super) corrections: Option<Places>,
    /// Whether the static value has risen since two plies ago: then the side to move has good moves.
    pub(super) improving: bool,
    pub(super) previous: Previous,
    pub(super) refuters: Refuters,
}

/// The order of moves: quiet ones by history and the game's preference, captures by the game's order.
pub(super) type Order<'a> = ByHistory<'a, true, false>;

/// A move about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) m: M,
    /// 1 for the first.
    pub(super) number: usize,
    /// Extension in plies; negative to reduce.
    pub(super) extension: i32,
}

/// Most tried moves of each kind that the histories learn from.
const MOST_TRIED: usize = 64;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// Hints on the moves of a position.
    pub(super) fn context(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        entry: Option<Entry>,
    ) -> Context<G::Move> {
        let ply = node.ply;
        let evaluated = if node.in_check {
            None
        } else if let Some(entry) = entry {
            Some(entry.static_value)
        } else {
            Some(self.evaluator.static_value(position))
        };
        let previous = self.previous(ply);
        let corrections = evaluated.and_then(|_| self.corrections.places(position, previous));
        let static_value = evaluated.map(|value| value.offset(self.corrections.of(corrections)));
        self.frames[ply].static_value = static_value;
        // The killers a ply below are those of other positions' children.
        self.frames[ply + 1].killers = Killers::NONE;
        Context {
            entry,
            table_move: entry.and_then(|entry| position.move_from_code(entry.code)),
            evaluated,
            static_value,
            corrections,
            improving: has_risen(ply, |ply| self.frames[ply].static_value),
            previous,
            refuters: self.history.refuters(self.frames[ply].killers, previous),
        }
    }

    /// Learns the static value's error from a search. Changes of value by a capture or in check are not
    /// errors of the static value.
    pub(super) fn learn_correction(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        value: Value,
        best: Option<G::Move>,
    ) {
        let (Some(places), Some(static_value)) = (&context.corrections, context.static_value)
        else {
            return;
        };
        let says_nothing = value.is_decided()
            || best.is_some_and(|m| !position.is_quiet(m))
            || (value >= node.window.beta && value <= static_value)
            || (best.is_none() && value >= static_value);
        if !says_nothing {
            let error = i32::from(value.get()) - i32::from(static_value.get());
            self.corrections.learn(places, error, node.depth);
        }
    }

    /// The order in which to try a position's moves.
    pub(super) fn order(&self, context: &Context<G::Move>) -> Order<'_> {
        Order {
            history: self.history,
            refuters: context.refuters,
            previous: context.previous,
        }
    }

    /// Plays `m` and updates path and frames; returns the child. The caller pops the
    /// path.
    pub(super) fn enter(&mut self, position: &G, ply: usize, m: G::Move, extension: i32) -> G {
        self.frames[ply].slot = Some(position.history_slot(m));
        self.frames[ply + 1].extended = self.frames[ply].extended + extension.max(0);
        self.path.push(position.key());
        if self.settings.table {
            self.table.prefetch(position.likely_key_after(m));
        }
        position.after(m)
    }

    /// Updates the histories after a cutoff: a bonus for its move, a malus for those tried before.
    pub(super) fn reward(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        m: G::Move,
        tried: &[G::Move],
    ) {
        if position.is_quiet(m) {
            self.frames[node.ply].killers.remember(G::move_code(m));
        }
        let depth = node.depth;
        let bonus = CREDIT_PER_SQUARE * depth * depth + CREDIT_PER_PLY * depth;
        let bonus = bonus.min(MOST_CREDIT);
        let [quiets, captures] = [true, false].map(|quiet| {
            let tried = tried.iter().map(|&other| Tried::new(position, other));
            tried.filter(move |it| it.quiet == quiet).take(MOST_TRIED)
        });
        self.history
            .credit(position, m, context.previous, bonus, quiets.chain(captures));
    }
}

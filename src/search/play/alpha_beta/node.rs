//! A position and a move of it about to be searched: what for, what is known before, and what is learnt
//! from it.

use arrayvec::ArrayVec;

use super::worker::Worker;
use crate::game::{Evaluator, Game};
use crate::search::kit::transposition_table::Entry;
use crate::search::kit::watching::Watcher;
use crate::search::play::correction::Places;
use crate::search::play::has_risen;
use crate::search::play::history::{Killers, Previous, Refuters, Tried};
use crate::search::play::ordering::ByHistory;
use crate::value::{Value, Window};

/// What a move that cuts off is credited with, in the units of [`History`](crate::search::play::history::History),
/// for each ply of depth...
const CREDIT_PER_PLY: i32 = 32;

/// ...and for the square of the depth: deep cutoffs are worth far more...
const CREDIT_PER_SQUARE: i32 = 16;

/// ...but no more than this, about an eighth of the most there can be.
const MOST_CREDIT: i32 = 2000;

/// What a position is searched for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// Where the value must be exact.
    pub(super) window: Window,
    /// Whether the position is on a principal variation: an exact value and a line are wanted.
    pub(super) pv: bool,
    /// Plies to go, at least 1.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Whether a value at or above beta is to be expected: the parent was not.
    pub(super) cut: bool,
    /// Whether the side to move is in check.
    pub(super) in_check: bool,
    /// A move left out, to see how good the others are.
    pub(super) excluded: Option<M>,
}

/// Whether an exact value is wanted: in a null window there is none.
pub(super) fn is_wide(window: Window) -> bool {
    window.beta > window.alpha.next_up()
}

/// What helps to judge a position's moves before they are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<M> {
    pub(super) entry: Option<Entry>,
    pub(super) table_move: Option<M>,
    /// Static value as the evaluator has it; `None` in check, where it means little.
    pub(super) evaluated: Option<Value>,
    /// The same, corrected.
    pub(super) static_value: Option<Value>,
    /// Where its corrections stand; `None` without.
    pub(super) corrections: Option<Places>,
    /// Whether the side to move stands better than two plies ago: if so, it has moves worth trying.
    pub(super) improving: bool,
    pub(super) previous: Previous,
    pub(super) refuters: Refuters,
}

/// The order of moves: quiet ones by record and the game's preference, captures as the game has it.
pub(super) type Order<'a> = ByHistory<'a, true, false>;

/// A move about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) m: M,
    /// 1 for the first.
    pub(super) number: usize,
    /// Plies deeper than the others, or less deep if negative.
    pub(super) extension: i32,
}

/// Of each kind of moves so many are remembered as tried: a list that long is enough to learn from.
const MOST_TRIED: usize = 64;

/// History slots of the moves tried before the one that cut off.
#[derive(Default)]
pub(super) struct TriedMoves {
    quiets: ArrayVec<usize, MOST_TRIED>,
    captures: ArrayVec<usize, MOST_TRIED>,
}

impl TriedMoves {
    pub(super) fn push(&mut self, slot: usize, quiet: bool) {
        let moves = if quiet {
            &mut self.quiets
        } else {
            &mut self.captures
        };
        // What does not fit is not learnt from.
        let _ = moves.try_push(slot);
    }

    /// All of them, the quiet ones first.
    fn all(&self) -> impl Iterator<Item = Tried> {
        let quiets = self.quiets.iter().map(|&slot| Tried { slot, quiet: true });
        let captures = self.captures.iter();
        quiets.chain(captures.map(|&slot| Tried { slot, quiet: false }))
    }
}

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// What helps to judge the moves of a position.
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
        let corrections = evaluated.and_then(|_| self.corrections_at(position, ply));
        let static_value = evaluated.map(|value| value.offset(self.correction(corrections)));
        self.frames[ply].static_value = static_value;
        // The killers of the grandchildren were another position's children'.
        self.frames[ply + 1].killers = Killers::NONE;
        let previous = self.previous(ply);
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

    /// A search found what the position is worth: its static value was that far off. What a capture or a
    /// check changes says nothing about static values.
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

    /// Plays `m`: the child, with the path and the frames ready for its search. The caller pops the
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

    /// A move has cut off: it is credited, those tried before it are debited.
    pub(super) fn reward(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        m: G::Move,
        tried: &TriedMoves,
    ) {
        if position.is_quiet(m) {
            self.frames[node.ply].killers.remember(G::move_code(m));
        }
        let depth = node.depth;
        let bonus = CREDIT_PER_SQUARE * depth * depth + CREDIT_PER_PLY * depth;
        let bonus = bonus.min(MOST_CREDIT);
        self.history
            .credit(position, m, context.previous, bonus, tried.all());
    }
}

//! Reading and writing of table entries, and cutoffs by them.

use super::node::{Context, Node};
use super::worker::{OpenQuery, Worker};
use crate::game::{Evaluator, Game};
use crate::search::events::Watcher;
use crate::search::kit::budget::Stopped;
use crate::search::kit::transposition_table::{Entry, Open};
use crate::search::{Bound, Cost};
use crate::value::{Value, Window};

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// The table's entry for a position.
    pub(super) fn probe(&self, position: &G) -> Option<Entry> {
        if self.settings.table {
            self.table.probe(position.key())
        } else {
            None
        }
    }

    /// Checks now and then whether another thread has answered a question on the path.
    #[inline]
    pub(super) fn look(&mut self) -> Result<(), Stopped> {
        let table = self.table;
        let answer = |open_query: &OpenQuery| answer_to(table, *open_query);
        self.shared_search.look(self.budget.nodes(), answer)
    }

    /// Stores an interior node's result; only the move if the value rests on a repetition above.
    pub(super) fn store_at(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        value: Value,
        code: u16,
    ) {
        if !self.settings.table {
            return;
        }
        let static_value = match (context.evaluated, context.entry) {
            (Some(value), _) => value,
            (None, Some(entry)) => entry.static_value,
            (None, None) => self.evaluator.static_value(position),
        };
        let entry = if self.frames[node.ply].rests_on < node.ply {
            Entry::without_value(code, static_value)
        } else {
            Entry {
                code,
                value,
                bound: Bound::of(value, node.window),
                depth: node.depth.clamp(0, u8::MAX.into()) as u8,
                static_value,
            }
        };
        self.table.store(position.key(), entry);
    }

    /// Stores a leaf's evaluation, or a proof, which holds at any depth; a `code` of 0 is no move.
    pub(super) fn store_leaf(&mut self, position: &G, window: Window, value: Value, code: u16) {
        if self.settings.table {
            let entry = Entry {
                code,
                value,
                bound: Bound::of(value, window),
                depth: 0,
                static_value: self.evaluator.static_value(position),
            };
            self.table.store(position.key(), entry);
        }
    }
}

/// The depth of an entry as a cost, for watchers; infinite if it proves its value.
pub(super) fn worth(entry: Entry) -> Cost {
    if entry.proven().is_some() {
        Cost::INFINITE
    } else {
        Cost::whole(entry.depth.into())
    }
}

/// The value of a position under search, if its entry gives a cutoff.
pub(super) fn answer_to(table: Open<'_>, open_query: OpenQuery) -> Option<Value> {
    let entry = table.probe(open_query.key)?;
    cutoff(
        entry,
        open_query.depth,
        open_query.window,
        open_query.plies_to_rule_draw,
    )
}

/// The entry's value if it answers a search of `window` to `depth`.
pub(super) fn cutoff(
    entry: Entry,
    depth: i32,
    window: Window,
    plies_to_rule_draw: usize,
) -> Option<Value> {
    let value = entry.value;
    let answers = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= window.beta,
        Bound::Upper => value <= window.alpha,
    };
    // A proof holds at any depth; but none outlives the draw by rule, which comes nearer on the
    // path without changing the key.
    let (enough, plies) = match entry.proven().and_then(Value::plies_to_end) {
        Some(plies) => (true, usize::from(plies)),
        None => (i32::from(entry.depth) >= depth, usize::from(entry.depth)),
    };
    (answers && enough && plies <= plies_to_rule_draw).then_some(value)
}

//! One position: its value as far as a depth goes.

use std::cell::LazyCell;

use arrayvec::ArrayVec;

use super::worker::{Frame, MAX_PLY, Worker};
use crate::game::{Evaluator, Game};
use crate::search::Bound;
use crate::search::budget::Stopped;
use crate::search::has_risen;
use crate::search::history::{History, Killers, Previous, Refuters};
use crate::search::ordering::{Picker, Rating};
use crate::search::table::Entry;
use crate::value::{Value, Window};

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
    /// Static value; `None` in check, where it means little.
    pub(super) static_value: Option<Value>,
    /// Whether the side to move stands better than two plies ago: if so, it has moves worth trying.
    pub(super) improving: bool,
    pub(super) previous: Previous,
    pub(super) refuters: Refuters,
}

/// Quiet moves by killers, countermove, history and the game's preference.
struct ByHistory<'a, M> {
    context: &'a Context<M>,
    history: &'a History,
    continuation: bool,
}

impl<G: Game> Rating<G> for ByHistory<'_, G::Move> {
    fn quiet(&self, position: &G, m: G::Move) -> i32 {
        if let Some(rating) = self.context.refuters.rating(G::move_code(m)) {
            return rating;
        }
        let slot = position.history_slot(m);
        let mut rating = self.history.quiet(slot) + position.preference(m);
        if self.continuation {
            rating += self.history.continuation(self.context.previous, slot);
        }
        rating
    }
}

/// A move about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) m: M,
    /// 1 for the first.
    pub(super) number: usize,
    /// Plies deeper than the others, or less deep if negative.
    pub(super) extension: i32,
}

/// History slots of the moves tried before the one that cut off.
#[derive(Default)]
struct Tried {
    quiets: ArrayVec<usize, 64>,
    captures: ArrayVec<usize, 64>,
}

impl Tried {
    fn push(&mut self, slot: usize, quiet: bool) {
        let moves = if quiet {
            &mut self.quiets
        } else {
            &mut self.captures
        };
        // A full list is long enough to learn from.
        let _ = moves.try_push(slot);
    }
}

/// The best a position's moves have shown so far.
struct Best<M> {
    value: Value,
    m: Option<M>,
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// The value of `position` to `depth`: exact inside `window`, a bound outside it (fail-soft).
    ///
    /// `cut` says that a value of at least beta is expected. Leaves the best line in
    /// `self.lines[ply]` where the value is inside the window.
    pub(super) fn search(
        &mut self,
        position: &G,
        window: Window,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Result<Value, Stopped> {
        self.lines[ply].clear();
        self.frames[ply].rests_on = Frame::NOTHING;
        if let Some(value) = self.draw(position, ply) {
            self.count_node()?;
            return Ok(value);
        }
        if let Some(value) = self.evaluator.known_value(position) {
            self.count_node()?;
            return Ok(value);
        }
        let in_check = position.in_check();
        let depth = depth + self.check_extension(in_check, ply);
        if depth <= 0 || ply >= MAX_PLY {
            return self.leaf(position, window, ply);
        }
        self.count_node()?;
        self.seldepth = self.seldepth.max(ply);
        self.interior(
            position,
            Node {
                window,
                pv: is_wide(window),
                depth,
                ply,
                cut,
                in_check,
                excluded: None,
            },
        )
    }

    /// The evaluator's value of a position that is not drawn, remembered in the table.
    fn leaf(&mut self, position: &G, window: Window, ply: usize) -> Result<Value, Stopped> {
        let entry = self.probe(position);
        if let Some(value) = entry.and_then(|entry| cutoff(entry, 0, window, position)) {
            self.count_node()?;
            return Ok(value);
        }
        if !position.has_legal_move() {
            self.count_node()?;
            return Ok(position.terminal_value());
        }
        let value = self
            .evaluator
            .evaluate(position, window, &mut self.budget)?;
        let below = self.evaluator.take_max_ply() as usize;
        self.seldepth = self.seldepth.max(ply + below);
        self.store(position, window, 0, value, entry.map_or(0, |e| e.code));
        Ok(value)
    }

    /// The value of a position that is neither drawn nor a leaf.
    pub(super) fn interior(&mut self, position: &G, node: Node<G::Move>) -> Result<Value, Stopped> {
        // Mate distance: at worst the side to move is mated here, at best it mates with this move.
        let window = Window::new(
            node.window.alpha.max(Value::LOSS),
            node.window.beta.min(Value::win_in(1)),
        );
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let mut node = Node { window, ..node };

        let entry = self.probe(position).filter(|_| node.excluded.is_none());
        // In a principal-variation search the line itself is searched to its end: the few nodes
        // buy whole lines and unspoilt draws.
        if !(self.settings.principal_variation && node.pv)
            && let Some(value) = entry.and_then(|e| cutoff(e, node.depth, window, position))
        {
            return Ok(value);
        }
        let context = self.context(position, &node, entry);
        if let Some(value) = self.prune_position(position, &node, &context)? {
            return Ok(value);
        }
        if let Some(from) = self.settings.internal_reduction
            && node.depth >= from
            && context.table_move.is_none()
            && node.excluded.is_none()
            && (node.cut || node.pv)
        {
            node.depth -= 1;
        }
        self.search_moves(position, &node, &context)
    }

    /// What helps to judge the moves of a position.
    pub(super) fn context(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        entry: Option<Entry>,
    ) -> Context<G::Move> {
        let ply = node.ply;
        let static_value = if node.in_check {
            None
        } else if let Some(entry) = entry {
            Some(entry.static_value)
        } else {
            Some(self.evaluator.static_value(position))
        };
        self.frames[ply].static_value = static_value;
        // The killers of the grandchildren were another position's children'.
        self.frames[ply + 1].killers = Killers::NONE;
        let previous = self.previous(ply);
        Context {
            entry,
            table_move: entry.and_then(|entry| position.move_from_code(entry.code)),
            static_value,
            improving: has_risen(ply, |ply| self.frames[ply].static_value),
            previous,
            refuters: self.history.refuters(self.frames[ply].killers, previous),
        }
    }

    /// The value by trying the moves one after the other.
    fn search_moves(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
    ) -> Result<Value, Stopped> {
        let ply = node.ply;
        let mut alpha = node.window.alpha;
        let mut best = Best {
            value: -Value::INFINITY,
            m: None,
        };
        let mut tried = Tried::default();
        let mut number = 0;
        let mut picker = Picker::new(context.table_move, self.settings.exchange_ordering);
        let check_test = LazyCell::new(|| position.check_test());
        while let Some(m) = self.next_move(&mut picker, position, context) {
            if Some(m) == node.excluded {
                continue;
            }
            number += 1;
            let mut candidate = Candidate {
                m,
                number,
                extension: 0,
            };
            // Not while all moves so far lose: what is left out might be the one that does not.
            if !best.value.is_loss()
                && self.prune_move(
                    position,
                    node,
                    context,
                    &candidate,
                    || check_test(m),
                    &mut picker,
                )
            {
                continue;
            }
            if Some(m) == context.table_move {
                match self.singular_extension(position, node, context, m)? {
                    Ok(plies) => candidate.extension = plies,
                    Err(cutoff) => return Ok(cutoff),
                }
            }
            let slot = position.history_slot(m);
            let window = Window::new(alpha, node.window.beta);
            let value = self.child(position, node, context, candidate, window)?;
            if value >= best.value {
                self.frames[ply].rests_on =
                    self.frames[ply].rests_on.min(self.frames[ply + 1].rests_on);
            }
            if value > best.value {
                best.value = value;
                if value > alpha {
                    alpha = value;
                    best.m = Some(m);
                    self.set_line(ply, m);
                    if value >= node.window.beta {
                        self.reward(position, node, context, m, &tried);
                        break;
                    }
                }
            }
            tried.push(slot, position.is_quiet(m));
        }
        if number == 0 {
            return Ok(match node.excluded {
                // The excluded move is the only one.
                Some(_) => node.window.alpha,
                None => position.terminal_value(),
            });
        }
        if node.excluded.is_none() {
            let code = best.m.map_or(0, G::move_code);
            self.store_at(position, node, context, best.value, code);
        }
        Ok(best.value)
    }

    fn next_move(
        &self,
        picker: &mut Picker<G::Move>,
        position: &G,
        context: &Context<G::Move>,
    ) -> Option<G::Move> {
        picker.next(
            position,
            &ByHistory {
                context,
                history: self.history,
                continuation: self.settings.continuation_history,
            },
        )
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

    /// The value of a child as seen from here: the first with the whole window, the others with a null
    /// window and reduced, and again with more only if they surprise.
    pub(super) fn child(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        Candidate {
            m,
            number,
            extension,
        }: Candidate<G::Move>,
        window: Window,
    ) -> Result<Value, Stopped> {
        let child = self.enter(position, node.ply, m, extension);
        let depth = node.depth - 1 + extension;
        let value = if number == 1 || !self.settings.principal_variation {
            let cut = !node.pv && !node.cut;
            self.search(&child, window.to_child(), depth, node.ply + 1, cut)?
                .from_child()
        } else {
            let reduction = self.reduction(position, &child, node, context, m, number);
            self.scout(&child, node, window, depth, reduction)?
        };
        self.path.pop();
        Ok(value)
    }

    /// Principal-variation search of a child that is expected to fall short of alpha.
    pub(super) fn scout(
        &mut self,
        child: &G,
        node: &Node<G::Move>,
        window: Window,
        depth: i32,
        reduction: i32,
    ) -> Result<Value, Stopped> {
        let ply = node.ply + 1;
        let null_window = Window::new(window.alpha, window.alpha.next_up()).to_child();
        if reduction > 0 {
            let value = self
                .search(child, null_window, depth - reduction, ply, true)?
                .from_child();
            if value <= window.alpha {
                return Ok(value);
            }
        }
        let value = self
            .search(child, null_window, depth, ply, !node.cut)?
            .from_child();
        if value > window.alpha && value < window.beta {
            return Ok(self
                .search(child, window.to_child(), depth, ply, false)?
                .from_child());
        }
        Ok(value)
    }

    /// A move has cut off: it is credited, those tried before it are debited.
    fn reward(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        m: G::Move,
        tried: &Tried,
    ) {
        let (code, slot) = (G::move_code(m), position.history_slot(m));
        let quiet = position.is_quiet(m);
        if quiet && self.settings.killers {
            self.frames[node.ply].killers.remember(code);
        }
        if !self.settings.history {
            return;
        }
        let bonus = (16 * node.depth * node.depth + 32 * node.depth).min(2000);
        if quiet {
            self.reward_quiet(context, slot, bonus);
            for &other in &tried.quiets {
                self.reward_quiet(context, other, -bonus);
            }
            if self.settings.continuation_history {
                self.history.set_countermove(context.previous, code);
            }
        } else {
            self.history.update_capture(slot, bonus);
        }
        for &other in &tried.captures {
            self.history.update_capture(other, -bonus);
        }
    }

    fn reward_quiet(&mut self, context: &Context<G::Move>, slot: usize, bonus: i32) {
        self.history.update_quiet(slot, bonus);
        if self.settings.continuation_history {
            self.history
                .update_continuation(context.previous, slot, bonus);
        }
    }

    /// What the table knows about a position.
    pub(super) fn probe(&self, position: &G) -> Option<Entry> {
        if self.settings.table {
            self.table.probe(position.key())
        } else {
            None
        }
    }

    /// Stores an interior node's result; only the move if the value rests on a repetition above.
    fn store_at(
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
        let static_value = match (context.static_value, context.entry) {
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
                bound: bound_of(value, node.window),
                depth: node.depth.clamp(0, 255) as u8,
                static_value,
            }
        };
        self.table.store(position.key(), entry);
    }

    fn store(&mut self, position: &G, window: Window, depth: u8, value: Value, code: u16) {
        if self.settings.table {
            let entry = Entry {
                code,
                value,
                bound: bound_of(value, window),
                depth,
                static_value: self.evaluator.static_value(position),
            };
            self.table.store(position.key(), entry);
        }
    }
}

fn bound_of(value: Value, window: Window) -> Bound {
    if value >= window.beta {
        Bound::Lower
    } else if value > window.alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// The entry's value if it answers a search of `window` to `depth`.
fn cutoff<G: Game>(entry: Entry, depth: i32, window: Window, position: &G) -> Option<Value> {
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
    (answers && enough && plies <= position.plies_to_rule_draw()).then_some(value)
}

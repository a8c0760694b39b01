//! Search of one position to a depth.

use std::cell::LazyCell;
use std::collections::VecDeque;

use super::entries::{cutoff, worth};
use super::node::{Candidate, Context, Node, is_wide};
use super::pruning::Singularity;
use super::worker::{Frame, MAX_PLY, Worker};
use crate::game::{Evaluated, Evaluator, Game, Moves};
use crate::search::events::{By, Descent, Event, LeftOut, Watcher};
use crate::search::kit::averts_rule_draw;
use crate::search::kit::budget::Stopped;
use crate::search::kit::ordering::Picker;
use crate::value::{Value, Window};

/// Best value and move of a position so far.
struct Best<M> {
    value: Value,
    m: Option<M>,
}

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// Searches the position that a step leads to, telling the watcher: see [`Worker::value_of`].
    #[inline]
    pub(super) fn search(
        &mut self,
        descent: Descent<G::Move>,
        position: &G,
        window: Window,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Result<Value, Stopped> {
        self.emit_query(descent, position, window, depth, ply);
        let value = self.value_of(position, window, depth, ply, cut);
        self.emit_answer(value, depth);
        value
    }

    /// The value of `position` to `depth`: exact inside `window`, a bound outside it (fail-soft).
    ///
    /// `cut` says that a value of at least beta is expected. Leaves the best line in
    /// `self.lines[ply]` where the value is inside the window.
    fn value_of(
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
            self.watcher.emit_source(By::Rules);
            self.budget.visit()?;
            return Ok(value);
        }
        if let Some(value) = self.evaluator.known_value(position) {
            self.watcher.emit_source(By::Known);
            self.budget.visit()?;
            return Ok(value);
        }
        let in_check = position.in_check();
        let depth = depth + self.check_extension(in_check, ply);
        if depth <= 0 || ply >= MAX_PLY {
            return self.leaf(position, window, ply);
        }
        self.look()?;
        self.budget.visit()?;
        self.seldepth = self.seldepth.max(ply);
        let node = Node {
            window,
            pv: is_wide(window),
            depth,
            ply,
            cut,
            in_check,
            excluded: None,
        };
        if self.may_be_shared(depth) {
            return self.together(position, node, |worker| worker.interior(position, node));
        }
        self.interior(position, node)
    }

    /// The evaluator's value of a position that is not drawn; stored in the table.
    fn leaf(&mut self, position: &G, window: Window, ply: usize) -> Result<Value, Stopped> {
        let entry = self.probe(position);
        if let Some(entry) = entry
            && let Some(value) = cutoff(entry, 0, window, position.plies_to_rule_draw())
        {
            self.watcher.emit_source(By::Table(worth(entry)));
            self.budget.visit()?;
            return Ok(value);
        }
        if !position.has_legal_move() {
            self.watcher.emit_source(By::Rules);
            self.budget.visit()?;
            return Ok(position.terminal_value());
        }
        self.watcher.emit_source(By::Leaf);
        let correction = if position.in_check() {
            0
        } else {
            let places = self.corrections.places(position, self.previous(ply));
            self.corrections.of(places)
        };
        let corrected = Window::new(
            window.alpha.offset(-correction),
            window.beta.offset(-correction),
        );
        let Evaluated { value, plies } =
            self.evaluator
                .evaluate(position, corrected, &mut self.budget)?;
        let value = value.offset(correction);
        self.seldepth = self.seldepth.max(ply + plies as usize);
        self.store_leaf(position, window, value, entry.map_or(0, |e| e.code));
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
            self.watcher.emit_source(By::Rules);
            return Ok(window.alpha);
        }
        let mut node = Node { window, ..node };

        let entry = self.probe(position).filter(|_| node.excluded.is_none());
        // No cutoffs by the table on the principal variation: for few nodes this gives whole lines and correct
        // draws.
        if (self.helps || !(self.settings.principal_variation && node.pv))
            && let Some(entry) = entry
            && let Some(value) = cutoff(entry, node.depth, window, position.plies_to_rule_draw())
        {
            self.watcher.emit_source(By::Table(worth(entry)));
            return Ok(value);
        }
        let context = self.context(position, &node, entry);
        if let Some(static_value) = self.pruning_value(&node, &context) {
            if let Some(value) = self.futile(&node, static_value, context.improving) {
                self.watcher.emit_source(By::StaticValue);
                return Ok(value);
            }
            if let Some(value) = self.null_move(position, &node, static_value)? {
                self.watcher.emit_source(By::Pass);
                return Ok(value);
            }
        }
        node.depth -= self.internal_reduction(&node, context.table_move.is_none());
        self.search_moves(position, &node, &context)
    }

    /// Null move: if the value reaches beta though the opponent moves twice, it does after a real move
    /// too. Not where [`Game::pass`] expects zugzwang.
    fn null_move(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        static_value: Value,
    ) -> Result<Option<Value>, Stopped> {
        let Some(depth) = self.null_move_depth(node, static_value) else {
            return Ok(None);
        };
        let Some(passed) = position.pass() else {
            return Ok(None);
        };
        let (ply, beta) = (node.ply, node.window.beta);
        self.frames[ply].slot = None;
        self.frames[ply + 1].extended = self.frames[ply].extended;
        let floor = self.path.push_null(position.key());
        let window = Window::at_least(beta).to_child();
        let value = self.search(Descent::Pass, &passed, window, depth, ply + 1, !node.cut);
        self.path.pop_null(floor);
        let value = value?.from_child();
        if value < beta {
            return Ok(None);
        }
        // A win after a null move is not a win.
        let value = if value.is_win() { beta } else { value };
        if !self.must_verify_null_move(node) {
            return Ok(Some(value));
        }
        let depth = depth.max(1);
        self.null_move_from = ply + plies_to_verify(depth);
        let again = Node {
            window: Window::at_least(beta),
            pv: false,
            depth,
            ..*node
        };
        let verified = self.search_again(Descent::Verify, position, again);
        self.null_move_from = 0;
        Ok((verified? >= beta).then_some(value))
    }

    /// Searches all moves but the table's move `m`, to see whether it is singular.
    fn singular_extension(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        m: G::Move,
    ) -> Result<Singularity, Stopped> {
        let Some(singular_beta) = self.singular_beta(node, context) else {
            return Ok(Singularity::Extend(0));
        };
        let others = Node {
            window: Window::at_least(singular_beta),
            pv: false,
            // Half, since the position is searched twice.
            depth: (node.depth - 1) / 2,
            excluded: Some(m),
            ..*node
        };
        let without = self.search_again(Descent::Others, position, others)?;
        self.lines[node.ply].clear();
        Ok(self.singularity(node, context, singular_beta, without))
    }

    /// Searches the current position again, telling the watcher.
    fn search_again(
        &mut self,
        descent: Descent<G::Move>,
        position: &G,
        node: Node<G::Move>,
    ) -> Result<Value, Stopped> {
        self.emit_query(descent, position, node.window, node.depth, node.ply);
        let value = self.interior(position, node);
        self.emit_answer(value, node.depth);
        value
    }

    /// Searches the moves one after the other.
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
        let mut tried = Moves::new();
        let mut number = 0;
        let mut picker = Picker::new(context.table_move, self.settings.exchange_ordering);
        let check_test = LazyCell::new(|| position.check_test());
        // Moves that other threads are searching come last: they are answered by then, or need help.
        let mut deferred = VecDeque::new();
        loop {
            let candidate = if let Some(m) = picker.next(position, &self.order(context)) {
                if Some(m) == node.excluded {
                    continue;
                }
                number += 1;
                let mut candidate = Candidate {
                    m,
                    number,
                    extension: 0,
                };
                let gives_check = || check_test(m);
                // Not while all moves so far lose: the pruned one might not.
                if !best.value.is_loss()
                    && let Some(why) = self.prune_move(
                        position,
                        node,
                        context,
                        &candidate,
                        gives_check,
                        &mut picker,
                    )
                    && !averts_rule_draw(position, m)
                {
                    self.watcher
                        .emit(|| Event::LeftOut(LeftOut { m, number, why }));
                    continue;
                }
                if Some(m) == context.table_move {
                    match self.singular_extension(position, node, context, m)? {
                        Singularity::Extend(plies) => candidate.extension = plies,
                        Singularity::Cutoff(value) => {
                            self.watcher.emit_source(By::Another);
                            return Ok(value);
                        }
                    }
                }
                let window = Window::new(alpha, node.window.beta);
                if self.is_searched_elsewhere(position, node, context, candidate, window) {
                    deferred.push_back(candidate);
                    continue;
                }
                candidate
            } else if let Some(back) = deferred.pop_front() {
                back
            } else {
                break;
            };
            let m = candidate.m;
            let window = Window::new(alpha, node.window.beta);
            let value = self.child(position, node, context, candidate, window)?;
            self.take_value(ply, m, value, &mut best, &mut alpha);
            if value >= node.window.beta {
                self.reward(position, node, context, m, &tried);
                break;
            }
            tried.push(m);
        }
        Ok(self.concluded(position, node, context, &best, number))
    }

    /// Notes the value of a move at `ply`: whether it is the best so far, and whether it raises alpha.
    fn take_value(
        &mut self,
        ply: usize,
        m: G::Move,
        value: Value,
        best: &mut Best<G::Move>,
        alpha: &mut Value,
    ) {
        if value >= best.value {
            let rests_on = self.frames[ply + 1].rests_on;
            self.frames[ply].rests_on = self.frames[ply].rests_on.min(rests_on);
        }
        if value > best.value {
            best.value = value;
            if value > *alpha {
                *alpha = value;
                best.m = Some(m);
                self.set_line(ply, m);
            }
        }
    }

    /// The value of a position whose moves have been tried; the table and the corrections learn it.
    fn concluded(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        best: &Best<G::Move>,
        number: usize,
    ) -> Value {
        if number == 0 {
            self.watcher.emit_source(By::Rules);
            return match node.excluded {
                // The excluded move is the only one.
                Some(_) => node.window.alpha,
                None => position.terminal_value(),
            };
        }
        self.watcher
            .emit_source(best.m.map_or(By::NoMove, By::Move));
        if node.excluded.is_none() {
            let code = best.m.map_or(0, G::move_code);
            if self.frames[node.ply].rests_on >= node.ply {
                self.learn_correction(position, node, context, best.value, best.m);
            }
            self.store_at(position, node, context, best.value, code);
        }
        best.value
    }

    /// The value of a child for its parent: the first with the whole window, the others reduced with a null
    /// window, and again with more if they exceed alpha.
    pub(super) fn child(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        candidate: Candidate<G::Move>,
        window: Window,
    ) -> Result<Value, Stopped> {
        let (m, number) = (candidate.m, candidate.number);
        let child = self.enter(position, node.ply, m, candidate.extension);
        let depth = node.depth - 1 + candidate.extension;
        let descent = Descent::Move { m, number };
        let value = if number == 1 || !self.settings.principal_variation {
            let cut = !node.pv && !node.cut;
            self.search(descent, &child, window.to_child(), depth, node.ply + 1, cut)
                .map(Value::from_child)
        } else {
            let reduction = self.reduction(position, &child, node, context, m, number);
            self.scout(descent, &child, node, window, depth, reduction)
        };
        self.path.pop();
        value
    }

    /// Principal-variation search of a child whose move is expected to fall short of alpha.
    pub(super) fn scout(
        &mut self,
        descent: Descent<G::Move>,
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
                .search(descent, child, null_window, depth - reduction, ply, true)?
                .from_child();
            if value <= window.alpha {
                return Ok(value);
            }
        }
        let value = self
            .search(descent, child, null_window, depth, ply, !node.cut)?
            .from_child();
        if value > window.alpha && value < window.beta {
            return Ok(self
                .search(descent, child, window.to_child(), depth, ply, false)?
                .from_child());
        }
        Ok(value)
    }
}

/// Plies without null moves below a null move verified to `depth`: three quarters of it. Farther down a
/// zugzwang matters little.
fn plies_to_verify(depth: i32) -> usize {
    (3 * depth / 4) as usize
}
